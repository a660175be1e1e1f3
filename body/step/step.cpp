#include "body/step/step.hpp"

#include "structure/bodies/retraction.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

namespace corral::body {

using namespace structure;
using namespace geometry; // the vectors' operators

const run::ParticleKind point_kind{.name = "points", .one = "point", .interval = "0.05", .keeps_order = true};

namespace {

static_assert(std::is_trivially_copyable_v<RigidState> && sizeof(RigidState) % sizeof(double) == 0);
constexpr auto numbers_of_state = static_cast<std::int64_t>(sizeof(RigidState) / sizeof(double)), numbers_owed = std::int64_t{6};
constexpr std::int64_t numbers = numbers_of_state + numbers_owed; ///< that are saved of a body
constexpr std::int64_t slip_is_seen_every = 16; ///< steps of one pass, which do not need to know it

std::array<bool, 6> walls_of(const fluid::Domain& domain) {
  std::array<bool, 6> walls{};
  for (int s = 0; s < 6; ++s) {
    const auto kind = domain.side_kind(s);
    walls[static_cast<std::size_t>(s)] = kind != fluid::SideKind::periodic && kind != fluid::SideKind::outlet;
  }
  return walls;
}

} // namespace

double retraction(const BodySetup& setup, const BodyModel& kind) {
  const double cell = setup.size[0] / static_cast<double>(setup.cells[0]);
  const double radius = equivalent_radius(Cpu{}, kind) / cell;
  return cell * setup.forcing.retraction.value_or(std::min(hydrodynamic_excess(setup.forcing.kernel, radius), 0.5 * radius));
}

BodyStep::BodyStep(const BodySetup& setup, const fluid::Domain& domain, std::unique_ptr<Fluid<Cpu>> fluid, run::Registry& registry,
                   run::Phases& phases)
    : setup_(setup), domain_(domain), phases_(phases), fluid_(std::move(fluid)),
      maps_(domain, setup.forcing.kernel, Method::automatic, fluid_->staggering()),
      points_(registry, point_kind, domain.grid()) {
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
  fluid_->keep_midway(false);
  forcing_.emplace(domain.grid(), points_, maps_, setup.forcing.kernel, *fluid_, setup.fluid.rho, setup.forcing.acts);
  loads_.resize(bodies_.size());
  if (setup.contact.range > 0 && moving_) {
    std::vector<const BodyShape*> shapes;
    for (const BodyShape& shape : shapes_) shapes.push_back(&shape);
    repulsion_.emplace(Cpu{}, domain.grid(), walls_of(domain), std::move(shapes), setup.contact);
  }
  saved_.resize(bodies() * numbers);
  registry.bind("bodies", "", "position, quaternion, velocities, spin, the last changes of these, and what loads owe, of each body", saved_);
  registry.bind("body_steps", "done", steps_);
  registry.bind("slip_seen", "m/s", "of the fluid at points, when it was looked at last", slip_);
  forcing_->bind_state(registry);
  keep();
}

/// In the array that the registry knows.
void BodyStep::keep() {
  for (std::int64_t b = 0; b < bodies(); ++b) {
    const RigidBody& body = bodies_[static_cast<std::size_t>(b)];
    double* const to = saved_.data() + b * numbers;
    std::memcpy(to, &body.state, sizeof(RigidState));
    std::copy(body.owed.force.begin(), body.owed.force.end(), to + numbers_of_state);
    std::copy(body.owed.torque.begin(), body.owed.torque.end(), to + numbers_of_state + 3);
  }
}

void BodyStep::start() {
  fluid_->start();
  find_fastest();
}

void BodyStep::restored() {
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

void BodyStep::advance(double time, double dt) {
  const auto phase = [&](const char* name, auto part) {
    const auto t = phases_.time(name);
    part();
  };
  const double meeting = time + fluid_->middle() * dt;
  phase("bodies", [&] {
    place(meeting, dt);
    push_apart();
  });
  force(dt);
  phase("fluid", [&] { fluid_->step(Cpu{}, dt); });
  phase("bodies", [&] {
    account(dt);
    move(dt);
    find_fastest();
    ++steps_;
    keep();
  });
}

/// Those that are told where to go are put there; the points of all that moved follow.
void BodyStep::place(double time, double dt) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    RigidBody& body = bodies_[b];
    body.before = body.state;
    if (const auto& path = paths_[body.group]) {
      path->set(body.start, time, body.state);
      body.before.velocity = path->velocity(time - dt);
    }
    if (!placed_ || mode_of(body) != BodyMode::fixed) points_.place(Cpu{}, static_cast<std::int64_t>(b), body.state);
    if (mode_of(body) != BodyMode::free) points_.set_velocity(Cpu{}, static_cast<std::int64_t>(b), body.state);
  }
}

/// What acts on bodies beside the fluid.
void BodyStep::push_apart() {
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
void BodyStep::force(double dt) {
  const auto phase = [&](const char* name, auto part) {
    const auto t = phases_.time(name);
    part();
  };
  phase("sort", [&] {
    if (!placed_ || moving_) points_.sort(Cpu{});
  });
  phase("spread", [&] { forcing_->begin(Cpu{}); });
  const bool threads = current_threads() > setup_.forcing.point_threads; // for the fluid, beside those of the points
  if (setup_.forcing.placement == PointsPlacement::at_once && threads && fluid_->can_step_elsewhere()) force_at_once(dt);
  else find_forces(dt, phase);
  placed_ = true;
}

/// Meanwhile the fluid moves where no point reaches.
void BodyStep::force_at_once(double dt) {
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
      threads, [&] { timed(fluid, [&] { fluid_->step_elsewhere(Cpu{}, dt); }); });
  phases_.add_beside("points", points);
  phases_.add_beside("fluid elsewhere", fluid);
}

/// phase(name, part) does the part.
template <class Phase> void BodyStep::find_forces(double dt, const Phase& phase) {
  const ForcingModel& model = setup_.forcing;
  phase("volumes", [&] { forcing_->find_volumes(Cpu{}, moving_); });
  phase("spread", [&] { forcing_->first_forces(Cpu{}, model.slip > 0); });
  const bool look_again = model.slip > 0 || steps_ % slip_is_seen_every == 0;
  for (passes_ = 0;;) {
    phase("look", [&] { forcing_->look(Cpu{}, dt); });
    if (passes_ == 0 && fluid_->steps_by_itself()) fluid_->step_elsewhere(Cpu{}, dt);
    if (passes_ > 0) {
      slip_ = forcing_->slip(Cpu{});
      if (passes_ >= model.passes || slip_ <= model.slip * fastest_) return;
    }
    phase("bodies", [&] { find_velocities(dt); });
    phase("spread", [&] { forcing_->push(Cpu{}, dt, passes_ > 0); });
    ++passes_;
    if (!look_again) return;
  }
}

/// Those of free bodies come out of what the fluid does to them at these.
void BodyStep::find_velocities(double dt) {
  for_each_chunk(Cpu{}, bodies(), 1, [&](std::int64_t b, std::int64_t) {
    RigidBody& body = bodies_[static_cast<std::size_t>(b)];
    if (mode_of(body) != BodyMode::free) return;
    body.state = body.before;
    const Coupling coupling = forcing_->coupling(b, dt);
    kick(body.inertia, coupling, loads_[static_cast<std::size_t>(b)], dt, steps_ == 0 ? 0.5 : 1, body.state);
    body.used = load_of(coupling, body.state);
    points_.set_velocity(Cpu{}, b, body.state);
  });
}

void BodyStep::account(double dt) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    RigidBody& body = bodies_[b];
    const double first = mode_of(body) == BodyMode::free && steps_ == 0 ? 0.5 : 1;
    body.load = forcing_->load(static_cast<std::int64_t>(b));
    if (mode_of(body) == BodyMode::free) body.owed = {body.load.force - body.used.force, body.load.torque - body.used.torque};
    body.inner = (body.inertia.volume * body.inertia.fluid_density / (first * dt)) * (body.state.velocity - body.before.velocity);
    body.load.force = body.load.force + body.inner;
  }
}

/// Bodies that have left through a periodic side come in at the other one.
void BodyStep::move(double dt) {
  for (RigidBody& body : bodies_) {
    if (mode_of(body) != BodyMode::free) continue;
    drift(dt, body.state);
    for (std::size_t d = 0; d < 3; ++d) {
      const Axis& axis = domain_.grid().axis(static_cast<int>(d));
      if (axis.periodic()) body.state.position[d] -= axis.length() * std::floor((body.state.position[d] - axis.origin) / axis.length());
    }
  }
}

void BodyStep::find_fastest() {
  fastest_ = fluid_->fastest().speed;
  rate_ = fluid_->fastest().rate;
  for (const RigidBody& body : bodies_) {
    const Vector& u = body.state.velocity;
    const double turning = length(body.state.angular_velocity) * shapes_[body.kind].radius;
    fastest_ = std::max(fastest_, length(u) + turning);
    double rate = 0;
    for (int d = 0; d < 3; ++d)
      if (const Axis& axis = domain_.grid().axis(d); !axis.thin())
        rate += (std::abs(u[static_cast<std::size_t>(d)]) + turning) / axis.spacing;
    rate_ = std::max(rate_, rate); // a NaN of the fluid stays: it is the first of the two
  }
}

} // namespace corral::body
