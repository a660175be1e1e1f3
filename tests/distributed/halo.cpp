#include "tests/catch.hpp"
#include "tests/engine/message_of.hpp"
#include "tests/distributed/scenes.hpp"

#include "distributed/halo.hpp"

#include <map>
#include <span>

/// Halos beside what the whole says of each point. Sums are of whole numbers, so that they are exact in any order.
namespace corral::test {
namespace {

using distributed::Domain;
using distributed::Halo;

/// Of a point of the whole.
template <class T> T value_of(std::int64_t point) { return static_cast<T>(point * 7 % 1009 + 1); }
/// What a rank's memory holds before anything is sent, at a place of it.
template <class T> T share_of(int rank, const std::array<std::int64_t, 3>& at) {
  return static_cast<T>((rank + 1) * (at[0] + 10) + 3 * (at[1] + 10) + 5 * (at[2] + 10));
}

constexpr std::array<Sign, 3> signs{Sign::minus, Sign::plus, Sign::minus};

template <class T> void check_fill(const Domain& domain, const Halo& halo) {
  constexpr T nothing = -7;
  const Staggering s = halo.staggering();
  const std::int64_t ghosts = halo.ghosts();
  RankField<T> a(domain, s, ghosts, nothing), b(domain, s, ghosts, nothing);
  a.view.wall_sign = signs;
  each_point(domain, s, 0, [&](const auto& at, const auto& whole) {
    if (!owns(domain, s, at)) return;
    a.view(at[0], at[1], at[2]) = value_of<T>(point_number(domain.whole(), s, whole));
    b.view(at[0], at[1], at[2]) = -value_of<T>(point_number(domain.whole(), s, whole));
  });
  const std::array views{a.view, b.view};
  halo.fill(std::span<const FieldView<T>>(views));
  std::int64_t wrong = 0;
  each_point(domain, s, ghosts, [&](const auto& at, const auto& whole) {
    const bool there = !beyond_own_side(domain, s, at);
    const T value = value_of<T>(point_number(domain.whole(), s, whole));
    const auto of = [&](const auto& field_signs) {
      return static_cast<T>(sign_of(domain, s, at, field_signs)) * value;
    };
    wrong += a.view(at[0], at[1], at[2]) != (there ? of(signs) : nothing);
    wrong += b.view(at[0], at[1], at[2]) != (there ? -of(b.view.wall_sign) : nothing);
  });
  CHECK(wrong == 0);
}

template <class T> void check_add(const Domain& domain, const Halo& halo) {
  const Staggering s = halo.staggering();
  const std::int64_t ghosts = halo.ghosts();
  // What all ranks hold for each point of the whole, of which every rank knows its own share.
  std::vector<double> mine(static_cast<std::size_t>(domain.whole().points(s)), 0.0);
  RankField<T> a(domain, s, ghosts), b(domain, s, ghosts);
  a.view.wall_sign = b.view.wall_sign = signs;
  each_point(domain, s, ghosts, [&](const auto& at, const auto& whole) {
    const T share = share_of<T>(domain.ranks().rank(), at);
    a.view(at[0], at[1], at[2]) = share;
    b.view(at[0], at[1], at[2]) = 2 * share;
    const int sign = sign_of(domain, s, at, signs);
    if (sign != 0 && !beyond_own_side(domain, s, at))
      mine[static_cast<std::size_t>(point_number(domain.whole(), s, whole))] += sign * static_cast<double>(share);
  });
  const std::vector<double> expected = distributed::sums(domain.ranks(), mine);
  const std::array views{a.view, b.view};
  halo.add(std::span<const FieldView<T>>(views));
  std::int64_t wrong = 0;
  each_point(domain, s, ghosts, [&](const auto& at, const auto& whole) {
    const double found = static_cast<double>(a.view(at[0], at[1], at[2]));
    const double twice = static_cast<double>(b.view(at[0], at[1], at[2]));
    const double share = static_cast<double>(share_of<T>(domain.ranks().rank(), at)); // which ghosts keep
    const double right =
        owns(domain, s, at) ? expected[static_cast<std::size_t>(point_number(domain.whole(), s, whole))] : share;
    wrong += found != right;
    wrong += twice != 2 * right;
  });
  CHECK(wrong == 0);
}

} // namespace

TEST_CASE("ghosts of any number get the values of the points that they stand for, and add to them") {
  each_domain([&](const Domain& domain) {
    for (const Staggering s : all_staggerings)
      for (const std::int64_t ghosts : {0, 1, 2, 3, 8}) {
        if (s == Staggering::face_y && ghosts % 2 == 0) continue; // the code of the others
        INFO(name(s) << ", " << ghosts << " ghosts");
        const Halo halo(domain, s, ghosts);
        check_fill<double>(domain, halo);
        check_add<double>(domain, halo);
        if (ghosts == 2) check_fill<float>(domain, halo), check_add<float>(domain, halo);
      }
  });
}

TEST_CASE("each point of the whole belongs to one rank, and each cell") {
  each_domain([&](const Domain& domain) {
    for (const Staggering s : all_staggerings) {
      std::vector<double> owned(static_cast<std::size_t>(domain.whole().points(s)), 0.0);
      each_point(domain, s, 0, [&](const auto& at, const auto& whole) {
        if (owns(domain, s, at)) ++owned[static_cast<std::size_t>(point_number(domain.whole(), s, whole))];
      });
      for (const double ranks : distributed::sums(domain.ranks(), owned)) REQUIRE(ranks == 1);
    }
    CHECK(distributed::total(domain.ranks(), domain.part().cells()) == domain.whole().cells());
    CHECK(domain.owner({domain.begin(0), domain.end(1) - 1, domain.begin(2)}) == domain.ranks().rank());
  });
}

TEST_CASE("a halo clears what its rank does not own, and says what it sends") {
  each_domain([&](const Domain& domain) {
    std::int64_t sent = 0, received = 0;
    for (const Staggering s : all_staggerings) {
      const Halo halo(domain, s, 2);
      RankField<double> field(domain, s, 2, 1.0);
      halo.clear(field.view);
      std::int64_t wrong = 0;
      each_point(domain, s, 2, [&](const auto& at, const auto&) {
        wrong += field.view(at[0], at[1], at[2]) != (owns(domain, s, at) ? 1.0 : 0.0);
      });
      CHECK(wrong == 0);
      const Halo::Cost cost = halo.cost();
      CHECK((cost.received_from < domain.ranks().size() && cost.sent_to < domain.ranks().size()));
      if (domain.ranks().size() == 1) CHECK(cost.points_sent == 0);
      sent += cost.points_sent;
      received += cost.points_received;
    }
    CHECK(distributed::total(domain.ranks(), sent) == distributed::total(domain.ranks(), received));
  });
}

TEST_CASE("fields that are not the halo's are refused") {
  const Domain domain(distributed::Ranks::alone(),
                      grid_of({4, 5, 6}, {Boundary::periodic, Boundary::wall, Boundary::wall}));
  const Halo halo(domain, Staggering::centre, 2);
  const auto said = [&](auto change) {
    RankField<double> field(domain, Staggering::centre, 2);
    change(field.view);
    return message_of([&] { halo.fill(field.view); });
  };
  CHECK(said([](auto&) {}) == "no error");
  CHECK(said([](auto& f) { f.ghosts = 1; }) == "a centre field with 1 ghosts (its halo has 2)");
  CHECK(said([](auto& f) { f.staggering = Staggering::node; }) ==
        "a node field for a halo of centre fields (each staggering has its own)");
  CHECK(said([](auto& f) { f.stride[1] = 4; }) == "a centre field with strides 1, 4 and 72 (its halo has 1, 8 and 72) "
                                                  "make it by field_view_with_ghosts of the domain's part");
  CHECK(said([](auto& f) { f.data = nullptr; }) == "a centre field without memory (its pointer is null)");
  CHECK(message_of([&] { Halo(domain, Staggering::node, -1); }) == "a halo of -1 ghosts (0 at least)");
  CHECK(message_of([&] { Halo(domain, Staggering::node, 700); }) ==
        "a halo of 700 ghosts around 5 x 6 x 7 points (PETSc counts a rank's to 2147483647) take more ranks");
}

} // namespace corral::test
