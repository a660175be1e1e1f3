#pragma once

#include "engine/cpu/methods.hpp"
#include "engine/shared/support.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace corral::cpu {

/// Where the points along one axis of a field lie in the caller's memory, by padded index as in shared::AxisSupport:
/// what lets a map reach a field without a padded copy.
template <class T> struct AxisPoints {
  std::vector<std::int64_t> offset; ///< [values] from the field's first point; the boundary's rule is applied
  std::vector<T> sign;              ///< 1, -1 (a wall's), or 0: dropped
  std::vector<std::uint8_t> plain;  ///< a stencil that begins here meets points of sign 1 only, along x one by one
  std::int64_t run_begin, run_end;  ///< padded points that are points of the field themselves

  /// `step` is the distance of neighbours that vector code needs [values]; 0: any will do.
  static AxisPoints of(const Axis& axis, const shared::AxisSupport& support, Sign wall_sign, std::int64_t stride,
                       std::int64_t step) {
    AxisPoints p;
    const std::int64_t n = support.padded_points(), inside = axis.points(support.on_faces);
    p.run_begin = std::clamp<std::int64_t>(-support.first, 0, n);
    p.run_end = std::clamp<std::int64_t>(inside - support.first, p.run_begin, n);
    p.offset.resize(static_cast<std::size_t>(n));
    p.sign.assign(static_cast<std::size_t>(n), T(1));
    for (std::int64_t i = p.run_begin; i < p.run_end; ++i) p.offset[i] = (i + support.first) * stride;
    const auto fold = [&](std::int64_t i) {
      const auto f = shared::fold(axis, support.on_faces, static_cast<int>(wall_sign), i + support.first);
      p.offset[i] = f.index * stride;
      p.sign[i] = static_cast<T>(f.sign);
    };
    for (std::int64_t i = 0; i < p.run_begin; ++i) fold(i);
    for (std::int64_t i = p.run_end; i < n; ++i) fold(i);
    const bool runs_are_plain = step == 0 || step == stride;
    p.plain.assign(static_cast<std::size_t>(std::max<std::int64_t>(0, n - support.support + 1)), 1);
    for (std::int64_t i = 0; i < std::ssize(p.plain); ++i)
      if (!runs_are_plain || i < p.run_begin || i + support.support > p.run_end) p.plain[i] = p.is_plain(i, support.support, step);
    return p;
  }

private:
  bool is_plain(std::int64_t first, int points, std::int64_t step) const {
    for (std::int64_t i = first; i < first + points; ++i) {
      const auto s = static_cast<std::size_t>(i);
      if (sign[s] != T(1)) return false;
      if (step != 0 && i > first && offset[s] - offset[s - 1] != step) return false;
    }
    return true;
  }
};

/// Fields that follow each other in a call and lie alike, in memory of their own, are mapped in one walk: the components of a
/// vector.
inline constexpr int alike_fields = 3;

/// A field, or two fields that alternate in memory (the parts of complex numbers), mapped as one: `lanes` values at
/// each point. Point is T, or const T where the field is read.
template <class T, class Point> struct LanedField {
  int lanes; ///< 1 or 2
  std::array<std::size_t, 2> term; ///< of each lane
  Point* data;
  std::array<std::int64_t, 3> stride;
  shared::FieldSupport support;
  std::array<AxisPoints<T>, 3> points;
  int alike = 1; ///< alike_fields, where as many begin with this one

  int stencil_points(std::size_t d) const { return support.axis[d].support; }
  /// The stencil that begins at these padded indices can be reached row by row.
  bool plain(std::int32_t x, std::int32_t y, std::int32_t z) const {
    return points[0].plain[x] && points[1].plain[y] && points[2].plain[z];
  }
};

/// Of fields that share their stencils, those from `first` on.
template <class Fields> void find_alike(Fields& fields, std::size_t first) {
  const auto single = [&](std::size_t i) { return fields[i].lanes == 1 && fields[i].stride == fields[first].stride; };
  for (std::size_t i = first; i < first + alike_fields; ++i)
    if (i >= fields.size() || !single(i)) return;
  fields[first].alike = alike_fields;
}

/// The fields of a call, in the order of its blocks and terms.
template <class T, class Term> auto laned_fields_of(const MapCall<T, Term>& call) {
  using Point = std::remove_pointer_t<decltype(call.terms[0].field.data)>;
  std::vector<LanedField<T, Point>> laned_fields;
  for (const FieldBlock<T>& block : call.blocks) {
    const std::size_t first = laned_fields.size();
    for (std::size_t s = 0; s < block.terms.size(); ++s) {
      const auto& field = call.terms[block.terms[s]].field;
      LanedField<T, Point> laned{1, {block.terms[s], block.terms[s]}, field.data, field.stride, block.support, {}};
      if (s + 1 < block.terms.size() && field.stride[0] == 2) {
        const auto& next = call.terms[block.terms[s + 1]].field;
        if (next.data == field.data + 1 && next.stride == field.stride) {
          laned.lanes = 2;
          laned.term[1] = block.terms[++s];
        }
      }
      for (std::size_t d = 0; d < 3; ++d)
        laned.points[d] = AxisPoints<T>::of(call.order.grid.axis(static_cast<int>(d)), block.support.axis[d],
                                             field.wall_sign[d], field.stride[d], d == 0 ? laned.lanes : 0);
      laned_fields.push_back(std::move(laned));
    }
    find_alike(laned_fields, first);
  }
  return laned_fields;
}

} // namespace corral::cpu
