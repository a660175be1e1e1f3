#include "tests/catch.hpp"
#include "tests/engine/message_of.hpp"
#include "tests/distributed/scenes.hpp"

#include "distributed/particles/exchange.hpp"
#include "distributed/particles/migrate.hpp"

#include <corral/array.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

/// Particles whose columns all follow from their ids, so that a value that went elsewhere shows.
namespace corral::test {
namespace {

using distributed::Domain;
using distributed::Migration;
using distributed::Ranks;

struct Spin {
  double axis[3];
  float rate;
};

constexpr std::uint64_t above_32_bits = 5'000'000'000;

std::uint64_t mixed(std::uint64_t id) { return id * 0x9e3779b97f4a7c15u ^ (id >> 7); }
double mass_of(std::uint64_t id) { return static_cast<double>(mixed(id) >> 44) * 0x1p-10; } // sums of which are exact
std::int32_t kind_of(std::uint64_t id) { return static_cast<std::int32_t>(mixed(id)); }

/// Where a particle is at a turn: anywhere, along periodic axes up to a period beyond either end.
double place_of(const Axis& axis, std::uint64_t id, int turn, int d) {
  const double along = number(mixed(id) + 3 * static_cast<std::uint64_t>(turn) + static_cast<std::uint64_t>(d));
  const double cells = static_cast<double>(axis.cells);
  return axis.origin + axis.spacing * cells * (axis.periodic() ? 3 * along - 1 : along);
}

template <class T> struct Swarm {
  std::vector<T> x, y, z;
  Array<double> mass;
  std::vector<std::uint64_t> id;
  std::vector<std::int32_t> kind;
  std::vector<Spin> spin;

  Swarm(const Domain& domain, std::int64_t n) {
    for (std::int64_t i = domain.ranks().rank(); i < n; i += domain.ranks().size()) {
      const std::uint64_t one = above_32_bits + static_cast<std::uint64_t>(i);
      id.push_back(one);
      kind.push_back(kind_of(one));
      spin.push_back({{mass_of(one), -1.0, 2.0 * mass_of(one)}, static_cast<float>(kind_of(one))});
    }
    x.resize(id.size()), y.resize(id.size()), z.resize(id.size());
    mass.resize(static_cast<std::int64_t>(id.size()));
    for (std::int64_t i = 0; i < mass.size(); ++i) mass[i] = mass_of(id[static_cast<std::size_t>(i)]);
  }
  void move_to(const Grid& whole, int turn) {
    std::vector<T>* const columns[3]{&x, &y, &z};
    for (int d = 0; d < 3; ++d)
      for (std::size_t i = 0; i < id.size(); ++i)
        (*columns[d])[i] = static_cast<T>(place_of(whole.axis(d), id[i], turn, d));
  }
  auto particles() { return distributed::RankParticles<T>(x, y, z, id).with(mass).with(kind).with(spin); }

  /// How many particles have a value that is not theirs, or lie in another rank's part.
  std::int64_t wrong(const Domain& domain, int turn) const {
    std::int64_t n = 0;
    for (std::size_t i = 0; i < id.size(); ++i) {
      const Grid& whole = domain.whole();
      const T at[3]{x[i], y[i], z[i]};
      bool right = mass[static_cast<std::int64_t>(i)] == mass_of(id[i]) && kind[i] == kind_of(id[i]) &&
                   spin[i].axis[0] == mass_of(id[i]) && spin[i].axis[1] == -1 &&
                   spin[i].rate == static_cast<float>(kind[i]);
      for (int d = 0; d < 3; ++d) {
        const Axis& axis = whole.axis(d);
        right = right && at[d] == static_cast<T>(place_of(axis, id[i], turn, d));
        double cell = (static_cast<double>(at[d]) - axis.origin) / axis.spacing;
        if (axis.periodic())
          cell -= static_cast<double>(axis.cells) * std::floor(cell / static_cast<double>(axis.cells));
        right = right && cell > static_cast<double>(domain.begin(d)) - 1e-4 &&
                cell < static_cast<double>(domain.end(d)) + 1e-4;
      }
      n += right ? 0 : 1;
    }
    return n;
  }
};

/// Sums over all ranks that change where a particle is lost, doubled or becomes another one.
struct Census {
  std::int64_t particles = 0, ids = 0, mixed_ids = 0;
  double mass = 0;
  bool operator==(const Census&) const = default;
};

Census census_of(const Ranks& ranks, const std::vector<std::uint64_t>& ids, const Array<double>& masses) {
  std::uint64_t sum = 0, mix = 0;
  double mass = 0;
  for (const std::uint64_t id : ids) sum += id, mix ^= mixed(id) * 0xbf58476d1ce4e5b9u;
  for (const double m : masses) mass += m;
  Census c;
  c.particles = distributed::total(ranks, static_cast<std::int64_t>(ids.size()));
  for (const std::int64_t s : distributed::all(ranks, static_cast<std::int64_t>(sum)))
    c.ids = static_cast<std::int64_t>(static_cast<std::uint64_t>(c.ids) + static_cast<std::uint64_t>(s));
  for (const std::int64_t m : distributed::all(ranks, static_cast<std::int64_t>(mix))) c.mixed_ids ^= m;
  c.mass = distributed::sum(ranks, mass);
  return c;
}

} // namespace

TEST_CASE("a million moves to any rank lose no particle, no value of one and no mass") {
  const Ranks ranks = Ranks::world();
  const Domain domain(ranks, grid_of({8, 6, 9}, {Boundary::periodic, Boundary::periodic, Boundary::wall}));
  constexpr std::int64_t n = 100'000, moves = 1'000'000;
  Swarm<double> swarm(domain, n);
  const Census before = census_of(ranks, swarm.id, swarm.mass);
  REQUIRE(before.particles == n);
  std::int64_t moved = 0, wrong = 0;
  const int turns = ranks.size() == 1 ? 1 : 40;
  for (int turn = 0; turn < turns && moved < moves; ++turn) {
    swarm.move_to(domain.whole(), turn);
    const auto had = static_cast<std::int64_t>(swarm.id.size());
    const Migration m = distributed::migrate(domain, swarm.particles());
    wrong += m.stayed + m.left != had || m.stayed + m.arrived != static_cast<std::int64_t>(swarm.id.size());
    wrong += m.outside + m.not_finite + swarm.wrong(domain, turn);
    moved += distributed::total(ranks, m.left);
  }
  CHECK(wrong == 0);
  if (ranks.size() > 1) CHECK(moved >= moves);
  CHECK(census_of(ranks, swarm.id, swarm.mass) == before);
}

TEST_CASE("particles cross periodic sides, corners and ranks at once, in single precision, too") {
  each_domain([&](const Domain& domain) {
    Swarm<float> swarm(domain, 500);
    const Census before = census_of(domain.ranks(), swarm.id, swarm.mass);
    std::int64_t wrong = 0;
    for (int turn = 0; turn < 5; ++turn) {
      swarm.move_to(domain.whole(), turn);
      distributed::migrate(domain, swarm.particles());
      wrong += swarm.wrong(domain, turn);
    }
    CHECK(wrong == 0);
    CHECK(census_of(domain.ranks(), swarm.id, swarm.mass) == before);
  });
}

TEST_CASE("who stays keeps its order, and those that arrive stand behind by ascending id") {
  const Ranks ranks = Ranks::world();
  const int n = ranks.size(), rank = ranks.rank();
  const Domain domain(ranks, grid_of({3, 3, n}, {Boundary::wall, Boundary::wall, Boundary::periodic}), {{1, 1, n}, {}});
  const Axis& axis = domain.whole().axis(2);
  const auto at = [&](int to) { return axis.origin + axis.spacing * (to + 0.5); };
  // One stays, one goes to each rank, the highest first, one stays; ids descend.
  std::vector<std::uint64_t> id;
  std::vector<double> x, y, z;
  const auto put = [&](double where) {
    id.push_back(static_cast<std::uint64_t>(1000 * (n - rank) - static_cast<int>(id.size())));
    x.push_back(-0.36), y.push_back(-0.26), z.push_back(where);
  };
  put(at(rank));
  for (int to = n - 1; to >= 0; --to)
    if (to != rank) put(at(to) - (to % 2 == 0 ? 0 : axis.spacing * n)); // some a period below
  put(at(rank));
  const std::uint64_t first = id.front(), last = id.back();
  const Migration m = distributed::migrate(domain, distributed::RankParticles(x, y, z, id));
  CHECK((m.stayed == 2 && m.left == n - 1 && m.arrived == n - 1));
  REQUIRE(static_cast<int>(id.size()) == n + 1);
  CHECK((id[0] == first && id[1] == last));
  CHECK(std::is_sorted(id.begin() + 2, id.end()));
}

TEST_CASE("particles without a cell stay where they are, counted") {
  const Ranks ranks = Ranks::world();
  const Domain domain(ranks, grid_of({2, 2, ranks.size()}, {Boundary::wall, Boundary::periodic, Boundary::open}),
                      {{1, 1, ranks.size()}, {}});
  std::vector<double> x{-10, -0.36, NAN, -0.36}, y{-0.26, -0.26, -0.26, std::numeric_limits<double>::infinity()},
      z{-0.16, 50, -0.16, -0.16};
  std::vector<std::uint64_t> id{1, 2, 3, 4};
  const Migration m = distributed::migrate(domain, distributed::RankParticles(x, y, z, id));
  CHECK((m.stayed == 4 && m.left == 0 && m.arrived == 0 && m.outside == 2 && m.not_finite == 2));
  CHECK(id == std::vector<std::uint64_t>{1, 2, 3, 4});
}

TEST_CASE("records go in as many rounds as they need, also where ranks have unequal numbers") {
  const Ranks ranks = Ranks::world();
  const int n = ranks.size(), rank = ranks.rank();
  if (n == 1) return;
  distributed::Records sent(12);
  Array<int> to;
  const std::int64_t mine = 1 + 40 * rank; // none but one on the first rank
  sent.bytes.resize(12 * mine);
  to.resize(mine);
  for (std::int64_t i = 0; i < mine; ++i) {
    const std::int64_t value = 1000 * rank + i;
    std::memcpy(sent[i], &value, sizeof value);
    to[i] = static_cast<int>((rank + 1 + i % (n - 1)) % n);
  }
  std::int64_t total = 0, count = 0, expected = 0, expected_count = 0;
  const distributed::Records got = distributed::exchange(ranks, sent, to, 100); // 8 a round
  for (std::int64_t i = 0; i < got.size(); ++i) {
    std::int64_t value = 0;
    std::memcpy(&value, got[i], sizeof value);
    total += value, ++count;
  }
  for (int r = 0; r < n; ++r)
    for (std::int64_t i = 0; i < 1 + 40 * r; ++i)
      if ((r + 1 + i % (n - 1)) % n == rank) expected += 1000 * r + i, ++expected_count;
  CHECK((total == expected && count == expected_count));
}

TEST_CASE("columns that are not equally long are refused before anything moves") {
  const Ranks ranks = Ranks::world();
  const Domain domain(ranks, grid_of({4, 4, 4}, {Boundary::periodic, Boundary::periodic, Boundary::periodic}));
  std::vector<double> x{0, 1}, y{0, 1}, z{0, 1}, mass{1};
  std::vector<std::uint64_t> id{1, 2};
  auto particles = distributed::RankParticles(x, y, z, id).with(mass);
  CHECK(message_of([&] { distributed::migrate(domain, particles); }) ==
        std::string(ranks.size() == 1 ? "" : "rank 0: ") + "columns of 2 and 1 particles (all have the same ones)");
  CHECK((x.size() == 2 && mass.size() == 1));
}

} // namespace corral::test
