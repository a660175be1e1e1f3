#pragma once

/// The step of step.hpp, for either processor.

#include "body/step/step.hpp"

#include "structure/bodies/retraction.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>

namespace corral::body {

using namespace structure;
using namespace geometry; // the vectors' operators

namespace body_step {

static_assert(std::is_trivially_copyable_v<RigidState> && sizeof(RigidState) % sizeof(double) == 0);
inline constexpr auto numbers_of_state = static_cast<std::int64_t>(sizeof(RigidState) / sizeof(double)), numbers_owed = std::int64_t{6};
inline constexpr std::int64_t numbers = numbers_of_state + numbers_owed; ///< that are saved of a body
inline constexpr std::int64_t slip_is_seen_every = 16; ///< steps of one pass, which do not need to know it

inline std::array<bool, 6> walls_of(const fluid::Domain& domain) {
  std::array<bool, 6> walls{};
  for (int s = 0; s < 6; ++s) {
    const auto kind = domain.side_kind_of_whole(s);
    walls[static_cast<std::size_t>(s)] = kind != fluid::SideKind::periodic && kind != fluid::SideKind::outlet;
  }
  return walls;
}

} // namespace body_step

template <Execution E>
BodyStep<E>::BodyStep(E execution, const BodySetup& setup, const fluid::Domain& domain, std::unique_ptr<Fluid<E>> fluid,
                      run::Registry& registry, run::Phases& phases)
    : execution_(execution), setup_(setup), domain_(domain), phases_(phases), fluid_(std::move(fluid)),
      maps_(domain, setup.forcing.kernel, setup.forcing.method, fluid_->staggering(), memory_for<E>),
      points_(registry, point_kind, domain) {
  std::vector<std::vector<Vector>> held; // of each kind, where points are
  for (const BodyModel& kind : setup.kinds) {
    shapes_.push_back(make_body(Cpu{}, kind, setup.size[2]));
    held.push_back(retracted_points(Cpu{}, kind, shapes_.back(), retraction(setup, kind)));
  }
  for (std::size_t g = 0; g < setup.groups.size(); ++g) {
    const BodyGroup& group = setup.groups[g];
    const MotionModel& motion = group.motion;
    const BodyShape& shape = shapes_[group.placed.surface];
    const RigidInertia inertia = rigid_inertia(shape, motion, setup.fluid.rho);
    if (motion.mode == BodyMode::given) paths_.emplace_back(motion.given);
    else paths_.emplace_back();
    moving_ = moving_ || motion.mode != BodyMode::fixed;
    for (const Placement& at : setup.places[g]) {
      const bool free = motion.mode == BodyMode::free;
      bodies_.push_back({.kind = group.placed.surface,
                         .group = g,
                         .inertia = inertia,
                         .state = placed(inertia, at, free ? Vector(motion.velocity) : Vector{},
                                         free ? Vector(motion.angular_velocity) : Vector{}),
                         .start = at});
      points_.add(held[group.placed.surface], shape.points.size() == shape.outline.size() ? shape.triangles : std::vector<Triangle>{});
    }
  }
  points_.finish();
  if (on_host && fluid_->knows_bands() && setup.forcing.method == Method::automatic && PointBand::serves(domain.whole(), setup.forcing.kernel))
    points_.work_in_band(setup.forcing.kernel);
  fluid_->keep_midway(false);
  std::vector<std::span<const Vector>> own; // of each body
  for (std::int64_t b = 0; b < bodies(); ++b) {
    own.emplace_back(held[body(b).kind]);
    if (mode_of(body(b)) == BodyMode::free) free_.push_back(b);
  }
  forcing_.emplace(domain, points_, own, maps_, setup.forcing.kernel, *fluid_, setup.fluid.rho, setup.forcing.acts);
  loads_.resize(bodies_.size());
  if (setup.contact.range > 0 && moving_) {
    std::vector<const BodyShape*> shapes;
    for (const BodyShape& shape : shapes_) shapes.push_back(&shape);
    repulsion_.emplace(Cpu{}, domain.whole(), body_step::walls_of(domain), std::move(shapes), setup.contact);
  }
  saved_.resize(bodies() * body_step::numbers);
  registry.bind("bodies", "", "position, quaternion, velocities, spin, the last changes of these, and what loads owe, of each body", saved_);
  registry.bind("body_steps", "done", steps_);
  registry.bind("slip_seen", "m/s", "of the fluid at points, when it was looked at last", slip_);
  forcing_->bind_state(registry);
  const run::Entry* const populations = registry.find("populations");
  sizes_ = {.cells = static_cast<double>(domain.grid().cells()),
            .points = static_cast<double>(points_.size()),
            .populations = populations ? static_cast<double>(populations->bytes()) : 0};
  keep();
}

/// In the array that the registry knows.
template <Execution E> void BodyStep<E>::keep() {
  using namespace body_step;
  for (std::int64_t b = 0; b < bodies(); ++b) {
    const RigidBody& body = bodies_[static_cast<std::size_t>(b)];
    double* const to = saved_.data() + b * numbers;
    std::memcpy(to, &body.state, sizeof(RigidState));
    std::copy(body.owed.force.begin(), body.owed.force.end(), to + numbers_of_state);
    std::copy(body.owed.torque.begin(), body.owed.torque.end(), to + numbers_of_state + 3);
  }
}

template <Execution E> void BodyStep<E>::start() {
  fluid_->start();
  find_fastest();
}

template <Execution E> void BodyStep<E>::restored() {
  using namespace body_step;
  for (std::int64_t b = 0; b < bodies(); ++b) {
    RigidBody& body = bodies_[static_cast<std::size_t>(b)];
    const double* const from = saved_.data() + b * numbers;
    std::memcpy(static_cast<void*>(&body.state), from, sizeof(RigidState));
    std::copy_n(from + numbers_of_state, 3, body.owed.force.begin());
    std::copy_n(from + numbers_of_state + 3, 3, body.owed.torque.begin());
  }
  forcing_->restored(steps_ > 0);
  fluid_->restored();
  find_fastest();
}

template <Execution E>
template <class Part>
void BodyStep<E>::in_phase(const char* name, const Part& part) {
  const auto t = phases_.time(name);
  part();
  if (!on_host) phases_.moved(name, least_bytes(name, sizes_));
}

template <Execution E> void BodyStep<E>::advance(double time, double dt) {
  const auto phase = [this](const char* name, const auto& part) { this->in_phase(name, part); };
  const double meeting = time + fluid_->middle() * dt;
  phase("bodies", [&] { place(meeting, dt); });
  force(dt);
  phase("bodies", [&] { forcing_->find_loads(execution_); });
  phase("fluid", [&] { fluid_->step(execution_, dt); });
  phase("bodies", [&] {
    account(dt);
    move(dt);
    find_fastest();
    ++steps_;
    keep();
  });
}

/// Of bodies for which those(body); null for the others.
template <Execution E>
template <class F>
typename BodyPoints<E>::States BodyStep<E>::states_of(const F& those) {
  states_.clear();
  for (const RigidBody& body : bodies_) states_.push_back(those(body) ? &body.state : nullptr);
  return states_;
}

/// Those that are told where to go are put there; the points of all that moved follow.
template <Execution E> void BodyStep<E>::place(double time, double dt) {
  for (RigidBody& body : bodies_) {
    body.before = body.state;
    if (const auto& path = paths_[body.group]) {
      path->set(body.start, time, body.state);
      body.before.velocity = path->velocity(time - dt);
    }
  }
  const auto moved = [&](const RigidBody& body) { return !placed_ || mode_of(body) != BodyMode::fixed; };
  points_.place(execution_, states_of(moved));
  points_.set_velocity(execution_, states_of([&](const RigidBody& body) { return moved(body) && mode_of(body) != BodyMode::free; }));
}

/// What acts on bodies beside the fluid.
template <Execution E> void BodyStep<E>::push_apart() {
  std::fill(loads_.begin(), loads_.end(), BodyLoad{});
  if (repulsion_) {
    bumpers_.clear();
    for (const RigidBody& body : bodies_)
      bumpers_.push_back({.shape = body.kind, .state = &body.state,
                          .mass = mode_of(body) == BodyMode::free
                                          ? swinging_mass(body.inertia.density, body.inertia.fluid_density, body.inertia.volume)
                                          : 0});
    contact_ = repulsion_->find(Cpu{}, bumpers_, loads_);
  }
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (mode_of(bodies_[b]) != BodyMode::free) continue;
    loads_[b] += {bodies_[b].inertia.excess_mass() * Vector(setup_.gravity), {}};
    loads_[b] += bodies_[b].owed;
  }
}

/// Forces at points, and bodies' velocities with them.
template <Execution E> void BodyStep<E>::force(double dt) {
  const auto phase = [this](const char* name, const auto& part) { this->in_phase(name, part); };
  phase("sort", [&] {
    if (!placed_ || moving_) points_.sort(execution_);
  });
  phase("spread", [&] { forcing_->begin(execution_); });
  const bool threads = current_threads() > setup_.forcing.point_threads; // for the fluid, beside those of the points
  const bool at_once = setup_.forcing.placement == PointsPlacement::at_once && threads && fluid_->can_step_elsewhere();
  if (on_host && at_once) force_at_once(dt);
  else find_forces(dt, phase);
  placed_ = true;
}

/// Meanwhile the fluid moves where no point reaches.
template <Execution E> void BodyStep<E>::force_at_once(double dt) {
  const auto t = phases_.time("at once");
  double points = 0, fluid = 0;
  const auto timed = [](double& seconds, auto part) {
    const auto begin = std::chrono::steady_clock::now();
    part();
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const int threads = current_threads() - setup_.forcing.point_threads;
  run_at_once(
      setup_.forcing.point_threads,
      [&] { timed(points, [&] { find_forces(dt, [](const char*, auto part) { part(); }); }); },
      threads, [&] { timed(fluid, [&] { fluid_->step_elsewhere(execution_, dt); }); });
  phases_.add_beside("points", points);
  phases_.add_beside("fluid elsewhere", fluid);
}

/// phase(name, part) does the part.
template <Execution E>
template <class Phase>
void BodyStep<E>::find_forces(double dt, const Phase& phase) {
  const ForcingModel& model = setup_.forcing;
  phase("volumes", [&] { forcing_->find_volumes(execution_, moving_); });
  phase("spread", [&] { forcing_->first_forces(execution_, model.slip > 0); });
  const bool look_again = model.slip > 0 || steps_ % body_step::slip_is_seen_every == 0;
  for (passes_ = 0;;) {
    phase("look", [&] { forcing_->look(execution_, dt); });
    if (on_host && passes_ == 0 && fluid_->steps_by_itself()) fluid_->step_elsewhere(execution_, dt);
    if (passes_ > 0) {
      slip_ = forcing_->slip(execution_);
      if (passes_ >= model.passes || slip_ <= model.slip * fastest_) return;
    }
    phase("bodies", [&] {
      if (passes_ == 0) push_apart(); // while a device looks
      find_velocities(dt);
    });
    phase("spread", [&] { forcing_->push(execution_, dt, passes_ > 0); });
    ++passes_;
    if (!look_again) return;
  }
}

/// Those of free bodies come out of what the fluid does to them at these.
template <Execution E> void BodyStep<E>::find_velocities(double dt) {
  if (free_.empty()) return;
  const std::span<const Coupling> couplings = forcing_->couplings(execution_, free_, dt);
  points_.require_inside(execution_);
  for_each_chunk(Cpu{}, std::ssize(free_), 1, [&](std::int64_t i, std::int64_t) {
    const Coupling& coupling = couplings[static_cast<std::size_t>(i)];
    const auto b = static_cast<std::size_t>(free_[static_cast<std::size_t>(i)]);
    RigidBody& body = bodies_[b];
    body.state = body.before;
    kick(body.inertia, coupling, loads_[b], dt, steps_ == 0 ? 0.5 : 1, body.state);
    body.used = load_of(coupling, body.state);
  });
  points_.set_velocity(execution_, states_of([&](const RigidBody& body) { return mode_of(body) == BodyMode::free; }));
}

template <Execution E> void BodyStep<E>::account(double dt) {
  const std::span<const BodyLoad> loads = forcing_->loads(execution_);
  points_.require_inside(execution_);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    RigidBody& body = bodies_[b];
    const double first = mode_of(body) == BodyMode::free && steps_ == 0 ? 0.5 : 1;
    body.load = loads[b];
    if (mode_of(body) == BodyMode::free) body.owed = {body.load.force - body.used.force, body.load.torque - body.used.torque};
    body.inner = (body.inertia.volume * body.inertia.fluid_density / (first * dt)) * (body.state.velocity - body.before.velocity);
    body.load.force = body.load.force + body.inner;
  }
}

/// Bodies that have left through a periodic side come in at the other one.
template <Execution E> void BodyStep<E>::move(double dt) {
  for (RigidBody& body : bodies_) {
    if (mode_of(body) != BodyMode::free) continue;
    drift(dt, body.state);
    for (std::size_t d = 0; d < 3; ++d) {
      const Axis& axis = domain_.whole().axis(static_cast<int>(d));
      if (axis.periodic()) body.state.position[d] -= axis.length() * std::floor((body.state.position[d] - axis.origin) / axis.length());
    }
  }
}

template <Execution E> Stresslet BodyStep<E>::stresslet() const {
  Stresslet sum = contact_.stresslet;
  forcing_->add_stresslet(sum);
  return sum;
}

template <Execution E> void BodyStep<E>::find_fastest() {
  fastest_ = fluid_->fastest().speed;
  rate_ = fluid_->fastest().rate;
  for (const RigidBody& body : bodies_) {
    const Vector& u = body.state.velocity;
    const double turning = length(body.state.angular_velocity) * shapes_[body.kind].radius;
    fastest_ = std::max(fastest_, length(u) + turning);
    double rate = 0;
    for (int d = 0; d < 3; ++d)
      if (const Axis& axis = domain_.whole().axis(d); !axis.thin())
        rate += (std::abs(u[static_cast<std::size_t>(d)]) + turning) / axis.spacing;
    rate_ = std::max(rate_, rate); // a NaN of the fluid stays: it is the first of the two
  }
}

} // namespace corral::body
