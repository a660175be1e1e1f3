#include "app/openpmd/iteration_file.hpp"

#include "app/system/rank_file.hpp"
#include "run/case/units.hpp"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

namespace corral::app::openpmd {

using run::Entry;
using run::Kind;

namespace {

bool on_faces(const Entry& e) {
  return e.kind == Kind::field && (e.staggering == Staggering::face_x || e.staggering == Staggering::face_y ||
                                   e.staggering == Staggering::face_z);
}

std::uint64_t count(std::int64_t n) { return static_cast<std::uint64_t>(n); }

} // namespace

std::string iteration(std::int64_t step) { return "/data/" + std::to_string(step); }

bool is_component(const Entry& e) { return e.components > 1 && !on_faces(e); }

std::string record(const std::string& iteration, const Entry& e) {
  return iteration + (e.set ? "/particles/" + e.set->name() + "/" : "/fields/") + (is_component(e) ? e.name : e.full_name());
}

std::string place(const std::string& iteration, const Entry& e) {
  return record(iteration, e) + (is_component(e) ? "/" + e.component_name() : "");
}

std::string place_beside(const std::string& group, const Entry& e) {
  return group + "/" + (e.set ? e.set->name() + "." : "") + e.full_name();
}

Hdf5File::Extents extents_of(const Entry& e) {
  if (e.kind == Kind::field) return {count(e.extents[2]), count(e.extents[1]), count(e.extents[0])};
  if (e.kind == Kind::number) return {};
  if (e.kind == Kind::connectivity) return {count(e.size() / e.corners), count(e.corners)};
  return {count(e.size())};
}

namespace {

using run::Entry;

/// Powers of length, mass, time, current, temperature, amount, luminous intensity.
std::vector<double> dimension(const run::Unit& unit) {
  const auto power = [&](std::size_t i) { return static_cast<double>(unit.powers[i]); };
  return {power(0), power(1), power(2), 0, power(3), power(4), 0};
}

double in_si(const run::Unit& unit) { return unit.factor / unit.divisor * std::pow(10.0, unit.exponent); }

/// Where a component lies in its cell, from 0 to 1, slowest axis first.
std::vector<double> place_in_cell(Staggering staggering) {
  std::vector<double> at;
  for (int d = 2; d >= 0; --d) at.push_back(on_face(staggering, d) ? 0 : 0.5);
  return at;
}

} // namespace

IterationFile::IterationFile(Hdf5File file, const run::Clock& clock, const Head& head)
    : file_(std::move(file)), iteration_(iteration(clock.step())) {
  const bool alone = head.series.empty();
  file_.attribute("/", "openPMD", std::string("1.1.0"));
  file_.attribute("/", "openPMDextension", std::uint32_t{0});
  file_.attribute("/", "basePath", std::string("/data/%T/"));
  if (head.fields) file_.attribute("/", "meshesPath", std::string("fields/"));
  if (head.particles) file_.attribute("/", "particlesPath", std::string("particles/"));
  file_.attribute("/", "iterationEncoding", std::string(alone ? "groupBased" : "fileBased"));
  file_.attribute("/", "iterationFormat", alone ? std::string("/data/%T/") : head.series);
  file_.attribute("/", "software", std::string("corral"));
  file_.attribute("/", "softwareVersion", std::string(CORRAL_VERSION));
  file_.make_group(iteration_);
  file_.attribute(iteration_, "time", clock.time());
  file_.attribute(iteration_, "dt", clock.dt());
  file_.attribute(iteration_, "timeUnitSI", 1.0);
}

void IterationFile::add_field(const Entry& e, const Grid& grid) {
  const std::string values = place(iteration_, e);
  write_values(values, e);
  describe(values, e);
  file_.attribute(values, "position", place_in_cell(e.staggering));
  if (is_component(e) && e.component > 0) return;
  describe_record(e);
  const std::string at = record(iteration_, e);
  std::vector<double> spacings, origin;
  for (int d = 2; d >= 0; --d) {
    spacings.push_back(grid.axis(d).spacing);
    origin.push_back(grid.axis(d).origin);
  }
  file_.attribute(at, "geometry", std::string("cartesian"));
  file_.attribute(at, "dataOrder", std::string("C"));
  file_.attribute(at, "axisLabels", std::vector<std::string>{"z", "y", "x"});
  file_.attribute(at, "gridSpacing", spacings);
  file_.attribute(at, "gridGlobalOffset", origin);
  file_.attribute(at, "gridUnitSI", 1.0);
}

void IterationFile::add_column(const Entry& e) {
  const std::string values = place(iteration_, e);
  write_values(values, e);
  describe(values, e);
  if (e.component == 0) describe_record(e);
}

void IterationFile::add_species(const run::ParticleSet& set) {
  const std::string at = iteration_ + "/particles/" + set.name() + "/positionOffset";
  for (const char* component : {"/x", "/y", "/z"}) {
    file_.make_group(at + component);
    file_.attribute(at + component, "value", 0.0);
    file_.attribute(at + component, "shape", std::vector<std::uint64_t>{static_cast<std::uint64_t>(set.size())});
    file_.attribute(at + component, "unitSI", 1.0);
  }
  file_.attribute(at, "unitDimension", dimension(run::parse_unit("m")));
  file_.attribute(at, "timeOffset", 0.0);
}

void IterationFile::add_beside(const std::string& group, const Entry& e) {
  const std::string values = place_beside(group, e);
  write_values(values, e);
  file_.attribute(values, "unit", e.unit);
  file_.attribute(values, "meaning", e.meaning);
}

void IterationFile::leave_room(const std::string& at, const Entry& e) {
  const Hdf5File::Extents extents = extents_of(e);
  const std::optional<std::int64_t> place = e.reals()    ? file_.leave_room<double>(at, extents)
                                            : e.floats() ? file_.leave_room<float>(at, extents)
                                            : e.ids()    ? file_.leave_room<std::uint64_t>(at, extents)
                                                         : file_.leave_room<std::int32_t>(at, extents);
  if (place) elsewhere_.push_back({&e, run::Form::values, *place});
}

void IterationFile::write_values(const std::string& at, const Entry& e) {
  if (e.elsewhere) return leave_room(at, e);
  const Hdf5File::Extents extents = extents_of(e);
  if (const auto* reals = e.reals()) file_.write(at, reals->data(), extents);
  if (const auto* ids = e.ids()) file_.write(at, ids->data(), extents);
  if (const auto* integers = e.integers()) file_.write(at, integers->data(), extents);
  if (const auto* floats = e.floats()) file_.write(at, floats->data(), extents);
  if (const auto* real = e.real()) file_.write(at, real, extents);
  if (const auto* counter = e.counter()) file_.write(at, counter, extents);
}

void IterationFile::describe_record(const Entry& e) {
  const std::string at = record(iteration_, e);
  file_.attribute(at, "unitDimension", dimension(run::parse_unit(e.unit)));
  file_.attribute(at, "timeOffset", 0.0);
}

void IterationFile::describe(const std::string& values, const Entry& e) {
  file_.attribute(values, "unitSI", in_si(run::parse_unit(e.unit)));
  file_.attribute(values, "unit", e.unit);
  file_.attribute(values, "meaning", e.meaning);
}

void IterationFile::finish(const run::Registry& of) {
  file_.finish([&](const std::filesystem::path& file) { of.fill(file, elsewhere_); }, checksums_by(elsewhere_.empty() ? nullptr : of.ranks()));
}

void IterationFile::finish_on_disk(const run::Registry& of) {
  file_.finish_on_disk([&](const std::filesystem::path& file) { of.fill(file, elsewhere_, true); });
}

} // namespace corral::app::openpmd
