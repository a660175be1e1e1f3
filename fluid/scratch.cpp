#include "fluid/scratch.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace corral::fluid {

namespace {

/// Places are multiples of so many values, 256 bytes: what copies of a device and vector registers want.
constexpr std::int64_t step = 32;

std::int64_t rounded(std::int64_t size) { return (std::max<std::int64_t>(size, 1) + step - 1) / step * step; }

/// How much larger a place may be than what lies in it.
constexpr double too_large = 1.25;

} // namespace

Scratch::Scratch(const Grid& grid, Memory memory) : Scratch(memory) {
  const auto cells = static_cast<double>(grid.cells());
  usual_ = grid.cells();
  for (int d = 0; d < 3; ++d)
    if (const std::int64_t faces = grid.points(face(d)); static_cast<double>(faces) <= too_large * cells) usual_ = std::max(usual_, faces);
}

std::int64_t Scratch::wide(std::int64_t size) const {
  const bool about = size <= usual_ && static_cast<double>(usual_) <= too_large * static_cast<double>(size);
  return rounded(about ? usual_ : size);
}

/// The first gap that is large enough.
std::int64_t Scratch::place_for(std::int64_t size) const {
  std::int64_t place = 0;
  for (const Lease& lease : leases_) {
    if (lease.begin - place >= size) break;
    place = lease.end;
  }
  return place;
}

void Scratch::take(std::int64_t size, Array<double>& array, std::int64_t room) {
  assert(array.data() == nullptr);
  if (idle() && wanted_ > block_.size()) {
    block_ = Array<double>(memory()); // before the larger one is taken
    block_.resize(wanted_);
    if (poisons_) spoil(block_.data(), block_.size());
  }
  const std::int64_t values = wide(std::max(size, room)), place = place_for(values), end = place + values;
  wanted_ = std::max(wanted_, end);
  Lease lease{place, end, Array<double>(memory()), nullptr};
  if (end <= block_.size()) {
    lease.data = block_.data() + place;
  } else {
    lease.own.resize(size);
    lease.data = lease.own.data();
    if (poisons_) spoil(lease.data, size);
  }
  array = Array<double>::lent(lease.data, size, memory());
  const auto behind = std::find_if(leases_.begin(), leases_.end(), [&](const Lease& l) { return l.begin > place; });
  leases_.insert(behind, std::move(lease));
}

void Scratch::give_back(Array<double>& array) {
  if (array.data() == nullptr) return;
  const auto found = std::find_if(leases_.begin(), leases_.end(), [&](const Lease& l) { return l.data == array.data(); });
  assert(found != leases_.end());
  if (poisons_) spoil(found->data, array.size());
  leases_.erase(found);
  array = Array<double>(memory());
}

void Scratch::spoil(double* data, std::int64_t size) const {
  Array<double>::lent(data, size, memory()).fill(std::numeric_limits<double>::quiet_NaN());
}

} // namespace corral::fluid
