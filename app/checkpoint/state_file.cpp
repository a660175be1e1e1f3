#include "app/checkpoint/checkpoints.hpp"

#include "app/openpmd/hdf5_file.hpp"
#include "app/openpmd/iteration_file.hpp"

#include <corral/error.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
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
    return is_openpmd(e) ? openpmd::place(iteration, e) : openpmd::place_beside(ours, e);
  }
};

void write_part(openpmd::IterationFile& file, const Part& part, const run::Registry& registry) {
  file.make_group(part.ours);
  for (const Entry& e : registry.entries()) {
    if (!run::has(e.use, run::Use::saved)) continue;
    if (!part.is_openpmd(e)) file.add_beside(part.ours, e);
    else if (e.kind == Kind::field) file.add_field(e, registry.grid());
    else file.add_column(e);
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
  const bool free_length = (e.kind == Kind::table && !e.elsewhere) || e.kind == Kind::connectivity || e.kind == Kind::on_triangles;
  Extents wanted = openpmd::extents_of(e);
  if (free_length && there->size() == wanted.size()) wanted[0] = (*there)[0];
  if (wanted != *there) of_another(place + " of the checkpoint has another shape");
  return static_cast<std::int64_t>(values);
}

/// Where values are that ranks read.
std::optional<std::int64_t> place_of(const Hdf5File& file, const std::string& place, const Entry& e) {
  static_cast<void>(values_there(file, place, e));
  return e.reals()    ? file.place_of<double>(place)
         : e.floats() ? file.place_of<float>(place)
         : e.ids()    ? file.place_of<std::uint64_t>(place)
                      : file.place_of<std::int32_t>(place);
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
  if (auto* integers = e.integers()) {
    integers->resize(n);
    file.read(place, integers->data());
  }
  if (auto* floats = e.floats()) {
    floats->resize(n);
    file.read(place, floats->data());
  }
  if (auto* real = e.real()) file.read(place, real);
  if (auto* counter = e.counter()) file.read(place, counter);
}

/// Returns where values are that are read elsewhere.
std::vector<run::FilePlace> read_part(const Hdf5File& file, const Part& part, run::Registry& registry) {
  std::vector<run::FilePlace> elsewhere;
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
  for (const Entry& e : registry.entries()) {
    if (!run::has(e.use, run::Use::saved)) continue;
    if (run::has(e.use, run::Use::optional) && !file.extents(part.place(e))) continue;
    if (!e.elsewhere) read_values(file, part.place(e), e);
    else if (const auto at = place_of(file, part.place(e), e)) elsewhere.push_back({&e, run::Form::values, *at});
  }
  return elsewhere;
}

constexpr const char* step_place = "/corral/loop/step";

void read_driver(const std::filesystem::path& path, const Hdf5File& file, run::Registry& state) {
  std::int64_t step = 0;
  if (file.extents(step_place) != Extents{}) of_another(std::string("the checkpoint holds no ") + step_place);
  file.read(step_place, &step);
  std::vector<run::FilePlace> elsewhere;
  state.fill_on_host([&](run::Registry& here) { elsewhere = read_part(file, {openpmd::iteration(step), openpmd::beside}, here); });
  state.take(path, elsewhere, path.parent_path() / "manifest"); // which has checksums of all of it
}

} // namespace

void write_state(const std::filesystem::path& path, const run::Registry& anywhere, const run::Registry& loop,
                 const run::Clock& clock) {
  const run::Registry& state = anywhere.on_host([](const Entry& e) { return run::has(e.use, run::Use::saved); });
  openpmd::IterationFile file(Hdf5File::create(path), clock, {.particles = !state.sets().empty()});
  write_part(file, {openpmd::iteration(clock.step()), openpmd::beside}, state);
  for (const run::ParticleSet& set : state.sets()) file.add_species(set);
  write_part(file, {"", "/corral/loop"}, loop);
  file.finish_on_disk(state);
}

void read_state(const std::filesystem::path& path, run::Registry& state, run::Registry& loop) {
  const Hdf5File file = Hdf5File::open(path);
  read_driver(path, file, state);
  read_part(file, {"", "/corral/loop"}, loop);
}

void read_state(const std::filesystem::path& path, run::Registry& state) {
  read_driver(path, Hdf5File::open(path), state);
}

} // namespace corral::app
