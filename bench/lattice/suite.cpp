#include "bench/lattice/suite.hpp"

#include "bench/lattice/lattice_report.hpp"
#include "bench/lattice/measure_lattice.hpp"

namespace corral::bench {

namespace lattice = fluid::lattice;
using lattice::Scheme;
using lattice::VelocitySet;

namespace {

LatticeWork fluid_alone(VelocitySet set, lattice::Precision precision, Scheme scheme) {
  LatticeWork work{.set = set, .precision = precision, .scheme = scheme, .threads = {1, 2}};
  if (set == VelocitySet::d2q9) work.cells = {1600, 1200, 1};
  if (set == VelocitySet::d3q19 && scheme == Scheme::in_place) {
    if (precision == lattice::Precision::floats) work.least_of_copy = 0.6;
    if (precision == lattice::Precision::doubles) work.least_of_copy = 0.65;
  }
  return work;
}

/// The shares of figures 19 and 20 of Valero-Lara et al., and 1 % of larger ones.
std::vector<LatticeWork> with_bodies(VelocitySet set) {
  std::vector<LatticeWork> works;
  for (const double share : {0.005, 0.01, 0.015}) {
    LatticeWork work = fluid_alone(set, lattice::Precision::doubles, Scheme::in_place);
    work.least_of_copy.reset();
    work.threads = {1};
    if (set == VelocitySet::d2q9) work.diameter = 40;
    for (const bool moving : {false, true})
      for (const bool at_once : {false, true}) work.bodies.push_back({share, moving, at_once});
    works.push_back(work);
    if (share != 0.01) continue;
    work.diameter *= 2;
    if (set == VelocitySet::d3q19) work.cells = {152, 152, 148}; // of which two spheres are 1 %
    works.push_back(work);
  }
  return works;
}

std::vector<LatticeWork> works() {
  std::vector<LatticeWork> all;
  for (const VelocitySet set : {VelocitySet::d2q9, VelocitySet::d3q19, VelocitySet::d3q27})
    for (const lattice::Precision precision : {lattice::Precision::floats, lattice::Precision::floats_in_double, lattice::Precision::doubles})
      for (const Scheme scheme : {Scheme::in_place, Scheme::two_lattices})
        if (set != VelocitySet::d3q27 || (scheme == Scheme::in_place && precision != lattice::Precision::floats_in_double))
          all.push_back(fluid_alone(set, precision, scheme));
  for (const VelocitySet set : {VelocitySet::d2q9, VelocitySet::d3q19})
    for (const LatticeWork& work : with_bodies(set)) all.push_back(work);
  return all;
}

std::string run(const SuiteCall& call, const std::function<void(const std::string&)>& tell) {
  std::vector<LatticeRow> all;
  tell(lattice_header());
  for (const LatticeWork& work : works())
    for (const LatticeRow& row : measure_lattice(work, call.repeats)) {
      tell(lattice_line(row));
      all.push_back(row);
    }
  tell("\n" + count_lattice_targets(all));
  return lattice_json(all, call.repeats);
}

} // namespace

OtherSuite lattice_suite() {
  return {"lattice", "the lattice Boltzmann fluid beside a copy of memory, alone and with bodies, 4 minutes and 4 GB", run};
}

} // namespace corral::bench
