#include "structure/bodies/body_points.hpp"

#include "run/case/values.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <string>

namespace corral::structure {

using run::Use;

BodyPoints::BodyPoints(run::Registry& registry, const run::ParticleKind& set, const Grid& grid)
    : grid_(grid), set_(registry.declare_set(set)), position_(set_.declare_vector_column("position", "m", "place", Use::shown)),
      velocity_(set_.declare_vector_column("velocity", "m/s", "of the body there, in the last step", Use::shown)),
      force_(set_.declare_vector_column("force", "N", "on the fluid, in the last step", Use::saved | Use::shown)),
      body_(set_.declare_column("body", "", "number of the body", Use::shown)),
      id_(set_.declare_ids("id", "permanent number", Use::shown)),
      triangles_(set_.declare_connectivity("triangles", "of the surfaces", 3, Use::shown)), order_(grid),
      rows_(grid) {}

void BodyPoints::add(std::span<const geometry::Vector> points, std::span<const geometry::Triangle> triangles) {
  const std::int64_t first = size(), n = static_cast<std::int64_t>(points.size());
  set_.resize(first + n);
  for (std::size_t d = 0; d < 3; ++d) {
    own_[d].resize(first + n);
    arm_[d].resize(first + n);
    for (std::int64_t i = 0; i < n; ++i) own_[d][first + i] = points[static_cast<std::size_t>(i)][d];
  }
  for (std::int64_t i = first; i < first + n; ++i) {
    body_[i] = static_cast<double>(bodies());
    id_[i] = static_cast<std::uint64_t>(i);
  }
  std::int64_t at = triangles_.size();
  triangles_.resize(at + 3 * static_cast<std::int64_t>(triangles.size()));
  for (const geometry::Triangle& t : triangles)
    for (const auto corner : t) triangles_[at++] = static_cast<std::int32_t>(first) + static_cast<std::int32_t>(corner);
  first_.push_back(first + n);
}

void BodyPoints::place(Cpu cpu, std::int64_t body, const RigidState& state) {
  const geometry::Rotation turn = state.rotation();
  const std::int64_t begin = first(body);
  reached_support_ = 0;
  for_each(cpu, first(body + 1) - begin, [&](std::int64_t i) {
    const std::int64_t p = begin + i;
    const geometry::Vector arm = turn({own_[0][p], own_[1][p], own_[2][p]});
    for (std::size_t d = 0; d < 3; ++d) {
      arm_[d][p] = arm[d];
      (*position_[d])[p] = state.position[d] + arm[d];
    }
  });
}

void BodyPoints::sort(Cpu cpu) {
  const ConstPoints x = at();
  const SortCounts counts = order_.sort(cpu, positions(x[0], x[1], x[2], size()));
  if (counts.inside == size()) return;
  const std::int64_t outside = order_.source(counts.inside); // those that are not inside come last
  throw Error("body " + std::to_string(static_cast<std::int64_t>(body_[outside])) + " has left the box (" +
              std::to_string(size() - counts.inside) + " of its points or others' lie beyond a side or are no numbers; the first at " +
              run::brief(x[0][outside]) + ", " + run::brief(x[1][outside]) + ", " + run::brief(x[2][outside]) +
              " m) keep it away from sides by its motion, or by more contact.strength");
}

fluid::RowParts BodyPoints::reached(int support) {
  if (reached_support_ != support) reached_ = rows_.find(at(), size(), support);
  reached_support_ = support;
  return reached_;
}

void BodyPoints::set_velocity(Cpu cpu, std::int64_t body, const RigidState& state) {
  const std::int64_t begin = first(body);
  for_each(cpu, first(body + 1) - begin, [&](std::int64_t i) {
    const geometry::Vector u = velocity_at(state, arm(begin + i));
    for (std::size_t d = 0; d < 3; ++d) (*velocity_[d])[begin + i] = u[d];
  });
}

} // namespace corral::structure
