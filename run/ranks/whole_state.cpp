#include "run/ranks/whole_state.hpp"

#include <corral/error.hpp>

#include <cstddef>
#include <cstring>
#include <span>
#include <string>

namespace corral::run {

namespace {

std::array<std::int64_t, 3> cells_of(const Grid& grid) { return {grid.axis(0).cells, grid.axis(1).cells, grid.axis(2).cells}; }

} // namespace

WholeState::WholeState(Registry& mine, const distributed::Team& team, const distributed::SharedGrid* grid)
    : mine_(mine), team_(team), grid_(grid) {
  if (leads()) declare_whole();
  of_table_.resize(mine.entries().size());
}

void WholeState::declare_whole() {
  whole_.emplace(grid_ ? grid_->whole() : mine_.grid());
  for (const ParticleSet& set : mine_.sets_) whole_->declare_set(set.kind_);
  for (Entry entry : mine_.entries_) {
    for (std::size_t s = 0; s < mine_.sets_.size(); ++s)
      if (entry.set == &mine_.sets_[s]) entry.set = &whole_->sets_[s];
    if (entry.kind == Kind::field)
      for (int d = 0; d < 3; ++d) entry.extents[static_cast<std::size_t>(d)] = whole_->grid().points(entry.staggering, d);
    if (shared_out(mine_.entries_[whole_->entries_.size()]) || !whole_here(entry)) { // memory when it is wanted
      if (entry.reals()) entry.value = &whole_->reals_.emplace_back();
      if (entry.floats()) entry.value = &whole_->floats_.emplace_back();
      if (entry.ids()) entry.value = &whole_->ids_.emplace_back();
      if (entry.integers()) entry.value = &whole_->integers_.emplace_back();
    }
    whole_->entries_.push_back(std::move(entry));
  }
  count();
}

const distributed::SharedFields& WholeState::fields(Staggering staggering) {
  auto& of = of_staggering_[static_cast<std::size_t>(staggering)];
  if (!of) of = grid_->fields(staggering);
  return *of;
}

const distributed::SharedFields& WholeState::fields(std::size_t entry) {
  auto& of = of_table_[entry];
  if (!of) of = grid_->fields(Staggering::centre, mine_.entries_[entry].fields->layout);
  return *of;
}

void WholeState::bring(const Which& which) {
  resize_sets(Way::bring);
  for (std::size_t i = 0; i < which.size(); ++i)
    if (which[i] != 0) move(i, Way::bring);
}

void WholeState::send(const Which& which) {
  resize_sets(Way::send);
  for (std::size_t i = 0; i < which.size(); ++i)
    if (which[i] != 0) move(i, Way::send);
}

void WholeState::move(std::size_t i, Way way) {
  const Entry& mine = mine_.entries_[i];
  const Entry* const whole = leads() ? &whole_->entries_[i] : nullptr;
  if (shared_out(mine)) return move_rows(i, way);
  if (whole_here(mine)) return move_copied(i, way);
  if (mine.kind == Kind::field)
    return move_values<double>(fields(mine.staggering), {0}, {0}, mine.reals(), whole ? whole->reals() : nullptr,
                               grid_->whole().points(mine.staggering), way);
  const Three all = cells_of(grid_->whole());
  const std::vector<std::int64_t> here = mine.fields->first(cells_of(grid_->box())), there = mine.fields->first(all);
  const std::int64_t size = mine.fields->layout(all).size;
  if (mine.reals()) move_values<double>(fields(i), here, there, mine.reals(), whole ? whole->reals() : nullptr, size, way);
  if (mine.floats()) move_values<float>(fields(i), here, there, mine.floats(), whole ? whole->floats() : nullptr, size, way);
}

template <class T>
void WholeState::move_values(const distributed::SharedFields& shared, const std::vector<std::int64_t>& first_mine,
                             const std::vector<std::int64_t>& first_whole, Array<T>* mine, Array<T>* whole, std::int64_t size, Way way) {
  if (whole && way == Way::bring) whole->resize(size);
  if (whole && way == Way::send && whole->size() != size)
    throw Error("a field of the whole grid with " + std::to_string(whole->size()) + " values (it has " + std::to_string(size) + ")");
  for (std::size_t k = 0; k < first_mine.size(); ++k) {
    T *const here = mine->data() + first_mine[k], *const there = whole ? whole->data() + first_whole[k] : nullptr;
    if (way == Way::bring) shared.gather(here, there);
    else shared.scatter(there, here);
  }
}

/// Rank 0's registry of the whole has the same memory for these as its own: others get copies.
void WholeState::move_copied(std::size_t i, Way way) {
  if (way == Way::bring) return;
  const Entry& e = mine_.entries_[i];
  if (double* const number = e.real()) team_.broadcast(number, 1);
  if (std::int64_t* const counter = e.counter()) team_.broadcast(counter, 1);
  if (e.reals()) copy_of_rank_0(*e.reals());
  if (e.floats()) copy_of_rank_0(*e.floats());
  if (e.ids()) copy_of_rank_0(*e.ids());
  if (e.integers()) copy_of_rank_0(*e.integers());
}

template <class T> void WholeState::copy_of_rank_0(Array<T>& values) {
  std::int64_t size = values.size();
  team_.broadcast(&size, 1);
  values.resize(size);
  team_.broadcast(values.data(), static_cast<std::size_t>(size));
}

void WholeState::count() {
  if (!leads()) return;
  for (std::size_t s = 0; s < mine_.sets_.size(); ++s) whole_->sets_[s].size_ = mine_.sets_[s].total();
}

/// Before columns move: all rows are rank 0's, or those of all.
void WholeState::resize_sets(Way way) {
  if (way == Way::bring) return count();
  for (std::size_t s = 0; s < mine_.sets_.size(); ++s) {
    ParticleSet& set = mine_.sets_[s];
    std::int64_t size = leads() ? whole_->sets_[s].size() : 0;
    if (!set.shared()) team_.broadcast(&size, 1);
    if (!set.shared() && leads()) set.size_ = size; // its columns are the whole's
    else set.resize(size);
  }
}

void WholeState::move_rows(std::size_t i, Way way) {
  const Entry& mine = mine_.entries_[i];
  const Entry* const whole = leads() ? &whole_->entries_[i] : nullptr;
  if (way == Way::send) {
    if (whole) mine.take(*whole);
  } else if (const auto* reals = mine.reals()) gather_rows(*reals, whole ? whole->reals() : nullptr);
  else if (const auto* ids = mine.ids()) gather_rows(*ids, whole ? whole->ids() : nullptr);
  else if (const auto* integers = mine.integers()) gather_rows(*integers, whole ? whole->integers() : nullptr);
}

template <class T> void WholeState::gather_rows(const Array<T>& mine, Array<T>* whole) {
  std::vector<std::int64_t> to(static_cast<std::size_t>(team_.size()), 0);
  to[0] = mine.size();
  const distributed::ReceivedRows rows = team_.exchange(std::as_bytes(mine.span()), sizeof(T), to);
  if (!whole) return;
  whole->resize(static_cast<std::int64_t>(rows.bytes.size() / sizeof(T)));
  std::memcpy(whole->data(), rows.bytes.data(), rows.bytes.size());
}

} // namespace corral::run
