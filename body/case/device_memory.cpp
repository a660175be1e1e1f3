#include "body/case/device_memory.hpp"

#include "body/case/body_case.hpp"
#include "body/case/setup_checks.hpp"
#include "run/device/memory.hpp"
#include "structure/bodies/point_volumes.hpp"
#include "structure/bodies/shape.hpp"
#include "structure/fluids/lattice_case.hpp"

#include <corral/method.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>

namespace corral::body {

using namespace structure;

namespace {

// What arrays hold of a device at their peak beside populations, fitted to runs of 9,600 to 76,800 cells and 12 to 767 points, as
// the emulation counts it: scratch of sorts and maps included.
constexpr double of_any_case = 70e3, of_any_body = 190e3;
constexpr double of_cell = 87, of_slid_walls = 8;
constexpr double of_point = 416, of_stencil = 60; // the latter for each of its points along an axis
constexpr double of_pair = sizeof(std::int32_t);
// Of maps: fields that go on by half a kernel beyond the box.
constexpr double of_map = 3 * sizeof(double);

/// Of a kind: those whose stencils may meet (PairVolumes).
double pairs_of(const BodySetup& setup, const BodyModel& kind, double points) {
  const double cell = setup.size[0] / static_cast<double>(setup.cells[0]), reach = widest_support(setup.forcing.kernel) * cell;
  const double area = body_area(Cpu{}, kind, setup.size[2]);
  const bool flat = kind.kind == BodyKind::cylinder;
  const double within = flat ? 2 * std::sqrt(2.) * reach * setup.size[2] / area : std::numbers::pi * 3 * reach * reach / area;
  return points * points * std::min(within, 1.0);
}

double of_bodies(const BodySetup& setup, double cells) {
  const int support = widest_support(setup.forcing.kernel), beyond = support / 2 * 2;
  double padded = 1, bytes = of_any_body;
  for (const std::int64_t n : setup.cells) padded *= static_cast<double>(n > 1 ? n + beyond : 1);
  for (std::size_t d = 0; d < 3; ++d)
    if (std::any_of(setup.drive.wall_velocity.begin(), setup.drive.wall_velocity.end(), [d](const auto& u) { return u[d] != 0; }))
      bytes += of_slid_walls * cells;
  for (const BodyModel& kind : setup.kinds) bytes += of_pair * pairs_of(setup, kind, static_cast<double>(point_count(Cpu{}, kind)));
  for (const BodyGroup& group : setup.groups)
    bytes += bodies_wanted(setup, group.placed) * static_cast<double>(point_count(Cpu{}, setup.kinds[group.placed.surface])) *
             (of_point + of_stencil * support);
  return bytes + of_map * padded;
}

} // namespace

double device_memory_needed(const BodySetup& setup) {
  double cells = 1;
  for (const std::int64_t n : setup.cells) cells *= static_cast<double>(n);
  return of_any_case + cells * (of_cell + population_bytes(setup)) + (setup.groups.empty() ? 0 : of_bodies(setup, cells));
}

std::vector<std::string> describe_on_device(const BodySetup& setup) {
  return run::with_device_memory(describe(setup), device_memory_needed(setup));
}

std::optional<BodySetup> read_setup_for_device(const run::Settings& settings, run::Problems& problems) {
  std::optional<BodySetup> setup = read_setup(settings, problems);
  if (!setup) return setup;
  bool has_code = true;
  if (!setup->lattice()) {
    problems.add(settings.where("fluid", "method"),
                 "--backend gpu with fluid.method = spectral (bodies are on a device in a lattice fluid alone) set fluid.method = "
                 "lattice, or run it on the CPU");
    has_code = false;
  }
  if (setup->forcing.placement != PointsPlacement::together) {
    problems.add(settings.where("forcing", "placement"),
                 "--backend gpu with forcing.placement = at_once (which shares out threads of the host, and points are on the device) set "
                 "forcing.placement = together");
    has_code = false;
  }
  if (!runs_on(setup->forcing.method, Gpu{})) {
    problems.add(settings.where("forcing", "method"),
                 "--backend gpu with forcing.method = serial (a device adds up forces by many threads) set forcing.method = automatic");
    has_code = false;
  }
  if (!has_code || !run::suffices(device_memory_needed(*setup), "cells and bodies", settings, problems)) return std::nullopt;
  return setup;
}

} // namespace corral::body
