#pragma once

/// The calls of body_points.hpp, for either processor.

#include "run/case/values.hpp"
#include "structure/bodies/body_points.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <concepts>
#include <cstddef>
#include <string>

namespace corral::structure {

namespace body_points {

/// A device's points, of which `body` says whose they are.
template <Execution E>
void place(E execution, std::int64_t n, const double* body, const News<Pose>* poses, const ConstPoints& own, const Points& arm,
           const Points& position) {
  for_each(execution, n, [=] CORRAL_BODY(std::int64_t p) {
    const News<Pose>& news = poses[static_cast<std::int64_t>(body[p])];
    if (!news.any) return;
    const geometry::Vector x{own[0][p], own[1][p], own[2][p]};
    for (std::size_t d = 0; d < 3; ++d) {
      const double turned = geometry::dot(news.of.turn[d], x);
      arm[d][p] = turned;
      position[d][p] = news.of.position[d] + turned;
    }
  });
}

template <Execution E>
void set_velocity(E execution, std::int64_t n, const double* body, const News<Motion>* motions, const ConstPoints& arm, const Points& velocity) {
  for_each(execution, n, [=] CORRAL_BODY(std::int64_t p) {
    const News<Motion>& news = motions[static_cast<std::int64_t>(body[p])];
    if (!news.any) return;
    const geometry::Vector turning = geometry::cross(news.of.angular_velocity, {arm[0][p], arm[1][p], arm[2][p]});
    for (std::size_t d = 0; d < 3; ++d) velocity[d][p] = news.of.velocity[d] + turning[d];
  });
}

/// found = the number of the body whose point stands at a place of the order, and where that is.
template <Execution E>
void look_up(E execution, const OrderView<double>& order, std::int64_t place, const double* body, const ConstPoints& x, double* found) {
  for_each(execution, 1, [=] CORRAL_BODY(std::int64_t) {
    const std::int64_t p = order.source(place);
    found[0] = body[p];
    for (std::size_t d = 0; d < 3; ++d) found[1 + d] = x[d][p];
  });
}

} // namespace body_points

template <Execution E>
BodyPoints<E>::BodyPoints(run::Registry& registry, const run::ParticleKind& set, const fluid::Domain& domain)
    : set_(registry.declare_set(set)),
      position_(set_.declare_vector_column("position", "m", "place", run::Use::shown)),
      velocity_(set_.declare_vector_column("velocity", "m/s", "of the body there, in the last step", run::Use::shown)),
      force_(set_.declare_vector_column("force", "N", "on the fluid, in the last step", run::Use::saved | run::Use::shown)),
      body_(set_.declare_column("body", "", "number of the body", run::Use::shown)),
      id_(set_.declare_ids("id", "permanent number", run::Use::shown)),
      triangles_(set_.declare_connectivity("triangles", "of the surfaces", 3, run::Use::shown)), grid_(domain.whole()), order_(domain), rows_(domain) {
  for (auto* columns : {&own_, &arm_})
    for (auto& column : *columns) column = Array<double>(memory);
}

template <Execution E>
void BodyPoints<E>::add(std::span<const geometry::Vector> points, std::span<const geometry::Triangle> triangles) {
  const auto first = static_cast<std::int32_t>(size());
  for (const geometry::Vector& x : points)
    for (std::size_t d = 0; d < 3; ++d) added_.own[d].push_back(x[d]);
  for (const geometry::Triangle& t : triangles)
    for (const auto corner : t) added_.triangles.push_back(first + static_cast<std::int32_t>(corner));
  first_.push_back(size() + static_cast<std::int64_t>(points.size()));
}

template <Execution E> void BodyPoints<E>::finish() {
  set_.resize(size());
  std::vector<double> body(static_cast<std::size_t>(size()));
  std::vector<std::uint64_t> id(static_cast<std::size_t>(size()));
  for (std::int64_t b = 0; b < bodies(); ++b)
    for (auto p = static_cast<std::size_t>(first(b)); p < static_cast<std::size_t>(first(b + 1)); ++p)
      body[p] = static_cast<double>(b), id[p] = p;
  body_.assign(body);
  id_.assign(id);
  triangles_.assign(added_.triangles);
  for (std::size_t d = 0; d < 3; ++d) {
    own_[d].assign(added_.own[d]);
    arm_[d].resize(size(), 0.0);
  }
  added_ = {};
}

template <Execution E>
template <class T, class F>
bool BodyPoints<E>::send_news(E execution, States states, Staged<body_points::News<T>>& news, const F& of) {
  bool any = false;
  news.resize(bodies());
  for (std::int64_t b = 0; b < bodies(); ++b) {
    const RigidState* const state = states[static_cast<std::size_t>(b)];
    news.here[b] = state ? body_points::News<T>{of(*state), true} : body_points::News<T>{};
    any = any || state;
  }
  if (any) send(execution, news);
  return any;
}

template <Execution E> void BodyPoints<E>::place(E execution, States states) {
  if constexpr (std::same_as<E, Cpu>) {
    for (std::int64_t b = 0; b < bodies(); ++b) {
      const RigidState* const state = states[static_cast<std::size_t>(b)];
      if (!state) continue;
      reached_support_ = 0;
      const geometry::Rotation turn = state->rotation();
      const std::int64_t begin = first(b);
      for_each(execution, first(b + 1) - begin, [&](std::int64_t i) {
        const std::int64_t p = begin + i;
        const geometry::Vector arm = turn({own_[0][p], own_[1][p], own_[2][p]});
        for (std::size_t d = 0; d < 3; ++d) {
          arm_[d][p] = arm[d];
          (*position_[d])[p] = state->position[d] + arm[d];
        }
      });
    }
  } else {
    if (send_news(execution, states, poses_, [](const RigidState& s) { return body_points::Pose{s.position, s.rotation().rows()}; }))
      body_points::place(execution, size(), body_.data(), poses_.there.data(), {own_[0].data(), own_[1].data(), own_[2].data()},
                         {arm_[0].data(), arm_[1].data(), arm_[2].data()}, run::pointers(position_));
  }
}

template <Execution E> void BodyPoints<E>::set_velocity(E execution, States states) {
  if constexpr (std::same_as<E, Cpu>) {
    for_each_chunk(execution, bodies(), 1, [&](std::int64_t b, std::int64_t) {
      const RigidState* const state = states[static_cast<std::size_t>(b)];
      if (!state) return;
      const std::int64_t begin = first(b);
      for_each(execution, first(b + 1) - begin, [&](std::int64_t i) {
        const geometry::Vector u = velocity_at(*state, arm(begin + i));
        for (std::size_t d = 0; d < 3; ++d) (*velocity_[d])[begin + i] = u[d];
      });
    });
  } else {
    if (send_news(execution, states, motions_, [](const RigidState& s) { return body_points::Motion{s.velocity, s.angular_velocity}; }))
      body_points::set_velocity(execution, size(), body_.data(), motions_.there.data(), arms(), velocity());
  }
}

template <Execution E> void BodyPoints<E>::sort(E execution) {
  if constexpr (std::same_as<E, Cpu>)
    if (band_ && band_->find(execution, at(), size()) == size()) return;
  order_.sort(execution, at(), size());
  if constexpr (std::same_as<E, Cpu>) {
    if (order_.inside() < size()) { // on all ranks: the error looks at the whole order
      order_.keep_whole();
      order_.sort(execution, at(), size());
    }
    require_inside(execution);
  }
}

template <Execution E> void BodyPoints<E>::require_inside(E execution) const {
  if (band_ && band_->size() == size()) return;
  const std::int64_t inside = order_.inside();
  if (inside == size()) return;
  Array<double> found(4, memory); // those that are not inside come last
  body_points::look_up(execution, order_.whole().view(execution), inside, body_.data(), at(), found.data());
  const std::vector<double> first = found.values();
  throw Error("body " + std::to_string(static_cast<std::int64_t>(first[0])) + " has left the box (" +
              std::to_string(size() - inside) + " of its points or others' lie beyond a side or are no numbers; the first at " +
              run::brief(first[1]) + ", " + run::brief(first[2]) + ", " + run::brief(first[3]) +
              " m) keep it away from sides by its motion, or by more contact.strength");
}

template <Execution E> fluid::RowParts BodyPoints<E>::reached(int support) {
  if (reached_support_ != support) reached_ = rows_.find(at(), size(), support);
  reached_support_ = support;
  return reached_;
}

} // namespace corral::structure
