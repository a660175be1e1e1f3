#pragma once

#include "engine/shared/support.hpp"
#include "fluid/faces.hpp"

#include <corral/boxes.hpp>
#include <corral/groups.hpp>
#include <corral/host_device.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace corral::mppic {

/// The two points along an axis that a parcel lies between, and the share of the upper one.
struct PointsAround {
  std::int32_t low, high;
  double share;

  /// Beyond sides as the engine's maps have them.
  CORRAL_HOST_DEVICE static PointsAround of(const Axis& axis, double x, bool on_faces) {
    const double s = (x - axis.origin) / axis.spacing - (on_faces ? 0 : 0.5), below = std::floor(s);
    const auto i = static_cast<std::int64_t>(below);
    return {point(axis, on_faces, i), point(axis, on_faces, i + 1), s - below};
  }

private:
  CORRAL_HOST_DEVICE static std::int32_t point(const Axis& axis, bool on_faces, std::int64_t i) {
    return static_cast<std::int32_t>(shared::fold(axis, on_faces, 1, i).index);
  }
};

/// Fields of the grid that act on parcels in a step, for loops that take them at a parcel where they need them: a device reads
/// them sooner than columns, and columns would be memory. They are trilinear, as those of FieldsAtParcels.
struct FieldsOnGrid {
  Grid grid;
  PositionColumns position;
  fluid::ConstFacePointers gas, force, push; ///< on faces, as FieldsAtParcels has them
  fluid::ConstFacePointers damped;           ///< in cells, likewise
  const double *damping, *eps;

  /// A parcel's place.
  struct Place {
    PointsAround centre[3], face[3];
  };
  CORRAL_HOST_DEVICE Place place(std::int64_t i) const {
    Place p;
    for (int d = 0; d < 3; ++d) {
      const double x = position[static_cast<std::size_t>(d)][i];
      p.centre[d] = PointsAround::of(grid.axis(d), x, false);
      p.face[d] = PointsAround::of(grid.axis(d), x, true);
    }
    return p;
  }
  CORRAL_HOST_DEVICE double in_cells(const Place& p, const double* values) const {
    return between(p.centre[0], p.centre[1], p.centre[2], grid.axis(0).cells, grid.axis(1).cells, values);
  }
  CORRAL_HOST_DEVICE double on_faces(const Place& p, int d, const double* values) const {
    return between(d == 0 ? p.face[0] : p.centre[0], d == 1 ? p.face[1] : p.centre[1], d == 2 ? p.face[2] : p.centre[2],
                   grid.points(corral::face(d), 0), grid.points(corral::face(d), 1), values);
  }

private:
  CORRAL_HOST_DEVICE static double mean(double low, double high, double share) { return low + share * (high - low); }
  CORRAL_HOST_DEVICE static double between(const PointsAround& x, const PointsAround& y, const PointsAround& z, std::int64_t nx,
                                           std::int64_t ny, const double* values) {
    const auto along_x = [&](std::int64_t j, std::int64_t k) {
      const double* row = values + nx * (j + ny * k);
      return mean(row[x.low], row[x.high], x.share);
    };
    return mean(mean(along_x(y.low, z.low), along_x(y.high, z.low), y.share),
                mean(along_x(y.low, z.high), along_x(y.high, z.high), y.share), z.share);
  }
};

/// A displacement of faces and cells at a parcel, as `interpolate_boxes` has it.
struct ShiftOnGrid {
  Grid grid;
  PositionColumns position;
  fluid::ConstFacePointers faces, cells; ///< [m]

  CORRAL_HOST_DEVICE void at(std::int64_t i, double (&shift)[3]) const {
    const groups::Corners around(grid, group_of(i));
    const double r = around.fraction(position, 0)(i), s = around.fraction(position, 1)(i), t = around.fraction(position, 2)(i);
    for (int d = 0; d < 3; ++d) {
      double v[groups::corner_count] = {};
      for (std::size_t c = 0; c < groups::corner_count && around.face[d] >= 0; ++c) {
        const double cell = cells[d][around.cell_index(grid, c)];
        v[c] = faces[d][around.face_index(grid, d, c)] + (around.beyond[d][c >> d & 1] ? -cell : cell);
      }
      shift[d] = groups::Trilinear(v)(r, s, t);
    }
  }

private:
  /// As the order of between_centres numbers them.
  CORRAL_HOST_DEVICE Group group_of(std::int64_t i) const {
    Group group{};
    for (std::size_t d = 0; d < 3; ++d) {
      const Axis& axis = grid.axis(static_cast<int>(d));
      if (axis.thin()) continue;
      const auto lower = static_cast<std::int64_t>(std::floor((position[d][i] - axis.origin) / axis.spacing - 0.5));
      if (axis.periodic()) group[d] = lower < 0 ? lower + axis.cells : lower >= axis.cells ? lower - axis.cells : lower;
      else group[d] = std::clamp(lower + 1, std::int64_t{0}, axis.cells);
    }
    return group;
  }
};

} // namespace corral::mppic
