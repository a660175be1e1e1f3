#include "mppic/gas/face_sums.hpp"

#include <corral/kernels/linear.hpp>

#include <corral/for_each.hpp>
#include <corral/spread.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace corral::mppic {

using fluid::make_face_arrays;

namespace {

/// The terms of a pass over the parcels; their fields are cleared first.
class Terms {
public:
  Terms(Cpu cpu, const Grid& grid, std::int64_t parcels) : cpu_(cpu), grid_(grid), parcels_(parcels) {}

  void add(const Array<double>& column, Array<double>& field, Staggering staggering) {
    for_each(cpu_, field.size(), [&field](std::int64_t i) { field[i] = 0; });
    all.push_back({{column.data(), parcels_}, field_view(grid_, field.data(), staggering)});
  }

  std::vector<Spread<double>> all;

private:
  Cpu cpu_;
  const Grid& grid_;
  std::int64_t parcels_;
};

} // namespace

FaceSums::FaceSums(const fluid::Domain& domain, const Setup& setup)
    : theta(make_face_arrays(domain.grid())), U(make_face_arrays(domain.grid())), P(make_face_arrays(domain.grid())),
      Q(make_face_arrays(domain.grid())), box_theta(make_face_arrays(domain.grid())),
      box_U(make_face_arrays(domain.grid())), mean_square(domain.grid().cells(), 0.0),
      sauter_radius(domain.grid().cells(), 0.0), domain_(domain), frozen_(setup.solids.frozen),
      inverse_volume_(make_face_arrays(domain.grid())), boxes_(domain.grid()) {
  const Grid& grid = domain.grid();
  for (int d = 0; d < 3; ++d) {
    mean_velocity[static_cast<std::size_t>(d)].resize(grid.cells(), 0.0);
    fluid::for_each_face(Cpu{}, grid, d, [&, d](const fluid::Face& f) {
      inverse_volume_[static_cast<std::size_t>(d)][f.index] = (f.boundary() ? 2 : 1) / grid.cell_volume();
    });
  }
}

void FaceSums::spread(Cpu cpu, const CellOrder<double>& order, const Parcels& parcels, double dt, Flow& flow) {
  set_columns(cpu, parcels, dt);
  spread_faces(cpu, order, parcels);
  spread_cells(cpu, order, parcels, flow);
  divide(cpu, flow);
}

void FaceSums::set_columns(Cpu cpu, const Parcels& parcels, double dt) {
  const std::int64_t n = parcels.size();
  vq_.resize(n);
  for (std::size_t d = 0; d < 3 && !frozen_; ++d) vu_[d].resize(n), vqu_[d].resize(n);
  if (!frozen_) vuu_.resize(n), v_over_r_.resize(n);
  for_each(cpu, n, [&](std::int64_t i) {
    const double x = dt * parcels.drag[i], q = frozen_ ? x : x / (1 + x), v = parcels.volume[i];
    vq_[i] = v * q;
    if (frozen_) return;
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      const double u = (*parcels.velocity[d])[i];
      vu_[d][i] = v * u;
      vqu_[d][i] = v * q * u;
      square += u * u;
    }
    vuu_[i] = v * square;
    v_over_r_[i] = 2 * v / parcels.diameter[i];
  });
}

void FaceSums::spread_faces(Cpu cpu, const CellOrder<double>& order, const Parcels& parcels) {
  Terms terms(cpu, domain_.grid(), parcels.size());
  for (std::size_t d = 0; d < 3; ++d) {
    const Staggering faces = face(static_cast<int>(d));
    terms.add(parcels.volume, theta[d], faces);
    terms.add(vq_, P[d], faces);
    if (frozen_) continue;
    terms.add(vu_[d], U[d], faces);
    terms.add(vqu_[d], Q[d], faces);
  }
  corral::spread<kernels::Linear, double>(cpu, order, kernels::Linear{}, terms.all);
  maps_ = static_cast<int>(terms.all.size());
}

/// Everything that lies in cells, and with it the boxes' sums.
void FaceSums::spread_cells(Cpu cpu, const CellOrder<double>& order, const Parcels& parcels, Flow& flow) {
  std::vector<Boxes::Term> terms{{parcels.volume.data(), flow.solids_fraction.data()}};
  if (!frozen_) {
    for (std::size_t d = 0; d < 3; ++d) {
      terms.push_back({vu_[d].data(), mean_velocity[d].data()});
      terms.front().faces[d] = box_theta[d].data();
      terms.back().faces[d] = box_U[d].data();
    }
    terms.push_back({vuu_.data(), mean_square.data()});
    terms.push_back({v_over_r_.data(), sauter_radius.data()});
  }
  boxes_.spread(cpu, order, parcels.places(), terms);
  maps_ += frozen_ ? 1 : 12;
}

void FaceSums::divide(Cpu cpu, Flow& flow) {
  for (std::size_t d = 0; d < 3; ++d)
    for_each(cpu, theta[d].size(), [&](std::int64_t f) {
      const double s = inverse_volume_[d][f];
      for (fluid::FaceArrays* sums : {&theta, &P, &U, &Q}) (*sums)[d][f] *= s;
      const double per_cell = 1 / domain_.grid().cell_volume();
      for (fluid::FaceArrays* sums : {&box_theta, &box_U}) (*sums)[d][f] *= per_cell;
    });
  const double s = 1 / domain_.grid().cell_volume();
  for_each(cpu, domain_.grid().cells(), [&](std::int64_t c) {
    const double volume = flow.solids_fraction[c];
    flow.solids_fraction[c] *= s;
    const double share = volume * s > 1e-12 ? 1 / volume : 0;
    for (std::size_t d = 0; d < 3; ++d) mean_velocity[d][c] *= share;
    mean_square[c] *= share;
    sauter_radius[c] = sauter_radius[c] > 0 ? volume / sauter_radius[c] : 0;
  });
}

std::array<double, 3> FaceSums::differences(const Grid& grid, const fluid::Cell& c) const {
  std::array<double, 3> squares{};
  const auto filled = [&](std::int64_t cell) { return cell >= 0 && sauter_radius[cell] > 0; };
  for (int d = 0; d < 3; ++d) {
    const std::int64_t below = fluid::neighbour(grid, c, d, false), above = fluid::neighbour(grid, c, d, true);
    const std::int64_t low = filled(below) ? below : c.index, high = filled(above) ? above : c.index;
    const int apart = (low != c.index) + (high != c.index);
    for (std::size_t e = 0; e < 3 && apart > 0; ++e) {
      const double difference = (mean_velocity[e][high] - mean_velocity[e][low]) / apart;
      squares[static_cast<std::size_t>(d)] += difference * difference;
    }
  }
  return squares;
}

double FaceSums::fluctuation(const Grid& grid, const fluid::Cell& c) const {
  double square = mean_square[c.index];
  for (const Array<double>& mean : mean_velocity) square -= mean[c.index] * mean[c.index];
  for (const double difference : differences(grid, c)) square -= difference / 6;
  return std::sqrt(std::max(square, 0.0));
}

double FaceSums::shear(const Grid& grid, const fluid::Cell& c) const {
  const std::array<double, 3> squares = differences(grid, c);
  double sum = 0;
  for (int d = 0; d < 3; ++d) {
    const double h = grid.axis(d).spacing;
    sum += squares[static_cast<std::size_t>(d)] / (h * h);
  }
  return std::sqrt(sum);
}

double FaceSums::crossing(const Grid& grid, std::int64_t cell) const {
  double rate = 0;
  for (int d = 0; d < 3; ++d)
    rate += std::abs(mean_velocity[static_cast<std::size_t>(d)][cell]) / grid.axis(d).spacing;
  return rate;
}

double FaceSums::drag_rate(Cpu cpu, double theta_least, double dt) const {
  double rates = 0, faces = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const double *th = theta[d].data(), *p = P[d].data();
    faces += sum(cpu, theta[d].size(), [=](std::int64_t f) { return th[f] >= theta_least ? 1.0 : 0.0; });
    rates += sum(cpu, theta[d].size(), [=](std::int64_t f) {
      return th[f] >= theta_least ? p[f] / std::max(th[f] - p[f], 1e-9 * th[f]) : 0.0;
    });
  }
  return faces > 0 && dt > 0 ? rates / faces / dt : 0;
}

std::int64_t FaceSums::bytes() const {
  std::int64_t total = mean_square.bytes() + sauter_radius.bytes() + vq_.bytes() + vuu_.bytes() + v_over_r_.bytes();
  for (std::size_t d = 0; d < 3; ++d)
    for (const auto* arrays : {&theta, &U, &P, &Q, &box_theta, &box_U, &inverse_volume_, &mean_velocity, &vu_, &vqu_})
      total += (*arrays)[d].bytes();
  return total;
}

} // namespace corral::mppic
