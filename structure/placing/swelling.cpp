#include "structure/placing/swelling.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

namespace corral::structure {

namespace {

using namespace geometry; // the vectors' operators

constexpr double first_size = 0.3;
constexpr std::int64_t tries_to_enter = 200; // beside those that stay; what touches them after that is pushed away
// Growth at once: more where few rounds part them, less where many do.
constexpr double most_growth = 0.03, least_growth = 0.002;
constexpr std::int64_t soon = 50, late = 100, stuck_for = 200; // rounds
constexpr double shrinks_to = 0.99, shaken_by = 0.1; // where they are stuck; of a radius
constexpr double worth_while = 0.002;
/// Rounds without growth that is worth while: those who are slow when they are small never grow up.
std::int64_t most_rounds(double size) {
  const double grown = std::max(0.0, (size - first_size) / (0.9 - first_size));
  return std::llround(5000 * std::clamp(grown * grown, 0.1, 1.0));
}
constexpr double most_at_once = 0.1; // that they move, of their radius
constexpr double most_turned = 0.2;  // [rad]
// Of what would part two alone: all pairs push at once, and those in a throng would swing.
constexpr double briskly = 0.7, gently = 0.4;
// Beside the gap, of the smallest radius: contacts are off by less, or there is more of it.
constexpr double first_margin = 0.008, more_margin = 1.4, most_margin = 0.1;
constexpr std::int64_t pairs_at_once = 4; // of a chunk

/// Squared radius of gyration [m2], as if the shape were a disc or a ball, which are alike in that.
double gyration2(const Body& body) { return 0.25 * body.radius() * body.radius(); }

} // namespace

Swelling::Swelling(const Vector& low, const Vector& size, const Vector& period, std::uint64_t seed)
    : low_(low), size_(size), period_(period), random_(seed) {}

void Swelling::add_fixed(const SurfaceShape& shape, std::span<const Placement> places) {
  for (const Placement& at : places) standing_.push_back({&shape, at});
}

void Swelling::add(const Newcomers& group) { groups_.push_back(group); }

const TouchedShape& Swelling::touched(const SurfaceShape& shape) {
  for (const auto& [known, made] : shapes_)
    if (known == &shape) return *made;
  return *shapes_.emplace_back(&shape, std::make_unique<TouchedShape>(shape, beyond_)).second;
}

double Swelling::gap_between(std::size_t first, std::size_t second) const {
  return std::max(comes(first) ? group_of(first).gap : 0, comes(second) ? group_of(second).gap : 0);
}

void Swelling::prepare() {
  double widest = 0, smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for (const Newcomers& group : groups_) {
    const double radius = radius_of(*group.shape);
    widest = std::max(widest, group.gap);
    smallest = std::min(smallest, radius);
    largest = std::max(largest, radius);
  }
  margin_ = 0.01 * widest + first_margin * smallest;
  most_margin_ = std::max(margin_, most_margin * smallest);
  beyond_ = widest + most_margin_;
  for (const Standing& one : standing_) {
    bodies_.push_back({&touched(*one.shape), one.at});
    largest = std::max(largest, bodies_.back().radius());
  }
  fixed_ = bodies_.size();
  neighbours_ = std::make_unique<Neighbours>(low_, size_, period_, 2 * largest + beyond_);
  for (std::size_t i = 0; i < fixed_; ++i) neighbours_->add(i, bodies_[i].at.position);
}

/// Whether a newcomer touches none of those that stay.
bool Swelling::stands_free(const Body& body, double gap) const {
  bool free = true;
  neighbours_->for_each_near(body.at.position, [&](std::size_t other) {
    const Body& b = bodies_[other];
    neighbours_->for_each_image(b.at.position, body.at.position, body.radius() + b.radius() + gap, false,
                                [&](const Vector& image) {
      return free = contact(body, b, image - body.at.position, gap).depth == 0;
    });
    return free;
  });
  return free;
}

namespace {

/// A place of a group's room, from three numbers in [0, 1): where it ends, among those at which the shape at its own size
/// keeps its gap. Newcomers that were pushed there would crowd at walls.
Vector within(const Newcomers& group, const Body& body, const Vector& share) {
  Vector x{};
  for (std::size_t d = 0; d < 3; ++d) {
    double low = group.room.low[d], high = group.room.high[d];
    if (!group.room.open[d]) {
      double lowest = 0, highest = 0;
      for (const Vector& point : body.shape->points()) {
        const double at = dot(body.at.rotation.rows()[d], point);
        lowest = std::min(lowest, at), highest = std::max(highest, at);
      }
      low += group.gap - lowest, high -= group.gap + highest;
    }
    x[d] = low < high ? low + share[d] * (high - low) : 0.5 * (group.room.low[d] + group.room.high[d]);
  }
  return x;
}

} // namespace

void Swelling::enter() {
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (std::int64_t n = 0; n < groups_[g].count; ++n) {
      const Newcomers& group = groups_[g];
      Body body{&touched(*group.shape), {group.rotation, {}}, first_size};
      const std::uint64_t id = bodies_.size() - fixed_;
      for (std::int64_t tries = 0; tries < tries_to_enter; ++tries) {
        const auto u = [&](int draw) {
          return random_.uniform(draw < 3 ? run::Purpose::position : run::Purpose::orientation, tries, id, draw);
        };
        if (group.turned) body.at.rotation = random_rotation(u(3), u(4), u(5));
        body.at.position = within(group, body, {u(0), u(1), u(2)});
        if (stands_free(body, first_size * group.gap)) break;
      }
      bodies_.push_back(body);
      group_.push_back(g);
    }
  pushes_.resize(bodies_.size());
}

void Swelling::become(double size) {
  now_ = size;
  for (std::size_t i = fixed_; i < bodies_.size(); ++i) bodies_[i].size = size;
}

void Swelling::find_pairs() {
  pairs_.clear();
  neighbours_->clear();
  for (std::size_t i = 0; i < bodies_.size(); ++i) neighbours_->add(i, bodies_[i].at.position);
  for (std::size_t i = fixed_; i < bodies_.size(); ++i) {
    const Body& one = bodies_[i];
    neighbours_->for_each_near(one.at.position, [&](std::size_t other) {
      if (comes(other) && other < i) return true;
      const double reach = one.radius() + bodies_[other].radius() + wanted_between(i, other);
      neighbours_->for_each_image(bodies_[other].at.position, one.at.position, reach, other == i, [&](const Vector& image) {
        const Vector between = image - one.at.position;
        if (other != i || Vector{} < between) pairs_.push_back({i, other, between, {}}); // of two own images one
        return true;
      });
      return true;
    });
  }
}

void Swelling::Push::add(const Contact& contact, double share, double gyration2, double sign, const Vector& lever) {
  shift = shift + (sign * share) * contact.away;
  turn = turn + (sign * share / gyration2) * cross(lever, contact.away);
  deepest = std::max(deepest, contact.depth);
}

namespace {

/// How readily a body gives way at the end of a lever.
double yields(const Body& body, const Vector& lever, const Vector& away, bool turns) {
  const Vector torque = cross(lever, away);
  return 1 + (turns ? dot(torque, torque) / gyration2(body) : 0);
}

} // namespace

void Swelling::push_off_ends(std::size_t which, Push& push) const {
  const Body& body = bodies_[which];
  const Newcomers& group = group_of(which);
  for (std::size_t d = 0; d < 3; ++d) {
    if (!group.room.ends(d)) continue;
    for (const bool above : {false, true}) {
      const double end = above ? group.room.high[d] : group.room.low[d];
      const Contact c = contact(body, d, end, above, now_ * (group.gap + margin_));
      if (c.depth > 0) push.add(c, c.depth / yields(body, c.lever, c.away, group.turned), gyration2(body), 1, c.lever);
    }
  }
}

double Swelling::push() {
  for_each_chunk(Cpu{}, static_cast<std::int64_t>(pairs_.size()), pairs_at_once, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t p = begin; p < end; ++p) {
      Pair& pair = pairs_[static_cast<std::size_t>(p)];
      pair.contact = contact(bodies_[pair.first], bodies_[pair.second], pair.between, wanted_between(pair.first, pair.second));
    }
  });
  for_each_chunk(Cpu{}, static_cast<std::int64_t>(bodies_.size() - fixed_), pairs_at_once, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::size_t which = fixed_ + static_cast<std::size_t>(i);
      pushes_[which] = {};
      push_off_ends(which, pushes_[which]);
    }
  });
  for (const Pair& pair : pairs_) {
    const Contact& c = pair.contact;
    if (!(c.depth > 0)) continue;
    const Body &a = bodies_[pair.first], &b = bodies_[pair.second];
    const Vector lever = c.lever - pair.between;
    double all = yields(a, c.lever, c.away, group_of(pair.first).turned);
    if (comes(pair.second)) all += yields(b, lever, c.away, group_of(pair.second).turned);
    pushes_[pair.first].add(c, c.depth / all, gyration2(a), 1, c.lever);
    if (comes(pair.second)) pushes_[pair.second].add(c, c.depth / all, gyration2(b), -1, lever);
  }
  double deepest = 0;
  for (std::size_t i = fixed_; i < bodies_.size(); ++i) deepest = std::max(deepest, pushes_[i].deepest);
  return deepest;
}

void Swelling::turn(Placement& at, const Newcomers& group, const Vector& by) const {
  const double angle = length(by);
  if (group.turned && angle > 1e-12) at.rotation = Rotation::about(by, std::min(angle, most_turned)) * at.rotation;
}

void Swelling::keep_inside(Placement& at, const Room& room) const {
  for (std::size_t d = 0; d < 3; ++d) {
    const double wide = room.high[d] - room.low[d];
    if (room.open[d]) at.position[d] -= wide * std::floor((at.position[d] - room.low[d]) / wide);
    else at.position[d] = std::clamp(at.position[d], room.low[d], room.high[d]);
  }
}

void Swelling::move(double share) {
  for (std::size_t i = fixed_; i < bodies_.size(); ++i) {
    Body& body = bodies_[i];
    const Push& by = pushes_[i];
    const double far = share * length(by.shift), most = most_at_once * body.radius();
    const double part = far > most ? share * most / far : share;
    body.at.position = body.at.position + part * by.shift;
    turn(body.at, group_of(i), part * by.turn);
    keep_inside(body.at, group_of(i).room);
  }
}

void Swelling::shake(std::int64_t round, double far) {
  for (std::size_t i = fixed_; i < bodies_.size(); ++i) {
    const auto u = [&](int draw) { // behind those of `enter`
      return 2 * random_.uniform(run::Purpose::position, tries_to_enter + round, i - fixed_, draw) - 1;
    };
    Body& body = bodies_[i];
    body.at.position = body.at.position + (far * body.radius()) * Vector{u(0), u(1), u(2)};
    turn(body.at, group_of(i), (2 * far) * Vector{u(3), u(4), u(5)});
    keep_inside(body.at, group_of(i).room);
  }
}

/// Whether the shapes themselves keep their gaps: points and tables may miss what edges do.
bool Swelling::all_apart() const {
  std::atomic<bool> apart = true;
  for_each_chunk(Cpu{}, static_cast<std::int64_t>(pairs_.size()), pairs_at_once, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t p = begin; p < end && apart; ++p) {
      const Pair& pair = pairs_[static_cast<std::size_t>(p)];
      const Body &a = bodies_[pair.first], &b = bodies_[pair.second];
      if (nearer_than(gap_between(pair.first, pair.second), a.shape->tree(), {a.at.rotation, {}}, b.shape->tree(),
                      {b.at.rotation, pair.between}))
        apart = false;
    }
  });
  for (std::size_t i = fixed_; i < bodies_.size() && apart; ++i) {
    const Newcomers& group = group_of(i);
    for (const Vector& corner : bodies_[i].shape->corners()) {
      const Vector x = bodies_[i].at(corner);
      for (std::size_t d = 0; d < 3; ++d)
        if (group.room.ends(d) && (x[d] < group.room.low[d] + group.gap || x[d] > group.room.high[d] - group.gap))
          apart = false;
    }
  }
  return apart;
}

bool Swelling::grow(const Watch& watch) {
  prepare();
  enter();
  become(first_size);
  double growth = most_growth;
  std::int64_t since_grown = 0, worth = 0;
  for (std::int64_t round = 0; round - worth < most_rounds(largest_); ++round) {
    if (watch) watch(now_);
    find_pairs();
    if (push() < 0.5 * now_ * margin_) {
      if (now_ > largest_ * (1 + worth_while)) worth = round;
      largest_ = std::max(largest_, now_);
      if (now_ == 1) {
        if (all_apart()) return true;
        if (margin_ == most_margin_) shake(round, shaken_by);
        margin_ = std::min(more_margin * margin_, most_margin_);
        continue;
      }
      if (since_grown < soon) growth = std::min(1.5 * growth, most_growth);
      else if (since_grown > late) growth = std::max(0.7 * growth, least_growth);
      since_grown = 0;
      become(std::min(1.0, now_ * (1 + growth)));
      continue;
    }
    move(++since_grown < soon ? briskly : gently);
    if (since_grown < stuck_for) continue;
    since_grown = 0;
    growth = std::max(0.5 * growth, least_growth);
    become(shrinks_to * now_);
    shake(round, shaken_by);
  }
  return false;
}

std::vector<Placement> Swelling::places(std::size_t group) const {
  std::vector<Placement> found;
  for (std::size_t i = fixed_; i < bodies_.size(); ++i)
    if (group_[i - fixed_] == group) found.push_back(bodies_[i].at);
  return found;
}

std::size_t Swelling::stuck() const {
  const auto hardest = std::max_element(pushes_.begin() + static_cast<std::ptrdiff_t>(fixed_), pushes_.end(),
                                        [](const Push& a, const Push& b) { return a.deepest < b.deepest; });
  return group_[static_cast<std::size_t>(hardest - pushes_.begin()) - fixed_];
}

} // namespace corral::structure
