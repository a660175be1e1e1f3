#include "structure/markers/box_maps.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>
#include <corral/interpolate.hpp>
#include <corral/spread.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>

namespace corral::structure {

BoxMaps::BoxMaps(const distributed::SharedGrid& shared, int kernel_points, const std::array<Staggering, 3>& staggering)
    : shared_(shared), box_(shared) {
  for (std::size_t d = 0; d < 3; ++d) {
    const MappedBox::Along& a = box_.along[d];
    if (a.cut && reach(kernel_points) > a.ghosts)
      throw Error("a kernel of " + std::to_string(kernel_points) + " points over ranks with " + std::to_string(a.ghosts) +
                  " ghosts (it reaches " + std::to_string(reach(kernel_points)) + " cells) share the grid with so many");
    around_[d] = a.cut || a.turns ? 2 * box_.ghosts : 0; // passes have points that are so far, which spread as far
  }
  for (std::size_t c = 0; c < 3; ++c) {
    Component& of = components_[c];
    of.staggering = staggering[c];
    if (c == 0 || staggering[c] != staggering[c - 1]) of.fields = shared.fields(staggering[c]);
    for (std::size_t d = 0; d < 3; ++d) {
      const MappedBox::Along& a = box_.along[d];
      const Axis& whole = shared.whole().axis(static_cast<int>(d));
      const bool on_faces = on_face(staggering[c], static_cast<int>(d));
      // The face above the last cell is the next rank's, unless it lies on a side of the whole.
      of.own[d] = a.own + (on_faces && !whole.periodic() && a.begin + a.own == whole.cells ? 1 : 0);
      of.extent[d] = a.cut ? a.own + (on_faces ? 1 : 0) : whole.points(on_faces);
      of.scratch[d] = a.own + (on_faces ? 1 : 0) + 2 * around_[d];
      of.box[d] = shared.box().points(staggering[c], static_cast<int>(d));
    }
    scratch_[c].resize(of.scratch[0] * of.scratch[1] * of.scratch[2]);
  }
}

template <class T> FieldView<T> BoxMaps::own_view(std::size_t c, T* field, const std::array<Sign, 3>& sign) const {
  const Component& of = components_[c];
  const std::int64_t nx = of.box[0], ny = of.box[1];
  FieldView<T> view{.staggering = of.staggering, .stride = {1, nx, nx * ny}, .wall_sign = sign, .ghosts = box_.ghosts};
  view.extent = of.extent;
  view.data = field + shared_.own_begin(0) + nx * (shared_.own_begin(1) + ny * shared_.own_begin(2));
  return view;
}

FieldView<double> BoxMaps::scratch_view(std::size_t c, const std::array<Sign, 3>& sign) {
  const std::int64_t nx = components_[c].scratch[0], ny = components_[c].scratch[1];
  FieldView<double> view{.staggering = components_[c].staggering, .stride = {1, nx, nx * ny}, .wall_sign = sign, .ghosts = box_.ghosts};
  view.data = scratch_[c].data() + around_[0] + nx * (around_[1] + ny * around_[2]);
  return view;
}

/// Own points have what the field has, so that passes add to it in turn.
void BoxMaps::load(Cpu cpu, const double* field, std::size_t component) {
  double* const scratch = scratch_[component].data();
  const FieldView<const double> from = own_view(component, field, {});
  const Component& of = components_[component];
  for_each(cpu, of.scratch[1] * of.scratch[2], [=, &of, this](std::int64_t row) {
    double* const to = scratch + row * of.scratch[0];
    std::fill_n(to, of.scratch[0], 0.0);
    const std::int64_t j = row % of.scratch[1] - around_[1], k = row / of.scratch[1] - around_[2];
    if (j >= 0 && j < of.own[1] && k >= 0 && k < of.own[2]) std::copy_n(&from(0, j, k), of.own[0], to + around_[0]);
  });
}

void BoxMaps::store(Cpu cpu, std::size_t component, double* field) const {
  const double* const scratch = scratch_[component].data();
  const FieldView<double> to = own_view(component, field, {});
  const Component& of = components_[component];
  for_each(cpu, of.own[1] * of.own[2], [=, &of, this](std::int64_t row) {
    const std::int64_t j = row % of.own[1], k = row / of.own[1];
    std::copy_n(scratch + around_[0] + of.scratch[0] * (j + around_[1] + of.scratch[1] * (k + around_[2])), of.own[0], &to(0, j, k));
  });
}

void BoxMaps::fill(const VectorField& fields) const {
  for (std::size_t c = 0, end = 0; c < 3; c = end) {
    for (end = c + 1; end < 3 && !components_[end].fields;) ++end;
    components_[c].fields->fill(std::span<double* const>(fields).subspan(c, end - c));
  }
}

void BoxMaps::interpolate(Cpu cpu, const BoxOrder& order, const KernelWeights<double>& kernel, Method method, const ConstVectorField& fields,
                          const Signs& signs, const Points& values) {
  const std::int64_t n = order.size(), members = order.members().size();
  std::array<Interpolate<double>, 3> terms;
  for (std::size_t d = 0; d < 3; ++d) {
    columns_[d].resize(members);
    columns_[d].fill(0); // what lies in others' cells stays so
    terms[d] = {own_view(d, fields[d], signs[d]), {columns_[d].data(), members}};
  }
  detail::interpolate<double>(cpu, order.own(), kernel, terms, method);
  joined_.resize(3 * n);
  joined_.fill(0);
  for (std::size_t d = 0; d < 3; ++d)
    for_each(cpu, members, [to = joined_.data() + static_cast<std::int64_t>(d) * n, of = order.members().data(), from = columns_[d].data()](std::int64_t i) {
      to[of[i]] = from[i];
    });
  shared_.team().join({joined_.data(), static_cast<std::size_t>(3 * n)});
  for (std::size_t d = 0; d < 3; ++d) std::copy_n(joined_.data() + static_cast<std::int64_t>(d) * n, n, values[d]);
}

void BoxMaps::spread(Cpu cpu, const BoxOrder& order, const KernelWeights<double>& kernel, Method method, const ConstPoints& values,
                     double scale, const Signs& signs, const VectorField& fields) {
  const std::int64_t members = order.members().size();
  for (std::size_t d = 0; d < 3; ++d) {
    columns_[d].resize(members);
    for_each(cpu, members, [=, to = columns_[d].data(), of = order.members().data(), from = values[d]](std::int64_t i) {
      to[i] = scale * from[of[i]];
    });
    load(cpu, fields[d], d);
  }
  for (const BoxOrder::Pass& pass : order.passes()) {
    if (pass.order.counts().inside == 0) continue;
    std::array<Spread<double>, 3> terms;
    for (std::size_t d = 0; d < 3; ++d) {
      terms[d] = {{columns_[d].data(), members}, scratch_view(d, signs[d])};
      terms[d].field.data = &terms[d].field(pass.first[0], pass.first[1], pass.first[2]);
    }
    detail::spread<double>(cpu, pass.order, kernel, terms, method);
  }
  for (std::size_t d = 0; d < 3; ++d) store(cpu, d, fields[d]);
  fill(fields);
}

} // namespace corral::structure
