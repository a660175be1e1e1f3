#include "fluid/planes.hpp"

#include <algorithm>
#include <cstring>

namespace corral::fluid {
namespace {

constexpr std::int64_t deepest = 16; ///< coarser grids are so small that all ranks work on all of them
constexpr double even_enough = 1.05; ///< what the rank with the most planes has, over the mean

std::vector<std::int64_t> cut_at(std::int64_t planes, std::int64_t ranks, std::int64_t unit) {
  const std::int64_t units = planes / unit;
  std::vector<std::int64_t> first;
  for (std::int64_t r = 0; r < ranks; ++r) first.push_back(unit * (units * r / ranks));
  first.push_back(planes);
  return first;
}

std::int64_t most_of(const std::vector<std::int64_t>& first) {
  std::int64_t most = 0;
  for (std::size_t r = 0; r + 1 < first.size(); ++r) most = std::max(most, first[r + 1] - first[r]);
  return most;
}

} // namespace

std::vector<distributed::Piece> Planes::pieces_of(distributed::Piece asked) const {
  if (asked.size() == 0) return {};
  if (!periodic_) return {{std::max<std::int64_t>(asked.begin, 0), std::min(asked.end, count_ + 1)}};
  if (asked.size() >= count_) return {{0, count_}};
  const std::int64_t begin = (asked.begin + count_) % count_, end = begin + asked.size();
  if (end <= count_) return {{begin, end}};
  return {{begin, count_}, {0, end - count_}};
}

distributed::PiecesOfRanks Planes::asked(distributed::Piece mine) const {
  if (!shared()) return {};
  const std::vector<std::byte> bytes = team_->all(std::as_bytes(std::span(&mine, 1)));
  std::vector<distributed::Piece> of_ranks(bytes.size() / sizeof mine);
  std::memcpy(of_ranks.data(), bytes.data(), bytes.size());
  distributed::PiecesOfRanks pieces;
  for (const distributed::Piece& of_rank : of_ranks) pieces.push_back(pieces_of(of_rank));
  return pieces;
}

distributed::PiecesOfRanks Planes::around(std::int64_t width) const {
  distributed::PiecesOfRanks pieces;
  for (std::size_t r = 0; r + 1 < first_.size(); ++r) pieces.push_back(pieces_of({first_[r] - width, first_[r + 1] + width}));
  return pieces;
}

PlaneCut cut_planes(std::int64_t planes, std::int64_t ranks) {
  PlaneCut best;
  // A grid whose planes are shared has whole pairs on each rank.
  for (std::int64_t unit = 2; unit <= 2 * deepest && planes / unit >= ranks; unit *= 2) {
    std::vector<std::int64_t> first = cut_at(planes, ranks, unit);
    const double over = static_cast<double>(most_of(first) * ranks) / static_cast<double>(planes);
    if (!best.first.empty() && over > even_enough && most_of(first) > most_of(best.first)) continue;
    best = {std::move(first), unit / 2};
  }
  return best;
}

} // namespace corral::fluid
