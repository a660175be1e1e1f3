#include "body/case/body_case.hpp"
#include "body/step/step.hpp"
#include "run/case/values.hpp"
#include "structure/bodies/shape.hpp"
#include "structure/fluids/flow_case.hpp"

#include <cmath>

namespace corral::body {

using namespace structure;
using run::formatted;

namespace {

const char* word(BodyMode mode) {
  return mode == BodyMode::fixed ? "fixed" : mode == BodyMode::given ? "moving as given" : "free";
}

} // namespace

std::vector<std::string> describe(const BodySetup& setup) {
  std::vector<std::string> lines;
  const Grid g = setup.make_grid();
  lines.push_back(formatted("box       %g x %g x %g m, %lld x %lld x %lld cells of %g x %g x %g m", setup.size[0], setup.size[1],
                            setup.size[2], static_cast<long long>(setup.cells[0]), static_cast<long long>(setup.cells[1]),
                            static_cast<long long>(setup.cells[2]), g.axis(0).spacing, g.axis(1).spacing, g.axis(2).spacing));
  for (const BodyModel& kind : setup.kinds) {
    const double area = body_area(Cpu{}, kind, setup.size[2]);
    const auto points = static_cast<double>(point_count(Cpu{}, kind));
    const double radius = equivalent_radius(Cpu{}, kind), inside = retraction(setup, kind), within = 1 - inside / radius;
    const double apart = within * (kind.kind == BodyKind::cylinder ? area / setup.size[2] / points : std::sqrt(area / points));
    lines.push_back(formatted("shape     %.100s: %.0f points, %.3g cells apart, %.3g cells inside the surface; radius %.3g cells, volume %g m3",
                              kind.name.c_str(), points, apart / g.axis(0).spacing, inside / g.axis(0).spacing,
                              radius / g.axis(0).spacing, body_volume(Cpu{}, kind, setup.size[2])));
  }
  double volume = 0;
  for (std::size_t b = 0; b < setup.groups.size(); ++b) {
    const BodyGroup& group = setup.groups[b];
    volume += static_cast<double>(setup.places[b].size()) * body_volume(Cpu{}, setup.kinds[group.placed.surface], setup.size[2]);
    lines.push_back(formatted("bodies    %.100s: %lld, %s", group.placed.name.c_str(), static_cast<long long>(setup.places[b].size()),
                              word(group.motion.mode)));
  }
  if (!setup.groups.empty())
    lines.push_back(formatted("          %.3g of the box's volume", volume / (setup.size[0] * setup.size[1] * setup.size[2])));
  if (setup.contact.range > 0)
    lines.push_back(formatted("contact   within %g m, %g N where surfaces touch", setup.contact.range, setup.contact.strength));
  lines.push_back(formatted("memory    about %.0f MB", memory_needed(setup) / 1e6));
  for (const std::string& line : describe_flow(setup, setup.time.dt)) lines.push_back(line);
  for (const std::string& warning : setup.warnings) lines.push_back("warning   " + warning);
  return lines;
}

} // namespace corral::body
