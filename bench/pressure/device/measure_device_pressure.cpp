#include "bench/pressure/device/measure_device_pressure.hpp"

#include "bench/device/device.hpp"
#include "bench/duration.hpp"
#include "bench/measure.hpp"
#include "fluid/pressure/pressure.hpp"

#include <span>
#include <vector>

namespace corral::bench {
namespace {

constexpr fluid::SolveOptions to_eight_digits{1e-8, 0, 200};
constexpr std::array<bool, 3> no_axis{false, false, false};

Array<double> sent(const double* values, std::int64_t n) {
  Array<double> there = device_memory<double>(n);
  there.assign(std::span<const double>(values, static_cast<std::size_t>(n)));
  return there;
}

void measure_on_host(const BubblingBed& bed, int repeats, DevicePressureRow& row) {
  fluid::PressureSolver solver(bed.cells(), no_axis);
  Array<double> x(row.cells(), 0.0);
  const auto once = [&] {
    x.fill(0);
    solver.set_coefficients(Cpu{}, {bed.faces(), nullptr});
    row.host_iterations = solver.solve(Cpu{}, bed.rhs(), x.data(), to_eight_digits).iterations;
  };
  std::vector<Timed> timed{{[&] { return duration_of(current_threads(), once).clock; }}};
  time_in_turn(timed, repeats);
  row.host = median(timed[0].seconds);
}

} // namespace

DevicePressureRow measure_device_pressure(const DevicePressureWork& work, double copy_rate, int repeats) {
  DevicePressureRow row{.work = work, .copy_rate = copy_rate};
  const BubblingBed bed(work.n, work.top, work.dense);
  std::array<Array<double>, 3> face;
  for (std::size_t d = 0; d < 3; ++d) face[d] = sent(bed.faces()[d], row.cells() + work.n * work.n);
  const fluid::FaceCoefficients a{{face[0].data(), face[1].data(), face[2].data()}};
  const Array<double> b = sent(bed.rhs(), row.cells());
  Array<double> x = device_memory<double>(row.cells());
  fluid::PressureSolver solver(bed.cells(), no_axis, Memory::device);
  const auto take = [&] { solver.set_coefficients(Gpu{}, a); };
  const auto solve = [&] { row.iterations = solver.solve(Gpu{}, b.data(), x.data(), to_eight_digits).iterations; };
  const auto from_zeros = [&] {
    x.zero();
    return seconds_on_device(solve);
  };
  take();
  from_zeros(); // takes memory, and tells how many iterations to ask for
  std::vector<Timed> timed{{[&] { return seconds_on_device(take); }}, {from_zeros}};
  time_in_turn(timed, repeats);
  row.coefficients = median(timed[0].seconds);
  row.solve = median(timed[1].seconds);
  measure_on_host(bed, repeats, row);
  return row;
}

} // namespace corral::bench
