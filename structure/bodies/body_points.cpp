#include "structure/bodies/body_points.hpp"

#include "run/case/values.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
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
      rows_(static_cast<std::size_t>(grid.axis(1).cells * grid.axis(2).cells)) {}

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
  const std::int64_t nx = grid_.axis(0).cells;
  for (std::size_t r = 0; r < rows_.size(); ++r) rows_[r] = {static_cast<std::int64_t>(r), nx, 0};
  const ConstPoints x = at();
  for (std::int64_t p = 0; p < size(); ++p) {
    std::array<std::int64_t, 3> low{}, end{};
    for (int d = 0; d < 3; ++d) {
      const Axis axis = grid_.axis(d);
      const auto e = static_cast<std::size_t>(d);
      const double along = axis.index(x[e][p]) - 0.5;
      low[e] = static_cast<std::int64_t>(std::floor(support % 2 == 0 ? along : along + 0.5)) - (support - 1) / 2;
      end[e] = low[e] + support;
      if (axis.thin()) low[e] = 0, end[e] = 1;
    }
    if (grid_.axis(0).periodic() && (low[0] < 0 || end[0] > nx)) low[0] = 0, end[0] = nx; // at both ends
    for (std::int64_t k = low[2]; k < end[2]; ++k)
      for (std::int64_t j = low[1]; j < end[1]; ++j) {
        std::array<std::int64_t, 2> row{j, k};
        bool there = true;
        for (std::size_t e = 0; e < 2; ++e) {
          const Axis axis = grid_.axis(static_cast<int>(e) + 1);
          if (axis.periodic()) row[e] = (row[e] % axis.cells + axis.cells) % axis.cells;
          there = there && row[e] >= 0 && row[e] < axis.cells; // what lies beyond a wall is inside, mirrored
        }
        if (!there) continue;
        fluid::RowPart& part = rows_[static_cast<std::size_t>(row[0] + grid_.axis(1).cells * row[1])];
        part.begin = std::min(part.begin, std::max<std::int64_t>(low[0], 0));
        part.end = std::max(part.end, std::min(end[0], nx));
      }
  }
  reached_.clear();
  std::copy_if(rows_.begin(), rows_.end(), std::back_inserter(reached_), [](const fluid::RowPart& r) { return r.begin < r.end; });
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
