#include "fluid/momentum.hpp"

#include <cmath>

namespace corral::fluid {

MomentumForces::MomentumForces(const Domain& domain, double rho, double mu, Advection advection)
    : domain_(domain), rho_(rho), mu_(mu), advection_(advection) {
  for (int d = 0; d < 3; ++d) {
    Padded& p = u_[static_cast<std::size_t>(d)];
    for (int e = 0; e < 3; ++e) p.points[static_cast<std::size_t>(e)] = domain.grid().points(face(d), e);
    p.stride = {1, p.points[0] + 2 * ghosts, (p.points[0] + 2 * ghosts) * (p.points[1] + 2 * ghosts)};
    p.values.resize(p.stride[2] * (p.points[2] + 2 * ghosts), 0.0);
  }
}

void MomentumForces::operator()(Cpu cpu, const std::array<const double*, 3>& u, const std::array<double*, 3>& force) {
  for (int d = 0; d < 3; ++d) fill(cpu, d, u[static_cast<std::size_t>(d)]);
  for (int d = 0; d < 3; ++d) {
    double* f = force[static_cast<std::size_t>(d)];
    if (advection_ == Advection::upwind)
      add_up<Advection::upwind>(cpu, d, f);
    else
      add_up<Advection::van_leer>(cpu, d, f);
  }
}

void MomentumForces::fill(Cpu cpu, int d, const double* u) {
  Padded& p = u_[static_cast<std::size_t>(d)];
  double* origin = p.origin();
  for_each_chunk(cpu, p.points[1] * p.points[2], rows_per_task, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row)
      std::copy_n(u + row * p.points[0], p.points[0],
                  origin + (row % p.points[1]) * p.stride[1] + (row / p.points[1]) * p.stride[2]);
  });
  for (int along = 0; along < 3; ++along) fill_ghosts(cpu, d, along); // in this order edges and corners are set, too
}

void MomentumForces::fill_ghosts(Cpu cpu, int d, int along) {
  Padded& p = u_[static_cast<std::size_t>(d)];
  const auto a = static_cast<std::size_t>(along), b = (a + 1) % 3, c = (a + 2) % 3;
  const std::int64_t n = p.points[a];
  const bool periodic = domain_.grid().axis(along).periodic(), normal = along == d;
  const auto slip = [&](bool high) {
    return domain_.side_kind(side(along, high)) == SideKind::no_slip ? -1.0 : 1.0;
  };
  const double low_sign = slip(false), high_sign = slip(true);
  const auto inside = [n](std::int64_t i) { return std::min(std::max<std::int64_t>(i, 0), n - 1); };
  const std::int64_t nb = p.points[b] + 2 * ghosts, nc = p.points[c] + 2 * ghosts;
  double* const origin = p.values.data() + ghosts * p.stride[a];
  for_each_chunk(cpu, nb * nc, 256, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t line = begin; line < end; ++line) {
      double* u = origin + (line % nb) * p.stride[b] + (line / nb) * p.stride[c];
      const auto at = [&](std::int64_t i) -> double& { return u[i * p.stride[a]]; };
      for (std::int64_t g = 1; g <= ghosts; ++g) {
        if (periodic) {
          at(-g) = at(((n - g) % n + n) % n);
          at(n - 1 + g) = at((g - 1) % n);
        } else if (normal) {
          at(-g) = at(0);
          at(n - 1 + g) = at(n - 1);
        } else {
          at(-g) = low_sign * at(inside(g - 1));
          at(n - 1 + g) = high_sign * at(inside(n - g));
        }
      }
    }
  });
}

namespace {

/// The value between `centre` and `downstream` from the three values in the direction of the flow.
template <Advection scheme> double advected(double upstream, double centre, double downstream) {
  if constexpr (scheme == Advection::upwind) return centre;
  const double behind = centre - upstream, ahead = downstream - centre, product = behind * ahead;
  return product > 0 ? centre + product / (behind + ahead) : centre; // half of van Leer's harmonic slope
}

} // namespace

template <Advection scheme> void MomentumForces::add_up(Cpu cpu, int d, double* force) const {
  const Padded& p = u_[static_cast<std::size_t>(d)];
  const auto n = p.points;
  const auto normal = static_cast<std::size_t>(d);
  for_each_chunk(cpu, n[1] * n[2], rows_per_task, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t j = row % n[1], k = row / n[1];
      const double* u = p.origin() + j * p.stride[1] + k * p.stride[2];
      double* out = force + row * n[0];
      std::fill(out, out + n[0], 0.0);
      for (int e = 0; e < 3; ++e) {
        const auto axis = static_cast<std::size_t>(e);
        const double h = 1 / domain_.grid().axis(e).spacing, viscous = mu_ * h * h, advective = rho_ * h;
        const std::int64_t s = p.stride[axis];
        const Padded& carrier = u_[axis];
        const double* v = carrier.origin() + j * carrier.stride[1] + k * carrier.stride[2];
        const std::int64_t sd = carrier.stride[normal], se = carrier.stride[axis];
        for (std::int64_t i = 0; i < n[0]; ++i) {
          const double c = u[i], low = u[i - s], high = u[i + s];
          const double* w = v + i;
          const double speed = e == d ? c : 0.25 * (w[0] + w[se] + w[-sd] + w[se - sd]);
          const double difference =
              speed > 0 ? advected<scheme>(low, c, high) - advected<scheme>(u[i - 2 * s], low, c)
                        : advected<scheme>(u[i + 2 * s], high, c) - advected<scheme>(high, c, low);
          out[i] += viscous * (high - 2 * c + low) - advective * speed * difference;
        }
      }
    }
  });
}

} // namespace corral::fluid
