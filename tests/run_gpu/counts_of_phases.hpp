#pragma once

#include "run/phases.hpp"
#include "tests/catch.hpp"

#include <cuda_on_host/configuration.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace corral::test {

/// Counts for each phase in place of its seconds.
class CountsOfPhases final : public run::Phases::Timeline {
public:
  struct Of {
    const double* phase;
    std::uint64_t launches = 0, waits = 0, transforms = 0, products = 0; ///< the last two by cuFFT and cuBLAS
  };

  explicit CountsOfPhases(std::vector<Of>& all) : all_(all) {}
  void count_to(double* seconds) noexcept override {
    const std::uint64_t waits = cuda_on_host::statistics().waits;
    cuda_on_host::finish();
    const cuda_on_host::Statistics now = cuda_on_host::statistics();
    if (phase_) {
      auto found = std::find_if(all_.begin(), all_.end(), [&](const Of& of) { return of.phase == phase_; });
      if (found == all_.end()) found = all_.insert(all_.end(), Of{phase_});
      found->launches += now.launches - before_.launches;
      found->waits += waits - before_.waits;
      found->transforms += now.transforms - before_.transforms;
      found->products += now.products - before_.products;
    }
    phase_ = seconds, before_ = now;
  }
  void settle() noexcept override {}
  double copy_rate() noexcept override { return 0; }

private:
  std::vector<Of>& all_;
  const double* phase_ = nullptr;
  cuda_on_host::Statistics before_{};
};

/// What a phase may ask for.
struct MostOfPhase {
  std::string phase;
  std::uint64_t launches, waits, transforms = 0, products = 0;
};

/// These are the phases that were counted, and none asked for more; of transforms and products for as many.
inline void check_phases(const run::Phases& phases, const std::vector<CountsOfPhases::Of>& counts, const std::vector<MostOfPhase>& most) {
  for (const MostOfPhase& phase : most) {
    const auto named = std::find_if(phases.all().begin(), phases.all().end(), [&](const auto& p) { return p.name == phase.phase; });
    REQUIRE(named != phases.all().end());
    const auto asked = std::find_if(counts.begin(), counts.end(), [&](const auto& of) { return of.phase == &named->seconds; });
    REQUIRE(asked != counts.end());
    INFO(phase.phase << ": " << asked->launches << " launches, " << asked->waits << " waits, " << asked->transforms << " transforms, "
                      << asked->products << " products");
    CHECK(asked->launches <= phase.launches);
    CHECK(asked->waits <= phase.waits);
    CHECK(asked->transforms == phase.transforms);
    CHECK(asked->products == phase.products);
  }
  CHECK(counts.size() == most.size());
}

} // namespace corral::test
