#include "beads/case/beads_case.hpp"

#include "beads/case/setup_checks.hpp"
#include "beads/placing/placing.hpp"
#include "run/case/reader.hpp"
#include "run/case/values.hpp"
#include "stokes/rigid/rigid_shape.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace corral::beads {

using namespace geometry;
using run::brief;

namespace {

/// Reads one case of beads; every complaint carries the place of the value that it is about.
class SetupReader : run::Reader {
public:
  SetupReader(const run::Settings& settings, run::Problems& problems) : Reader(settings, problems) {}

  BeadsSetup read() {
    box();
    fluid();
    repulsion();
    time();
    images_of_noise();
    if (!complained_)
      for (const std::string& block : s_.blocks("group")) group(block);
    if (problems_.empty()) check_setup(setup_, s_, problems_);
    return std::move(setup_);
  }

private:
  void box() {
    setup_.size = s_.reals3("box", "size");
    setup_.origin = s_.reals3("box", "origin");
    const std::string free = s_.choice("box", "free");
    for (std::size_t d = 0; d < 3; ++d) {
      const bool images = free == "none" || free.find("xyz"[d]) == std::string::npos;
      setup_.sides[2 * d] = setup_.sides[2 * d + 1] = images ? fluid::SideKind::periodic : fluid::SideKind::outlet;
      if (std::abs(setup_.origin[d]) > 1e6 * setup_.size[d])
        return complain("box", "origin", std::string("the box lies more than a million times its size away from 0 along ") + "xyz"[d] +
                                             " (places in it would have few digits) take an origin that is nearer");
    }
    setup_.radius = s_.real("beads", "radius");
    const double shortest = *std::min_element(setup_.size.begin(), setup_.size.end());
    const double longest = *std::max_element(setup_.size.begin(), setup_.size.end());
    if (shortest < 2 * setup_.radius)
      return complain("beads", "radius", "a bead of radius " + brief(setup_.radius) + " m does not fit into the box (its shortest side is " +
                                             brief(shortest) + " m) is a unit missing?");
    if (longest > 1e6 * setup_.radius)
      return complain("box", "size", "the box is " + brief(longest / setup_.radius) + " radii of a bead long (1e6 are the most) is a unit missing?");
    setup_.cells = {1, 1, 1};
  }

  void fluid() {
    setup_.viscosity = s_.real("fluid", "viscosity");
    setup_.temperature = s_.real("fluid", "temperature");
    setup_.tolerance = s_.real("mobility", "tolerance");
    lubrication();
    setup_.gravity = s_.reals3("forces", "gravity");
    if (length(setup_.gravity) > 0 && !s_.given("beads", "density"))
      return complain("forces", "gravity", "beads have no density (gravity acts on what they have more mass than the fluid) give beads.density");
    const double excess = s_.given("beads", "density") ? s_.real("beads", "density") - s_.real("fluid", "density") : 0;
    weight_ = excess * 4 * std::numbers::pi / 3 * std::pow(setup_.radius, 3) * Vector(setup_.gravity);
  }

  void lubrication() {
    if (s_.choice("mobility", "lubrication") == "none") return;
    setup_.lubrication = {.range = s_.real("mobility", "lubrication_range"), .least_gap = s_.real("mobility", "least_gap"),
                          .error = std::max(setup_.tolerance, 1e-12)};
    if (setup_.lubrication->least_gap >= setup_.lubrication->range)
      complain("mobility", to_blame("mobility", {"least_gap", "lubrication_range"}), "the least gap is not below the range of lubrication (it would "
               "grow no more before it begins) take a smaller mobility.least_gap");
    if (setup_.temperature > 0)
      complain("mobility", "lubrication", "lubrication with Brownian motion (random velocities are those of the mobility without it) set mobility.lubrication = none");
  }

  void repulsion() {
    if (s_.choice("repulsion", "law") == "none") return;
    setup_.contact.range = s_.given("repulsion", "range") ? s_.real("repulsion", "range") : 0.1 * setup_.radius;
    if (!s_.given("repulsion", "strength"))
      return complain("repulsion", "law", "the repulsion has no strength (beads that push each other need one) give repulsion.strength");
    setup_.contact.strength = s_.real("repulsion", "strength");
    if (setup_.contact.range > 10 * setup_.radius)
      complain("repulsion", "range", "the repulsion reaches " + brief(setup_.contact.range / setup_.radius) + " radii (10 are the most) take a shorter range");
  }

  void time() {
    setup_.time = {run::read_step_lengths(s_, problems_)};
    const std::string scheme = s_.choice("time", "scheme");
    setup_.time.scheme = scheme == "euler" ? Scheme::euler : scheme == "midpoint" ? Scheme::midpoint : Scheme::ab2;
    setup_.time.displacement = s_.real("time", "displacement");
    setup_.random_seed = static_cast<std::uint64_t>(s_.integer("random", "seed"));
    if (setup_.temperature > 0 && setup_.time.scheme != Scheme::euler)
      complain("time", "scheme", "time.scheme = " + scheme + " with Brownian motion (its displacements have no second order) set time.scheme = euler");
  }

  /// Random velocities are known where no axis or all of them are free.
  void images_of_noise() {
    const std::string free = s_.choice("box", "free");
    if (setup_.temperature > 0 && free != "none" && free != "xyz")
      complain("box", "free", "box.free = " + free + " with Brownian motion (its random velocities are made mode by mode) set box.free = none or xyz");
  }

  void group(const std::string& block) {
    BeadGroup g;
    const std::string shape = s_.choice(block, "shape");
    g.shape = shape == "fibre" ? GroupShape::fibre : shape == "shell" ? GroupShape::shell : GroupShape::sphere;
    g.force = s_.reals3(block, "force") + weight_;
    if (g.shape == GroupShape::fibre && !fibre(block, g)) return;
    if (g.rigid() && !shell(block, g)) return;
    structure::GroupReader reader(s_, problems_, setup_, group_words(), setup_.warnings);
    const auto wanted = [&](const structure::ImmersedGroup& placed) {
      g.placed = placed;
      g.within = ball(block);
      return count_wanted(g, setup_.radius);
    };
    const auto placed = reader.read(block, wanted);
    complained_ = complained_ || reader.complained();
    if (!placed || complained_) return;
    g.placed = *placed;
    if (!s_.given(block, "gap")) g.placed.gap = 0;
    setup_.groups.push_back(std::move(g));
  }

  std::optional<Ball> ball(const std::string& block) {
    if (!s_.given(block, "ball_radius")) {
      if (s_.given(block, "ball_centre")) complain(block, "ball_centre", "[" + block + "] has a ball_centre and no ball_radius (a ball has both) give `ball_radius`");
      return std::nullopt;
    }
    if (s_.given(block, "low") || s_.given(block, "high"))
      complain(block, "ball_radius", "[" + block + "] has a ball_radius beside low or high (its region is a ball or a box) leave one out");
    Ball ball{.radius = s_.real(block, "ball_radius")};
    for (std::size_t d = 0; d < 3; ++d) {
      ball.centre[d] = s_.given(block, "ball_centre") ? s_.reals3(block, "ball_centre")[d] : setup_.origin[d] + 0.5 * setup_.size[d];
      const double from_middle = std::abs(ball.centre[d] - setup_.origin[d] - 0.5 * setup_.size[d]);
      if (from_middle + ball.radius > (0.5 + 1e-9) * setup_.size[d]) {
        complain(block, "ball_radius", "the ball of [" + block + "] leaves the box along " + "xyz"[d] + " (all of it lies in the box) take a smaller one");
        break;
      }
    }
    return ball;
  }

  bool fibre(const std::string& block, BeadGroup& g) {
    FibreModel& model = g.fibre;
    for (const char* key : {"beads", "stretching"})
      if (!s_.given(block, key)) return refuse(block, "shape", "[" + block + "] has no `" + key + "` (fibres need it) give it");
    model = {.beads = s_.integer(block, "beads"),
             .spacing = s_.given(block, "spacing") ? s_.real(block, "spacing") : 2 * setup_.radius,
             .stretching = s_.real(block, "stretching"),
             .bending = s_.real(block, "bending")};
    if (model.spacing < setup_.radius)
      return refuse(block, to_blame(block, {"spacing", "shape"}), "beads of [" + block + "] are " + brief(model.spacing / setup_.radius) +
                        " radii apart (they stand in each other) space them by a radius at least");
    for (std::size_t d = 0; d < 3; ++d)
      if (2 * reach_of(g, setup_.radius) > setup_.size[d] * (1 + 1e-12))
        return refuse(block, "beads", "a fibre of [" + block + "] is " + brief(2 * reach_of(g, setup_.radius)) + " m long, and the box " +
                                          brief(setup_.size[d]) + " m along " + "xyz"[d] + " (it would meet its own image) take fewer beads, or a larger box");
    const std::string swims = s_.choice(block, "swims");
    if (swims == "no") return true;
    if (swims == "squirmer") return refuse(block, "swims", "[" + block + "] is a fibre (squirmers are shells) set swims = pusher or puller");
    if (!s_.given(block, "thrust")) return refuse(block, "swims", "[" + block + "] has no thrust (swimmers need one) give `thrust`");
    g.swim = {.thrust = s_.real(block, "thrust"),
              .reach = s_.given(block, "reach") ? s_.real(block, "reach") : 2 * setup_.radius,
              .ahead = swims == "puller"};
    return true;
  }

  bool shell(const std::string& block, BeadGroup& g) {
    if (!s_.given(block, "shell_radius")) return refuse(block, "shape", "[" + block + "] has no `shell_radius` (shells need it) give it");
    if (setup_.temperature > 0)
      return refuse(block, "shape", "[" + block + "] is rigid, with Brownian motion (random velocities are those of single beads) set fluid.temperature = 0");
    if (setup_.lubrication)
      return refuse(block, "shape", "[" + block + "] is rigid, with lubrication (that is of single spheres) set mobility.lubrication = none");
    ShellModel& model = g.shell;
    model.radius = s_.real(block, "shell_radius");
    try {
      model.beads = stokes::sphere_shell_of(model.radius, setup_.radius).beads;
    } catch (const Error& e) {
      return refuse(block, to_blame(block, {"shell_radius", "shape"}), std::string(e.what()) + " take another beads.radius, how finely the sphere is resolved");
    }
    for (std::size_t d = 0; d < 3; ++d)
      if (2 * model.radius > setup_.size[d])
        return refuse(block, "shell_radius", "a sphere of [" + block + "] is wider than the box along " + "xyz"[d] + " (it would meet its own image) take a larger box");
    const double excess = std::pow(model.radius / setup_.radius, 3); // of weight
    g.force = (1 / static_cast<double>(model.beads.size())) * (Vector(s_.reals3(block, "force")) + excess * weight_);
    const std::string swims = s_.choice(block, "swims");
    if (swims == "no") return true;
    if (swims != "squirmer") return refuse(block, "swims", "[" + block + "] is a shell (pushers and pullers are fibres) set swims = squirmer");
    if (!s_.given(block, "speed")) return refuse(block, "swims", "[" + block + "] has no speed (squirmers need one) give `speed`");
    model.speed = s_.real(block, "speed");
    model.dipole = s_.real(block, "dipole");
    return true;
  }

  Vector weight_{}; ///< of a bead, less what the fluid bears [N]
  BeadsSetup setup_;
};

} // namespace

std::optional<BeadsSetup> read_setup(const run::Settings& settings, run::Problems& problems) {
  BeadsSetup setup = SetupReader(settings, problems).read();
  if (!problems.empty()) return std::nullopt;
  return setup;
}

} // namespace corral::beads
