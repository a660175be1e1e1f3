#pragma once

#include <corral/host_device.hpp>

#include <array>
#include <cmath>
#include <cstddef>

namespace corral::structure::radial {

/// Three numbers along x, y, z, on either processor.
class Vector {
public:
  CORRAL_HOST_DEVICE Vector() : v_{0, 0, 0} {}
  CORRAL_HOST_DEVICE Vector(double x, double y, double z) : v_{x, y, z} {}

  CORRAL_HOST_DEVICE double& operator[](std::size_t d) { return v_[d]; }
  CORRAL_HOST_DEVICE double operator[](std::size_t d) const { return v_[d]; }
  CORRAL_HOST_DEVICE double dot(const Vector& b) const { return v_[0] * b[0] + v_[1] * b[1] + v_[2] * b[2]; }
  CORRAL_HOST_DEVICE Vector cross(const Vector& b) const {
    return {v_[1] * b[2] - v_[2] * b[1], v_[2] * b[0] - v_[0] * b[2], v_[0] * b[1] - v_[1] * b[0]};
  }
  CORRAL_HOST_DEVICE double squared_norm() const { return dot(*this); }
  CORRAL_HOST_DEVICE double norm() const { return std::sqrt(squared_norm()); }
  CORRAL_HOST_DEVICE Vector normalized() const {
    const double square = squared_norm();
    return square > 0 ? *this / std::sqrt(square) : *this;
  }

  CORRAL_HOST_DEVICE Vector& operator+=(const Vector& b) { return *this = *this + b; }
  CORRAL_HOST_DEVICE Vector& operator-=(const Vector& b) { return *this = *this - b; }
  CORRAL_HOST_DEVICE Vector operator-() const { return {-v_[0], -v_[1], -v_[2]}; }
  friend CORRAL_HOST_DEVICE Vector operator+(const Vector& a, const Vector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
  friend CORRAL_HOST_DEVICE Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
  friend CORRAL_HOST_DEVICE Vector operator*(double f, const Vector& a) { return {f * a[0], f * a[1], f * a[2]}; }
  friend CORRAL_HOST_DEVICE Vector operator/(const Vector& a, double f) { return {a[0] / f, a[1] / f, a[2] / f}; }

private:
  double v_[3];
};

/// A symmetric tensor of the surface, by components along a site's frame on the unit sphere.
struct SurfaceTensor {
  double s11 = 0, s12 = 0, s22 = 0;

  CORRAL_HOST_DEVICE double determinant() const { return s11 * s22 - s12 * s12; }
  /// Determinant times inverse.
  CORRAL_HOST_DEVICE SurfaceTensor adjugate() const { return {s22, -s12, s11}; }
  /// a^{ab} b_{ab}
  CORRAL_HOST_DEVICE double contracted(const SurfaceTensor& b) const { return s11 * b.s11 + 2 * s12 * b.s12 + s22 * b.s22; }
  friend CORRAL_HOST_DEVICE SurfaceTensor operator+(const SurfaceTensor& a, const SurfaceTensor& b) {
    return {a.s11 + b.s11, a.s12 + b.s12, a.s22 + b.s22};
  }
  friend CORRAL_HOST_DEVICE SurfaceTensor operator*(double f, const SurfaceTensor& a) { return {f * a.s11, f * a.s12, f * a.s22}; }
};

/// First derivatives X_1, X_2 of positions by a site's frame [m].
struct Tangents {
  Vector x1, x2;

  /// g_ab = X_a . X_b [m2]
  CORRAL_HOST_DEVICE SurfaceTensor metric() const { return {x1.dot(x1), x1.dot(x2), x2.dot(x2)}; }
  /// X_1 x X_2: outwards, the area that a unit of the sphere's has become [m2]
  CORRAL_HOST_DEVICE Vector area() const { return x1.cross(x2); }
};

/// Second derivatives of positions [m].
struct Bends {
  Vector x11, x12, x22;
};

/// A metric and its derivatives by the two parameters [m2].
struct MetricField {
  SurfaceTensor g, by_1, by_2;
};

CORRAL_HOST_DEVICE inline MetricField metric_field(const Tangents& t, const Bends& b) {
  return {t.metric(),
          {2 * b.x11.dot(t.x1), b.x11.dot(t.x2) + b.x12.dot(t.x1), 2 * b.x12.dot(t.x2)},
          {2 * b.x12.dot(t.x1), b.x12.dot(t.x2) + b.x22.dot(t.x1), 2 * b.x22.dot(t.x2)}};
}

/// What forces at a sample site ask of the shape in which a membrane is at rest.
struct RestSite {
  MetricField metric;              ///< G_ab [m2]
  double area = 0;                 ///< sqrt(det G) [m2]
  double mean_curvature = 0;       ///< H0 of bending [1/m]; 0 where it rests flat
  double curvature_by_1 = 0, curvature_by_2 = 0; ///< derivatives of H0 by the site's frame [1/m]
};

/// How a surface bends at a site.
struct Curvature {
  CORRAL_HOST_DEVICE Curvature(const Tangents& t, const Bends& b)
      : area(t.area().norm()), normal(t.area() / area), inverse((1 / (area * area)) * t.metric().adjugate()),
        form{b.x11.dot(normal), b.x12.dot(normal), b.x22.dot(normal)}, mean(-0.5 * inverse.contracted(form)),
        gauss(form.determinant() / (area * area)) {}

  double area;           ///< sqrt(det g): of the surface for a unit of the sphere's [m2]
  Vector normal;         ///< outwards
  SurfaceTensor inverse; ///< g^{ab} [1/m2]
  SurfaceTensor form;    ///< X_ab . n, the second fundamental form [m]
  double mean;           ///< H [1/m]: 1/R of a sphere
  double gauss;          ///< K [1/m2]
};

/// g^{ab} Gamma^c_{ab}, c = 1, 2, of the surface's connection: X_ab = Gamma^c_ab X_c + (X_ab . n) n.
CORRAL_HOST_DEVICE inline std::array<double, 2> traced_connection(const Tangents& t, const Bends& b, const SurfaceTensor& inverse) {
  const Vector bend = inverse.s11 * b.x11 + 2 * inverse.s12 * b.x12 + inverse.s22 * b.x22;
  const double along_1 = bend.dot(t.x1), along_2 = bend.dot(t.x2);
  return {inverse.s11 * along_1 + inverse.s12 * along_2, inverse.s12 * along_1 + inverse.s22 * along_2};
}

} // namespace corral::structure::radial
