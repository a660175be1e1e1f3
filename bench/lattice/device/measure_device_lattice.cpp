#include "bench/lattice/device/measure_device_lattice.hpp"

#include "bench/device/device.hpp"
#include "bench/lattice/row_parts.hpp"
#include "bench/measure.hpp"
#include "fluid/lattice/device/flow.hpp"

namespace corral::bench {

namespace lattice = fluid::lattice;
using lattice::VelocitySet;

std::int64_t DeviceLatticeRow::bytes_per_update() const {
  return 2 * bytes_of_a_cell(work.set, work.precision) + (work.with_fields ? 48 : 0);
}

DeviceLatticeRow measure_device_lattice(const DeviceLatticeWork& work, double copy_rate, int repeats) {
  constexpr double stream = 0.02, viscosity = 1. / 30; // cells a step, and tau = .6; cells and steps are 1
  std::array<fluid::SideKind, 6> sides;
  sides.fill(fluid::SideKind::periodic);
  std::array<double, 3> size{};
  for (std::size_t d = 0; d < 3; ++d) size[d] = static_cast<double>(work.cells[d]);
  const fluid::Domain domain(fluid::Domain::make_grid(work.cells, {0, 0, 0}, size, sides), sides, {});
  fluid::DeviceLatticeFlow flow(domain, {.density = 1, .viscosity = viscosity, .dt = 1, .set = work.set, .precision = work.precision,
                                         .scheme = work.scheme});
  {
    const Array<double> along(domain.grid().cells(), stream), none(domain.grid().cells(), 0.0);
    flow.start({along.data(), none.data(), none.data()});
  }
  const std::int64_t values = work.with_fields ? domain.grid().cells() : 0;
  Array<double> none(values, 0.0, Memory::device), velocity = device_memory<double>(3 * values);
  const double* const force = work.with_fields ? none.data() : nullptr;
  fluid::FacePointers to{};
  for (std::size_t d = 0; d < 3 && work.with_fields; ++d) to[d] = velocity.data() + static_cast<std::int64_t>(d) * values;
  const auto two_steps = [&] {
    for (int s = 0; s < 2; ++s) flow.step(Gpu{}, {force, force, force}, to);
  };
  std::vector<Timed> timed{{[&] { return seconds_on_device(two_steps) / 2; }}};
  time_in_turn(timed, repeats);
  return {work, median(timed[0].seconds), copy_rate};
}

} // namespace corral::bench
