#include "structure/triangles/reference.hpp"

#include "structure/triangles/bending.hpp"

#include <corral/error.hpp>

#include <cmath>
#include <string>

namespace corral::structure {

TriangleReference::TriangleReference(const Connectivity& connectivity, std::span<const Vector> points,
                                     const Material& material) {
  const ConnectivityView shape = connectivity.view();
  set_metric(shape, points);
  if (material.bending_law == BendingLaw::none || material.rest_curvature == RestCurvature::flat) return;
  const std::array<Array<double>, 3> places = components(points);
  set_rest({shape, structure::view(places)}, material.bending_law);
}

void TriangleReference::set_metric(const ConnectivityView& shape, std::span<const Vector> points) {
  metric_.resize(5 * shape.triangles);
  area_.resize(shape.vertices, 0);
  double lengths = 0;
  for (std::int64_t t = 0; t < shape.triangles; ++t) {
    const std::int32_t* const corner = shape.corner + 3 * t;
    const Vector& x0 = points[corner[0]];
    const Vector E1 = points[corner[1]] - x0;
    const Vector E2 = points[corner[2]] - x0;
    const double a = dot(E1, E1), b = dot(E1, E2), c = dot(E2, E2), D = a * c - b * b;
    if (!(D > 1e-20 * a * c))
      throw Error("triangle " + std::to_string(t) + " of a reference shape has no area (its stretch has no meaning)");
    const double area = 0.5 * std::sqrt(D);
    const double values[5] = {area, c / D, -b / D, a / D, 1 / D};
    for (int j = 0; j < 5; ++j) metric_[5 * t + j] = values[j];
    for (int k = 0; k < 3; ++k) area_[corner[k]] += area / 3;
    lengths += std::sqrt(a) + std::sqrt(c) + std::sqrt(a - 2 * b + c);
  }
  spacing_ = lengths / static_cast<double>(3 * shape.triangles);
}

void TriangleReference::set_rest(const MembraneView& membrane, BendingLaw law) {
  const ConnectivityView& shape = membrane.shape;
  Array<double> normals(4 * shape.triangles), areas(3 * shape.triangles);
  set_normals(Cpu{}, 1, membrane, metric_.data(), normals.data(), areas.data());
  if (law == BendingLaw::helfrich) {
    curvature_.resize(shape.vertices);
    for (std::int64_t v = 0; v < shape.vertices; ++v)
      curvature_[v] = curvature_at(membrane, normals.data(), areas.data(), 0, v).H;
    return;
  }
  fold_.resize(6 * shape.triangles);
  for (std::int64_t t = 0; t < shape.triangles; ++t)
    for (int k = 0; k < 3; ++k) {
      const Fold fold = fold_at(membrane, normals.data(), 0, t, k);
      fold_[6 * t + 2 * k] = fold.cos;
      fold_[6 * t + 2 * k + 1] = fold.sin;
    }
}

void TriangleReference::move_to(Memory memory) {
  for (Array<double>* array : {&metric_, &fold_, &curvature_, &area_})
    if (!array->empty()) *array = {array->span(), memory}; // what is empty stays null
}

} // namespace corral::structure
