#include "beads/placing/random_places.hpp"

#include "beads/placing/placing.hpp"
#include "run/case/values.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace corral::beads {

using namespace geometry;
using run::brief, run::Purpose;
using structure::GroupArrangement;

namespace {

constexpr std::int64_t tries = 200, tries_of_fibres = 5000;
/// Of spheres and half their gaps around them: about what spheres have that were shaken together.
constexpr double densest = 0.6;
constexpr double pushes = 4e7, most_rounds = 4000; ///< of all spheres and rounds; rounds

double largest_gap(const BeadsSetup& setup) {
  double gap = 0;
  for (const BeadGroup& group : setup.groups)
    if (group.placed.arrangement == GroupArrangement::random) gap = std::max(gap, group.placed.gap);
  return gap;
}

double largest_radius(const BeadsSetup& setup) {
  double radius = setup.radius;
  for (const BeadGroup& group : setup.groups) radius = std::max(radius, group.ball_radius(setup.radius));
  return radius;
}

Vector periods(const BeadsSetup& setup) {
  Vector period{};
  for (std::size_t d = 0; d < 3; ++d)
    if (setup.periodic(d)) period[d] = setup.size[d];
  return period;
}

} // namespace

Vector into_box(const BeadsSetup& setup, Vector x) {
  for (std::size_t d = 0; d < 3; ++d)
    if (setup.periodic(d)) x[d] -= setup.size[d] * std::floor((x[d] - setup.origin[d]) / setup.size[d]);
  return x;
}

std::vector<Vector> beads_of(const BeadGroup& group, const Placement& at) {
  std::vector<Vector> beads;
  for (std::int64_t k = 0; k < group.beads(); ++k) beads.push_back(at(bead_offset(group, k)));
  return beads;
}

std::vector<Ball> balls_of(const BeadsSetup& setup, const BeadGroup& group, const Placement& at) {
  if (group.rigid()) return {{at.position, group.shell.radius}};
  std::vector<Ball> balls;
  for (const Vector& x : beads_of(group, at)) balls.push_back({x, setup.radius});
  return balls;
}

StandingBalls::StandingBalls(const BeadsSetup& setup, double gap)
    : setup_(setup), neighbours_(setup.origin, setup.size, periods(setup), 2 * largest_radius(setup) + gap) {}

void StandingBalls::add(std::span<const Ball> balls) {
  for (const Ball& ball : balls) {
    const Vector x = into_box(setup_, ball.centre);
    neighbours_.add(balls_.size(), x);
    balls_.push_back({x, ball.radius});
    assembly_.push_back(assemblies_);
  }
  ++assemblies_;
}

std::optional<std::int32_t> StandingBalls::nearer_than(double gap, const Ball& ball) const {
  std::optional<std::int32_t> found;
  const Vector here = into_box(setup_, ball.centre);
  neighbours_.for_each_near(here, [&](std::size_t other) {
    neighbours_.for_each_image(balls_[other].centre, here, ball.radius + balls_[other].radius + gap, false, [&](const Vector&) {
      found = assembly_[other];
      return false;
    });
    return !found;
  });
  return found;
}

RandomPlaces::RandomPlaces(const BeadsSetup& setup)
    : setup_(setup), random_(setup.random_seed), largest_gap_(largest_gap(setup)), standing_(setup, largest_gap_) {}

void RandomPlaces::find(std::vector<std::vector<Placement>>& places) {
  std::vector<std::size_t> random;
  for (std::size_t g = 0; g < setup_.groups.size(); ++g) {
    if (setup_.groups[g].placed.arrangement == GroupArrangement::random) random.push_back(g);
    for (const Placement& at : places[g]) stand(balls_of(setup_, setup_.groups[g], at));
  }
  // Fibres first, for spheres make way; then large ones, between which small ones have room.
  const auto ahead = [&](std::size_t g) {
    const BeadGroup& group = setup_.groups[g];
    return std::pair(group.balls() == 1, -group.ball_radius(setup_.radius));
  };
  std::stable_sort(random.begin(), random.end(), [&](std::size_t a, std::size_t b) { return ahead(a) < ahead(b); });
  for (const std::size_t g : random) come_in(g, places[g]);
  if (crowded_) push_apart(places);
}

void RandomPlaces::stand(const std::vector<Ball>& balls) {
  standing_.add(balls);
  for (const Ball& ball : balls) fixed_.push_back({into_box(setup_, ball.centre), ball.radius});
}

Placement RandomPlaces::try_one(const BeadGroup& group, std::uint64_t id, std::int64_t attempt) const {
  Placement at;
  const auto u = [&](Purpose purpose, int draw) { return random_.uniform(purpose, attempt, id, draw); };
  if (group.placed.turned_at_random) at.rotation = random_rotation(u(Purpose::orientation, 0), u(Purpose::orientation, 1), u(Purpose::orientation, 2));
  else at.rotation = structure::towards(group.placed.axis);
  if (group.within) {
    // Even in a ball: by the cube root of a share of its volume, in a direction that is even on a sphere.
    const double r = group.within->radius * std::cbrt(u(Purpose::position, 0)), z = 2 * u(Purpose::position, 1) - 1;
    const double across = std::sqrt(std::max(0.0, 1 - z * z)), phi = 2 * std::numbers::pi * u(Purpose::position, 2);
    at.position = group.within->centre + r * Vector{across * std::cos(phi), across * std::sin(phi), z};
  } else {
    for (std::size_t d = 0; d < 3; ++d)
      at.position[d] = group.placed.low[d] + u(Purpose::position, static_cast<int>(d)) * (group.placed.high[d] - group.placed.low[d]);
  }
  return at;
}

void RandomPlaces::come_in(std::size_t g, std::vector<Placement>& places) {
  const BeadGroup& group = setup_.groups[g];
  const bool sphere = group.balls() == 1;
  const double gap = group.placed.gap, count = static_cast<double>(count_of(group, setup_.radius));
  const double share = count * group.volume(setup_.radius, gap) / region_volume(group);
  if (share > densest && count > 1) refuse(g, "with half their gaps they would fill " + brief(std::min(100 * share, 1e9)) + " % of their region, and " + brief(100 * densest) + " % is about as dense as they come");
  for (std::int64_t m = 0; m < static_cast<std::int64_t>(count); ++m) {
    const std::uint64_t id = next_++;
    std::vector<Ball> balls;
    Placement at;
    bool free = false;
    for (std::int64_t attempt = 0; !free && attempt < (sphere ? tries : tries_of_fibres); ++attempt) {
      if (sphere && crowded_ && attempt > 0) break; // it is pushed anyway
      at = try_one(group, id, attempt);
      balls = balls_of(setup_, group, at);
      free = std::none_of(balls.begin(), balls.end(), [&](const Ball& ball) { return standing_.nearer_than(gap, ball).has_value(); });
    }
    if (!free && !sphere) refuse(g, std::to_string(m) + " of them found room, and the next one none in " + std::to_string(tries_of_fibres) + " tries");
    crowded_ = crowded_ || !free;
    places.push_back(at);
    if (!sphere) {
      stand(balls);
      continue;
    }
    standing_.add(balls);
    loose_.push_back({g, static_cast<std::size_t>(m)});
  }
}

void RandomPlaces::push_apart(std::vector<std::vector<Placement>>& places) {
  const double all = static_cast<double>(loose_.size() + fixed_.size());
  const auto rounds = static_cast<std::int64_t>(std::clamp(pushes / all, 50.0, most_rounds));
  double deepest = 0;
  for (std::int64_t round = 0; round < rounds; ++round)
    if (deepest = push_once(places); !(deepest > 0)) return;
  refuse(loose_.front().group, "pushed apart " + std::to_string(rounds) + " times, two are still " + brief(deepest / setup_.radius) + " radii too near");
}

/// One after the other, each pair that is too near goes apart by a little more than it lacks, the smaller one farther;
/// returns the largest lack [m].
double RandomPlaces::push_once(std::vector<std::vector<Placement>>& places) {
  const double reach = 2 * largest_radius(setup_) + largest_gap_, more = 1e-3 * setup_.radius;
  structure::Neighbours bins(setup_.origin, setup_.size, periods(setup_), 1.2 * reach);
  const auto position = [&](std::size_t i) -> Vector& { return places[loose_[i].group][loose_[i].member].position; };
  const auto gap = [&](std::size_t i) { return setup_.groups[loose_[i].group].placed.gap; };
  const auto radius = [&](std::size_t i) { return setup_.groups[loose_[i].group].ball_radius(setup_.radius); };
  const auto inside = [&](std::size_t i) {
    const BeadGroup& group = setup_.groups[loose_[i].group];
    Vector& x = position(i);
    for (std::size_t d = 0; d < 3; ++d) {
      const bool whole = setup_.periodic(d) && group.placed.high[d] - group.placed.low[d] >= (1 - 1e-9) * setup_.size[d];
      if (whole) x[d] -= setup_.size[d] * std::floor((x[d] - setup_.origin[d]) / setup_.size[d]);
      else x[d] = std::clamp(x[d], group.placed.low[d], group.placed.high[d]);
    }
    if (!group.within) return;
    const Vector off = x - group.within->centre;
    if (const double r = length(off); r > group.within->radius) x = group.within->centre + (group.within->radius / r) * off;
  };
  for (std::size_t i = 0; i < loose_.size(); ++i) bins.add(i, position(i));
  for (std::size_t i = 0; i < fixed_.size(); ++i) bins.add(loose_.size() + i, fixed_[i].centre);
  double deepest = 0;
  for (std::size_t i = 0; i < loose_.size(); ++i) {
    bins.for_each_near(position(i), [&](std::size_t j) {
      const bool moves = j < loose_.size();
      if (j == i || (moves && j < i)) return true;
      const Ball other = moves ? Ball{position(j), radius(j)} : fixed_[j - loose_.size()];
      const double own = radius(i), wanted = own + other.radius + std::max(gap(i), moves ? gap(j) : 0.0);
      const double own_volume = own * own * own, its_volume = other.radius * other.radius * other.radius;
      const double share = moves ? its_volume / (own_volume + its_volume) : 1;
      bins.for_each_image(other.centre, position(i), wanted, false, [&](const Vector& image) {
        const Vector off = position(i) - image;
        const double r = length(off), lack = wanted - r;
        deepest = std::max(deepest, lack);
        const Vector away = r > 0 ? (1 / r) * off : Vector{1, 0, 0};
        const double way = lack + more;
        position(i) = position(i) + share * way * away;
        if (moves) position(j) = position(j) - (1 - share) * way * away;
        return true;
      });
      if (moves) inside(j);
      return true;
    });
    inside(i);
  }
  return deepest;
}

void RandomPlaces::refuse(std::size_t g, const std::string& because) const {
  const BeadGroup& group = setup_.groups[g];
  throw structure::NoRoom("[group." + group.placed.name + "]: " + std::to_string(count_of(group, setup_.radius)) +
                              " at random places, " + brief(group.placed.gap) + " m apart, find no room (" + because +
                              ") take fewer, a smaller gap, a larger region or a lattice",
                          group.placed.name);
}

} // namespace corral::beads
