#include "mppic/contact/contact.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>

namespace corral::mppic {

using fluid::Cell;
using fluid::Face;
using fluid::FaceKind;
using fluid::make_face_arrays;

namespace {

constexpr double empty = 1e-9;       ///< solids fraction of a face that holds nothing [-]
constexpr double dilute = 1e-3;      ///< solids fraction below which nothing touches, and which every push moves [-]
constexpr double tolerance = 1e-6;   ///< of the relative change of volume in a step [-]
constexpr double steepest = 1.05;    ///< slope of the pressure that the gas is told of, over that of packed weight [-]
constexpr double told = 0.5;         ///< share of a step's change that the gas is told of: more, and both answer each other
constexpr int limiting_sweeps = 3;

/// r(pi) of a cell: what the step does to its volume without contact, and how far pi lets it be compressed.
struct ContactLaw {
  const HarrisCrighton& stress;
  double low;                                   ///< solids fraction below which there is no contact [-]
  const double *theta, *advected, *compression; ///< theta_c, theta_a, dt div u_s

  /// The pressure from which on pi lets the solids be compressed further; infinite where nothing does.
  double kink(std::int64_t c) const {
    const double from = std::max(low, advected[c]);
    return from < stress.theta_cp ? stress.tau(from) : 1e300;
  }
  double below_kink(std::int64_t c) const { return compression[c] + std::max(0.0, low - advected[c]) / theta[c]; }

  Complementarity::Value at(std::int64_t c, double pi) const {
    if (theta[c] <= dilute) return {1e3, 0};
    if (pi < kink(c)) return {below_kink(c), 0};
    const PackedFraction packed = stress.inverse(pi);
    return {compression[c] + (packed.theta - advected[c]) / theta[c], packed.dtheta_dpi / theta[c]};
  }

  double root(std::int64_t c, double a, double s) const {
    if (theta[c] <= dilute || below_kink(c) >= s) return 0;
    const double flat = (s - below_kink(c)) / a, from = kink(c);
    if (flat <= from) return flat;
    // Beyond the kink a pi + r rises and is concave: Newton's iterates rise towards the root and never cross it.
    double pi = from;
    for (int i = 0; i < 8; ++i) {
      const Complementarity::Value v = at(c, pi);
      const double step = (s - a * pi - v.r) / (a + v.slope);
      pi += step;
      if (step <= 1e-3 * pi) break;
    }
    return pi;
  }

  double beyond(std::int64_t c, double pi, double e, double a) const {
    const double from = kink(c), over = pi + e - from;
    return pi < from && over > 0 ? from + over * a / (a + at(c, from).slope) : pi + e;
  }
};

/// What acts on solids at a wall: a push only where it leads away.
double inward(const Face& f, double push) { return f.below < 0 ? std::max(push, 0.0) : std::min(push, 0.0); }

/// What the trilinear map makes of a packed cell at a surface: less than what packs it. `ratio` is the solids fraction of
/// the next cell over the cell's own. A surface s cells above the cell's centre leaves 1/2 + s - s^2/2 in it and s^2/2 in
/// the next.
double coverage_beside(double ratio) {
  const double s = std::min((ratio + std::sqrt(ratio * (1 + 2 * ratio))) / (1 + ratio), 1.0);
  return 1 - 0.5 * (1 - s) * (1 - s);
}

} // namespace

Contact::Contact(const fluid::Domain& domain, const Setup& setup)
    : domain_(domain), solids_(setup.solids), complementarity_(domain), friction_(domain, setup),
      u_s_(make_face_arrays(domain.grid())), box_flux_(make_face_arrays(domain.grid())), m_(make_face_arrays(domain.grid(), 1.0)),
      t_(make_face_arrays(domain.grid())), b_(make_face_arrays(domain.grid())), du_(make_face_arrays(domain.grid())),
      floor_load_(domain.grid().axis(0).cells * domain.grid().axis(1).cells, 0.0) {
  double square = 0;
  for (const double g : setup.gravity) square += g * g;
  weight_ = std::sqrt(square) * std::abs(1 - setup.gas.rho / setup.solids.rho);
  for (Array<double>* a : {&compression_, &advected_, &next_, &limited_, &coverage_}) a->resize(domain.grid().cells(), 0.0);
}

void Contact::advance(Cpu cpu, const FaceSums& sums, const Gas& gas, double dt, Flow& flow) {
  report_ = {};
  set_velocity(cpu, sums, gas);
  if (!solids_.packing) return;
  set_mobility(cpu, sums, dt);
  set_law(cpu, gas, dt, flow);
  const ContactLaw law{solids_.stress, solids_.stress.touching(), flow.solids_fraction.data(), advected_.data(),
                       compression_.data()};
  report_ = complementarity_.solve(cpu, b_, law, flow.contact_pressure, tolerance);
  set_push(cpu, gas, dt, flow);
  friction_.hold(cpu, u_s_, m_, dt, du_, flow);
  set_floor_load(cpu, sums, gas, dt);
}

/// u_s, and with it the flux of the boxes: that of the parcels as they came, and what the step has added since.
void Contact::set_velocity(Cpu cpu, const FaceSums& sums, const Gas& gas) {
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double *Fs = gas.solids_flux()[i].data(), *inflow = gas.solids_inflow()[i].data();
    for_each(cpu, u_s_[i].size(), [&, d, i](std::int64_t f) {
      const double theta = sums.theta[i][f];
      const bool filled = theta > empty;
      u_s_[i][f] = filled ? Fs[f] / theta : 0;
      if (domain_.kind(d, f) == FaceKind::fixed)
        box_flux_[i][f] = inflow[f];
      else
        box_flux_[i][f] = sums.box_U[i][f] + (filled ? sums.box_theta[i][f] * (Fs[f] - sums.U[i][f]) / theta : 0);
    });
  }
}

/// m = 1 - P/theta: what drag leaves of a push. A floor would let gas carry a resting bed of powder.
void Contact::set_mobility(Cpu cpu, const FaceSums& sums, double dt) {
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double h = domain_.grid().axis(d).spacing, scale = dt * dt / (solids_.rho * h * h);
    for_each(cpu, m_[i].size(), [&, d, i, scale](std::int64_t f) {
      const double theta = sums.theta[i][f];
      m_[i][f] = theta > empty ? std::max(1 - sums.P[i][f] / theta, 1e-3) : 1.0;
      t_[i][f] = std::max(theta, dilute);
      const bool interior = domain_.kind(d, f) == FaceKind::interior;
      b_[i][f] = interior ? scale * domain_.aperture(d, f) * m_[i][f] / t_[i][f] : 0;
    });
  }
}

/// dt div u_s, and theta_a: what the flow makes of theta without compressing it, over the cell's coverage.
void Contact::set_law(Cpu cpu, const Gas& gas, double dt, const Flow& flow) {
  const Array<double>& theta = flow.solids_fraction;
  const auto velocity = [&](int d, std::int64_t f) {
    const auto i = static_cast<std::size_t>(d);
    return domain_.kind(d, f) == FaceKind::fixed ? gas.solids_inflow()[i][f] / solids_.stress.theta_cp : u_s_[i][f];
  };
  const auto flux = [&](int d, std::int64_t f) { return box_flux_[static_cast<std::size_t>(d)][f]; };
  fluid::for_each_cell(cpu, domain_.grid(), [&](const Cell& c) {
    compression_[c.index] = dt * fluid::divergence(domain_.view(), c, velocity);
    advected_[c.index] = theta[c.index] * (1 + compression_[c.index]) - dt * fluid::divergence(domain_.view(), c, flux);
    coverage_[c.index] = 1;
    if (theta[c.index] <= dilute) return;
    double least = 1;
    for (int d = 0; d < 3; ++d)
      for (const bool above : {false, true}) {
        const std::int64_t beside = fluid::neighbour(domain_.grid(), c, d, above);
        if (beside >= 0) least = std::min(least, theta[beside] / theta[c.index]);
      }
    coverage_[c.index] = coverage_beside(least);
    advected_[c.index] /= coverage_[c.index];
  });
}

void Contact::set_push(Cpu cpu, const Gas& gas, double dt, const Flow& flow) {
  const double* pi = flow.contact_pressure.data();
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double scale = dt / (solids_.rho * domain_.grid().axis(d).spacing);
    fluid::for_each_face(cpu, domain_.grid(), d, [&, d, i, scale](const Face& face) {
      const std::int64_t f = face.index;
      du_[i][f] = 0;
      if (domain_.kind(d, f) == FaceKind::interior) {
        du_[i][f] = -m_[i][f] * scale * (pi[face.above] - pi[face.below]) / t_[i][f];
      } else if (domain_.kind(d, f) == FaceKind::fixed && gas.solids_inflow()[i][f] == 0) {
        // The wall's own contact: the half cell beside it does not move into it where the cell is packed.
        if (pi[face.below < 0 ? face.above : face.below] > 0) du_[i][f] = inward(face, -u_s_[i][f]);
      }
    });
  }
}

/// What the push and what the gas expected of it gave a column: between cells the parts of pi cancel, what is left is
/// the floor's, its friction and the weight of the lowest half cell included.
void Contact::set_floor_load(Cpu cpu, const FaceSums& sums, const Gas& gas, double dt) {
  const Axis& axis = domain_.grid().axis(2);
  const std::int64_t plane = floor_load_.size(), last = axis.cells * plane;
  const double *theta = sums.theta[2].data(), *P = sums.P[2].data(), *w = gas.felt_contact()[2].data();
  for_each(cpu, plane, [&](std::int64_t floor) {
    floor_load_[floor] = 0;
    if (domain_.kind(2, floor) != FaceKind::fixed) return;
    double load = 0;
    for (std::int64_t f = floor; f < du_[2].size(); f += plane) {
      const double part = f == floor || f >= last ? 0.5 : 1;
      load += part * (theta[f] * du_[2][f] / dt + P[f] * w[f]);
    }
    floor_load_[floor] = solids_.rho * axis.spacing * load;
  });
}

void Contact::remember(Cpu cpu, const Gas& gas, Flow& flow) {
  if (!solids_.packing) return;
  limit(cpu, flow);
  const Grid& grid = domain_.grid();
  const double most = steepest * weight_;
  for (int d = 0; d < 3; ++d) {
    const auto i = static_cast<std::size_t>(d);
    Array<double>& w = b_[i]; // its work is done
    const double scale = 1 / (solids_.rho * grid.axis(d).spacing);
    fluid::for_each_face(cpu, grid, d, [&](const Face& f) {
      w[f.index] = 0;
      if (domain_.kind(d, f.index) != FaceKind::interior) return;
      const double rise = limited_[f.above] - limited_[f.below];
      w[f.index] = std::clamp(-scale * rise / t_[i][f.index], -most, most);
    });
    fluid::for_each_face(cpu, grid, d, [&](const Face& f) {
      if (domain_.kind(d, f.index) != FaceKind::fixed) return;
      const std::int64_t inner = fluid::inner_face(grid, d, f);
      if (inner >= 0) w[f.index] = inward(f, w[inner]);
    });
    const Array<double>& friction = *flow.friction_acceleration[i];
    for_each(cpu, w.size(), [&](std::int64_t f) { w[f] += friction[f]; });
    Array<double>& expected = *flow.contact_acceleration[i];
    gas.filter().apply(cpu, d, w.data(), t_[i].data()); // which has done its work, too
    for_each(cpu, w.size(), [&](std::int64_t f) {
      expected[f] += told * StaticFriction::heeded(m_[i][f]) * (t_[i][f] - expected[f]);
    });
  }
}

/// pi, no steeper between neighbours than packed weight makes it. Limiting pi, not its gradient, keeps the sum of the
/// forces.
void Contact::limit(Cpu cpu, const Flow& flow) {
  for_each(cpu, limited_.size(), [&](std::int64_t c) { limited_[c] = flow.contact_pressure[c]; });
  for (int sweep = 0; sweep < limiting_sweeps; ++sweep) {
    fluid::for_each_cell(cpu, domain_.grid(), [&](const Cell& c) {
      double least = limited_[c.index];
      for (int d = 0; d < 3 && least > 0; ++d) {
        const auto i = static_cast<std::size_t>(d);
        const double rise = steepest * weight_ * solids_.rho * domain_.grid().axis(d).spacing;
        for (const bool above : {false, true}) {
          const std::int64_t f = above ? c.high[i] : c.low[i], beside = fluid::neighbour(domain_.grid(), c, d, above);
          if (beside >= 0 && domain_.kind(d, f) == FaceKind::interior)
            least = std::min(least, limited_[beside] + rise * t_[i][f]);
        }
      }
      next_[c.index] = least;
    });
    std::swap(limited_, next_);
  }
}

std::int64_t Contact::bytes() const {
  std::int64_t total = complementarity_.bytes() + friction_.bytes() + floor_load_.bytes();
  for (const fluid::FaceArrays* arrays : {&u_s_, &box_flux_, &m_, &t_, &b_, &du_})
    for (const Array<double>& a : *arrays) total += a.bytes();
  for (const Array<double>* a : {&compression_, &advected_, &next_, &limited_, &coverage_}) total += a->bytes();
  return total;
}

} // namespace corral::mppic
