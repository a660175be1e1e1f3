#include "beads/output/figures.hpp"

#include "run/case/values.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>

namespace corral::beads {

using namespace geometry;
using structure::ConstPoints;

namespace {

/// What a row is made of.
struct LoggedMoment {
  const BeadsSetup& setup;
  const BeadsStep& step;
  const BeadFigures::Interval& interval;
  Vector down, centre_at_start;
  Vector displacement; ///< mean [m]
  std::array<double, 2> fluctuation; ///< of velocities now [m2/s2]
  double swims;                      ///< now [m/s]

  double mean(double sum, double now) const { return interval.time > 0 ? sum / interval.time : now; }
  double velocity(std::size_t d) const { return mean(displacement[d] - interval.begin[d], step.mean(step.velocities())[d]); }
  double alone() const { return length(setup.mean_velocity_alone()); }
  double gap(double distance) const { return distance / setup.radius - 2; }
  double centre(std::size_t d) const { return centre_at_start[d] + displacement[d]; }
  double gyration(std::size_t d) const {
    const double* const x = step.positions()[d];
    const double middle = step.mean(step.positions())[d];
    const double square = sum(Cpu{}, step.beads(), [&](std::int64_t i) { return (x[i] - middle) * (x[i] - middle); });
    return std::sqrt(square / std::max(1.0, static_cast<double>(step.beads())));
  }
  double square_displacement() const {
    const ConstPoints r = step.displacements();
    const double square = sum(Cpu{}, step.beads(), [&](std::int64_t i) { return r[0][i] * r[0][i] + r[1][i] * r[1][i] + r[2][i] * r[2][i]; });
    return square / std::max(1.0, static_cast<double>(step.beads()));
  }
  double end_to_end() const {
    double sum = 0, fibres = 0;
    for (const Assembly& a : step.assemblies())
      if (setup.groups[a.group].shape == GroupShape::fibre) sum += length(step.end_to_end(a)), ++fibres;
    return fibres > 0 ? sum / fibres : 0;
  }
};

bool always(const BeadsSetup&) { return true; }
bool forced(const BeadsSetup& s) { return s.falls(); }
bool has_fibres(const BeadsSetup& s) {
  return std::any_of(s.groups.begin(), s.groups.end(), [](const BeadGroup& g) { return g.shape == GroupShape::fibre; });
}
bool has_swimmers(const BeadsSetup& s) { return s.swims(); }
bool iterates(const BeadsSetup& s) { return s.lubrication || s.shells() > 0; }
bool repels(const BeadsSetup& s) { return s.contact.range > 0; }

struct LoggedFigure {
  run::LogColumn column;
  double (*value)(const LoggedMoment&);
  bool (*is_of)(const BeadsSetup&) = always;
};

const std::vector<LoggedFigure> figures{
    {{"beads", "", "how many there are"}, [](const LoggedMoment& m) { return double(m.step.beads()); }},
    {{"velocity_x", "m/s", "mean of all beads, since the last row"}, [](const LoggedMoment& m) { return m.velocity(0); }},
    {{"velocity_y", "m/s", "likewise"}, [](const LoggedMoment& m) { return m.velocity(1); }},
    {{"velocity_z", "m/s", "likewise"}, [](const LoggedMoment& m) { return m.velocity(2); }},
    {{"settling", "", "that velocity along the mean force, over the one that they have by it alone"},
     [](const LoggedMoment& m) { return dot(m.down, Vector{m.velocity(0), m.velocity(1), m.velocity(2)}) / m.alone(); }, forced},
    {{"fluctuation_along", "m/s", "root mean square of velocities beside their mean, along the mean force (or z); mean since the last row"},
     [](const LoggedMoment& m) { return std::sqrt(m.mean(m.interval.along, m.fluctuation[0])); }},
    {{"fluctuation_across", "m/s", "likewise across it, along each of two axes"},
     [](const LoggedMoment& m) { return std::sqrt(m.mean(m.interval.across, m.fluctuation[1])); }},
    {{"fastest", "m/s", "of a bead beside the mean of all"}, [](const LoggedMoment& m) { return m.step.fastest(); }},
    {{"gap", "", "least between surfaces since the last row, over the radius; it is looked for up to 2, or as far as repulsion reaches"},
     [](const LoggedMoment& m) { return m.gap(m.interval.nearest > 0 ? m.interval.nearest : m.step.contact().nearest); }},
    {{"power", "W", "of forces and thrusts on the fluid, without what squirmers' slip takes"}, [](const LoggedMoment& m) { return m.step.power(); }},
    {{"centre_x", "m", "mean of all beads, images that they went to counted"}, [](const LoggedMoment& m) { return m.centre(0); }},
    {{"centre_y", "m", "likewise"}, [](const LoggedMoment& m) { return m.centre(1); }},
    {{"centre_z", "m", "likewise"}, [](const LoggedMoment& m) { return m.centre(2); }},
    {{"gyration_x", "m", "root mean square way from the mean place along x, of places in the box along periodic axes"},
     [](const LoggedMoment& m) { return m.gyration(0); }},
    {{"gyration_y", "m", "likewise"}, [](const LoggedMoment& m) { return m.gyration(1); }},
    {{"gyration_z", "m", "likewise"}, [](const LoggedMoment& m) { return m.gyration(2); }},
    {{"square_displacement", "m2", "mean of the squares of ways since the start"},
     [](const LoggedMoment& m) { return m.square_displacement(); }},
    {{"products", "", "with the mobility that the last evaluation took"},
     [](const LoggedMoment& m) { return double(m.step.products()); }, iterates},
    {{"repulsion_energy", "J", "of beads that push each other"}, [](const LoggedMoment& m) { return m.step.contact().energy; }, repels},
    {{"stretching_energy", "J", "of fibres"}, [](const LoggedMoment& m) { return m.step.elastic().stretching; }, has_fibres},
    {{"bending_energy", "J", "of fibres"}, [](const LoggedMoment& m) { return m.step.elastic().bending; }, has_fibres},
    {{"end_to_end", "m", "of fibres, from the last bead's centre to the first one's, mean of all"},
     [](const LoggedMoment& m) { return m.end_to_end(); }, has_fibres},
    {{"swimming", "m/s", "of swimmers along their axes, mean of all and since the last row"},
     [](const LoggedMoment& m) { return m.mean(m.interval.swum, m.swims); }, has_swimmers},
};

} // namespace

BeadFigures::BeadFigures(const BeadsSetup& setup) : setup_(setup) {
  const Vector force = setup.mean_force();
  down_ = length(force) > 0 ? direction(force) : Vector{0, 0, 1};
}

void BeadFigures::bind_state(run::Registry& registry) {
  registry.bind("interval_time", "s", "since the last row", interval_.time);
  registry.bind("interval_along", "m2/s", "squares of velocities along the force, beside their mean, since the last row", interval_.along);
  registry.bind("interval_across", "m2/s", "likewise across it", interval_.across);
  registry.bind("interval_nearest", "m", "least distance of centres since the last row", interval_.nearest);
  if (setup_.swims()) registry.bind("interval_swum", "m", "by swimmers since the last row", interval_.swum);
  for (std::size_t d = 0; d < 3; ++d) {
    const std::string axis(1, "xyz"[d]);
    registry.bind("interval_begin_" + axis, "m", "mean displacement at the last row", interval_.begin[d]);
    registry.bind("centre_at_start_" + axis, "m", "of all beads", centre_[d]);
  }
  notices_.bind(overlap_, registry, "overlap", "beads stood in each other", "radii");
}

void BeadFigures::start(const BeadsStep& step) { centre_ = step.mean(step.positions()); }

std::array<double, 2> BeadFigures::fluctuations(const BeadsStep& step) const {
  const ConstPoints U = step.velocities();
  const Vector all = step.mean(U);
  const double n = std::max(1.0, static_cast<double>(step.beads()));
  const auto beside = [&](std::int64_t i) { return Vector{U[0][i], U[1][i], U[2][i]} - all; };
  const double along = sum(Cpu{}, step.beads(), [&](std::int64_t i) { return std::pow(dot(beside(i), down_), 2); });
  const double both = sum(Cpu{}, step.beads(), [&](std::int64_t i) { return dot(beside(i), beside(i)); });
  return {along / n, std::max(0.0, both - along) / (2 * n)};
}

double BeadFigures::swimming(const BeadsStep& step) const {
  const ConstPoints U = step.velocities();
  double sum = 0, swimmers = 0;
  for (std::int64_t number = 0; number < std::ssize(step.assemblies()); ++number) {
    const Assembly& a = step.assemblies()[static_cast<std::size_t>(number)];
    const BeadGroup& group = setup_.groups[a.group];
    if (!(group.swim.thrust > 0) && !group.shell.swims()) continue;
    Vector velocity{};
    for (std::size_t d = 0; d < 3; ++d)
      for (std::int64_t k = 0; k < a.beads; ++k) velocity[d] += U[d][a.first + k] / static_cast<double>(a.beads);
    sum += dot(velocity, step.axis(number));
    ++swimmers;
  }
  return swimmers > 0 ? sum / swimmers : 0;
}

void BeadFigures::add(const BeadsStep& step, double time, double dt) {
  const auto [along, across] = fluctuations(step);
  interval_.along += dt * along;
  interval_.across += dt * across;
  if (setup_.swims()) interval_.swum += dt * swimming(step);
  interval_.time += dt;
  const double nearest = step.contact().nearest;
  interval_.nearest = interval_.nearest > 0 ? std::min(interval_.nearest, nearest) : nearest;
  const double depth = 2 - nearest / setup_.radius;
  constexpr double much = 0.05; // radii, which soft repulsion and round steps may take
  if (depth > much)
    notices_.warn(overlap_, depth, time, [&] {
      return "beads stand in each other by " + run::brief(depth) + " radii at " + run::brief(time) + " s: their mobility stays positive, "
             "but flows about such spheres mean little (a repulsion, a stronger one or shorter steps keep them apart)";
    });
}

std::vector<run::LogColumn> BeadFigures::columns() const {
  std::vector<run::LogColumn> all;
  for (const LoggedFigure& f : figures)
    if (f.is_of(setup_)) all.push_back(f.column);
  return all;
}

std::vector<double> BeadFigures::row(const BeadsStep& step) {
  const LoggedMoment moment{setup_, step, interval_, down_, centre_, step.mean(step.displacements()), fluctuations(step),
                            setup_.swims() ? swimming(step) : 0};
  std::vector<double> values;
  for (const LoggedFigure& f : figures)
    if (f.is_of(setup_)) values.push_back(f.value(moment));
  interval_ = {};
  interval_.begin = moment.displacement;
  return values;
}

} // namespace corral::beads
