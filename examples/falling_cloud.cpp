// A cloud of grains falls in a viscous liquid without walls: each is a point force, and moves with the flow of all
// others.
#include "stokes/sum_plan.hpp"

#include <corral/corral.hpp>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

int main() {
  using namespace corral;
  constexpr double mu = 1, radius = 1, weight = 1e-3; // viscosity [Pa s], of the cloud [m], of a grain [N]
  std::vector<double> x, velocity, force;             // interleaved x y z
  double u = 0.5, v = 0.5, w = 0.5;                   // points that fill a cube evenly; the sphere keeps half of them
  while (x.size() < 3 * 2000) {
    u = std::fmod(u + 0.8191725133961645, 1.0), v = std::fmod(v + 0.6710436067037893, 1.0);
    w = std::fmod(w + 0.5497004779019703, 1.0);
    const double a = 2 * u - 1, b = 2 * v - 1, c = 2 * w - 1;
    if (a * a + b * b + c * c < 1) x.insert(x.end(), {radius * a, radius * b, radius * c});
  }
  const auto n = static_cast<std::int64_t>(x.size() / 3);
  force.assign(x.size(), 0.0);
  velocity.assign(x.size(), 0.0);
  for (std::size_t i = 2; i < force.size(); i += 3) force[i] = -weight;

  stokes::Task task;
  task.box = {
      .origin = {-2, -2, -5}, .edge = {4, 4, 8}, .periodic = {false, false, false}}; // [m]; the cloud stays in it
  task.tolerance = 1e-4;
  task.sources = task.targets = n;
  stokes::SumPlan plan(task);
  const stokes::Sources sources{
      .at = positions(x.data(), n),
      .strength = {{{force.data(), n, 3}, {force.data() + 1, n, 3}, {force.data() + 2, n, 3}}}};
  stokes::Targets targets;
  targets.at = sources.at;
  for (std::size_t d = 0; d < 3; ++d) targets.velocity[d] = {velocity.data() + d, n, 3};

  // The mean of what forces F that fill a sphere evenly do to each other.
  const double cloud = static_cast<double>(n) * weight / (5 * std::numbers::pi * mu * radius),
               dt = 0.1 * radius / cloud;
  double fallen = 0, mean = 0;
  for (int step = 0; step < 20; ++step) {
    plan(Cpu{}, sources, targets);
    mean = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double speed = velocity[i] / (8 * std::numbers::pi * mu);
      x[i] += dt * speed;
      if (i % 3 == 2) mean -= speed / static_cast<double>(n);
    }
    if (step == 0) std::printf("the cloud begins to fall at %.4f m/s (%.4f by theory)\n", mean, cloud);
    if (step == 0 && std::abs(mean / cloud - 1) > 0.02) return 1;
    fallen += mean * dt;
  }
  std::printf("it has fallen %.3f of its radius, and falls at %.4f m/s\n", fallen / radius, mean);
  return std::abs(fallen / (2 * radius) - 1) < 0.05 ? 0 : 1;
}
