#include "structure/bodies/body_repulsion.hpp"

#include "run/case/values.hpp"
#include "structure/surfaces/shapes.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace corral::structure {

namespace {

using namespace geometry; // the vectors' operators

constexpr std::int64_t table_points = 48; // along the longest side: curvature is felt to a thousandth of the radius
constexpr std::int64_t pairs_at_once = 4; // of a chunk

void require(const BodyRepulsionModel& model, const std::vector<const BodyShape*>& shapes) {
  if (!(model.range >= 0 && model.strength >= 0) || !std::isfinite(model.range) || !std::isfinite(model.strength))
    throw Error("a repulsion of range " + run::brief(model.range) + " m and strength " + run::brief(model.strength) +
                " N (both are 0 or above)");
  if (!(model.restitution > 0 && model.restitution <= 1))
    throw Error("a restitution of " + run::brief(model.restitution) + " (it is above 0, and 1 at most)");
  const auto planar = std::count_if(shapes.begin(), shapes.end(), [](const BodyShape* s) { return s->planar; });
  if (planar > 0 && planar < static_cast<std::ptrdiff_t>(shapes.size()))
    throw Error("cylinders beside bodies of other shapes (a cylinder goes through a box of one cell along z, and others "
                "don't fit into that) take one or the other");
}

DistanceTable distances_to(Cpu cpu, const BodyShape& body, double beyond) {
  Surface surface;
  surface.points.assign(body.outline);
  surface.triangles.assign(body.triangles);
  const SurfaceTree tree(Mesh::of_sound(std::move(surface)));
  Vector low = body.outline[0], high = low;
  for (const Vector& x : body.outline)
    for (std::size_t d = 0; d < 3; ++d) low[d] = std::min(low[d], x[d]), high[d] = std::max(high[d], x[d]);
  return {cpu, tree, low, high, beyond, table_points};
}

} // namespace

/// Sums over the points of a pair that have come into the range.
struct BodyRepulsion::Depths {
  double fourth = 0;          ///< of a d^4 [m6]
  Vector gradient{}, turn{};  ///< of a d^3 n and of x times that, n the way out of the other [m5], [m6]

  void add(double area, double depth, const Vector& out, const Vector& x) {
    const double cube = area * depth * depth * depth;
    const Vector push = cube * out;
    fourth += cube * depth;
    gradient = gradient + push;
    turn = turn + cross(x, push);
  }
};

BodyRepulsion::BodyRepulsion(Cpu cpu, const Grid& grid, const std::array<bool, 6>& walls,
                             std::vector<const BodyShape*> shapes, const BodyRepulsionModel& model)
    : model_(model), walls_(walls) {
  require(model, shapes);
  double largest = 0;
  for (const BodyShape* body : shapes) {
    Touched& touched = shapes_.emplace_back(Touched{body, std::nullopt});
    if (!body->round && model.range > 0) touched.distances = distances_to(cpu, *body, model.range);
    largest = std::max(largest, body->radius);
    planar_ = planar_ || body->planar;
  }
  for (std::size_t d = 0; d < 3; ++d) {
    const Axis& axis = grid.axis(static_cast<int>(d));
    low_[d] = axis.origin, size_[d] = axis.length();
    if (axis.periodic()) period_[d] = axis.length(), walls_[2 * d] = walls_[2 * d + 1] = false;
  }
  if (planar_) period_[2] = 0, walls_[4] = walls_[5] = false;
  neighbours_ = std::make_unique<Neighbours>(low_, size_, period_, 2 * largest + model.range);
}

double BodyRepulsion::force_of(double depth) const {
  const double share = depth / model_.range;
  return model_.strength * (model_.law == RepulsionLaw::quadratic ? share * share : share);
}

double BodyRepulsion::energy_of(double depth) const {
  return force_of(depth) * depth / (model_.law == RepulsionLaw::quadratic ? 3 : 2);
}

Vector BodyRepulsion::into_box(Vector x) const {
  for (std::size_t d = 0; d < 3; ++d)
    if (period_[d] > 0) x[d] -= period_[d] * std::floor((x[d] - low_[d]) / period_[d]);
  return x;
}

void BodyRepulsion::find_pairs(std::span<const Bumper> bodies) {
  pairs_.clear();
  neighbours_->clear();
  for (std::size_t i = 0; i < bodies.size(); ++i) neighbours_->add(i, into_box(flattened(bodies[i].state->position)));
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vector at = flattened(bodies[i].state->position);
    neighbours_->for_each_near(into_box(at), [&](std::size_t other) {
      if (other <= i) return true;
      const double reach = shapes_[bodies[i].shape].body->radius + shapes_[bodies[other].shape].body->radius + model_.range;
      neighbours_->for_each_image(flattened(bodies[other].state->position), at, reach, false, [&](const Vector& image) {
        pairs_.push_back({i, other, image - at, {}});
        return true;
      });
      return true;
    });
  }
}

BodyRepulsion::Push BodyRepulsion::push_of_round(const Bumper& a, const Bumper& b, const Vector& between) const {
  const double far = length(between), ra = shapes_[a.shape].body->radius;
  Push push;
  push.depth = model_.range - (far - ra - shapes_[b.shape].body->radius);
  if (!(push.depth > 0)) return push;
  const Vector away = far > 0 ? (-1 / far) * between : Vector{1, 0, 0};
  push.force = force_of(push.depth) * away;
  push.energy = energy_of(push.depth);
  return push;
}

/// Points of `one` in the range of `other`, which stands at `from_other` from it; places are seen from `one`.
void BodyRepulsion::add_points(const Bumper& one, const Bumper& other, const Vector& from_other, Depths& depths) const {
  const BodyShape &mine = *shapes_[one.shape].body, &others = *shapes_[other.shape].body;
  const Rotation turned = one.state->rotation(), out = other.state->rotation(), into = out.inverse();
  const double reach = others.radius + model_.range;
  for (std::size_t n = 0; n < mine.points.size(); ++n) {
    const Vector x = turned(mine.points[n]), seen = x + from_other;
    const double square = dot(seen, seen);
    if (square >= reach * reach) continue;
    if (others.round) {
      const double far = std::sqrt(square);
      if (far > 0) depths.add(mine.areas[n], reach - far, (1 / far) * seen, x);
      continue;
    }
    const DistanceTable::Value value = (*shapes_[other.shape].distances)(into(seen));
    if (const double depth = model_.range - value.distance; depth > 0) depths.add(mine.areas[n], depth, out(value.gradient), x);
  }
}

BodyRepulsion::Push BodyRepulsion::push_of_any(const Bumper& a, const Bumper& b, const Vector& between) const {
  Depths mine, others;
  add_points(a, b, -1.0 * between, mine);
  add_points(b, a, between, others);
  const double ra = shapes_[a.shape].body->equivalent_radius, rb = shapes_[b.shape].body->equivalent_radius;
  const double per_radius = 5 / (2 * std::numbers::pi) * (ra + rb) / (ra * rb) / 2;
  const double fifth = per_radius * (mine.fourth + others.fourth);
  Push push;
  if (!(fifth > 0)) return push;
  push.depth = std::pow(fifth, 0.2);
  push.energy = energy_of(push.depth);
  // -dE/dX = F(D) dD/dX, and 5 D^4 dD = 4 ... d^3.
  const double scale = force_of(push.depth) * per_radius * 4 / (5 * std::pow(push.depth, 4));
  push.force = scale * (mine.gradient - others.gradient);
  push.torque = scale * (mine.turn - (others.turn + cross(between, others.gradient)));
  return push;
}

BodyRepulsion::Push BodyRepulsion::push_of_wall(const Bumper& bumper, std::size_t axis, bool high) const {
  const BodyShape& body = *shapes_[bumper.shape].body;
  Vector away{};
  away[axis] = high ? -1 : 1;
  const double at = bumper.state->position[axis] - low_[axis], above = high ? size_[axis] - at : at;
  Push push;
  if (above - body.radius >= model_.range) return push;
  if (body.round) {
    push.depth = model_.range - (above - body.radius);
    push.force = force_of(push.depth) * away;
    push.energy = energy_of(push.depth);
    return push;
  }
  const Rotation turned = bumper.state->rotation();
  Depths depths;
  for (std::size_t n = 0; n < body.points.size(); ++n) {
    const Vector x = turned(body.points[n]);
    if (const double depth = model_.range - above - dot(away, x); depth > 0) depths.add(body.areas[n], depth, away, x);
  }
  const double per_radius = 5 / (2 * std::numbers::pi * body.equivalent_radius), fifth = per_radius * depths.fourth;
  if (!(fifth > 0)) return push;
  push.depth = std::pow(fifth, 0.2);
  push.energy = energy_of(push.depth);
  const double scale = force_of(push.depth) * per_radius * 4 / (5 * std::pow(push.depth, 4));
  push.force = scale * depths.gradient;
  push.torque = scale * depths.turn;
  return push;
}

/// Of soft spheres, where the force has its line of action: c = 2 |ln e| sqrt(k m/(pi^2 + ln^2 e)), m of both that give way.
void BodyRepulsion::add_dashpot(const Bumper& a, const Bumper* b, const Vector& between, Push& push) const {
  if (model_.law != RepulsionLaw::soft_sphere || model_.restitution == 1 || !(push.depth > 0)) return;
  const double per_mass = (a.mass > 0 ? 1 / a.mass : 0) + (b && b->mass > 0 ? 1 / b->mass : 0), size = length(push.force);
  if (!(per_mass > 0 && size > 0)) return;
  const double log_e = std::log(model_.restitution), k = model_.strength / model_.range;
  const double c = 2 * std::abs(log_e) * std::sqrt(k / per_mass / (std::numbers::pi * std::numbers::pi + log_e * log_e));
  const Vector away = (1 / size) * push.force;
  // On the line of action torque is lever x force, and a lever along the force turns nothing.
  const Vector lever = (1 / (size * size)) * cross(push.force, push.torque);
  Vector towards = velocity_at(*a.state, lever);
  if (b) towards = towards - velocity_at(*b->state, lever - between);
  const double approach = -1.0 * dot(towards, away), added = std::max(c * approach, -size);
  push.lost = added * approach;
  push.force = push.force + added * away;
  push.torque = push.torque + added * cross(lever, away);
}

BodyRepulsion::Found BodyRepulsion::find(Cpu cpu, std::span<const Bumper> bodies, std::span<BodyLoad> loads) {
  for (BodyLoad& load : loads) load = {};
  Found found;
  found.least_gap = model_.range;
  if (!(model_.range > 0)) return found;
  find_pairs(bodies);
  for_each_chunk(cpu, static_cast<std::int64_t>(pairs_.size()), pairs_at_once, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t p = begin; p < end; ++p) {
      Pair& pair = pairs_[static_cast<std::size_t>(p)];
      const Bumper &a = bodies[pair.first], &b = bodies[pair.second];
      const bool round = shapes_[a.shape].body->round && shapes_[b.shape].body->round;
      pair.push = round ? push_of_round(a, b, pair.between) : push_of_any(a, b, pair.between);
      add_dashpot(a, &b, pair.between, pair.push);
    }
  });
  by_walls_.resize(bodies.size());
  for_each_chunk(cpu, static_cast<std::int64_t>(bodies.size()), pairs_at_once, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t n = begin; n < end; ++n) {
      const auto i = static_cast<std::size_t>(n);
      for (std::size_t side = 0; side < 6; ++side) {
        by_walls_[i][side] = walls_[side] ? push_of_wall(bodies[i], side / 2, side % 2 == 1) : Push{};
        add_dashpot(bodies[i], nullptr, {}, by_walls_[i][side]);
      }
    }
  });
  const auto count = [&](const Push& push) {
    found.energy += push.energy, found.lost += push.lost;
    found.least_gap = std::min(found.least_gap, model_.range - push.depth);
    ++found.contacts;
  };
  for (const Pair& pair : pairs_) {
    if (!(pair.push.depth > 0)) continue;
    count(pair.push);
    add_moment(found.stresslet, pair.push.force, -1.0 * pair.between);
    loads[pair.first] += {pair.push.force, pair.push.torque};
    loads[pair.second] += {-1.0 * pair.push.force, cross(pair.between, pair.push.force) - pair.push.torque};
  }
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (const Push& push : by_walls_[i])
      if (push.depth > 0) count(push), loads[i] += {push.force, push.torque};
  return found;
}

double repulsion_strength(double mass, double weight, double speed, double range) {
  return 3 * std::abs(mass) * speed * speed / range + 6 * std::abs(weight);
}

double repulsion_step(const BodyRepulsionModel& model, double mass) {
  const double stiffness = (model.law == RepulsionLaw::quadratic ? 2 : 1) * model.strength / model.range;
  return 0.1 * 2 * std::numbers::pi * std::sqrt(mass / stiffness);
}

} // namespace corral::structure
