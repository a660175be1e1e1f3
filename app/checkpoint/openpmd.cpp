#include "app/checkpoint/openpmd.hpp"

#include "run/case/units.hpp"

#include <cmath>
#include <vector>

namespace corral::app::openpmd {

namespace {

using run::Entry;

std::string record(const std::string& iteration, const Entry& e) {
  return iteration + (e.set ? "/particles/" + e.set->name() + "/" : "/fields/") + e.name;
}

/// Powers of length, mass, time, current, temperature, amount, luminous intensity.
std::vector<double> dimension(const run::Unit& unit) {
  const auto power = [&](std::size_t i) { return static_cast<double>(unit.powers[i]); };
  return {power(0), power(1), power(2), 0, power(3), power(4), 0};
}

double in_si(const run::Unit& unit) { return unit.factor / unit.divisor * std::pow(10.0, unit.exponent); }

bool begins_record(const Entry& e) { return e.axis <= 0; }

/// Of the record and of the component, which of a scalar are the same.
void describe_units(Hdf5File& file, const std::string& iteration, const Entry& e) {
  const run::Unit unit = run::parse_unit(e.unit);
  const std::string of_record = record(iteration, e), of_component = place(iteration, e);
  if (begins_record(e)) {
    file.attribute(of_record, "unitDimension", dimension(unit));
    file.attribute(of_record, "timeOffset", 0.0);
  }
  file.attribute(of_component, "unitSI", in_si(unit));
  file.attribute(of_component, "unit", e.unit);
  file.attribute(of_component, "meaning", e.meaning);
}

/// Where a component lies in its cell, from 0 to 1, slowest axis first.
std::vector<double> place_in_cell(Staggering staggering) {
  std::vector<double> at;
  for (int d = 2; d >= 0; --d) at.push_back(on_face(staggering, d) ? 0 : 0.5);
  return at;
}

} // namespace

std::string iteration(std::int64_t step) { return "/data/" + std::to_string(step); }

std::string place(const std::string& iteration, const Entry& e) {
  return record(iteration, e) + (e.axis < 0 ? "" : std::string("/") + "xyz"[e.axis]);
}

void describe_iteration(Hdf5File& file, const run::Clock& clock, bool particles) {
  file.attribute("/", "openPMD", std::string("1.1.0"));
  file.attribute("/", "openPMDextension", std::uint32_t{0});
  file.attribute("/", "basePath", std::string("/data/%T/"));
  file.attribute("/", "meshesPath", std::string("fields/"));
  if (particles) file.attribute("/", "particlesPath", std::string("particles/"));
  file.attribute("/", "iterationEncoding", std::string("groupBased"));
  file.attribute("/", "iterationFormat", std::string("/data/%T/"));
  file.attribute("/", "software", std::string("corral"));
  file.attribute("/", "softwareVersion", std::string(CORRAL_VERSION));
  const std::string at = iteration(clock.step());
  file.make_group(at);
  file.attribute(at, "time", clock.time());
  file.attribute(at, "dt", clock.dt());
  file.attribute(at, "timeUnitSI", 1.0);
}

void describe_field(Hdf5File& file, const std::string& iteration, const Entry& e, const Grid& grid) {
  describe_units(file, iteration, e);
  file.attribute(place(iteration, e), "position", place_in_cell(e.staggering));
  if (!begins_record(e)) return;
  const std::string at = record(iteration, e);
  std::vector<double> spacings, origin;
  for (int d = 2; d >= 0; --d) {
    spacings.push_back(grid.axis(d).spacing);
    origin.push_back(grid.axis(d).origin);
  }
  file.attribute(at, "geometry", std::string("cartesian"));
  file.attribute(at, "dataOrder", std::string("C"));
  file.attribute(at, "axisLabels", std::vector<std::string>{"z", "y", "x"});
  file.attribute(at, "gridSpacing", spacings);
  file.attribute(at, "gridGlobalOffset", origin);
  file.attribute(at, "gridUnitSI", 1.0);
}

void describe_column(Hdf5File& file, const std::string& iteration, const Entry& e) { describe_units(file, iteration, e); }

void describe_species(Hdf5File& file, const std::string& iteration, const run::ParticleSet& set) {
  const std::string at = iteration + "/particles/" + set.name() + "/positionOffset";
  for (const char* component : {"/x", "/y", "/z"}) {
    file.make_group(at + component);
    file.attribute(at + component, "value", 0.0);
    file.attribute(at + component, "shape", std::vector<std::uint64_t>{static_cast<std::uint64_t>(set.size())});
    file.attribute(at + component, "unitSI", 1.0);
  }
  file.attribute(at, "unitDimension", dimension(run::parse_unit("m")));
  file.attribute(at, "timeOffset", 0.0);
}

} // namespace corral::app::openpmd
