#include "tests/catch.hpp"

#include "distributed/make_team.hpp"
#include "fluid/planes.hpp"
#include "tests/engine/cases.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

/// What ranks give each other of fields whose planes they share.
namespace corral::test {
namespace {

constexpr std::int64_t count = 17, of_plane = 700; // planes; more values than a block has
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Pieces of all planes, and those behind the last one.
bool within(const std::vector<distributed::Piece>& pieces, std::int64_t plane) {
  return std::ranges::any_of(pieces, [&](const distributed::Piece& p) { return plane >= p.begin && plane < p.end; });
}

/// What a rank asks for: a few planes anywhere, also beyond the ends.
distributed::Piece asked_by(int rank, Random& random) {
  distributed::Piece asked;
  for (int r = 0; r <= rank; ++r) {
    asked.begin = static_cast<std::int64_t>(random.uniform(-2, static_cast<double>(count)));
    asked.end = asked.begin + static_cast<std::int64_t>(random.uniform(0, 6));
  }
  asked.end = std::min(asked.end, count + 1);
  return asked;
}

fluid::Planes planes_of(const distributed::Team& team, bool periodic) {
  std::vector<std::int64_t> first;
  for (int r = 0; r < team.size(); ++r) first.push_back(count * r / team.size());
  first.push_back(count);
  return {team, first, periodic};
}

} // namespace

TEST_CASE("A rank gets the planes that it asks for, around where they are periodic, and no others") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  Random random(5);
  for (const bool periodic : {false, true})
    for (int round = 0; round < 8; ++round) {
      const fluid::Planes planes = planes_of(*team, periodic);
      const std::int64_t beyond = periodic ? 0 : 1, all = count + beyond;
      std::vector<double> values(static_cast<std::size_t>(all * of_plane), unknown);
      const auto plane_of = [&](std::int64_t k) { return std::span(values).subspan(static_cast<std::size_t>(k * of_plane), of_plane); };
      const std::int64_t end = planes.end() == count ? all : planes.end();
      for (std::int64_t k = planes.begin(); k < end; ++k) std::ranges::fill(plane_of(k), static_cast<double>(k));
      const distributed::Piece mine = asked_by(team->rank(), random);
      const distributed::PiecesOfRanks asked = planes.asked(mine);
      planes.deliver(asked, values.data(), of_plane, beyond);
      for (std::int64_t k = 0; k < all; ++k) {
        const bool own = k >= planes.begin() && k < end, wanted = within(planes.mine(asked), k);
        const auto is = [&](double v) { return own || wanted ? v == static_cast<double>(k) : v != v; };
        CHECK(std::ranges::all_of(plane_of(k), is));
        std::int64_t nearest = k; // of those that plane k is, one that may have been asked for
        if (periodic && !(k >= mine.begin && k < mine.end)) nearest = k - count >= mine.begin ? k - count : k + count;
        CHECK(wanted == (nearest >= mine.begin && nearest < mine.end));
      }
    }
}

TEST_CASE("Sums of the planes that a rank wants have the bits of those that all ranks get") {
  const auto team = distributed::make_team(distributed::Ranks::world());
  const fluid::Planes planes = planes_of(*team, true);
  Random random(11 + static_cast<unsigned>(team->rank()));
  std::vector<double> values(count * of_plane, 0.0);
  for (int k = 0; k < 4 * of_plane; ++k) values[static_cast<std::size_t>(random.uniform(0, count * of_plane))] += random.uniform(-1, 1);
  std::fill_n(values.begin() + 3 * of_plane, 2 * of_plane, 0.0); // no rank has any of these
  std::vector<double> of_all = values;
  const std::span<double> one[] = {std::span(of_all)};
  team->add(one);
  const distributed::PiecesOfRanks wanted = planes.around(2);
  const distributed::FieldOfPlanes field[] = {{std::span(values), of_plane}};
  constexpr distributed::Piece held[] = {{0, 3}, {5, count}};
  if (!within(planes.mine(wanted), 3)) std::fill_n(values.begin() + 3 * of_plane, of_plane, unknown);
  if (!within(planes.mine(wanted), 4)) std::fill_n(values.begin() + 4 * of_plane, of_plane, unknown);
  team->add(field, held, wanted);
  for (std::int64_t k = 0; k < count; ++k) {
    if (!within(planes.mine(wanted), k)) continue;
    const auto at = static_cast<std::ptrdiff_t>(k * of_plane);
    CHECK(std::equal(values.begin() + at, values.begin() + at + of_plane, of_all.begin() + at));
  }
}

} // namespace corral::test
