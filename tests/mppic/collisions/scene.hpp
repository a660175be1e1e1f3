#pragma once

#include "mppic/collisions/collisions.hpp"
#include "mppic/contact/damping.hpp"
#include "tests/engine/cases.hpp"
#include "tests/mppic/small_beds.hpp"

#include <corral/interpolate.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <deque>

namespace corral::test {

/// Parcels that nothing but collisions acts on.
inline mppic::Setup alone(std::array<std::int64_t, 3> cells, double length, fluid::SideKind side) {
  mppic::Setup s = empty_box(cells, {length, length, length});
  s.sides.fill(side);
  s.gas.solved = false;
  s.gravity = {0, 0, 0};
  s.solids.two_way = s.solids.packing = false;
  s.solids.drag = {mppic::DragLaw::constant, 1, 1, 0};
  s.solids.restitution = 0.9;
  return s;
}

inline mppic::Seed filling(const mppic::Setup& s, double theta, std::int64_t parcels, double diameter) {
  mppic::Seed seed = bed(s, s.size[2], theta, parcels, diameter);
  seed.seeding.arrangement = mppic::Arrangement::random;
  return seed;
}

/// sqrt(mean |u - ubar|^2) by volume.
inline double sigma(const mppic::Parcels& p) {
  double volume = 0, square = 0;
  std::array<double, 3> mean{};
  for (std::int64_t i = 0; i < p.size(); ++i) {
    volume += p.volume[i];
    for (std::size_t d = 0; d < 3; ++d) mean[d] += p.volume[i] * (*p.velocity[d])[i];
  }
  for (std::int64_t i = 0; i < p.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d) square += p.volume[i] * std::pow((*p.velocity[d])[i] - mean[d] / volume, 2);
  return std::sqrt(square / volume);
}

/// Random velocities whose sigma is exactly this, about a mean that is not 0.
inline void stir(Bed& b, double wanted) {
  Random random(5);
  std::array<Array<double>*, 3> u{};
  for (run::Entry& e : b.registry.entries())
    if (e.name == "velocity") u[e.component] = e.reals();
  for (Array<double>* column : u)
    for (double& v : *column) v = random.uniform(-1, 1);
  const double scale = wanted / sigma(b.step.parcels());
  for (Array<double>* column : u)
    for (double& v : *column) v = 0.3 + scale * v;
}

/// A grid with parcels in cell order, spread, whatever their velocities.
struct StirredBox {
  mppic::Setup setup;
  fluid::Domain domain;
  run::Registry registry;
  mppic::Parcels parcels;
  mppic::Flow flow;
  CellOrder<double> order;
  mppic::StepScratch scratch;
  mppic::FaceSums sums;
  mppic::Damping damping;
  mppic::Collisions collisions;

  template <class Velocity>
  StirredBox(const mppic::Setup& s, std::int64_t n, Velocity velocity)
      : setup(s), domain(setup.make_domain()), registry(domain.grid()), parcels(registry), flow(registry),
        order(domain.grid(), {Offset::half, Offset::half, Offset::half}), scratch(domain), sums(domain, setup, scratch),
        damping(domain, setup, scratch),
        collisions(domain, setup, scratch) {
    Random random(9);
    parcels.set.resize(n);
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::size_t d = 0; d < 3; ++d) (*parcels.position[d])[i] = random.uniform(0, setup.size[d]);
      parcels.volume[i] = random.uniform(0.5, 1) * 0.4 * setup.size[0] * setup.size[1] * setup.size[2] / double(n);
      parcels.diameter[i] = random.uniform(5e-4, 1e-3);
      velocity(i, random);
    }
    order.sort(Cpu{}, parcels.positions());
    parcels.set.reorder(Cpu{}, order);
    sums.spread(Cpu{}, order, parcels, 1e-3, flow);
  }
  /// After velocities have been changed.
  void spread(double dt) { sums.spread(Cpu{}, order, parcels, dt, flow); }
  const mppic::Damping& damped(double dt) {
    damping.advance(Cpu{}, sums, dt, flow, collisions.frequency(Cpu{}, order, parcels, sums, flow));
    return damping;
  }
  /// A step of dt, its columns of what acts on parcels filled with anything.
  mppic::Motion motion(double dt) {
    mppic::Motion m{};
    m.dt = dt;
    m.parcels = parcels.view();
    Random random(31);
    const auto column = [&](double low, double high) {
      Array<double>& values = made_.emplace_back(parcels.size(), 0.0);
      for (double& v : values) v = random.uniform(low, high);
      return values.data();
    };
    for (std::size_t d = 0; d < 3; ++d) {
      m.at.gas[d] = column(-1, 1);
      m.at.force[d] = column(-3e4, 3e4);
      m.at.push[d] = column(-0.1, 0.1);
      m.at.damped[d] = column(0, 0);
      m.way.step[d] = column(0, 0);
    }
    m.at.eps = column(0.4, 1);
    m.at.damping = column(0, 0);
    m.way.slip = column(0, 0);
    return m;
  }
  Array<double> at_parcels(const Array<double>& cells) {
    Array<double> column(parcels.size());
    interpolate<kernels::Linear, double>(
        Cpu{}, order, kernels::Linear{},
        {{field_view<const double>(domain.grid(), cells.data(), Staggering::centre), {column.data(), column.size()}}});
    return column;
  }

private:
  std::deque<Array<double>> made_;
};

} // namespace corral::test
