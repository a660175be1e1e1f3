#include "app/checkpoint/state_file.hpp"

#include "app/checkpoint/hdf5_file.hpp"
#include "app/checkpoint/openpmd.hpp"

#include <corral/error.hpp>

#include <string>
#include <vector>

namespace corral::app {

namespace {

using run::Entry;
using run::Kind;
using Extents = Hdf5File::Extents;

/// A registry's part of the file: the driver's state is meshes and species, what is left of it and the loop's is ours.
struct Part {
  std::string iteration; ///< "" where all of it is ours
  std::string ours;      ///< "/corral/state"

  bool is_openpmd(const Entry& e) const {
    return !iteration.empty() && (e.kind == Kind::field || e.kind == Kind::column);
  }
  std::string place(const Entry& e) const {
    if (is_openpmd(e)) return openpmd::place(iteration, e);
    return ours + "/" + (e.set ? e.set->name() + "." : "") + e.full_name();
  }
};

std::uint64_t count(std::int64_t n) { return static_cast<std::uint64_t>(n); }

Extents extents_of(const Entry& e) {
  if (e.kind == Kind::field) return {count(e.extents[2]), count(e.extents[1]), count(e.extents[0])};
  if (e.kind == Kind::number) return {};
  if (e.kind == Kind::connectivity) return {count(e.size() / e.corners), count(e.corners)};
  return {count(e.size())};
}

void write_values(Hdf5File& file, const std::string& place, const Entry& e) {
  const Extents extents = extents_of(e);
  if (const auto* reals = e.reals()) file.write(place, reals->data(), extents);
  if (const auto* ids = e.ids()) file.write(place, ids->data(), extents);
  if (const auto* places = e.places()) file.write(place, places->data(), extents);
  if (const auto* real = e.real()) file.write(place, real, extents);
  if (const auto* counter = e.counter()) file.write(place, counter, extents);
}

void write_part(Hdf5File& file, const Part& part, const run::Registry& registry) {
  file.make_group(part.ours);
  for (const Entry& e : registry.entries()) {
    if (!run::has(e.use, run::Use::saved)) continue;
    const std::string place = part.place(e);
    write_values(file, place, e);
    if (!part.is_openpmd(e)) {
      file.attribute(place, "unit", e.unit);
      file.attribute(place, "meaning", e.meaning);
    } else if (e.kind == Kind::field) {
      openpmd::describe_field(file, part.iteration, e, registry.grid());
    } else {
      openpmd::describe_column(file, part.iteration, e);
    }
  }
}

[[noreturn]] void of_another(const std::string& what) {
  throw Error(what + " (the checkpoint is of another case, or of another version of corral)");
}

/// How many values there are, where they have the shape that the entry wants.
std::int64_t values_there(const Hdf5File& file, const std::string& place, const Entry& e) {
  const auto there = file.extents(place);
  if (!there) of_another("the checkpoint holds no " + place);
  std::uint64_t values = 1;
  for (const std::uint64_t n : *there) values *= n;
  const bool free_length = e.kind == Kind::table || e.kind == Kind::connectivity || e.kind == Kind::on_triangles;
  Extents wanted = extents_of(e);
  if (free_length && there->size() == wanted.size()) wanted[0] = (*there)[0];
  if (wanted != *there) of_another(place + " of the checkpoint has another shape");
  return static_cast<std::int64_t>(values);
}

void read_values(const Hdf5File& file, const std::string& place, const Entry& e) {
  const std::int64_t n = values_there(file, place, e);
  if (auto* reals = e.reals()) {
    reals->resize(n);
    file.read(place, reals->data());
  }
  if (auto* ids = e.ids()) {
    ids->resize(n);
    file.read(place, ids->data());
  }
  if (auto* places = e.places()) {
    places->resize(n);
    file.read(place, places->data());
  }
  if (auto* real = e.real()) file.read(place, real);
  if (auto* counter = e.counter()) file.read(place, counter);
}

void read_part(const Hdf5File& file, const Part& part, run::Registry& registry) {
  for (run::ParticleSet& set : registry.sets()) {
    const auto columns = set.columns();
    for (const Entry* e : columns) {
      if (!run::has(e->use, run::Use::saved)) continue;
      const auto there = file.extents(part.place(*e));
      if (!there || there->size() != 1) of_another("the checkpoint holds no " + set.name());
      set.resize(static_cast<std::int64_t>(there->front()));
      break;
    }
  }
  for (const Entry& e : registry.entries())
    if (run::has(e.use, run::Use::saved)) read_values(file, part.place(e), e);
}

constexpr const char* step_place = "/corral/loop/step";

} // namespace

void write_state(const std::filesystem::path& path, const run::Registry& state, const run::Registry& loop,
                 const run::Clock& clock) {
  Hdf5File file = Hdf5File::create(path);
  openpmd::describe_iteration(file, clock, !state.sets().empty());
  const std::string iteration = openpmd::iteration(clock.step());
  write_part(file, {iteration, "/corral/state"}, state);
  for (const run::ParticleSet& set : state.sets()) openpmd::describe_species(file, iteration, set);
  write_part(file, {"", "/corral/loop"}, loop);
  file.finish();
}

void read_state(const std::filesystem::path& path, run::Registry& state, run::Registry& loop) {
  const Hdf5File file = Hdf5File::open(path);
  std::int64_t step = 0;
  if (file.extents(step_place) != Extents{}) of_another(std::string("the checkpoint holds no ") + step_place);
  file.read(step_place, &step);
  read_part(file, {openpmd::iteration(step), "/corral/state"}, state);
  read_part(file, {"", "/corral/loop"}, loop);
}

} // namespace corral::app
