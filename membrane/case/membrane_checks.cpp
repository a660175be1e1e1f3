#include "membrane/case/setup_checks.hpp"

#include "geometry/measures.hpp"
#include "membrane/step/stable_step.hpp"
#include "run/case/reader.hpp"
#include "run/case/values.hpp"
#include "structure/placing/placing.hpp"
#include "structure/surfaces/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace corral::membrane {

using namespace structure;

namespace {

using run::brief;

/// Whether membranes stand where they can, and what moves them is of their size.
class MembraneChecks : run::Reader {
public:
  MembraneChecks(MembraneSetup& setup, const run::Settings& settings, run::Problems& problems)
      : Reader(settings, problems), setup_(setup) {}

  void check() { sizes() && stretched() && paths() && pulls() && places() && inside() && apart() && (warn_of_neighbours(), true); }

private:
  /// `refuse` of a member of a group, at its line where it stands in a table.
  bool refuse_member(std::size_t group, std::size_t member, const char* key, std::string message) {
    const ImmersedGroup& g = setup_.groups[group];
    if (g.arrangement != GroupArrangement::table) return refuse("membranes." + g.name, key, std::move(message));
    problems_.add({g.table_file, g.table[member].line}, std::move(message));
    return false;
  }

  double finest() const {
    double h = std::numeric_limits<double>::infinity();
    for (std::size_t d = 0; d < 3; ++d) h = std::min(h, setup_.size[d] / static_cast<double>(setup_.cells[d]));
    return h;
  }

  /// What the grid does not see at all is a unit that was forgotten.
  bool sizes() {
    for (const SurfaceModel& kind : setup_.surfaces) {
      const double cells = 2 * effective_radius(kind) / finest();
      if (cells > 0.1) continue;
      const char* key = kind.shape == ShapeKind::file ? "unit" : kind.shape == ShapeKind::ellipsoid ? "semi_axes" : "radius";
      return refuse("surface." + kind.name, key, "[surface." + kind.name + "] is " + brief(cells) +
                                                     " cells across (the grid does not see it) is a unit missing?");
    }
    return true;
  }

  /// What a file's shape without stress is far from is a unit that was forgotten, or another body.
  bool stretched() {
    constexpr double torn = 5, crushed = 0.04; // as in a step; of the whole area
    for (const SurfaceModel& kind : setup_.surfaces) {
      if (kind.stress_free != StressFree::file) continue;
      const SurfaceShape shape = make_shape(kind);
      const std::string block = "surface." + kind.name, missing = " is stress_free_unit missing?";
      const double area = geometry::area(Cpu{}, shape.start, shape.triangles) / geometry::area(Cpu{}, shape.reference, shape.triangles);
      if (area < crushed)
        return refuse(block, "stress_free", "[" + block + "] begins with " + brief(area) + " of its area without stress (" +
                      brief(crushed) + " at least)" + missing);
      if (const double stretch = deformation_of(shape).stretch; stretch > torn)
        return refuse(block, "stress_free", "an edge of [" + block + "] begins " + brief(stretch) + " times as long as without "
                      "stress (it tears at " + brief(torn) + ")" + missing);
    }
    return true;
  }

  bool paths() {
    const double dt = setup_.time.adaptive ? std::min(setup_.time.dt, StepBounds(setup_).at_start().dt) : setup_.time.dt;
    for (const ImmersedGroup& group : setup_.groups) {
      ImmersedGroup::PathPoint last{0, {}};
      for (const ImmersedGroup::PathPoint& p : group.path) {
        double length = 0;
        for (std::size_t d = 0; d < 3; ++d) length += (p.shift[d] - last.shift[d]) * (p.shift[d] - last.shift[d]);
        const double cells = std::sqrt(length) / (p.time - last.time) * dt / finest();
        if (p.time > last.time && cells > 1)
          return refuse("membranes." + group.name, "path", "the path of [membranes." + group.name + "] crosses " +
                        brief(cells) + " cells in a step of " + brief(dt) + " s, towards " + brief(p.time) +
                        " s (anchors that jump tear what they hold) is a unit missing? Otherwise set a shorter time.dt");
        last = p;
      }
    }
    return true;
  }

  bool pulls() {
    for (const Pull& pull : setup_.pulls) {
      const SurfaceModel& kind = setup_.surfaces[setup_.groups[pull.group].surface];
      const Material& m = kind.material;
      const double bears = (area_modulus(m) + m.shear_modulus + m.area_stiffness + m.tension) * effective_radius(kind);
      if (bears > 0 && pull.force > 1e4 * bears)
        return refuse("pull." + pull.name, "force", "[pull." + pull.name + "] pulls with " + brief(pull.force) +
                      " N at a membrane whose modulus times radius is " + brief(bears) + " N (it would tear at once) is a "
                      "unit missing?");
    }
    return true;
  }

  bool places() {
    try {
      setup_.places = place(setup_, [this](const std::string& how_far) { problems_.tell(how_far); });
      return true;
    } catch (const NoRoom& e) {
      return refuse("membranes." + e.group, "arrangement", e.what());
    }
  }

  /// Between walls no membrane may begin beyond one of them.
  bool inside() {
    if (!setup_.walls()) return true;
    std::vector<SurfaceShape> shapes;
    for (const SurfaceModel& kind : setup_.surfaces) shapes.push_back(make_shape(kind, coarse_markers));
    for (std::size_t g = 0; g < setup_.groups.size(); ++g)
      for (const geometry::Placement& at : setup_.places[g]) {
        double low = at.position[1], high = low;
        for (const geometry::Vector& x : shapes[setup_.groups[g].surface].start) {
          const double y = at(x)[1];
          low = std::min(low, y), high = std::max(high, y);
        }
        const double wall = std::min(low - setup_.origin[1], setup_.origin[1] + setup_.size[1] - high);
        if (wall > 0) {
          if (wall < nearest_wall_ && wall < seen_apart(setup_.groups[g])) nearest_wall_ = wall, beside_wall_ = g;
          continue;
        }
        const std::string block = "membranes." + setup_.groups[g].name;
        const auto member = static_cast<std::size_t>(&at - setup_.places[g].data());
        return refuse_member(g, member, "position", "[" + block + "] reaches from y = " + brief(low) + " to " + brief(high) +
                                               " m, beyond a wall (they stand at " + brief(setup_.origin[1]) + " and " +
                                               brief(setup_.origin[1] + setup_.size[1]) + " m)");
      }
    return true;
  }

  bool apart() {
    for (const Overlap& o : find_overlaps(setup_)) {
      const std::string one = "membranes." + setup_.groups[o.group].name, other = "membranes." + setup_.groups[o.other].name;
      const bool tabled = setup_.groups[o.group].arrangement == GroupArrangement::table;
      if (o.within && (viscous(o.group) || viscous(o.other)))
        return refuse("surface." + setup_.surfaces[setup_.groups[viscous(o.group) ? o.group : o.other].surface].name, "viscosity_ratio",
                      "[" + one + "] and [" + other + "] stand one within the other (where a membrane encloses another one there "
                      "is no saying which fluid is outside) leave viscosity_ratio out");
      if (o.within) setup_.warnings.push_back("[" + one + "] and [" + other + "] stand one within the other");
      else if (o.itself) return itself(setup_.groups[o.group]);
      else if (o.group == o.other && tabled)
        return refuse_member(o.group, o.other_member, "table", "the membrane of this line of [" + one + "] overlaps that of line " +
                           std::to_string(setup_.groups[o.group].table[o.member].line) + " (no two membranes are in one place) "
                           "move one of them");
      else if (o.group == o.other) return refuse(one, "arrangement", "membranes of [" + one + "] overlap (their lattice is "
                                                 "narrower than they are) take fewer, or a larger region");
      else return refuse_member(o.other, o.other_member, "position", "[" + one + "] and [" + other + "] overlap (no two membranes "
                                "are in one place) move one of them");
    }
    return true;
  }

  bool viscous(std::size_t group) const {
    return setup_.surfaces[setup_.groups[group].surface].viscosity_ratio.has_value();
  }

  double coarsest() const {
    double h = 0;
    for (std::size_t d = 0; d < 3; ++d) h = std::max(h, setup_.size[d] / static_cast<double>(setup_.cells[d]));
    return h;
  }

  /// What is nearer than this is warned of [m]: kernels reach two cells far. Random membranes are as near as they may be
  /// without a word, a cell.
  double seen_apart(const ImmersedGroup& group) const {
    return (group.arrangement == GroupArrangement::random ? 1 - 1e-6 : 2) * coarsest();
  }

  void warn_of_neighbours() {
    const auto warn = [&](const std::string& who, double distance, const std::string& what) {
      setup_.warnings.push_back(who + " " + brief(distance / coarsest()) + " cells " + what +
                                " at the start (below two they feel each other through the kernel, and the flow between "
                                "them is not resolved)");
    };
    if (std::isfinite(nearest_wall_)) warn("[membranes." + setup_.groups[beside_wall_].name + "] stands", nearest_wall_, "from a wall");
    auto near = find_nearest(setup_, 2 * coarsest(), false);
    const bool close = std::any_of(setup_.groups.begin(), setup_.groups.end(), [&](const ImmersedGroup& group) {
      return group.arrangement == GroupArrangement::random && group.gap < seen_apart(group);
    });
    if (close)
      if (const auto of_all = find_nearest(setup_, (1 - 1e-6) * coarsest(), true); of_all && (!near || of_all->distance < near->distance))
        near = of_all;
    if (!near) return;
    const std::string one = "[membranes." + setup_.groups[near->group].name + "]";
    if (near->itself) warn("a membrane of " + one + " stands", near->distance, "from its own image across a periodic side");
    else if (near->group == near->other) warn("membranes of " + one + " stand", near->distance, "apart");
    else warn(one + " and [membranes." + setup_.groups[near->other].name + "] stand", near->distance, "apart");
  }

  bool itself(const ImmersedGroup& group) {
    const SurfaceModel& kind = setup_.surfaces[group.surface];
    double reach = 0;
    for (const geometry::Vector& x : make_shape(kind, coarse_markers).start) reach = std::max(reach, std::sqrt(geometry::dot(x, x)));
    const std::string block = "surface." + kind.name;
    const bool file = kind.shape == ShapeKind::file;
    return refuse(block, file ? "unit" : "shape", "a membrane of [" + block + "] reaches " + brief(reach) + " m from its centre, "
                  "and would meet itself across the periodic sides (the box is " + brief(setup_.size[0]) + " x " +
                  brief(setup_.size[1]) + " x " + brief(setup_.size[2]) + " m) " +
                  (file ? "say what the file's coordinates are in (unit = 1 um), or take a larger box"
                        : "take a smaller one, or a larger box"));
  }

  MembraneSetup& setup_;
  double nearest_wall_ = std::numeric_limits<double>::infinity(); ///< that is warned of [m]
  std::size_t beside_wall_ = 0;                                   ///< group of the membrane there
};

} // namespace

void check_membranes(MembraneSetup& setup, const run::Settings& settings, run::Problems& problems) {
  MembraneChecks(setup, settings, problems).check();
}

} // namespace corral::membrane
