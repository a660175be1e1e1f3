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

BoxMaps::BoxMaps(const distributed::SharedGrid& shared, int kernel_points)
    : shared_(shared), box_(shared), cells_(shared.fields(Staggering::centre)) {
  for (std::size_t d = 0; d < 3; ++d) {
    const MappedBox::Along& a = box_.along[d];
    if (a.cut && reach(kernel_points) > a.ghosts)
      throw Error("a kernel of " + std::to_string(kernel_points) + " points over ranks with " + std::to_string(a.ghosts) +
                  " ghosts (it reaches " + std::to_string(reach(kernel_points)) + " cells) share the grid with so many");
    around_[d] = a.cut || a.turns ? 2 * box_.ghosts : 0; // passes have points that are so far, which spread as far
    points_[d] = a.own + 2 * around_[d];
  }
  for (Array<double>& component : scratch_) component.resize(points_[0] * points_[1] * points_[2]);
}

template <class T> FieldView<T> BoxMaps::own_view(T* field, const std::array<Sign, 3>& sign) const {
  const Grid& box = shared_.box();
  const std::int64_t nx = box.axis(0).cells, ny = box.axis(1).cells;
  FieldView<T> view{.staggering = Staggering::centre, .stride = {1, nx, nx * ny}, .wall_sign = sign, .ghosts = box_.ghosts};
  view.extent = {box_.along[0].own, box_.along[1].own, box_.along[2].own};
  view.data = field + shared_.own_begin(0) + nx * (shared_.own_begin(1) + ny * shared_.own_begin(2));
  return view;
}

FieldView<double> BoxMaps::scratch_view(std::size_t component, const std::array<Sign, 3>& sign) {
  const std::int64_t nx = points_[0], ny = points_[1];
  FieldView<double> view{.staggering = Staggering::centre, .stride = {1, nx, nx * ny}, .wall_sign = sign, .ghosts = box_.ghosts};
  view.data = scratch_[component].data() + around_[0] + nx * (around_[1] + ny * around_[2]);
  return view;
}

/// Own cells have what the field has, so that passes add to it in turn.
void BoxMaps::load(Cpu cpu, const double* field, std::size_t component) {
  double* const scratch = scratch_[component].data();
  const FieldView<const double> from = own_view(field, {});
  for_each(cpu, points_[1] * points_[2], [=, this](std::int64_t row) {
    double* const to = scratch + row * points_[0];
    std::fill_n(to, points_[0], 0.0);
    const std::int64_t j = row % points_[1] - around_[1], k = row / points_[1] - around_[2];
    if (j >= 0 && j < box_.along[1].own && k >= 0 && k < box_.along[2].own) std::copy_n(&from(0, j, k), box_.along[0].own, to + around_[0]);
  });
}

void BoxMaps::store(Cpu cpu, std::size_t component, double* field) const {
  const double* const scratch = scratch_[component].data();
  const FieldView<double> to = own_view(field, {});
  const std::int64_t ny = box_.along[1].own;
  for_each(cpu, ny * box_.along[2].own, [=, this](std::int64_t row) {
    const std::int64_t j = row % ny, k = row / ny;
    std::copy_n(scratch + around_[0] + points_[0] * (j + around_[1] + points_[1] * (k + around_[2])), box_.along[0].own, &to(0, j, k));
  });
}

void BoxMaps::interpolate(Cpu cpu, const BoxOrder& order, const KernelWeights<double>& kernel, Method method, const ConstVectorField& fields,
                          const Signs& signs, const Points& values) {
  const std::int64_t n = order.size(), members = order.members().size();
  std::array<Interpolate<double>, 3> terms;
  for (std::size_t d = 0; d < 3; ++d) {
    columns_[d].resize(members);
    columns_[d].fill(0); // what lies in others' cells stays so
    terms[d] = {own_view(fields[d], signs[d]), {columns_[d].data(), members}};
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
  cells_->fill(std::span<double* const>(fields));
}

} // namespace corral::structure
