#include "mppic/case/device_memory.hpp"

#include "mppic/case/estimates.hpp"
#include "run/case/values.hpp"

#include <corral/device.hpp>

#include <algorithm>
#include <string_view>

namespace corral::mppic {

namespace {

using run::formatted;

// What arrays hold of a device at their peak, fitted to twenty runs of 18 to 8,000 cells and 20 to 38,400 parcels, as the
// emulation counts it; scratch of sorts and maps, and what is taken a little larger than needed, included.
constexpr double of_any_case = 645e3;       // sums of blocks, and what few points have
constexpr double of_cell = 715, of_frozen_cell = 578, of_face = 340;
constexpr double of_parcel = 390, of_frozen_parcel = 195;
constexpr double of_solver_point = 40;      // ten floats

/// Solvers turn boxes of one cell along x.
Extents turned(Extents n) {
  for (int turns = 0; turns < 2 && n[0] == 1; ++turns) n = {n[1], n[2], n[0]};
  return n;
}

} // namespace

double device_memory_needed(const Setup& setup) {
  const Extents n = extents(setup);
  const ModelBytes models = bytes_of_models(setup);
  const bool frozen = setup.solids.frozen;
  const double cell = (frozen ? of_frozen_cell : of_cell) + models.cell;
  const double parcel = (frozen ? of_frozen_parcel : of_parcel) + models.parcel;
  return of_any_case + product(n) * cell + face_count(n) * (of_face + models.face) +
         solver_count(setup) * of_solver_point * solver_points(turned(n)).stored +
         parcels_at_start(setup) * parcel;
}

std::vector<std::string> describe_on_device(const Setup& setup) {
  std::vector<std::string> lines = describe(setup);
  const auto memory = std::find_if(lines.begin(), lines.end(), [](std::string_view line) { return line.starts_with("memory "); });
  if (memory != lines.end())
    *memory = formatted("device    %.100s: about %.1f MB of its memory", find_device().name.c_str(), device_memory_needed(setup) / 1e6);
  return lines;
}

std::optional<Setup> read_setup_for_device(const run::Settings& settings, run::Problems& problems) {
  std::optional<Setup> setup = read_setup(settings, problems);
  if (!setup || (setup->start && !setup->start->bed)) return setup; // of a run that goes on parcels are not known yet
  const double needed = device_memory_needed(*setup), free = find_device().free_bytes;
  if (needed <= free) return setup;
  problems.add(settings.where("grid", "cells"),
               formatted("--backend gpu with %.3g GB of cells and parcels (the device has %.3g GB free) take fewer of them, a "
                         "device that has more, or the CPU", needed / 1e9, free / 1e9));
  return std::nullopt;
}

} // namespace corral::mppic
