#include "tests/catch.hpp"

#include "distributed/make_team.hpp"
#include "run/ranks/shared_set.hpp"
#include "run/random.hpp"
#include "run/state/registry.hpp"

#include <corral/cell_order.hpp>
#include <corral/views.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

/// Particles that ranks share out, beside the same particles in one process, which every rank has, too.
namespace corral::test {
namespace {

Axis axis_of(std::int64_t cells, double origin, Boundary ends) {
  Axis axis;
  axis.cells = cells;
  axis.spacing = 0.1;
  axis.origin = origin;
  axis.low = axis.high = ends;
  return axis;
}
const Grid grid({axis_of(9, -0.2, Boundary::periodic), axis_of(1, 0, Boundary::wall), axis_of(14, 0.3, Boundary::wall)});
constexpr std::array<Offset, 3> half{Offset::half, Offset::half, Offset::half};

double length(int d) { return static_cast<double>(grid.axis(d).cells) * grid.axis(d).spacing; }

struct Particles {
  explicit Particles(const distributed::Team* team)
      : set(registry.declare_set({.name = "grains", .one = "grain"})),
        position(set.declare_vector_column("position", "m", "where it is", run::Use::saved)),
        mass(set.declare_column("mass", "kg", "of it", run::Use::saved)),
        colour(set.declare_integers("colour", "of it", run::Use::saved)), id(set.declare_ids("id", "of it", run::Use::saved)),
        shared(set, grid, half), order(grid, half) {
    if (team) shared.share_with(*team, phases);
  }

  static double mass_of(std::uint64_t i) { return 0.25 + static_cast<double>(i % 1021); }
  void make(std::int64_t n) {
    const distributed::Piece part = shared.part_of(n);
    set.resize(part.size());
    for (std::int64_t i = 0; i < part.size(); ++i) {
      id[i] = static_cast<std::uint64_t>(part.begin + i);
      mass[i] = mass_of(id[i]);
      colour[i] = static_cast<std::int32_t>(id[i] % 7);
    }
    move(0, true);
    shared.count();
  }
  /// Anywhere, or somewhat on; beyond periodic sides, too. Low cells get more than high ones.
  void move(std::int64_t round, bool anywhere) {
    const run::Random random(7);
    for (std::int64_t i = 0; i < set.size(); ++i)
      for (int d = 0; d < 3; ++d) {
        const double share = random.uniform(run::Purpose::position, round, id[i], d);
        double& x = (*position[static_cast<std::size_t>(d)])[i];
        const Axis& axis = grid.axis(d);
        if (anywhere) x = axis.origin + length(d) * share * (d == 2 ? share : 1);
        else x += axis.spacing * (share - 0.5);
        if (axis.periodic()) x += anywhere ? length(d) * static_cast<double>(static_cast<int>(id[i] % 3) - 1) : 0;
        else x = std::clamp(x, axis.origin, axis.origin + length(d));
      }
  }
  void sort() {
    shared.share_out();
    order.sort(Cpu{}, positions((*position[0]).data(), (*position[1]).data(), (*position[2]).data(), set.size()));
    set.reorder(Cpu{}, order);
  }
  bool rows_are_whole() const {
    bool right = true;
    for (std::int64_t i = 0; i < set.size(); ++i)
      right = right && mass[i] == mass_of(id[i]) && colour[i] == static_cast<std::int32_t>(id[i] % 7);
    return right;
  }

  run::Registry registry{grid};
  run::ParticleSet& set;
  run::Components position;
  Array<double>& mass;
  Array<std::int32_t>& colour;
  Array<std::uint64_t>& id;
  run::Phases phases;
  run::SharedSet shared;
  CellOrder<double> order;
};

/// Those of all ranks, rank after rank.
std::vector<std::uint64_t> ids_of_all(const distributed::Team& team, Particles& mine) {
  const distributed::ReceivedRows came = team.exchange(std::as_bytes(mine.id.span()), 8, [&] {
    std::vector<std::int64_t> to(static_cast<std::size_t>(team.size()), 0);
    to.front() = mine.set.size();
    return to;
  }());
  std::vector<std::uint64_t> ids(static_cast<std::size_t>(mine.set.total()));
  if (team.rank() == 0) std::memcpy(ids.data(), came.bytes.data(), came.bytes.size());
  team.broadcast(ids.data(), ids.size());
  return ids;
}

/// How many this rank is to have: a rank's range begins at the first group that has its share of all before it.
std::int64_t share_of(const distributed::Team& team, const Particles& whole) {
  const OrderView<double> groups = whole.order.view(Cpu{});
  const auto begin = [&](std::int64_t rank) {
    std::int64_t g = 0;
    while (g < groups.group_count() && groups.group_begin(g) < whole.set.size() * rank / team.size()) ++g;
    return groups.group_begin(g);
  };
  return begin(team.rank() + 1) - begin(team.rank());
}

/// In the order of groups, within each by number.
std::vector<std::uint64_t> by_group(std::vector<std::uint64_t> ids, const Particles& whole) {
  const OrderView<double> groups = whole.order.view(Cpu{});
  for (std::int64_t g = 0; g < groups.group_count(); ++g)
    std::sort(ids.begin() + groups.group_begin(g), ids.begin() + groups.group_begin(g + 1));
  return ids;
}

} // namespace

TEST_CASE("A million moves between ranks lose no particle, and ranks have their groups in turn") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  constexpr std::int64_t n = 50000, rounds = 24;
  Particles mine(team.get()), whole(nullptr);
  for (Particles* const p : {&mine, &whole}) p->make(n);
  for (std::int64_t round = 1; round <= rounds; ++round) {
    const bool anywhere = round % 6 != 0;
    for (Particles* const p : {&mine, &whole}) {
      p->move(round, anywhere);
      p->sort();
    }
    CAPTURE(round);
    CHECK(mine.set.total() == n);
    CHECK(mine.rows_are_whole());
    REQUIRE(by_group(ids_of_all(*team, mine), whole) == by_group({whole.id.span().begin(), whole.id.span().end()}, whole));
    CHECK(mine.set.size() == share_of(*team, whole));
  }
}

TEST_CASE("Rows that ranks have read go to those that have their cells, and stand as they did") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  Particles mine(team.get());
  mine.make(3000);
  mine.sort();
  const std::vector<std::uint64_t> before = ids_of_all(*team, mine);
  const std::vector<std::uint64_t> own(mine.id.span().begin(), mine.id.span().end());
  std::vector<std::array<double, 3>> places(3000);
  for (std::int64_t i = 0; i < mine.set.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d) places[mine.id[i]][d] = (*mine.position[d])[i];
  team->join({&places[0][0], 9000});
  const distributed::Piece part = mine.shared.part_of(3000); // as they are read
  mine.set.resize(part.size());
  for (std::int64_t i = 0; i < part.size(); ++i) {
    mine.id[i] = before[static_cast<std::size_t>(part.begin + i)];
    mine.mass[i] = Particles::mass_of(mine.id[i]);
    mine.colour[i] = static_cast<std::int32_t>(mine.id[i] % 7);
    for (std::size_t d = 0; d < 3; ++d) (*mine.position[d])[i] = places[mine.id[i]][d];
  }
  mine.shared.share_out_in_order();
  CHECK(mine.rows_are_whole());
  CHECK(std::equal(own.begin(), own.end(), mine.id.span().begin(), mine.id.span().end()));
  CHECK(ids_of_all(*team, mine) == before);
}

TEST_CASE("Newcomers and leavers are counted, and rows without a place stay where they are") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  Particles mine(team.get());
  mine.make(100);
  mine.sort();
  if (mine.shared.takes_newcomers()) {
    const std::int64_t i = mine.set.size();
    mine.set.resize(i + 2);
    mine.id[i] = 100, mine.id[i + 1] = 101;
    (*mine.position[0])[i] = NAN;
    (*mine.position[2])[i + 1] = 99; // beyond a wall
  }
  mine.shared.share_out();
  CHECK(mine.set.total() == 102);
  const auto last = mine.id.span();
  const double strays = mine.shared.total(static_cast<double>(std::count_if(last.begin(), last.end(), [](std::uint64_t id) { return id >= 100; })));
  CHECK(strays == 2);
  if (mine.shared.takes_newcomers()) CHECK(std::find(last.begin(), last.end(), 101) != last.end());
  Array<std::uint8_t> gone(mine.set.size(), 1);
  mine.set.remove(Cpu{}, gone);
  mine.shared.count();
  CHECK(mine.set.total() == 0);
  mine.sort(); // of none
  CHECK(mine.set.total() == 0);
}

TEST_CASE("Fields, counts, totals and extremes of all ranks") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  const Particles mine(team.get());
  const int rank = team->rank(), ranks = team->size();
  Array<double> field(5000, 0), other(3, 0), untouched(700, 0);
  for (std::int64_t i = 0; i < field.size(); ++i)
    if ((i / 700) % ranks == rank || i == 2500) field[i] = static_cast<double>(i + 1) * (i == 2500 ? rank + 1 : 1); // 2500: from each of them
  other[1] = 0.1 * (rank + 1);
  mine.shared.add({&field, &other, &untouched});
  const double all = 0.5 * ranks * (ranks + 1);
  for (std::int64_t i = 0; i < field.size(); ++i) CHECK(field[i] == static_cast<double>(i + 1) * (i == 2500 ? all : 1));
  CHECK(other[1] == Approx(0.1 * all));
  CHECK(std::all_of(untouched.span().begin(), untouched.span().end(), [](double v) { return v == 0; }));

  std::vector<std::uint64_t> counts{1, std::uint64_t{1} << 60};
  mine.shared.add(std::span(counts));
  CHECK(counts == std::vector<std::uint64_t>{static_cast<std::uint64_t>(ranks), static_cast<std::uint64_t>(ranks) << 60});

  const auto found = mine.shared.totals(std::array{1.0, -static_cast<double>(rank), 5.0}, {0}, {1});
  CHECK(found == std::array{static_cast<double>(ranks), 0.0, 5.0});
  CHECK(std::isnan(mine.shared.largest(rank == ranks - 1 ? NAN : 1)));
  CHECK(team->all(std::as_bytes(std::span(&rank, 1))).size() == sizeof(int) * static_cast<std::size_t>(ranks));
}

} // namespace corral::test
