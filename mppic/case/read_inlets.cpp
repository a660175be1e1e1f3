#include "mppic/case/case_reader.hpp"
#include "run/case/inlets.hpp"

namespace corral::mppic {

template <class F> auto CaseReader::by_inlets(F f) {
  run::InletReader reader(s_, problems_, setup_);
  auto found = f(reader);
  complained_ = complained_ || reader.complained();
  return found;
}

bool CaseReader::region(const std::string& block, int normal, Box& out) {
  return by_inlets([&](run::InletReader& reader) { return reader.region(block, normal, out.low, out.high); });
}

void CaseReader::inlet(const std::string& block) {
  const std::optional<fluid::Inlet> inlet = by_inlets([&](run::InletReader& reader) { return reader.inlet(block); });
  if (!inlet) return;
  setup_.inlets.push_back(*inlet);
  solids_inlet(block, *inlet);
}

std::array<double, 3> CaseReader::tangential(const std::string& block, int side) {
  constexpr const char* key = "solids_tangential_velocity";
  std::array<double, 3> velocity{};
  if (s_.given(block, key)) velocity = s_.reals3(block, key);
  const auto normal = static_cast<std::size_t>(side / 2);
  if (velocity[normal] != 0)
    complain(block, key, "[" + block + "] has a tangential velocity with a part along " + "xyz"[normal] +
                             ", across its side (solids_velocity is that part) make it 0");
  return velocity;
}

void CaseReader::solids_inlet(const std::string& block, const fluid::Inlet& inlet) {
  if (!s_.given(block, "solids_rate")) return;
  try {
    const double velocity = need(block, "solids_velocity", "solids_rate needs it");
    const double weight = need(block, "particles_per_parcel", "solids_rate needs it");
    const std::optional<int> solid = solid_of(block);
    const SizeDistribution* sizes = solid ? sizes_of(block, *solid) : nullptr;
    const std::array<double, 3> along = tangential(block, inlet.side);
    const bool own = s_.given(block, "solids_times") || s_.given(block, "solids_factors");
    const auto of_solids = [&](run::InletReader& reader) { return reader.schedule(block, "solids_times", "solids_factors"); };
    const fluid::Schedule feed = own ? by_inlets(of_solids) : inlet.schedule;
    if (sizes)
      setup_.solids_inlets.push_back({.inlet = inlet,
                                      .rate = s_.real(block, "solids_rate"),
                                      .velocity = velocity,
                                      .particles_per_parcel = weight,
                                      .sizes = *sizes,
                                      .tangential = along,
                                      .solid = *solid,
                                      .schedule = feed});
  } catch (const CaseSaid&) {
  }
}

} // namespace corral::mppic
