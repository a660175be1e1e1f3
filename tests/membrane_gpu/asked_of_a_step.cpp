#include "tests/catch.hpp"
#include "tests/membrane_gpu/case_run.hpp"
#include "tests/mppic_gpu/padding.cuh"

#include <cuda_on_host/configuration.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

/// What a step of membranes asks of the device beside its work: launches, waits, memory. docs/gpu_runs.md has the same numbers.
namespace corral::test {
namespace {

/// Counts for each phase in place of its seconds.
class Counts final : public run::Phases::Timeline {
public:
  struct Of {
    const double* phase;
    std::uint64_t launches = 0, waits = 0, transforms = 0, products = 0;
  };

  explicit Counts(std::vector<Of>& all) : all_(all) {}
  void count_to(double* seconds) noexcept override {
    const std::uint64_t waits = cuda_on_host::statistics().waits;
    cuda_on_host::finish();
    const std::uint64_t launches = cuda_on_host::statistics().launches, transforms = cuda_on_host::statistics().transforms,
                        products = cuda_on_host::statistics().products;
    if (phase_) {
      auto found = std::find_if(all_.begin(), all_.end(), [&](const Of& of) { return of.phase == phase_; });
      if (found == all_.end()) found = all_.insert(all_.end(), Of{phase_});
      found->launches += launches - launches_;
      found->waits += waits - waits_;
      found->transforms += transforms - transforms_;
      found->products += products - products_;
    }
    phase_ = seconds, launches_ = launches, transforms_ = transforms, products_ = products, waits_ = cuda_on_host::statistics().waits;
  }
  void settle() noexcept override {}
  double copy_rate() noexcept override { return 0; }

private:
  std::vector<Of>& all_;
  const double* phase_ = nullptr;
  std::uint64_t launches_ = 0, waits_ = 0, transforms_ = 0, products_ = 0;
};

struct Most {
  std::string phase;
  std::uint64_t launches, waits, transforms = 0, products = 0;
};

/// Two surfaces with bending by curvature that repel each other.
membrane::MembraneSetup two_surfaces(bool walls) {
  membrane::MembraneSetup setup = sheared(walls);
  put_in_the_middle(setup, stiff_sphere(162, 4 * um)).position[0] = 4 * um;
  put(setup, stiff_sphere(162, 4 * um), {12 * um, 8 * um, 8 * um});
  for (structure::SurfaceModel& surface : setup.surfaces) {
    surface.material.bending_law = structure::BendingLaw::helfrich;
    surface.material.bending_modulus = 2e-19;
  }
  setup.coupling.repulsion_range = 0.5 * um;
  setup.coupling.repulsion_stiffness = 1e-5;
  return setup;
}

/// Of the third step.
void check_asked(const membrane::MembraneSetup& setup, const std::vector<Most>& most) {
  const PaddingHoldsAnything padding;
  CaseRun<Gpu> run(setup);
  run.advance(2);
  const std::int64_t held = memory_use(Memory::device).held;
  std::vector<Counts::Of> counts;
  run.phases.time_by(std::make_unique<Counts>(counts));
  run.advance(1);
  CHECK(memory_use(Memory::device).held == held);
  for (const Most& phase : most) {
    const auto named = std::find_if(run.phases.all().begin(), run.phases.all().end(), [&](const auto& p) { return p.name == phase.phase; });
    REQUIRE(named != run.phases.all().end());
    const auto asked = std::find_if(counts.begin(), counts.end(), [&](const Counts::Of& of) { return of.phase == &named->seconds; });
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

} // namespace

TEST_CASE("A step of membranes asks for as many launches and waits as the manual says, and for no memory but the first times") {
  membrane::MembraneSetup setup = two_surfaces(true);
  on_lattice(setup, 2e-8);
  check_asked(setup, {{"sort", 6, 2}, {"interpolate", 21, 0}, {"move", 6, 0}, {"forces", 10, 0}, {"repulsion", 5, 2},
                      {"spread", 23, 5}, {"fluid", 4, 1}, {"books", 12, 6}, {"measure", 10, 2}});
}

TEST_CASE("and of an incompressible fluid, as many transforms") {
  for (const bool walls : {true, false})
    for (const bool inertia : {true, false}) {
      membrane::MembraneSetup setup = two_surfaces(walls);
      setup.fluid.inertia = inertia;
      setup.time.dt = 2e-8;
      INFO((walls ? "walls, " : "wrapping, ") << (inertia ? "inertia" : "Stokes flow"));
      const std::uint64_t halves = inertia ? 2 : 1;
      const Most books = walls ? Most{"books", 3, 1} : inertia ? Most{"books", 4, 2} : Most{"books", 12, 4};
      check_asked(setup, {{"sort", 6, 2}, {"interpolate", 34, 0}, {"move", 6, 0}, {"forces", 10, 0}, {"repulsion", 5, 2},
                          {"spread", 33, 5}, {"fluid", 11, 1, 6 * halves + 1}, books, {"measure", 10, 2}});
    }
}

TEST_CASE("and of radial surfaces, as many products") {
  for (const auto rule : {structure::RadialForces::collocated, structure::RadialForces::variational}) {
    membrane::MembraneSetup setup = sheared(true);
    setup.fluid.inertia = false;
    setup.time.dt = 2e-8;
    for (const double x : {4 * um, 12 * um}) {
      structure::SurfaceModel kind = by_radial_functions(stiff_sphere(162, 3 * um), 80, 322);
      kind.forces = rule;
      kind.material.bending_law = structure::BendingLaw::helfrich;
      kind.material.bending_modulus = 2e-19;
      kind.material.volume_stiffness = 100;
      put(setup, kind, {x, 8 * um, 8 * um});
    }
    const bool variational = rule == structure::RadialForces::variational;
    INFO((variational ? "variational" : "collocated"));
    check_asked(setup, {{"sort", 9, 3}, {"interpolate", 28, 0}, {"move", 6, 0}, {"forces", 30, 0, 0, variational ? 60u : 48u},
                        {"spread", 33, 5}, {"fluid", 8, 1, 7}, {"books", 3, 1}, {"measure", 14, 2, 0, 24}});
  }
}

} // namespace corral::test
