#pragma once

#include "fluid/spectral/box_layout.hpp"
#include "fluid/spectral/spectra.hpp"
#include "fluid/spectral/symbols.hpp"
#include "fluid/spectral/transformer.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>

#include <cstdint>
#include <memory>

namespace corral::fluid::spectral {

/// (mass - diffusion Lap) x = b for one field, exactly: Fourier transforms along axes that wrap, tridiagonal between
/// walls in y. On walls a velocity component (face_x, face_y, face_z) is 0, and a field in cells (centre) has no
/// gradient. The same bits for any number of threads, and of ranks that share the box along the planes of transforms: calls are collective
/// then, and ghosts neither read nor set.
class HelmholtzSolver {
public:
  /// Throws Error for domains as IncompressibleFlow does, and for nodes.
  HelmholtzSolver(const Domain&, Staggering);

  /// Sets x, grid.points(staggering) values, which may be b. mass >= 0 [-] and diffusion >= 0 [m2], one of them
  /// positive. Where both a constant and its gradients are lost (mass 0 without walls, or in cells), the mean of b is
  /// taken out and x has none. What b holds on walls is not looked at, and x is 0 there.
  void solve(Cpu, double mass, double diffusion, const double* b, double* x);

private:
  struct Worker {
    std::unique_ptr<Transformer> transformer;
    Array<double> columns, pivots;
  };

  BoxLayout layout_;
  Staggering staggering_;
  PlaneSymbols symbols_;
  DifferenceSymbols plane_symbols_;
  ObjectPool<Worker> workers_;
  Spectra spectrum_;
};

/// One column of it. `across_walls`: what stands at the places of planes.
enum class AcrossWalls : std::uint8_t {
  periodic,           ///< there are no walls
  neumann,            ///< centres; no gradient on walls
  dirichlet_in_cells, ///< centres; 0 on walls
  dirichlet_on_faces  ///< faces 1 to planes - 1, 0 on walls
};
struct HelmholtzColumn {
  std::int64_t planes;
  double spacing, mass, diffusion, scale;
  AcrossWalls across_walls;
  bool first; ///< its first mode is the mean along planes
};
void solve_column(const HelmholtzColumn&, const ColumnSymbols&, const DifferenceSymbols& planes, double* column,
                  double* pivots);

} // namespace corral::fluid::spectral
