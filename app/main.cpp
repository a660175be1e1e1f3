#include "app/drivers.hpp"
#include "app/ranks/started.hpp"
#include "app/run.hpp"
#include "bench/lattice/suite.hpp"
#include "bench/maps.hpp"
#include "bench/stokes/suite.hpp"

int main(int argc, char** argv) {
  return corral::app::run(argc, argv, [] {
    corral::bench::other_suites() = {corral::bench::lattice_suite(), corral::bench::stokes_suite()};
    return corral::app::drivers();
  }, corral::app::started_team);
}
