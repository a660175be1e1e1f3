#include "tests/catch.hpp"
#include "tests/engine/message_of.hpp"

#include "distributed/make_team.hpp"
#include "run/ranks/whole_files.hpp"
#include "run/ranks/whole_state.hpp"
#include "run/state/file_values.hpp"
#include "run/state/registry.hpp"

#include <corral/error.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Files that ranks write together, beside what one process that has all of the state would write; and what they read from such.
namespace corral::test {
namespace {

using distributed::FieldMemory;
using distributed::SharedGrid;
using run::Access;
using run::Entry;
using run::FilePlace;
using run::FileValues;
using run::Form;
using Three = std::array<std::int64_t, 3>;

Grid whole_grid() {
  const auto axis = [](std::int64_t cells, Boundary ends) { return Axis{cells, 0, 0.1, ends, ends}; };
  return Grid({axis(9, Boundary::wall), axis(8, Boundary::periodic), axis(10, Boundary::wall)});
}

/// Rows with room behind them, and three fields one after the other in each plane.
FieldMemory with_room(const Three& n) {
  const std::int64_t pitch = n[0] + 3, plane = 3 * pitch * n[1];
  return {{1, pitch, plane}, plane * n[2]};
}
std::vector<std::int64_t> three_fields(const Three& n) { return {0, (n[0] + 3) * n[1], 2 * (n[0] + 3) * n[1]}; }

template <class F> void each_of(const Three& n, const F& f) {
  for (std::int64_t k = 0; k < n[2]; ++k)
    for (std::int64_t j = 0; j < n[1]; ++j)
      for (std::int64_t i = 0; i < n[0]; ++i) f(Three{i, j, k});
}

double value_at(const Three& point, int of) { return 1 + of + 0.001 * static_cast<double>(point[0]) + static_cast<double>(7 * point[1] + 131 * point[2]); }

/// A state of everything that ranks share, on a box or on the whole grid.
struct State {
  explicit State(const Grid& grid)
      : registry(grid), pressure(registry.declare_field("pressure", "Pa", "", Staggering::centre, run::Use::shown)),
        velocity(registry.declare_vector_field("velocity", "m/s", "", run::on_faces, run::Use::saved | run::Use::shown)),
        corners(registry.declare_field("corners", "", "", Staggering::node, run::Use::shown)),
        set(registry.declare_set({.name = "grains", .one = "grain"})),
        position(set.declare_vector_column("position", "m", "", run::Use::saved)), colour(set.declare_integers("colour", "", run::Use::saved)),
        id(set.declare_ids("id", "", run::Use::saved)) {
    registry.bind("populations", "", "", populations, run::Use::saved, run::FieldsOfTable{with_room, three_fields});
    registry.bind("steps", "", steps);
    populations.resize(with_room(cells()).size, 0.0F);
  }
  Three cells() const { return {registry.grid().axis(0).cells, registry.grid().axis(1).cells, registry.grid().axis(2).cells}; }
  std::vector<std::pair<Array<double>*, Staggering>> fields() {
    return {{&pressure, Staggering::centre}, {velocity[0], Staggering::face_x}, {velocity[1], Staggering::face_y}, {velocity[2], Staggering::face_z}, {&corners, Staggering::node}};
  }
  /// f(value, point of this state's grid, which field) of all of them.
  template <class F> void each_value(const F& f) {
    int of = 0;
    for (const auto& [values, s] : fields()) {
      const Three n{registry.grid().points(s, 0), registry.grid().points(s, 1), registry.grid().points(s, 2)};
      each_of(n, [&, &values = values](const Three& p) { f((*values)[p[0] + n[0] * (p[1] + n[1] * p[2])], p, of); });
      ++of;
    }
    const FieldMemory memory = with_room(cells());
    for (const std::int64_t first : three_fields(cells())) {
      each_of(cells(), [&](const Three& p) { f(populations[first + p[0] + p[1] * memory.stride[1] + p[2] * memory.stride[2]], p, of); });
      ++of;
    }
  }
  void set_rows(std::int64_t begin, std::int64_t end) {
    set.resize(end - begin);
    for (std::int64_t i = begin; i < end; ++i) {
      for (std::size_t d = 0; d < 3; ++d) (*position[d])[i - begin] = 0.25 * static_cast<double>(i) + static_cast<double>(d);
      colour[i - begin] = static_cast<std::int32_t>(3 - i);
      id[i - begin] = static_cast<std::uint64_t>(1000 + i);
    }
  }

  run::Registry registry;
  Array<double>& pressure;
  run::Components velocity;
  Array<double>& corners;
  run::ParticleSet& set;
  run::Components position;
  Array<std::int32_t>& colour;
  Array<std::uint64_t>& id;
  Array<float> populations;
  std::int64_t steps = 0;
};

/// The point of the whole that one of a box stands for; nothing where it is a ghost's.
std::optional<Three> own_point(const SharedGrid& grid, const Three& p, bool ghosts_too) {
  Three w{};
  for (int d = 0; d < 3; ++d) {
    const auto e = static_cast<std::size_t>(d);
    const std::int64_t n = grid.whole().axis(d).cells;
    const bool last = grid.first(d) + grid.own_end(d) == n && p[e] == grid.own_end(d); // the upper face of the last cell
    if (!ghosts_too && !last && (p[e] < grid.own_begin(d) || p[e] >= grid.own_end(d))) return std::nullopt;
    w[e] = grid.first(d) + p[e];
    if (grid.whole().axis(d).periodic()) w[e] = (w[e] + n) % n;
  }
  return w;
}

constexpr std::int64_t rows = 211;
/// As many for each rank as its number says, the others for the last.
std::int64_t first_row(int rank, int ranks) { return rank == ranks ? rows : 10 * rank * rank; }

struct OfRank {
  OfRank() : grid(team->share(whole_grid(), 2)), state(grid->box()) {
    state.each_value([&](auto& value, const Three& p, int of) {
      const auto w = own_point(*grid, p, false);
      value = static_cast<std::remove_reference_t<decltype(value)>>(w ? value_at(*w, of) : NAN); // ghosts are in no file
    });
    state.set.share_among_ranks();
    state.set_rows(first_row(team->rank(), team->size()), first_row(team->rank() + 1, team->size()));
    state.set.count_among_ranks(rows, rows);
    state.steps = 3;
  }

  std::unique_ptr<distributed::Team> team = distributed::make_team(distributed::Ranks::world());
  std::unique_ptr<SharedGrid> grid;
  State state;
};

/// A file, and the largest piece of it that was written or read at once.
class CountedFile final : public run::RankFile {
public:
  CountedFile(const std::filesystem::path& path, std::size_t& most)
      : path_(path), file_(path, std::ios::in | std::ios::out | std::ios::binary), most_(most) {
    if (!file_) throw Error("there is no " + path.string());
  }
  void write(std::int64_t offset, std::span<const std::byte> bytes) override {
    file_.seekp(offset);
    file_.write(reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes));
    most_ = std::max(most_, bytes.size());
  }
  void read(std::int64_t offset, std::span<std::byte> bytes) override {
    file_.seekg(offset);
    file_.read(reinterpret_cast<char*>(bytes.data()), std::ssize(bytes));
    most_ = std::max(most_, bytes.size());
    if (!file_) throw Error("it ends before");
  }
  void close(bool) override { file_.close(); }
  std::int64_t size() const override { return static_cast<std::int64_t>(std::filesystem::file_size(path_)); }
  /// A sum that tells these tests' bytes apart.
  std::string checksum(std::int64_t offset, std::int64_t bytes) override {
    std::vector<std::byte> all(static_cast<std::size_t>(bytes));
    std::size_t ignored = 0;
    std::swap(ignored, most_);
    read(offset, all);
    std::swap(ignored, most_);
    std::uint64_t sum = 0;
    for (const std::byte b : all) sum = 31 * sum + static_cast<std::uint64_t>(b);
    std::string text = std::to_string(sum);
    text.resize(run::checksum_digits, '-');
    return text;
  }

private:
  std::filesystem::path path_;
  std::fstream file_;
  std::size_t& most_;
};

class FullDisk final : public run::RankFile {
public:
  void write(std::int64_t, std::span<const std::byte>) override { throw Error("the disk is full"); }
  void read(std::int64_t, std::span<std::byte>) override {}
  void close(bool) override {}
  std::int64_t size() const override { return 0; }
  std::string checksum(std::int64_t, std::int64_t) override { return {}; }
};

struct Files {
  std::filesystem::path path = std::filesystem::temp_directory_path() / "whole_files";
  std::size_t most = 0;

  Files(const distributed::Team& team, std::int64_t bytes) {
    std::int64_t process = ::getpid();
    team.broadcast(&process, 1);
    path += std::to_string(process);
    if (team.rank() == 0) std::ofstream(path, std::ios::binary) << std::string(static_cast<std::size_t>(bytes), '\0');
    team.agree("");
  }
  void remove(const distributed::Team& team) const {
    team.agree("");
    if (team.rank() == 0) std::filesystem::remove(path);
  }
  run::OpenRankFile open() {
    return [this](const std::filesystem::path& file, Access) { return std::make_unique<CountedFile>(file, most); };
  }
  /// On a disk that rank 0 alone has.
  run::OpenRankFile of_rank_0(const distributed::Team& team) {
    return [this, &team](const std::filesystem::path& file, Access) {
      if (team.rank() != 0) throw Error("there is no " + file.string());
      return std::make_unique<CountedFile>(file, most);
    };
  }
  std::vector<std::byte> bytes() const {
    std::ifstream in(path, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    const auto all = std::as_bytes(std::span(text));
    return {all.begin(), all.end()};
  }
};

/// Places of all that is elsewhere, in each form that it has, with some bytes between them.
std::vector<FilePlace> places_of(run::Registry& whole, std::int64_t& end) {
  std::vector<FilePlace> places;
  end = 57;
  for (const Entry& e : whole.entries()) {
    if (!e.elsewhere) continue;
    std::vector<Form> forms{Form::values};
    if (e.component == 0 && e.kind == run::Kind::field) forms.push_back(Form::cell_means);
    if (e.component == 0 && e.kind == run::Kind::column) forms.insert(forms.end(), {Form::rows, Form::words, Form::numbers});
    for (const Form form : forms) {
      places.push_back({&e, form, end});
      end += FileValues(whole, e, form).bytes() + 11;
    }
  }
  return places;
}

std::vector<std::byte> expected(State& alone, const run::Registry& whole, const std::vector<FilePlace>& places, std::int64_t end) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(end));
  for (const FilePlace& place : places) {
    std::size_t i = 0;
    while (&whole.entries()[i] != place.entry) ++i;
    const FileValues values(alone.registry, alone.registry.entries()[i], place.form);
    values.make({0, values.size()}, bytes.data() + place.offset);
  }
  return bytes;
}

void fill(State& alone) {
  alone.each_value([](auto& value, const Three& p, int of) { value = static_cast<std::remove_reference_t<decltype(value)>>(value_at(p, of)); });
  alone.set_rows(0, rows);
}

constexpr std::int64_t piece = 300; // bytes

} // namespace

TEST_CASE("Ranks write one process's bytes together, by pieces, and so does rank 0 where nobody else sees the file") {
  OfRank mine;
  run::WholeState state(mine.state.registry, *mine.team, mine.grid.get());
  std::int64_t end = 0;
  const std::vector<FilePlace> places = places_of(state.whole(), end);
  CHECK(places.size() > 15);
  for (const FilePlace& place : places) CHECK(place.entry->data() == nullptr); // no room for values
  CHECK(state.whole().bytes() > 15 * 9 * 8 * 10);
  State alone(whole_grid());
  fill(alone);
  const std::vector<std::byte> all = expected(alone, state.whole(), places, end);
  for (const bool seen : {true, false}) {
    Files files(*mine.team, end);
    run::WholeFiles whole(state, *mine.team, seen ? files.open() : files.of_rank_0(*mine.team), piece);
    whole.write(files.path, places, true);
    CHECK(whole.writers() == (seen ? mine.team->size() : 1));
    CHECK(whole.apart() == (!seen && mine.team->size() > 1));
    if (mine.team->rank() == 0) CHECK(files.bytes() == all);
    const std::vector<std::string> sums = whole.checksums(files.path, end, 1000, 57);
    if (mine.team->rank() == 0) {
      CountedFile file(files.path, files.most);
      CHECK(std::ssize(sums) == (end - 57 + 999) / 1000);
      for (std::int64_t b = 0; b < std::ssize(sums); ++b)
        CHECK(sums[static_cast<std::size_t>(b)] == file.checksum(57 + 1000 * b, std::min<std::int64_t>(1000, end - 57 - 1000 * b)));
    }
    if (seen) CHECK(files.most > 0);
    CHECK(files.most <= piece + 24);
    files.remove(*mine.team);
  }
}

TEST_CASE("Ranks read what one process has written, with ghosts, as many rows each") {
  OfRank mine;
  run::WholeState state(mine.state.registry, *mine.team, mine.grid.get());
  std::int64_t end = 0;
  std::vector<FilePlace> places = places_of(state.whole(), end);
  State alone(whole_grid());
  fill(alone);
  const std::vector<std::byte> all = expected(alone, state.whole(), places, end);
  std::erase_if(places, [](const FilePlace& place) { return place.form != Form::values; });
  Files files(*mine.team, end);
  if (mine.team->rank() == 0) std::ofstream(files.path, std::ios::binary).write(reinterpret_cast<const char*>(all.data()), std::ssize(all));
  mine.team->agree("");
  for (const bool seen : {true, false}) {
    mine.state.each_value([](auto& value, const Three&, int) { value = 0; });
    mine.state.steps = mine.team->rank() == 0 ? 77 : 0;
    state.send_copied();
    CHECK(mine.state.steps == 77);
    run::WholeFiles whole(state, *mine.team, seen ? files.open() : files.of_rank_0(*mine.team), piece);
    whole.read(files.path, places, files.path);
    CHECK(whole.readers() == (seen ? mine.team->size() : 1));
    CHECK(files.most <= piece + 24);
    std::int64_t wrong = 0;
    mine.state.each_value([&](auto value, const Three& p, int of) {
      const auto w = own_point(*mine.grid, p, mine.team->size() > 1);
      if (w) wrong += value != static_cast<decltype(value)>(value_at(*w, of));
    });
    CHECK(wrong == 0);
  }
  const std::int64_t first = static_cast<std::int64_t>(mine.state.id[0]) - 1000;
  CHECK(first == rows * mine.team->rank() / mine.team->size());
  State again(whole_grid());
  again.set_rows(first, rows * (mine.team->rank() + 1) / mine.team->size());
  CHECK(again.id.values() == mine.state.id.values());
  CHECK(again.colour.values() == mine.state.colour.values());
  CHECK(again.position[2]->values() == mine.state.position[2]->values());
  files.remove(*mine.team);
}

TEST_CASE("A disk that is full for one of the ranks is said on all, and what rank 0 lacks, too") {
  OfRank mine;
  run::WholeState state(mine.state.registry, *mine.team, mine.grid.get());
  std::int64_t end = 0;
  const std::vector<FilePlace> places = places_of(state.whole(), end);
  Files files(*mine.team, end);
  const int last = mine.team->size() - 1;
  const auto of = [&](int rank) { return last == 0 ? "" : "rank " + std::to_string(rank) + ": "; };
  const run::OpenRankFile open = [&](const std::filesystem::path& file, Access access) -> std::unique_ptr<run::RankFile> {
    if (mine.team->rank() == last && access == Access::write) return std::make_unique<FullDisk>();
    return files.open()(file, access);
  };
  CHECK(message_of([&] { run::WholeFiles(state, *mine.team, open, piece).write(files.path, places, true); }) ==
        of(last) + "the disk is full");
  CHECK(message_of([&] { run::WholeFiles(state, *mine.team, files.open(), piece).write(files.path.string() + "none", places, true); }) ==
        of(0) + "there is no " + files.path.string() + "none");
  CHECK(message_of([&] { run::WholeFiles(state, *mine.team, files.open(), piece).read(files.path.string() + "none", places, files.path); }) ==
        of(0) + "there is no " + files.path.string() + "none");
  files.remove(*mine.team);
}

} // namespace corral::test
