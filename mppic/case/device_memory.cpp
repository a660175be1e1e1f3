#include "mppic/case/device_memory.hpp"

#include "mppic/case/estimates.hpp"
#include "run/device/memory.hpp"

namespace corral::mppic {

namespace {

// What arrays hold of a device at their peak, as the emulation counts it.
constexpr double of_any_case = 645e3; // sums of blocks, and what few points have
constexpr double of_state = 112;      // [bytes] of a cell: fields that a restart needs
constexpr double of_cell = 40;        // groups of the order, marks of faces, parts of systems
constexpr double scratch_faces = 12, scratch_cells = 5; // fields that are alive at once: StepScratch::most_fields
constexpr double of_solver_point = 44; // eleven floats
constexpr double of_sparse_cell = 32; // maps of fewer parcels than cells pad four fields
constexpr double of_turned_cell = 400; // of boxes of one cell along x: coefficients, and gaps between fields of other sizes
constexpr double of_parcel = 121, of_column = 8;

/// Solvers turn boxes of one cell along x.
Extents turned(Extents n) {
  for (int turns = 0; turns < 2 && n[0] == 1; ++turns) n = {n[1], n[2], n[0]};
  return n;
}

} // namespace

double device_memory_needed(const Setup& setup) {
  const Extents n = extents(setup), solved = turned(n);
  const ModelBytes models = bytes_of_models(setup, Memory::device);
  const bool frozen = setup.solids.frozen, on_grid = setup.parcels_ask_plainly();
  const double cells = product(n), faces = face_count(n), parcels = parcels_at_start(setup);
  double columns = on_grid ? setup.collisions.far ? 6 : 3 : frozen ? 5 : 15;
  if (setup.solids.drag_knows_mixture()) columns += 2;
  if (!setup.solids.several.empty()) columns += 1; // which solid
  double bytes = of_any_case + cells * (of_state + of_cell + models.cell) + faces * models.face;
  bytes += 8 * (scratch_faces * faces + scratch_cells * cells) + of_solver_point * solver_points(solved).stored;
  if (parcels < cells) bytes += of_sparse_cell * cells;
  if (solved != n) bytes += of_turned_cell * cells;
  return bytes + parcels * (of_parcel + columns * of_column + models.parcel);
}

std::vector<std::string> describe_on_device(const Setup& setup) {
  return run::with_device_memory(describe(setup), device_memory_needed(setup));
}

std::optional<Setup> read_setup_for_device(const run::Settings& settings, run::Problems& problems) {
  std::optional<Setup> setup = read_setup(settings, problems);
  if (!setup || (setup->start && !setup->start->bed)) return setup; // of a run that goes on parcels are not known yet
  if (!run::suffices(device_memory_needed(*setup), "cells and parcels", settings, problems)) return std::nullopt;
  return setup;
}

} // namespace corral::mppic
