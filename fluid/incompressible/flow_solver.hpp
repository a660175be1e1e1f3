#pragma once

#include "fluid/incompressible/column_solves.hpp"
#include "fluid/spectral/box_layout.hpp"
#include "fluid/spectral/spectra.hpp"
#include "fluid/spectral/symbols.hpp"
#include "fluid/spectral/transformer.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>

#include <array>
#include <cstdint>
#include <memory>

namespace corral::fluid {

/// (mass - diffusion Lap) u + grad P = R, div u = 0 in a box: transforms of R's components plane by plane, column by
/// column the solution, and transforms back. Where ranks share the box calls are collective, and give one process's bits.
class FlowSolver {
public:
  explicit FlowSolver(const Domain&);

  using Sources = std::array<const spectral::RowSource*, 3>;
  using Sinks = std::array<const spectral::RowSink*, 3>;
  struct Equation {
    double mass = 1, diffusion = 0; ///< [-], [m2]
    bool keep_mean = true;          ///< where the box wraps
  };
  /// Components by axis. `potential` takes P in cells where it is not null.
  void solve(Cpu, const Equation&, const Sources& R, const Sinks& u, const spectral::RowSink* potential);

  /// Between walls, by a projection; see split_walled_column.
  struct Split {
    double last_factor = 0, phi_factor = 0, divergence_factor = 0;
    const spectral::RowSink *phi = nullptr, *pressure = nullptr; ///< may be null
  };
  void split(Cpu, const Equation&, const Sources& R, const Sinks& u, const Split&);
  /// What the walls have of phi, from cells; and from the last call of split.
  void set_wall_potential(const spectral::RowSource& phi);
  void clear_wall_potential();

  const spectral::BoxLayout& layout() const { return layout_; }

private:
  struct Worker {
    std::unique_ptr<spectral::Transformer> transformer;
    Array<double> columns, scratch; ///< five columns of a group; what a walled column needs
    Array<double> rows;             ///< of planes_at_once() planes between walls
  };
  std::unique_ptr<Worker> make_worker() const;
  /// Between walls rows of a plane lie far from each other, and those of neighbouring planes together: rows of a few
  /// planes are then made in the order of memory.
  std::int64_t planes_at_once() const { return layout_.walled ? 4 : 1; }
  void forward_planes(Worker&, const spectral::RowSource&, std::int64_t begin, std::int64_t end, std::int64_t field);
  void forward(Cpu, const Sources&);
  void backward(Cpu, const Sinks&, const std::array<const spectral::RowSink*, 2>& cells);
  /// Transforms columns, calls solve(worker, column, places of u and of cells) for each of this rank's, and back.
  template <class F> void for_each_column(Cpu, std::int64_t cell_fields, const F& solve);
  ColumnEquation column_equation(const Equation&) const;

  spectral::BoxLayout layout_;
  spectral::PlaneSymbols symbols_;
  spectral::DifferenceSymbols plane_symbols_;
  spectral::ObjectPool<Worker> workers_; ///< as many as threads ever worked at once
  spectral::Spectra spectra_;            ///< of velocities along x, rows, planes; then of P, or of phi and pressure
  std::array<Array<double>, 2> walls_;   ///< phi on the low and the high wall, a place for each of this rank's columns
};

} // namespace corral::fluid
