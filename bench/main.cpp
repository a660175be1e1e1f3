#ifdef CORRAL_BENCH_DEVICE_LATTICE
#include "bench/lattice/device/suite.hpp"
#endif
#ifdef CORRAL_BENCH_DEVICE_PRESSURE
#include "bench/pressure/device/suite.hpp"
#endif
#ifdef CORRAL_BENCH_DEVICE_STOKES
#include "bench/stokes/device/suite.hpp"
#endif
#include "bench/maps.hpp"

#include <exception>
#include <iostream>
#include <string>
#include <vector>

/// corral-bench-maps: what `corral bench` is, with its words and its exit status. corral-bench-lattice-gpu: the same, which
/// has the suite of the lattice fluid on a device, too; corral-bench-pressure-gpu that of pressure solves there, and
/// corral-bench-stokes-gpu that of near fields.
int main(int argc, char** argv) {
  using namespace corral::bench;
  constexpr int failed = 1, refused = 2;
#ifdef CORRAL_BENCH_DEVICE_LATTICE
  other_suites().push_back(device_lattice_suite());
#endif
#ifdef CORRAL_BENCH_DEVICE_PRESSURE
  other_suites().push_back(device_pressure_suite());
#endif
#ifdef CORRAL_BENCH_DEVICE_STOKES
  other_suites().push_back(device_near_suite());
#endif
  MapOptions options;
  try {
    options = read_map_options(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& e) {
    std::cerr << "corral: " << e.what() << "\n";
    return refused;
  }
  try {
    if (options.help) std::cout << map_options_help();
    else run_maps(options, std::cout);
    return std::cout.flush() ? 0 : failed;
  } catch (const std::exception& e) {
    std::cerr << "corral: " << e.what() << "\n";
    return failed;
  }
}
