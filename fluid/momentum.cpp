#include "fluid/momentum.hpp"

#include <algorithm>
#include <cmath>

namespace corral::fluid {

MomentumForces::MomentumForces(const Domain& domain, double rho, double mu, Advection advection)
    : domain_(domain), rho_(rho), mu_(mu), advection_(advection) {
  for (int d = 0; d < 3; ++d) {
    Padded& p = u_[static_cast<std::size_t>(d)];
    for (int e = 0; e < 3; ++e) p.points[static_cast<std::size_t>(e)] = domain.grid().points(face(d), e);
    p.stride = {1, p.points[0] + 2 * ghosts, (p.points[0] + 2 * ghosts) * (p.points[1] + 2 * ghosts)};
    p.values.resize(p.stride[2] * (p.points[2] + 2 * ghosts), 0.0);
    // As large as the largest component, so that no step allocates.
    carried_.values.resize(std::max(carried_.values.size(), p.values.size()), 0.0);
    rates_.resize(std::max(rates_.size(), p.points[0] * p.points[1] * p.points[2]), 0.0);
  }
}

void MomentumForces::operator()(Cpu cpu, const std::array<const double*, 3>& u, const std::array<double*, 3>& force) {
  for (std::size_t d = 0; d < 3; ++d) fill(cpu, static_cast<int>(d), u[d]);
  for (std::size_t d = 0; d < 3; ++d) evaluate(cpu, static_cast<int>(d), u_[d], force[d]);
}

int MomentumForces::operator()(Cpu cpu, double dt, const std::array<const double*, 3>& u,
                               const std::array<double*, 3>& force) {
  double rate = 0;
  for (std::size_t d = 0; d < 3; ++d) fill(cpu, static_cast<int>(d), u[d]);
  for (int d = 0; d < 3; ++d) rate = std::max(rate, find_rates(cpu, d));
  const bool whole = !(dt * rate > 1);
  const int n = whole ? 1 : static_cast<int>(std::min<double>(std::ceil(dt * rate), most_substeps));
  for (std::size_t d = 0; d < 3; ++d) {
    if (whole)
      evaluate(cpu, static_cast<int>(d), u_[d], force[d]);
    else
      carry(cpu, static_cast<int>(d), dt, n, force[d]);
  }
  return n;
}

/// Component d through n sub-steps; the carrying velocity and with it the rates stay.
void MomentumForces::carry(Cpu cpu, int d, double dt, int n, double* force) {
  const Padded& u = u_[static_cast<std::size_t>(d)];
  Padded& v = carried_;
  v.points = u.points;
  v.stride = u.stride;
  const auto for_each_row = [&](auto f) { // f(index of the row's first face, its place in padded fields)
    for_each_chunk(cpu, u.points[1] * u.points[2], rows_per_task, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row)
        f(row * u.points[0], (row % u.points[1]) * u.stride[1] + (row / u.points[1]) * u.stride[2]);
    });
  };
  for_each(cpu, u.values.size(), [&](std::int64_t i) { v.values[i] = u.values[i]; });
  find_rates(cpu, d);
  const double substep = dt / n;
  for (int k = 0; k < n; ++k) {
    evaluate(cpu, d, v, force);
    for_each_row([&](std::int64_t face, std::int64_t at) {
      for (std::int64_t i = 0; i < u.points[0]; ++i)
        if (domain_.kind(d, face + i) != FaceKind::fixed)
          v.origin()[at + i] += substep / rho_ * force[face + i] / std::max(1.0, substep * rates_[face + i]);
    });
    fill_ghosts(cpu, v, d);
  }
  for_each_row([&](std::int64_t face, std::int64_t at) {
    for (std::int64_t i = 0; i < u.points[0]; ++i)
      force[face + i] = rho_ / dt * (v.origin()[at + i] - u.origin()[at + i]);
  });
}

void MomentumForces::fill(Cpu cpu, int d, const double* u) {
  Padded& p = u_[static_cast<std::size_t>(d)];
  double* origin = p.origin();
  for_each_chunk(cpu, p.points[1] * p.points[2], rows_per_task, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row)
      std::copy_n(u + row * p.points[0], p.points[0],
                  origin + (row % p.points[1]) * p.stride[1] + (row / p.points[1]) * p.stride[2]);
  });
  fill_ghosts(cpu, p, d);
}

void MomentumForces::fill_ghosts(Cpu cpu, Padded& p, int d) const {
  for (int along = 0; along < 3; ++along) fill_ghosts(cpu, p, d, along); // in this order edges and corners are set, too
}

void MomentumForces::fill_ghosts(Cpu cpu, Padded& p, int d, int along) const {
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

/// The velocity that carries a face's value along an axis, from the component v of that axis where the face is: the
/// face's own along its normal, else the mean of the four faces of that axis around it, a step `normal` back and a step
/// `axis` on.
inline double carrying(bool along_normal, const double* v, std::int64_t normal, std::int64_t axis) {
  return along_normal ? v[0] : 0.25 * (v[0] + v[axis] + v[-normal] + v[axis - normal]);
}

/// The value between `centre` and `downstream` from the three values in the direction of the flow.
template <Advection scheme> double advected(double upstream, double centre, double downstream) {
  if constexpr (scheme == Advection::upwind) return centre;
  const double behind = centre - upstream, ahead = downstream - centre, product = behind * ahead;
  return product > 0 ? centre + product / (behind + ahead) : centre; // half of van Leer's harmonic slope
}

} // namespace

void MomentumForces::evaluate(Cpu cpu, int d, const Padded& carried, double* force) const {
  if (advection_ == Advection::upwind)
    add_up<Advection::upwind>(cpu, d, carried, force);
  else
    add_up<Advection::van_leer>(cpu, d, carried, force);
}

template <Advection scheme>
void MomentumForces::add_up(Cpu cpu, int d, const Padded& p, double* force) const {
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
          const double speed = carrying(e == d, v + i, sd, se);
          const double difference =
              speed > 0 ? advected<scheme>(low, c, high) - advected<scheme>(u[i - 2 * s], low, c)
                        : advected<scheme>(u[i + 2 * s], high, c) - advected<scheme>(high, c, low);
          out[i] += viscous * (high - 2 * c + low) - advective * speed * difference;
        }
      }
    }
  });
}

/// Sets `rates_` for component d and returns the largest.
double MomentumForces::find_rates(Cpu cpu, int d) {
  const auto normal = static_cast<std::size_t>(d);
  const auto n = u_[normal].points;
  const double slope = advection_ == Advection::upwind ? 1 : 2;
  for_each_chunk(cpu, n[1] * n[2], rows_per_task, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t j = row % n[1], k = row / n[1];
      double* out = rates_.data() + row * n[0];
      std::fill(out, out + n[0], 0.0);
      for (int e = 0; e < 3; ++e) {
        const auto axis = static_cast<std::size_t>(e);
        const Padded& carrier = u_[axis];
        const double* v = carrier.origin() + j * carrier.stride[1] + k * carrier.stride[2];
        const std::int64_t sd = carrier.stride[normal], se = carrier.stride[axis];
        // A single point is its own neighbour, but where a no-slip wall turns its sign.
        if (n[axis] == 1 && domain_.side_kind(side(e, false)) != SideKind::no_slip &&
            domain_.side_kind(side(e, true)) != SideKind::no_slip)
          continue;
        const double h = domain_.grid().axis(e).spacing, advective = slope / h, viscous = 2 * mu_ / (rho_ * h * h);
        for (std::int64_t i = 0; i < n[0]; ++i)
          out[i] += viscous + advective * std::abs(carrying(e == d, v + i, sd, se));
      }
    }
  });
  return maximum(cpu, n[0] * n[1] * n[2], 0, [&](std::int64_t f) { return rates_[f]; });
}

} // namespace corral::fluid
