#include "run/ranks/whole_state.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cstring>
#include <span>
#include <string>

namespace corral::run {

namespace {

using distributed::FieldBegin;
using distributed::Piece;
using distributed::PiecesOfRanks;

std::array<std::int64_t, 3> cells_of(const Grid& grid) { return {grid.axis(0).cells, grid.axis(1).cells, grid.axis(2).cells}; }

} // namespace

WholeState::WholeState(Registry& mine, const distributed::Team& team, const distributed::SharedGrid* grid)
    : mine_(mine), team_(team), grid_(grid), whole_(grid ? grid->whole() : mine.grid()), of_table_(mine.entries().size()) {
  declare_whole();
  find_known();
  count();
  find_rows();
}

void WholeState::declare_whole() {
  for (const ParticleSet& set : mine_.sets_) whole_.declare_set(set.kind_);
  for (const Entry& of_rank : mine_.entries_) {
    Entry entry = of_rank;
    for (std::size_t s = 0; s < mine_.sets_.size(); ++s)
      if (entry.set == &mine_.sets_[s]) entry.set = &whole_.sets_[s];
    if (is_elsewhere(of_rank)) {
      if (entry.kind == Kind::field && grid_)
        for (int d = 0; d < 3; ++d) entry.extents[static_cast<std::size_t>(d)] = whole_.grid().points(entry.staggering, d);
      entry.known.reset();
      entry.elsewhere = entry.set      ? 0
                        : entry.fields ? entry.fields->layout(cells_of(whole_.grid())).size
                                       : whole_.grid().points(entry.staggering);
      if (entry.reals()) entry.value = &whole_.reals_.emplace_back(); // empty
      if (entry.floats()) entry.value = &whole_.floats_.emplace_back();
      if (entry.ids()) entry.value = &whole_.ids_.emplace_back();
      if (entry.integers()) entry.value = &whole_.integers_.emplace_back();
    }
    whole_.entries_.push_back(std::move(entry));
  }
}

void WholeState::count() {
  for (std::size_t s = 0; s < mine_.sets_.size(); ++s) whole_.sets_[s].size_ = mine_.sets_[s].total();
}

void WholeState::find_rows() {
  first_row_.clear();
  for (const ParticleSet& set : mine_.sets_) {
    const std::int64_t size = set.size();
    const std::vector<std::byte> sizes = team_.all(std::as_bytes(std::span(&size, 1)));
    std::vector<std::int64_t>& first = first_row_.emplace_back(1, 0);
    for (std::size_t at = 0; at < sizes.size(); at += sizeof size) {
      std::int64_t of_rank = 0;
      std::memcpy(&of_rank, sizes.data() + at, sizeof of_rank);
      first.push_back(first.back() + of_rank);
    }
  }
}

/// Pieces of ranks follow each other.
void WholeState::find_known() {
  for (const Entry& e : mine_.entries_) {
    std::vector<std::int64_t>& first = first_known_.emplace_back();
    if (!e.known) continue;
    first.resize(static_cast<std::size_t>(team_.size()));
    const std::vector<std::byte> begins = team_.all(std::as_bytes(std::span(&e.known->begin, 1)));
    std::memcpy(first.data(), begins.data(), begins.size());
    first.push_back(e.size());
  }
}

std::size_t WholeState::number_of(const Entry& of_whole) const {
  std::size_t i = 0;
  while (&whole_.entries_[i] != &of_whole) ++i;
  return i;
}

const Entry& WholeState::mine(const Entry& of_whole) const { return mine_.entries_[number_of(of_whole)]; }

const distributed::SharedFields& WholeState::fields(const Entry& mine) const {
  const auto i = static_cast<std::size_t>(std::find_if(mine_.entries_.begin(), mine_.entries_.end(), [&](const Entry& e) { return &e == &mine; }) -
                                          mine_.entries_.begin());
  auto& of = mine.fields ? of_table_[i] : of_staggering_[static_cast<std::size_t>(mine.staggering)];
  if (!of) of = mine.fields ? grid_->fields(Staggering::centre, mine.fields->layout) : grid_->fields(mine.staggering);
  return *of;
}

std::vector<FieldBegin> WholeState::begins(const Entry& mine) const {
  if (!mine.fields) return {{}};
  const std::vector<std::int64_t> here = mine.fields->first(cells_of(grid_->box())), there = mine.fields->first(cells_of(grid_->whole()));
  std::vector<FieldBegin> begins;
  for (std::size_t k = 0; k < here.size(); ++k) begins.push_back({here[k], there[k]});
  return begins;
}

/// Of values that are not those of a shared grid.
const std::vector<std::int64_t>& WholeState::first_row(const Entry& of_whole) const {
  if (!of_whole.set) return first_known_[number_of(of_whole)];
  std::size_t s = 0;
  while (&whole_.sets_[s] != of_whole.set) ++s;
  return first_row_[s];
}

/// The row that this rank's memory begins with: of fields it has memory for all.
std::int64_t WholeState::first_here(const Entry& of_whole) const {
  return of_whole.set ? first_row(of_whole)[static_cast<std::size_t>(team_.rank())] : 0;
}

/// f(rows that a rank has, where they begin in pieces that stand one behind the other)
template <class F>
void WholeState::each_part(const Entry& of_whole, std::size_t rank, const std::vector<Piece>& pieces, const F& f) const {
  const std::vector<std::int64_t>& first = first_row(of_whole);
  std::int64_t before = 0;
  for (const Piece& piece : pieces) {
    const Piece part{std::max(piece.begin, first[rank]), std::min(piece.end, first[rank + 1])};
    if (part.begin < part.end) f(part, before + part.begin - piece.begin);
    before += piece.size();
  }
}

void WholeState::bring(const Entry& e, const FileValues::PiecesOf& of, const std::vector<Piece>& made, std::byte* to) const {
  PiecesOfRanks wanted;
  for (const Piece& piece : made) wanted.push_back(of(piece));
  const Entry& here = mine(e);
  const std::int64_t each = e.each();
  if (here.fields) // leaves room between its rows
    for (const Piece& piece : wanted[static_cast<std::size_t>(team_.rank())]) std::memset(to, 0, static_cast<std::size_t>(piece.size() * each));
  if (!e.set && !here.known) return fields(here).bring(here.data(), each, begins(here), wanted, to);
  const auto rank = static_cast<std::size_t>(team_.rank());
  const std::int64_t first = first_here(e);
  std::vector<std::byte> packed;
  std::vector<std::int64_t> counts(made.size(), 0);
  for (std::size_t r = 0; r < made.size(); ++r)
    each_part(e, rank, wanted[r], [&](const Piece& rows, std::int64_t) {
      packed.insert(packed.end(), here.data() + (rows.begin - first) * each, here.data() + (rows.end - first) * each);
      counts[r] += rows.size();
    });
  const std::vector<std::byte> came = team_.exchange(packed, each, counts).bytes;
  std::int64_t taken = 0;
  for (std::size_t r = 0; r < made.size(); ++r)
    each_part(e, r, wanted[rank], [&](const Piece& rows, std::int64_t at) {
      std::memcpy(to + at * each, came.data() + taken, static_cast<std::size_t>(rows.size() * each));
      taken += rows.size() * each;
    });
}

void WholeState::send(const Entry& e, const std::vector<Piece>& given, const std::byte* from) const {
  PiecesOfRanks pieces;
  for (const Piece& piece : given) pieces.push_back({piece});
  const Entry& here = mine(e);
  const std::int64_t each = e.each();
  if (!e.set && !here.known) return fields(here).send(from, each, begins(here), pieces, here.data());
  const auto rank = static_cast<std::size_t>(team_.rank());
  std::vector<std::byte> packed; // in order already, and without what no rank has
  std::vector<std::int64_t> counts(given.size(), 0);
  for (std::size_t r = 0; r < given.size(); ++r)
    each_part(e, r, pieces[rank], [&](const Piece& rows, std::int64_t at) {
      packed.insert(packed.end(), from + at * each, from + (at + rows.size()) * each);
      counts[r] += rows.size();
    });
  const std::vector<std::byte> came = team_.exchange(packed, each, counts).bytes;
  const std::int64_t first = first_here(e);
  std::int64_t taken = 0;
  for (std::size_t r = 0; r < given.size(); ++r)
    each_part(e, rank, pieces[r], [&](const Piece& rows, std::int64_t) {
      std::memcpy(here.data() + (rows.begin - first) * each, came.data() + taken, static_cast<std::size_t>(rows.size() * each));
      taken += rows.size() * each;
    });
}

void WholeState::fill_ghosts(const Entry& e) const {
  const Entry& here = mine(e);
  if (e.set || here.known) return;
  const auto fill = [&]<class T>(Array<T>& values) {
    for (const FieldBegin& begin : begins(here)) {
      T* const one[] = {values.data() + begin.mine};
      fields(here).fill(std::span<T* const>(one));
    }
  };
  if (auto* reals = here.reals()) fill(*reals);
  if (auto* floats = here.floats()) fill(*floats);
}

/// Rank 0's registry of the whole has the same memory for what all have as its own: others get copies.
void WholeState::send_copied() {
  for (std::size_t s = 0; s < mine_.sets_.size(); ++s) {
    ParticleSet& set = mine_.sets_[s];
    std::int64_t size = whole_.sets_[s].size();
    team_.broadcast(&size, 1);
    whole_.sets_[s].size_ = size;
    if (set.shared()) set.resize(size * (team_.rank() + 1) / team_.size() - size * team_.rank() / team_.size());
    else if (leads()) set.size_ = size; // its columns are the whole's
    else set.resize(size);
  }
  find_rows();
  for (const Entry& e : mine_.entries_) {
    if (is_elsewhere(e) || !has(e.use, Use::saved)) continue;
    if (double* const number = e.real()) team_.broadcast(number, 1);
    if (std::int64_t* const counter = e.counter()) team_.broadcast(counter, 1);
    if (e.reals()) copy_of_rank_0(*e.reals());
    if (e.floats()) copy_of_rank_0(*e.floats());
    if (e.ids()) copy_of_rank_0(*e.ids());
    if (e.integers()) copy_of_rank_0(*e.integers());
  }
}

template <class T> void WholeState::copy_of_rank_0(Array<T>& values) const {
  std::int64_t size = values.size();
  team_.broadcast(&size, 1);
  values.resize(size);
  team_.broadcast(values.data(), static_cast<std::size_t>(size));
}

} // namespace corral::run
