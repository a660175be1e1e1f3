#pragma once

#include "distributed/team.hpp"
#include "fluid/faces.hpp"
#include "fluid/inlet.hpp"

#include <corral/grid.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace corral::fluid {

/// What the gas meets at a side of the box.
enum class SideKind : std::uint8_t {
  no_slip,   ///< wall: no velocity at it
  free_slip, ///< wall: no normal velocity, no shear
  symmetry,  ///< as free_slip; parcels are reflected without loss
  outlet,    ///< pressure 0, zero normal gradient of velocity
  periodic
};

std::string_view name(SideKind);

/// The six sides in the order x_low, x_high, y_low, y_high, z_low, z_high: side = 2 axis + (high ? 1 : 0).
inline constexpr std::array<std::string_view, 6> side_names{"x_low", "x_high", "y_low", "y_high", "z_low", "z_high"};
constexpr int side(int axis, bool high) { return 2 * axis + (high ? 1 : 0); }

/// A rectangle on a side, by its bounds along the three axes [m]; the bounds along the normal are not used.
struct Region {
  std::array<double, 3> low, high;
};

/// Fluid that enters through part of a wall.
struct Inlet {
  std::string name;
  int side = 0;
  Region region{};
  /// Superficial velocity into the box [m/s] at a point of the side.
  std::function<double(const std::array<double, 3>&)> velocity;
  Schedule schedule{}; ///< what the velocity is multiplied by
};

/// Superficial velocity into the box in the middle of the inlet, where a profile is fastest, before its schedule [m/s].
double middle_velocity(const Inlet&);

/// Of its region [m2].
double area(const Inlet&);

/// How a face takes part in the flow.
enum class FaceKind : std::uint8_t { interior, fixed, outlet };

/// What is known of a face, in a byte: its FaceKind, and the bits below.
struct FaceMark {
  static constexpr std::uint8_t kind = 3, on_side = 4, closed = 8; ///< on_side: of the box; closed: by a blocked cell
};

/// Where a face lies on a side of the box: the side, -1 for none, and its number there, the lower axis fastest.
struct PlaceOnSide {
  int side;
  std::int64_t number;
};
CORRAL_HOST_DEVICE inline PlaceOnSide place_on_side(const Grid& grid, int d, std::int64_t f) {
  const std::int64_t nx = grid.points(face(d), 0), ny = grid.points(face(d), 1);
  const std::int64_t i = f % nx, row = f / nx, j = row % ny, k = row / ny, at = d == 0 ? i : d == 1 ? j : k;
  const bool high = at == grid.axis(d).cells;
  if (grid.axis(d).periodic() || (at != 0 && !high)) return {-1, 0};
  return {2 * d + (high ? 1 : 0), d == 0 ? row : d == 1 ? i + nx * k : i + nx * j};
}

/// Cells [begin, end) along each axis.
struct CellBox {
  std::array<std::int64_t, 3> begin{}, end{};
};

/// What loops see of a domain: a value, good while the domain lives and no inlet changes. On a device its pointers are
/// device memory.
struct DomainView {
  Grid grid;
  std::array<SideKind, 6> sides;
  bool has_closed_faces;
  std::array<const std::uint8_t*, 3> marks;
  std::array<const double*, 6> given_velocities; ///< of the faces of each side, null where there is none
  const std::uint8_t* blocked;                   ///< null where no cell is

  CORRAL_HOST_DEVICE SideKind side_kind(int side) const { return sides[side]; }
  CORRAL_HOST_DEVICE FaceKind kind(int d, std::int64_t face) const {
    return static_cast<FaceKind>(marks[d][face] & FaceMark::kind);
  }
  CORRAL_HOST_DEVICE double aperture(int d, std::int64_t face) const {
    return (marks[d][face] & FaceMark::closed) != 0 ? 0 : 1;
  }
  CORRAL_HOST_DEVICE double volume_fraction(std::int64_t cell) const { return blocked && blocked[cell] != 0 ? 0 : 1; }
  CORRAL_HOST_DEVICE double given_velocity(int d, std::int64_t face) const {
    const PlaceOnSide at = place_on_side(grid, d, face);
    return at.side >= 0 && given_velocities[at.side] ? given_velocities[at.side][at.number] : 0;
  }
};

/// 1/V_f of the faces [1/m3]: dual volumes are halved on the sides of the box.
struct InverseVolumes {
  std::array<const std::uint8_t*, 3> marks;
  double inside;

  struct OfAxis {
    const std::uint8_t* marks;
    double inside;
    CORRAL_HOST_DEVICE double operator[](std::int64_t f) const {
      return (marks[f] & FaceMark::on_side) != 0 ? 2 * inside : inside;
    }
  };
  CORRAL_HOST_DEVICE OfAxis operator[](std::size_t d) const { return {marks[d], inside}; }
};

/// The box that a fluid moves in: the grid, what its sides are, and which faces are open. Where ranks share the box, this is the
/// part of one of them with its ghosts: of whole boxes all of it is their own.
class Domain {
public:
  /// `blocked`: one flag per cell, or empty for none. Throws Error for a periodic side without its partner and for
  /// an inlet on an outlet or a periodic side.
  Domain(const Grid& grid, std::array<SideKind, 6> sides, std::vector<Inlet> inlets,
         const std::vector<std::uint8_t>& blocked = {});
  /// This rank's part of such a box, whose grid is `shared`: sides that the whole does not have count as walls at rest. A reference
  /// is kept.
  Domain(const distributed::SharedGrid& shared, std::array<SideKind, 6> sides, std::vector<Inlet> inlets);

  const Grid& grid() const { return grid_; }
  /// Null where no ranks share the box.
  const distributed::SharedGrid* shared() const { return shared_; }
  const Grid& whole() const { return shared_ ? shared_->whole() : grid_; }
  /// Cells that are this rank's, of which sums over the box are made.
  const CellBox& own() const { return own_; }
  /// Likewise points of a field: a face between ranks is the upper one's.
  CellBox own_points(Staggering at) const {
    CellBox points = own_;
    for (int d = 0; d < 3; ++d)
      if (on_face(at, d) && !whole().axis(d).periodic() && has_side(side(d, true))) ++points.end[static_cast<std::size_t>(d)];
    return points;
  }
  /// Number in the whole of cell i along an axis.
  std::int64_t in_whole(int d, std::int64_t i) const {
    const std::int64_t n = whole().axis(d).cells;
    return shared_ ? (shared_->first(d) + i + n) % n : i;
  }
  /// Whether a side is one of the whole.
  bool has_side(int side) const {
    const auto d = static_cast<std::size_t>(side / 2);
    return side % 2 == 0 ? own_.begin[d] == 0 : own_.end[d] == grid_.axis(side / 2).cells;
  }
  /// Sums of what each rank has of the whole. Collective.
  double over_ranks(double mine) const { return shared_ ? shared_->team().sums({&mine, 1}).front() : mine; }
  /// What loops see; on a device what is there since the last `send`. Throws Error where it was never sent.
  DomainView view(Memory memory = Memory::host) const;
  /// Lets views of the device be made, and brings there what inlets have changed.
  void send();
  SideKind side_kind(int side) const { return sides_[side]; }
  SideKind side_kind_of_whole(int side) const { return whole_sides_[static_cast<std::size_t>(side)]; }
  /// Lets a no-slip wall of the whole slide along itself at `velocity` [m/s], a lid or a belt; its inlets slide with it. Throws
  /// Error for other sides, a part along the normal, and what is not finite.
  void set_wall_velocity(int side, const std::array<double, 3>& velocity);
  const std::array<double, 3>& wall_velocity(int side) const { return wall_velocity_[side]; }
  const std::array<double, 3>& wall_velocity_of_whole(int side) const { return whole_wall_velocity_[static_cast<std::size_t>(side)]; }
  bool closed() const; ///< no outlet: pressure is defined up to a constant
  const std::vector<Inlet>& inlets() const { return inlets_; } ///< on this domain's sides
  bool has_inlet_in_whole(int side) const { return whole_has_inlet_[static_cast<std::size_t>(side)]; }
  /// From now on fluid enters as the inlets' schedules say of that time [s]; time 0 at first.
  void set_time(double time);
  double time() const { return time_; } ///< that was set last [s]
  /// What each inlet's velocity is multiplied by now.
  const std::vector<double>& factors() const { return factors_; }
  /// Superficial velocity into the box [m/s] that the inlet alone gives on a face of its axis, its schedule at `factor`.
  double inlet_flow(const Inlet& inlet, const Face& face, double factor = 1) const;

  FaceKind kind(int d, std::int64_t face) const {
    return static_cast<FaceKind>(mark_[d][face] & FaceMark::kind);
  }
  /// Open share of a face, 0 beside blocked cells, 1 elsewhere (also on walls, where `kind` says what may enter):
  /// fluxes and pressure coefficients are multiplied by it.
  double aperture(int d, std::int64_t face) const { return (mark_[d][face] & FaceMark::closed) != 0 ? 0 : 1; }
  /// True where a face has aperture 0: its velocity is 0, and it is a no-slip wall at rest for those beside it.
  bool has_closed_faces() const { return has_closed_faces_; }
  /// Open share of a cell's volume, 0 where it is blocked, 1 elsewhere.
  double volume_fraction(std::int64_t cell) const { return has_closed_faces_ && blocked_[cell] != 0 ? 0 : 1; }
  /// Superficial velocity [m/s] along +d that is given on fixed faces: 0 at walls.
  double given_velocity(int d, std::int64_t face) const { return view().given_velocity(d, face); }
  /// The face's share of an inlet's region, 0 to 1.
  double inlet_share(const Inlet& inlet, const std::array<std::int64_t, 3>& place) const;

  /// The grid that the box needs: periodic where both sides are, wall elsewhere, so that maps keep totals.
  static Grid make_grid(std::array<std::int64_t, 3> cells, std::array<double, 3> origin, std::array<double, 3> size,
                        const std::array<SideKind, 6>& sides);

private:
  void set_boundary_faces();
  void set_blocked_cells(const std::vector<std::uint8_t>& blocked);
  void check_inlets() const;
  void set_given_velocity();

  Domain(const Grid& grid, std::array<SideKind, 6> sides, std::array<SideKind, 6> whole_sides, std::vector<Inlet> inlets,
         const distributed::SharedGrid* shared, const std::vector<std::uint8_t>& blocked);

  Grid grid_;
  const distributed::SharedGrid* shared_;
  CellBox own_;
  std::array<SideKind, 6> sides_, whole_sides_;
  std::array<std::array<double, 3>, 6> wall_velocity_{}, whole_wall_velocity_{};
  std::vector<Inlet> inlets_;
  std::array<bool, 6> whole_has_inlet_{}; ///< by side
  double time_ = 0;
  std::vector<double> factors_; ///< of the inlets' schedules now
  std::array<Array<std::uint8_t>, 3> mark_;
  std::array<Array<double>, 6> given_; ///< of sides with inlets
  bool has_closed_faces_ = false;
  Array<std::uint8_t> blocked_;

  /// The same in memory of the device.
  struct Sent {
    std::array<Array<std::uint8_t>, 3> mark;
    std::array<Array<double>, 6> given;
    Array<std::uint8_t> blocked;
  };
  std::optional<Sent> sent_;
};

inline InverseVolumes inverse_volumes(const Domain& domain, Memory memory) {
  return {domain.view(memory).marks, 1 / domain.grid().cell_volume()};
}

/// Sum over the faces of a cell of aperture times flux, outward, over the cell's size [1/s for a flux in m/s].
template <class Flux> CORRAL_HOST_DEVICE double divergence(const DomainView& domain, const Cell& cell, Flux flux) {
  double sum = 0;
  for (int d = 0; d < 3; ++d) {
    sum += (domain.aperture(d, cell.high[d]) * flux(d, cell.high[d]) -
            domain.aperture(d, cell.low[d]) * flux(d, cell.low[d])) /
           domain.grid.axis(d).spacing;
  }
  return sum;
}
/// Of n fluxes at once, which `fluxes` finds together: an array of n for a face.
template <std::size_t n, class Fluxes>
CORRAL_HOST_DEVICE std::array<double, n> divergences(const DomainView& domain, const Cell& cell, const Fluxes& fluxes) {
  std::array<double, n> sums{};
  for (int d = 0; d < 3; ++d) {
    const std::array<double, n> out = fluxes(d, cell.high[d]), in = fluxes(d, cell.low[d]);
    const double high = domain.aperture(d, cell.high[d]), low = domain.aperture(d, cell.low[d]), h = domain.grid.axis(d).spacing;
    for (std::size_t k = 0; k < n; ++k) sums[k] += (high * out[k] - low * in[k]) / h;
  }
  return sums;
}

} // namespace corral::fluid
