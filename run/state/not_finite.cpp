#include "run/state/registry.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace corral::run {

namespace {

// Exponent bits all ones mean infinite or NaN; adding one to the exponent then carries into the sign bit. Integer
// operations vectorise where std::isfinite in a loop with an exit does not.
bool all_finite(const double* values, std::int64_t n) {
  constexpr std::uint64_t exponent = 0x7ff0000000000000, one = 0x0010000000000000;
  std::uint64_t carries = 0;
  for (std::int64_t i = 0; i < n; ++i) carries |= (std::bit_cast<std::uint64_t>(values[i]) & exponent) + one;
  return (carries >> 63) == 0;
}

// Index of the first value that is not finite, or -1.
std::int64_t first_not_finite(const Array<double>& values) {
  constexpr std::int64_t chunk = 8 * chunk_size;
  const std::int64_t n = values.size();
  Array<std::int64_t> found((n + chunk - 1) / chunk, -1);
  for_each_chunk(Cpu{}, n, chunk, [&](std::int64_t begin, std::int64_t end) {
    if (all_finite(values.data() + begin, end - begin)) return;
    const double* first =
        std::find_if(values.data() + begin, values.data() + end, [](double v) { return !std::isfinite(v); });
    found[begin / chunk] = first - values.data();
  });
  for (const std::int64_t index : found)
    if (index >= 0) return index;
  return -1;
}

std::string point(const std::array<std::int64_t, 3>& extents, std::int64_t index) {
  const std::int64_t i = index % extents[0], j = index / extents[0] % extents[1], k = index / extents[0] / extents[1];
  return "(" + std::to_string(i) + ", " + std::to_string(j) + ", " + std::to_string(k) + ")";
}

std::string place(const Entry& e, std::int64_t index) {
  if (e.kind == Kind::table) return " at " + std::to_string(index);
  if (e.kind == Kind::field) {
    const char* what = e.staggering == Staggering::centre ? "cell" : e.staggering == Staggering::node ? "node" : "face";
    return std::string(" at ") + what + " " + point(e.extents, index);
  }
  if (e.kind == Kind::on_triangles) return " on triangle " + std::to_string(index) + " of " + e.set->name();
  const Array<std::uint64_t>* ids = e.set->ids();
  return " of " + e.set->one() + (ids ? " " + std::to_string((*ids)[index]) : " at index " + std::to_string(index));
}

std::string text(double not_finite) { return std::isnan(not_finite) ? "nan" : not_finite > 0 ? "inf" : "-inf"; }

} // namespace

std::optional<std::string> Registry::find_not_finite() const {
  if (memory_ == Memory::device) throw Error("the NaN scan of a state on a device (it reads memory of the host)");
  for (const Entry& e : entries_) {
    if (!has(e.use, Use::saved)) continue;
    if (const double* number = e.real(); number && !std::isfinite(*number))
      return e.full_name() + " is " + text(*number);
    if (!e.reals()) continue;
    const std::int64_t index = first_not_finite(*e.reals());
    if (index < 0) continue;
    return e.full_name() + place(e, index) + " is " + text((*e.reals())[index]);
  }
  return std::nullopt;
}

} // namespace corral::run
