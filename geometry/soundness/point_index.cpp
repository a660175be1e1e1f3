#include "geometry/soundness/point_index.hpp"

#include <bit>
#include <utility>

namespace corral::geometry {

namespace {

// The finaliser of SplitMix64 (Steele, Lea and Flood 2014).
std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::uint64_t hash_of(const Vector& x) {
  std::uint64_t h = 0;
  for (const double v : x) h = mixed(h + 0x9e3779b97f4a7c15u + std::bit_cast<std::uint64_t>(v == 0 ? 0.0 : v));
  return h;
}

} // namespace

// Where a point equal to x stands in the table, or would.
std::int64_t PointIndex::slot_of(std::span<const Vector> points, const Vector& x) const {
  const std::int64_t mask = places_.size() - 1;
  std::int64_t slot = static_cast<std::int64_t>(hash_of(x)) & mask;
  while (places_[slot] != none && points[static_cast<std::size_t>(places_[slot])] != x) slot = (slot + 1) & mask;
  return slot;
}

std::int32_t PointIndex::first(std::span<const Vector> points, std::int32_t place) {
  if (2 * (used_ + 1) > places_.size()) {
    Array<std::int32_t> old(2 * places_.size(), none);
    old.swap(places_);
    for (const std::int32_t p : old)
      if (p != none) places_[slot_of(points, points[static_cast<std::size_t>(p)])] = p;
  }
  const std::int64_t slot = slot_of(points, points[static_cast<std::size_t>(place)]);
  if (places_[slot] != none) return places_[slot];
  places_[slot] = place;
  ++used_;
  return place;
}

} // namespace corral::geometry
