#include "body/case/body_case.hpp"

#include "body/case/setup_checks.hpp"
#include "body/step/step.hpp"
#include "run/case/reader.hpp"
#include "run/case/values.hpp"
#include "structure/bodies/shape.hpp"
#include "structure/fluids/flow_case.hpp"
#include "structure/surfaces/surface_file.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace corral::body {

using namespace structure;
using geometry::length;
using run::brief;

namespace {

constexpr double cells_of_range = 2; ///< of contact, where the case does not say

/// Reads one case of rigid bodies; every complaint carries the place of the value that it is about.
class SetupReader : run::Reader {
public:
  SetupReader(const run::Settings& settings, run::Problems& problems) : Reader(settings, problems) {}

  BodySetup read() {
    flow();
    forcing();
    for (const std::string& block : s_.blocks("shape")) shape(block);
    if (has_box_ && !complained_)
      for (const std::string& block : s_.blocks("bodies")) group(block);
    time();
    if (problems_.empty()) contact();
    if (problems_.empty()) check_setup(setup_, s_, problems_);
    return std::move(setup_);
  }

private:
  void flow() {
    const run::BoxState state = read_flow(s_, problems_, setup_);
    has_box_ = state != run::BoxState::none;
    complained_ = complained_ || state != run::BoxState::good;
    setup_.gravity = s_.reals3("forces", "gravity");
    if (has_box_)
      for (std::size_t d = 0; d < 3; ++d)
        if (setup_.cells[d] > 1) shortest_ = std::min(shortest_, setup_.size[d] / static_cast<double>(setup_.cells[d]));
  }

  void shape(const std::string& block) {
    BodyModel kind;
    kind.name = block.substr(std::string("shape.").size());
    const std::string word = s_.choice(block, "shape");
    kind.kind = word == "cylinder" ? BodyKind::cylinder : word == "sphere" ? BodyKind::sphere : word == "ellipsoid" ? BodyKind::ellipsoid : BodyKind::file;
    if (kind.kind == BodyKind::cylinder || kind.kind == BodyKind::sphere) {
      if (!s_.given(block, "radius")) return complain(block, "shape", "[" + block + "] has no radius (a " + word + " needs one) give `radius`");
      kind.radius = s_.real(block, "radius");
    } else if (kind.kind == BodyKind::ellipsoid) {
      if (!s_.given(block, "semi_axes")) return complain(block, "shape", "[" + block + "] has no semi_axes (an ellipsoid needs three) give `semi_axes`");
      kind.semi_axes = s_.reals3(block, "semi_axes");
    } else if (!file(block, kind)) {
      return;
    }
    if (has_box_ && (kind.kind == BodyKind::cylinder) != (setup_.cells[2] == 1))
      return complain(block, "shape", kind.kind == BodyKind::cylinder
                                          ? "a cylinder stands in a box of one cell along z (this has " + std::to_string(setup_.cells[2]) + ") set grid.cells"
                                          : "in a box of one cell along z bodies are cylinders (this is " + word + ") take shape = cylinder, or more cells");
    resolution(block, kind);
    setup_.kinds.push_back(std::move(kind));
  }

  bool file(const std::string& block, BodyModel& kind) {
    if (!s_.given(block, "file")) return refuse(block, "shape", "[" + block + "] has no file (shape = file needs one) give `file`");
    kind.file = s_.file(block, "file");
    kind.unit = s_.real(block, "unit");
    SurfaceFileReader reader(s_, problems_, setup_.warnings);
    std::optional<geometry::MeshOfFile> read = reader.read(block, "file", kind.unit);
    complained_ = complained_ || reader.complained();
    if (!read) return false;
    kind.mesh = std::make_shared<const geometry::Mesh>(std::move(read->mesh));
    return true;
  }

  void resolution(const std::string& block, BodyModel& kind) {
    const bool counted = s_.given(block, "points");
    if (counted && s_.given(block, "spacing"))
      return complain(block, to_blame(block, {"points", "spacing"}), "[" + block + "] gives both points and spacing (one follows from the other) leave one out");
    if (counted) kind.points = s_.integer(block, "points");
    kind.spacing = s_.given(block, "spacing") ? s_.real(block, "spacing") : shortest_;
    if (!has_box_) return;
    // Points are spaced on the smaller surface that they stand on.
    const double radius = equivalent_radius(Cpu{}, kind), within = (radius - retraction(setup_, kind)) / radius;
    kind.spacing /= within;
    const std::int64_t count = point_count(Cpu{}, kind);
    const std::int64_t least = kind.kind == BodyKind::cylinder ? least_points_around : least_points_over;
    const char* const key = to_blame(block, {"points", "spacing", "shape"});
    if (count < least)
      return complain(block, key, "[" + block + "] comes to " + std::to_string(count) + " points (" + std::to_string(least) +
                                      " are the least that know a shape) refine the grid, or space points less");
    if (count > most_body_points)
      return complain(block, key, "[" + block + "] comes to " + std::to_string(count) + " points (at most " +
                                      std::to_string(most_body_points) + ") space points more");
    const bool flat = kind.kind == BodyKind::cylinder;
    const double each = body_area(Cpu{}, kind, 1) / static_cast<double>(count);
    const double apart = within * (flat ? each : std::sqrt(each)) / shortest_;
    if (apart < 0.4)
      return complain(block, key, "points of [" + block + "] lie " + brief(apart) + " cells apart (nearer than .4 their forces can't be "
                                      "told apart) space them by a cell");
    if (apart > 1.5)
      setup_.warnings.push_back("points of [" + block + "] lie " + brief(apart) + " cells apart: fluid goes through between them");
  }

  void group(const std::string& block) {
    GroupReader reader(s_, problems_, setup_, group_words(), setup_.warnings);
    if (setup_.kinds.size() != s_.blocks("shape").size()) return; // who complained of one
    const auto placed = reader.read(block, [&](const ImmersedGroup& g) { return bodies_wanted(setup_, g); });
    complained_ = complained_ || reader.complained();
    if (!placed) return;
    BodyGroup group{*placed, motion(block, setup_.kinds[placed->surface])};
    if (group.motion.mode == BodyMode::given && s_.given(block, "path")) {
      group.motion.given.path = reader.path(block);
      if (reader.complained()) complained_ = true;
    }
    setup_.groups.push_back(std::move(group));
  }

  MotionModel motion(const std::string& block, const BodyModel& kind) {
    MotionModel m;
    const std::string word = s_.choice(block, "motion");
    m.mode = word == "fixed" ? BodyMode::fixed : word == "given" ? BodyMode::given : BodyMode::free;
    m.density = setup_.fluid.rho;
    if (m.mode == BodyMode::fixed) return m;
    const std::array<double, 3> velocity = s_.reals3(block, "velocity"), turning = s_.reals3(block, "angular_velocity");
    const bool flat = setup_.cells[2] == 1;
    if (flat && (velocity[2] != 0 || turning[0] != 0 || turning[1] != 0))
      complain(block, to_blame(block, {"velocity", "angular_velocity"}), "[" + block + "] moves out of the plane (a box of one cell along z has none) "
                      "give velocities along x and y, and turn about z");
    if (m.mode == BodyMode::given) {
      m.given.velocity = velocity;
      m.given.rotation_rate = length(turning);
      if (m.given.rotation_rate > 0) m.given.rotation_axis = turning;
      const std::array<double, 3> amplitude = s_.reals3(block, "amplitude");
      m.given.oscillation = {.axis = amplitude, .amplitude = length(amplitude), .frequency = s_.real(block, "frequency"), .phase = s_.real(block, "phase")};
      if ((m.given.oscillation.amplitude > 0) != (m.given.oscillation.frequency > 0))
        complain(block, to_blame(block, {"amplitude", "frequency"}), "[" + block + "] has an amplitude or a frequency but not the other (an oscillation has both) give both");
      return m;
    }
    m.velocity = velocity;
    m.angular_velocity = turning;
    if (!s_.given(block, "density"))
      complain(block, "motion", "[" + block + "] has no density (free bodies have a weight) give `density`");
    else
      m.density = s_.real(block, "density");
    const std::string held = s_.choice(block, "held");
    if (held == "turning") m.frozen_rotation = {true, true, true};
    if (held == "place") m.frozen_translation = {true, true, true};
    m.virtual_mass = s_.given(block, "virtual_mass") ? s_.real(block, "virtual_mass") : virtual_mass_needed(setup_, kind, m.density);
    return m;
  }

  void forcing() {
    setup_.forcing.kernel = s_.choice("forcing", "kernel");
    if (s_.choice("forcing", "method") == "serial") setup_.forcing.method = Method::serial;
    if (s_.given("forcing", "retraction")) setup_.forcing.retraction = s_.real("forcing", "retraction");
    if (s_.choice("forcing", "placement") == "at_once") {
      setup_.forcing.placement = PointsPlacement::at_once;
      setup_.forcing.point_threads = static_cast<int>(s_.integer("forcing", "point_threads"));
    }
    const std::string scheme = s_.choice("forcing", "scheme");
    if (scheme == "two_pass") setup_.forcing.acts = 1;
    if (scheme != "multi_direct") return;
    setup_.forcing.slip = s_.real("forcing", "slip");
    setup_.forcing.passes = static_cast<int>(s_.integer("forcing", "passes"));
  }

  void time() {
    setup_.time = {read_step_lengths(s_, problems_), s_.real("time", "courant")};
    setup_.random_seed = static_cast<std::uint64_t>(s_.integer("random", "seed"));
  }

  /// What depends on the weight of bodies.
  void contact() {
    const std::string law = s_.choice("contact", "law");
    if (law == "none") return;
    BodyRepulsionModel& model = setup_.contact;
    model.law = law == "quadratic" ? RepulsionLaw::quadratic : RepulsionLaw::soft_sphere;
    model.range = s_.given("contact", "range") ? s_.real("contact", "range") : cells_of_range * shortest_;
    model.restitution = model.law == RepulsionLaw::soft_sphere ? s_.real("contact", "restitution") : 1;
    model.strength = s_.given("contact", "strength") ? s_.real("contact", "strength") : strength_needed(setup_);
    if (model.strength <= 0) model.range = 0; // nobody is free, nobody needs it
  }

  bool has_box_ = false; ///< with lengths that regions can lie in
  double shortest_ = std::numeric_limits<double>::infinity(); ///< edge of a cell [m]
  BodySetup setup_;
};

} // namespace

std::optional<BodySetup> read_setup(const run::Settings& settings, run::Problems& problems) {
  BodySetup setup = SetupReader(settings, problems).read();
  if (!problems.empty()) return std::nullopt;
  return setup;
}

} // namespace corral::body
