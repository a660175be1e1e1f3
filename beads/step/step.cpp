#include "beads/step/step.hpp"

#include "beads/placing/random_places.hpp"
#include "run/case/values.hpp"
#include "run/random.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace corral::beads {

using namespace geometry; // the vectors' operators
using run::Use, run::brief;
using structure::ConstPoints, structure::Points;

const run::ParticleKind bead_kind{.name = "beads", .one = "bead", .interval = "0.05", .keeps_order = true};

namespace {

constexpr Use in_files = Use::saved | Use::shown;
constexpr double most_of_box = 1 - 1e-9; ///< that beads may spread over along a free axis

Points pointers(std::array<Array<double>, 3>& a) { return {a[0].data(), a[1].data(), a[2].data()}; }
ConstPoints constant(const Points& x) { return {x[0], x[1], x[2]}; }

Column<double> column(Array<double>& a) { return {a.data(), a.size(), 1}; }

/// Of the seed, the step, the stream and the number alone.
class NumbersOfStep final : public stokes::NormalNumbers {
public:
  NumbersOfStep(std::uint64_t seed, std::int64_t step) : random_(seed), step_(step) {}

  void fill(int stream, std::int64_t first, std::span<double> to) const override {
    for (std::size_t k = 0; k < to.size(); ++k)
      to[k] = random_.normal(run::Purpose::brownian, step_, static_cast<std::uint64_t>(first) + k, stream);
  }

private:
  run::Random random_;
  std::int64_t step_;
};

std::vector<Assembly> assemblies_of(const BeadsSetup& setup) {
  std::vector<Assembly> all;
  std::int64_t first = 0;
  for (std::size_t g = 0; g < setup.groups.size(); ++g)
    for (std::size_t m = 0; m < setup.places[g].size(); ++m) {
      all.push_back({g, first, setup.groups[g].beads()});
      first += all.back().beads;
    }
  return all;
}

std::vector<std::int32_t> assembly_of_each(const std::vector<Assembly>& assemblies) {
  std::vector<std::int32_t> of;
  for (std::size_t a = 0; a < assemblies.size(); ++a)
    of.insert(of.end(), static_cast<std::size_t>(assemblies[a].beads), static_cast<std::int32_t>(a));
  return of;
}

} // namespace

stokes::Spheres spheres_of(const BeadsSetup& setup) {
  return {.box = {.origin = setup.origin, .edge = setup.size,
                  .periodic = {setup.periodic(0), setup.periodic(1), setup.periodic(2)}},
          .radius = setup.radius, .viscosity = setup.viscosity, .tolerance = setup.tolerance,
          .count = std::max<std::int64_t>(1, setup.beads() + setup.swimmers()), .fluctuates = setup.temperature > 0};
}

BeadsStep::BeadsStep(const BeadsSetup& setup, const Grid& grid, run::Registry& registry, run::Phases& phases)
    : setup_(setup), phases_(phases), set_(registry.declare_set(bead_kind)),
      position_(set_.declare_vector_column("position", "m", "place; assemblies are whole: across periodic sides they go on", in_files)),
      velocity_(set_.declare_vector_column("velocity", "m/s", "that forces give it there", in_files)),
      force_(set_.declare_vector_column("force", "N", "on it, and so on the fluid", Use::shown)),
      displacement_(set_.declare_vector_column("displacement", "m", "since the start", in_files)),
      books_(registry, set_), assemblies_(assemblies_of(setup)), assembly_(assembly_of_each(assemblies_)),
      contact_(setup, grid, assemblies_), mobility_(spheres_of(setup)),
      rigid_(setup, assemblies_, std::ssize(assembly_) + setup.swimmers(), mobility_, registry) {
  if (setup.lubrication) lubricated_.emplace(mobility_, *setup.lubrication);
  if (std::any_of(setup.groups.begin(), setup.groups.end(), [](const BeadGroup& g) { return g.beads() > 1; }))
    axis_ = set_.declare_vector_column("axis", "", "where its fibre or rigid sphere points; 0 of a bead alone", Use::shown);
  declare_bonds();
  if (setup.time.scheme == Scheme::ab2) {
    before_ = set_.declare_vector_column("velocity_before", "m/s", "at the start of the last step", Use::saved);
    registry.bind("last_dt", "s", "length of the last step, 0 before the first", last_dt_);
  }
  build();
}

/// Lines from bead to bead of fibres, for files.
void BeadsStep::declare_bonds() {
  const auto of_fibre = [&](const Assembly& a) { return setup_.groups[a.group].shape == GroupShape::fibre && a.beads > 1; };
  if (std::none_of(assemblies_.begin(), assemblies_.end(), of_fibre)) return;
  Array<std::int32_t>& bonds = set_.declare_connectivity("bonds", "places of the two beads of each", 2, Use::shown);
  std::vector<std::int32_t> places;
  for (const Assembly& a : assemblies_)
    for (std::int64_t k = 1; of_fibre(a) && k < a.beads; ++k)
      for (const std::int64_t i : {a.first + k - 1, a.first + k}) places.push_back(static_cast<std::int32_t>(i));
  bonds.assign(places);
}

/// Everything has its size and its first place.
void BeadsStep::build() {
  Array<std::uint64_t>& id = set_.declare_ids("id", "permanent number", Use::shown);
  Array<double>& group = set_.declare_column("group", "", "place of its [group.NAME] block in the case, from 0", Use::shown);
  Array<double>& assembly = set_.declare_column("assembly", "", "number of the sphere or fibre that it belongs to", Use::shown);
  const auto n = static_cast<std::int64_t>(assembly_.size());
  set_.resize(n);
  books_.created() = n;
  std::int64_t a = 0;
  for (std::size_t g = 0; g < setup_.groups.size(); ++g)
    for (const Placement& at : setup_.places[g]) {
      const std::vector<Vector> beads = beads_of(setup_.groups[g], at);
      const Assembly& of = assemblies_[static_cast<std::size_t>(a)];
      for (std::int64_t k = 0; k < of.beads; ++k) {
        const std::int64_t i = of.first + k;
        for (std::size_t d = 0; d < 3; ++d) (*position_[d])[i] = beads[static_cast<std::size_t>(k)][d];
        id[i] = static_cast<std::uint64_t>(i);
        group[i] = static_cast<double>(g);
        assembly[i] = static_cast<double>(a);
      }
      if (setup_.groups[g].swim.thrust > 0) swimmers_.push_back(a);
      ++a;
    }
  rigid_.put(rigid_.places(), {position_[0]->data(), position_[1]->data(), position_[2]->data()});
  const std::int64_t sources = n + static_cast<std::int64_t>(swimmers_.size());
  for (std::size_t d = 0; d < 3; ++d) {
    for (Scratch* s : {&source_at_, &source_force_, &source_velocity_}) (*s)[d].resize(sources, 0.0);
    if (setup_.time.scheme == Scheme::midpoint) midway_[d].resize(n, 0.0);
    if (setup_.temperature > 0) random_[d].resize(n, 0.0);
  }
}

void BeadsStep::start() { settle(); }

void BeadsStep::before_output() {
  if (!axis_) return;
  for_each(Cpu{}, std::ssize(assemblies_), [&](std::int64_t a) {
    const Assembly& of = assemblies_[static_cast<std::size_t>(a)];
    const Vector along = axis(a);
    for (std::size_t d = 0; d < 3; ++d) std::fill_n((*axis_)[d]->data() + of.first, of.beads, along[d]);
  });
}

void BeadsStep::restored() { find_fastest(); }

void BeadsStep::advance(const run::Clock& clock) {
  const double dt = clock.dt();
  const std::int64_t n = beads();
  const ConstPoints U = velocities();
  if (setup_.time.scheme == Scheme::midpoint) {
    const ConstPoints x = positions();
    const Points midway = pointers(midway_);
    for_each(Cpu{}, n, [&](std::int64_t i) {
      for (std::size_t d = 0; d < 3; ++d) midway[d][i] = x[d][i] + 0.5 * dt * U[d][i];
    });
    rigid_.move(0.5 * dt, 1, rigid_.motions(), 0, rigid_.motions(), moved_places_);
    rigid_.put(moved_places_, midway);
    evaluate(constant(midway), moved_places_);
    move(dt, 0, U, 1, constant(pointers(source_velocity_)));
    move_rigid(dt, 1, rigid_.found(), 0, rigid_.found());
  } else if (setup_.time.scheme == Scheme::ab2) {
    const double ratio = last_dt_ > 0 ? 0.5 * dt / last_dt_ : 0;
    const ConstPoints V = const_pointers(*before_);
    move(dt, 1 + ratio, U, -ratio, V);
    move_rigid(dt, 1 + ratio, rigid_.motions(), -ratio, rigid_.before());
    std::copy_n(rigid_.motions().data(), rigid_.motions().size(), rigid_.before().data());
    for (std::size_t d = 0; d < 3; ++d) std::copy_n(U[d], n, (*before_)[d]->data());
    last_dt_ = dt;
  } else {
    if (setup_.temperature > 0) shake(clock);
    move(dt, 1, U, 0, U);
    move_rigid(dt, 1, rigid_.motions(), 0, rigid_.motions());
  }
  bring_back();
  settle();
  books_.check();
}

void BeadsStep::move(double dt, double share, const ConstPoints& U, double other_share, const ConstPoints& V) {
  const bool shaken = setup_.temperature > 0;
  for_each(Cpu{}, beads(), [&](std::int64_t i) {
    for (std::size_t d = 0; d < 3; ++d) {
      const double velocity = share * U[d][i] + other_share * V[d][i] + (shaken ? random_[d][i] : 0);
      (*position_[d])[i] += dt * velocity;
      (*displacement_[d])[i] += dt * velocity;
    }
  });
}

/// Their beads, which have gone straight on, are put where they are in their bodies.
void BeadsStep::move_rigid(double dt, double share, const Array<double>& U, double other_share, const Array<double>& V) {
  if (rigid_.assemblies().empty()) return;
  for (const std::int64_t a : rigid_.assemblies()) {
    const Assembly& of = assemblies_[static_cast<std::size_t>(a)];
    for (std::size_t d = 0; d < 3; ++d)
      for (std::int64_t k = of.first; k < of.first + of.beads; ++k) (*displacement_[d])[k] -= (*position_[d])[k];
  }
  rigid_.move(dt, share, U, other_share, V, moved_places_);
  std::copy_n(moved_places_.data(), moved_places_.size(), rigid_.state().data());
  rigid_.put(rigid_.places(), {position_[0]->data(), position_[1]->data(), position_[2]->data()});
  for (const std::int64_t a : rigid_.assemblies()) {
    const Assembly& of = assemblies_[static_cast<std::size_t>(a)];
    for (std::size_t d = 0; d < 3; ++d)
      for (std::int64_t k = of.first; k < of.first + of.beads; ++k) (*displacement_[d])[k] += (*position_[d])[k];
  }
}

/// Random velocities of beads where they are.
void BeadsStep::shake(const run::Clock& clock) {
  find_sources(positions());
  const auto t = phases_.time("brownian");
  const std::int64_t n = beads();
  if (n == 0) return;
  mobility_.fluctuate(Cpu{}, corral::positions(source_at_[0].data(), source_at_[1].data(), source_at_[2].data(), n),
                      setup_.energy(), clock.dt(), NumbersOfStep(setup_.random_seed, clock.step()),
                      {column(random_[0]), column(random_[1]), column(random_[2])});
}

/// Assemblies whose middle has left through a periodic side come in at the other one.
void BeadsStep::bring_back() {
  for_each(Cpu{}, std::ssize(assemblies_), [&](std::int64_t a) {
    const Assembly& of = assemblies_[static_cast<std::size_t>(a)];
    for (std::size_t d = 0; d < 3; ++d) {
      if (!setup_.periodic(d)) continue;
      double* const x = position_[d]->data() + of.first;
      const std::int64_t r = rigid_.number(a);
      double* const place = r < 0 ? nullptr : rigid_.state().data() + RigidParts::place_numbers * r + static_cast<std::int64_t>(d);
      const double middle = place ? *place : 0.5 * (x[0] + x[of.beads - 1]);
      const double by = setup_.size[d] * std::floor((middle - setup_.origin[d]) / setup_.size[d]);
      if (by == 0) continue;
      if (place) *place -= by;
      for (std::int64_t k = 0; k < of.beads; ++k) x[k] -= by;
    }
  });
}

void BeadsStep::settle() {
  const std::int64_t n = beads();
  evaluate(positions(), rigid_.places());
  std::copy_n(rigid_.found().data(), rigid_.found().size(), rigid_.motions().data());
  for (std::size_t d = 0; d < 3; ++d) {
    std::copy_n(source_velocity_[d].data(), n, velocity_[d]->data());
    std::copy_n(source_force_[d].data(), n, force_[d]->data());
  }
  power_ = sum(Cpu{}, source_force_[0].size(), [&](std::int64_t i) {
    return source_force_[0][i] * source_velocity_[0][i] + source_force_[1][i] * source_velocity_[1][i] +
           source_force_[2][i] * source_velocity_[2][i];
  });
  find_fastest();
}

void BeadsStep::find_fastest() {
  const std::int64_t n = beads();
  const ConstPoints U = velocities();
  const Vector all = mean(U);
  fastest_ = maximum(Cpu{}, n, 0, [&](std::int64_t i) { return length(Vector{U[0][i], U[1][i], U[2][i]} - all); });
  if (!std::isfinite(fastest_))
    for (std::int64_t i = 0; i < n; ++i)
      if (!std::isfinite(U[0][i] + U[1][i] + U[2][i]))
        throw Error("bead " + std::to_string(i) + " moves at a velocity that is no number (forces have grown without bounds) take "
                    "shorter steps or softer springs");
}

void BeadsStep::evaluate(const ConstPoints& x, const Array<double>& places) {
  const auto phase = [&](const char* name, auto part) {
    const auto t = phases_.time(name);
    part();
  };
  phase("forces", [&] {
    find_sources(x);
    find_forces();
  });
  if (source_at_[0].size() == 0) return;
  phase("mobility", [&] { find_velocities(places); });
}

void BeadsStep::find_velocities(const Array<double>& places) {
  const Points at = pointers(source_at_), force = pointers(source_force_), velocity = pointers(source_velocity_);
  if (!rigid_.assemblies().empty()) return rigid_.solve(places, shift_, constant(at), constant(force), velocity);
  const Positions<double> sources = corral::positions(at[0], at[1], at[2], source_at_[0].size());
  const std::array<Column<const double>, 3> forces{column(source_force_[0]), column(source_force_[1]), column(source_force_[2])};
  const std::array<Column<double>, 3> velocities{column(source_velocity_[0]), column(source_velocity_[1]), column(source_velocity_[2])};
  if (lubricated_) (*lubricated_)(Cpu{}, sources, assembly_, forces, velocities);
  else mobility_(Cpu{}, sources, forces, velocities);
}

int BeadsStep::products() const {
  return !rigid_.assemblies().empty() ? rigid_.iterations() + 1 : lubricated_ ? lubricated_->iterations() + 2 : 1;
}

/// Beads, and where swimmers push the fluid, in the box that the mobility knows.
void BeadsStep::find_sources(const ConstPoints& x) {
  const std::int64_t n = beads();
  for (std::size_t d = 0; d < 3; ++d) std::copy_n(x[d], n, source_at_[d].data());
  for_each(Cpu{}, std::ssize(swimmers_), [&](std::int64_t s) {
    const Assembly& of = assemblies_[static_cast<std::size_t>(swimmers_[static_cast<std::size_t>(s)])];
    const SwimModel& swim = setup_.groups[of.group].swim;
    Vector centre{}, ends{};
    for (std::size_t d = 0; d < 3; ++d) {
      const double* const at = x[d] + of.first;
      for (std::int64_t k = 0; k < of.beads; ++k) centre[d] += at[k] / static_cast<double>(of.beads);
      ends[d] = at[0] - at[of.beads - 1];
    }
    const double l = length(ends);
    // In line with the middle, so that both forces make no torque.
    const Vector pushed = centre + ((swim.ahead ? 1 : -1) * (0.5 + swim.reach / l)) * ends;
    for (std::size_t d = 0; d < 3; ++d) source_at_[d][n + s] = pushed[d];
  });
  keep_in_box();
}

/// Along free axes the middle of all is the middle of the box.
void BeadsStep::keep_in_box() {
  for (std::size_t d = 0; d < 3; ++d) {
    double* const x = source_at_[d].data();
    const std::int64_t n = source_at_[d].size();
    if (n == 0) continue;
    const double high = maximum(Cpu{}, n, x[0], [&](std::int64_t i) { return x[i]; });
    const double low = -maximum(Cpu{}, n, -x[0], [&](std::int64_t i) { return -x[i]; });
    if (!std::isfinite(high - low)) {
      const std::int64_t i = std::find_if(x, x + n, [](double at) { return !std::isfinite(at); }) - x;
      throw Error((i < beads() ? "bead " + std::to_string(i) + " is at no place"
                               : "swimmer " + std::to_string(i - beads()) + " has no axis") +
                  " (it moved without bounds) take shorter steps or softer springs");
    }
    shift_[d] = 0;
    if (setup_.periodic(d)) continue;
    if (high - low > most_of_box * setup_.size[d])
      throw Error(std::string("beads, and what swimmers push, spread over ") + brief(high - low) + " m along " + "xyz"[d] +
                  ", and the box is " + brief(setup_.size[d]) + " m long (along a free axis it holds all of them, wherever they go) "
                  "take a larger box.size");
    const double by = setup_.origin[d] + 0.5 * setup_.size[d] - 0.5 * (low + high);
    shift_[d] = by;
    for_each(Cpu{}, n, [&](std::int64_t i) { x[i] += by; });
  }
}

void BeadsStep::find_forces() {
  const Points F = pointers(source_force_);
  const ConstPoints x = constant(pointers(source_at_));
  elastic_ = accumulate(
      Cpu{}, std::ssize(assemblies_), ElasticEnergy{},
      [&](std::int64_t a, ElasticEnergy& energy) {
        const Assembly& of = assemblies_[static_cast<std::size_t>(a)];
        const BeadGroup& group = setup_.groups[of.group];
        for (std::size_t d = 0; d < 3; ++d) std::fill_n(F[d] + of.first, of.beads, group.force[d]);
        if (group.shape == GroupShape::fibre) energy += add_elastic_forces(group.fibre, of.first, x, F);
      },
      [](ElasticEnergy& all, const ElasticEnergy& part) { all += part; });
  contact_found_ = contact_.add(Cpu{}, x, F);
  push_with_thrust();
}

void BeadsStep::push_with_thrust() {
  for_each(Cpu{}, std::ssize(swimmers_), [&](std::int64_t s) {
    const Assembly& of = assemblies_[static_cast<std::size_t>(swimmers_[static_cast<std::size_t>(s)])];
    Vector ends{};
    for (std::size_t d = 0; d < 3; ++d) ends[d] = source_at_[d][of.first] - source_at_[d][of.first + of.beads - 1];
    const Vector thrust = (setup_.groups[of.group].swim.thrust / length(ends)) * ends;
    for (std::size_t d = 0; d < 3; ++d) {
      for (std::int64_t k = 0; k < of.beads; ++k) source_force_[d][of.first + k] += thrust[d] / static_cast<double>(of.beads);
      source_force_[d][beads() + s] = -thrust[d];
    }
  });
}

Vector BeadsStep::mean(const ConstPoints& of) const {
  Vector all{};
  for (std::size_t d = 0; d < 3; ++d)
    all[d] = sum(Cpu{}, beads(), [&](std::int64_t i) { return of[d][i]; }) / std::max(1.0, static_cast<double>(beads()));
  return all;
}

Vector BeadsStep::axis(std::int64_t assembly) const {
  const Assembly& of = assemblies_[static_cast<std::size_t>(assembly)];
  if (rigid_.number(assembly) >= 0) return rigid_.axis(rigid_.number(assembly));
  return of.beads > 1 ? direction(end_to_end(of)) : Vector{};
}

Vector BeadsStep::end_to_end(const Assembly& a) const {
  Vector ends{};
  for (std::size_t d = 0; d < 3; ++d) ends[d] = (*position_[d])[a.first] - (*position_[d])[a.first + a.beads - 1];
  return ends;
}

} // namespace corral::beads
