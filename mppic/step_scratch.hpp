#pragma once

#include "fluid/domain.hpp"
#include "fluid/faces.hpp"
#include "fluid/pressure/pressure.hpp"
#include "fluid/scratch.hpp"
#include "mppic/parcels/parcels.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <vector>

namespace corral::mppic {

/// What the parts of a step work with in turn, on either processor.
struct StepScratch {
  explicit StepScratch(const fluid::Domain& domain, Memory where = Memory::host)
      : memory(where), fields(domain.grid(), where), columns(where), active(where),
        pressure(std::make_shared<fluid::PressureMemory>(cells_of(domain.grid()), wraps(domain.grid()), fields)) {
    fields.expect_fields(most_fields);
  }

  static std::array<std::int64_t, 3> cells_of(const Grid& grid) {
    return {grid.axis(0).cells, grid.axis(1).cells, grid.axis(2).cells};
  }
  static std::array<bool, 3> wraps(const Grid& grid) {
    return {grid.axis(0).periodic(), grid.axis(1).periodic(), grid.axis(2).periodic()};
  }

  /// A value for each parcel.
  void take_column(const Parcels& parcels, Array<double>& column) {
    columns.take(parcels.size(), column, parcels.volume.capacity());
  }

  /// Values on faces and in cells that are alive at once in the plain step, components counted: as the gas is foreseen, and
  /// again as contact's and displacement's systems are solved (docs/gpu_runs.md has which).
  static constexpr std::int64_t most_fields = 41;

  /// Planes of cells across z that ranks share the work on, in the solvers and in passes around them.
  const fluid::Planes& planes() const { return pressure->planes(); }
  /// Those of what a rank knows its own part of alone, where all that a case asks for can do with that: else all planes.
  const fluid::Planes& planes_of_sums() const { return own_sums ? planes() : everywhere; }

  /// All ranks get a field of the state, which each has found in its own planes; or, where each has its own part alone, those beside it.
  void share(const Grid& grid, Staggering points, Array<double>& values) const {
    if (own_sums) fluid::fill_beside(grid, planes(), points, values.data(), beside);
    else fluid::complete(grid, planes(), points, values);
  }

  /// Points in planes that maps of this rank's parcels read.
  std::vector<fluid::OwnRange> points_of_parcels(const Grid& grid, Staggering points) const {
    return fluid::points_asked(grid, planes(), planes_of_parcels, points);
  }

  /// Points of sums that a rank knows: in its own planes and `beside` them where each has its own part alone, else all.
  std::vector<fluid::OwnRange> points_of_sums(const Grid& grid, Staggering points) const {
    return fluid::points_around(grid, planes_of_sums(), points, beside);
  }

  /// A field that is going to be spread to becomes 0: in planes that parcels of this rank reach, and where it will know the sums.
  template <Execution E> void clear(E execution, const Grid& grid, Staggering points, Array<double>& values) const {
    clear(execution, fluid::plane_by_plane(grid, points, values.span()));
  }
  template <Execution E> void clear(E execution, const distributed::FieldOfPlanes& field) const { clear(execution, field, planes_of_parcels); }
  template <Execution E> void clear(E execution, const distributed::FieldOfPlanes& field, const distributed::PiecesOfRanks& reached) const {
    const std::int64_t all = std::ssize(field.values);
    const auto clear_values = [&](std::int64_t begin, std::int64_t end) {
      if (begin >= end) return;
      Array<double> some = Array<double>::lent(field.values.data() + begin, end - begin, memory);
      fluid::fill(execution, some, 0);
    };
    if (!own_sums) return clear_values(0, all);
    for (const distributed::PiecesOfRanks& of_ranks : {reached, planes().around(beside)})
      for (const distributed::Piece& piece : planes().mine(of_ranks))
        clear_values(field.of_plane * piece.begin, std::min(field.of_plane * piece.end, all));
  }

  /// Fields of what a rank's parcels have spread, in planes that they reach, become those of what all have, as far as they are asked for.
  void add_over(const run::SharedSet& ranks, const std::vector<distributed::FieldOfPlanes>& spread) const { add_over(ranks, spread, planes_of_parcels); }
  void add_over(const run::SharedSet& ranks, const std::vector<distributed::FieldOfPlanes>& spread, const distributed::PiecesOfRanks& reached) const {
    if (own_sums) return ranks.add(spread, planes().mine(reached), planes().around(beside));
    std::vector<std::span<double>> whole;
    for (const distributed::FieldOfPlanes& field : spread) whole.push_back(field.values);
    ranks.add(whole);
  }

  bool own_sums = false;                        ///< of parcels: ranks that share planes have their own, and `beside` around them
  static constexpr std::int64_t beside = 2;     ///< planes
  distributed::PiecesOfRanks planes_of_parcels; ///< that maps of each rank's parcels read; from the sort on, where planes are shared

  Memory memory;
  fluid::Scratch fields;  ///< on faces and in cells
  fluid::Scratch columns; ///< of parcels
  Array<std::uint8_t> active; ///< flags of cells
  std::shared_ptr<fluid::PressureMemory> pressure; ///< of all linear systems
  fluid::Planes everywhere; ///< shared by no ranks
};

} // namespace corral::mppic
