#pragma once

/// The loops of particle_set.hpp, for either processor.

#include "run/state/particle_set.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <concepts>

namespace corral::run {

template <Execution E> void ParticleSet::reorder(E execution, CellOrder<double>& order) {
  if (keeps_order()) throw Error(name() + " are not reordered (they keep their order)");
  const auto bring_into = [&](auto& column, auto& copy) {
    copy.resize(column.size());
    order.gather(execution, column.data(), copy.data());
    column.swap(copy);
  };
  for (const Entry* column : columns()) {
    if (auto* reals = column->reals()) bring_into(*reals, real_copy_);
    if (auto* ids = column->ids()) {
      if constexpr (std::same_as<E, Cpu>) bring_into(*ids, id_copy_);
      else bring_ids(execution, order, *ids);
    }
    if (auto* integers = column->integers())
      order.permute(execution, Column<std::int32_t>{integers->data(), integers->size()});
  }
  order.forget_permutation();
}

/// On a device through the memory of the other columns' copies: of its own it has less than time for another copy.
template <Execution E> void ParticleSet::bring_ids(E execution, CellOrder<double>& order, Array<std::uint64_t>& ids) {
  real_copy_.resize(ids.size());
  auto* const sorted = reinterpret_cast<std::uint64_t*>(real_copy_.data());
  order.gather(execution, ids.data(), sorted);
  std::uint64_t* const to = ids.data();
  for_each(execution, ids.size(), [=] CORRAL_BODY(std::int64_t i) { to[i] = sorted[i]; });
}

/// to[k] = from[places[k]].
template <Execution E, class T>
void take_places(E execution, const Array<std::int64_t>& places, const Array<T>& from, Array<T>& to) {
  to.resize(places.size());
  const std::int64_t* at = places.data();
  const T* source = from.data();
  T* target = to.data();
  for_each(execution, places.size(), [=] CORRAL_BODY(std::int64_t k) { target[k] = source[at[k]]; });
}

template <Execution E>
void select_unmarked(E execution, const Array<std::uint8_t>& marks, Array<std::int64_t>& places) {
  const std::uint8_t* mark = marks.data();
  select(execution, marks.size(), [=] CORRAL_BODY(std::int64_t i) { return mark[i] == 0; }, places);
}

template <Execution E> void ParticleSet::remove(E execution, const Array<std::uint8_t>& gone) {
  if (keeps_order()) throw Error("none of the " + name() + " can be removed (they keep their order)");
  select_unmarked(execution, gone, kept_);
  const auto compact = [&](auto& column, auto& copy) {
    take_places(execution, kept_, column, copy);
    column.swap(copy);
  };
  for (const Entry* column : columns()) {
    if (auto* reals = column->reals()) compact(*reals, real_copy_);
    if (auto* ids = column->ids()) compact(*ids, id_copy_);
    if (auto* integers = column->integers()) compact(*integers, integer_copy_);
  }
  resize(kept_.size());
}

} // namespace corral::run
