#include "app/drivers.hpp"
#include "app/run.hpp"
#include "bench/lattice/suite.hpp"
#include "bench/maps.hpp"

int main(int argc, char** argv) {
  return corral::app::run(argc, argv, [] {
    corral::bench::other_suites().push_back(corral::bench::lattice_suite());
    return corral::app::drivers();
  });
}
