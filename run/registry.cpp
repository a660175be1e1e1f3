#include "run/registry.hpp"

#include "run/out_of_memory.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

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

std::string place(const Entry& e, std::int64_t index, const Array<std::uint64_t>* ids) {
  if (e.kind == Kind::cell_field) return " at cell " + point(e.extents, index);
  if (e.kind == Kind::face_field) return " at face " + point(e.extents, index);
  return ids ? " of parcel " + std::to_string((*ids)[index]) : " of parcel at index " + std::to_string(index);
}

std::string rounded(double value) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.begin(), digits.end(), value, std::chars_format::general, 3).ptr};
}

// Gives an array of the state its size; what is new are zeros.
template <class T> void allocate(Array<T>& values, std::int64_t count, const Entry& e) {
  try {
    values.resize(count, T{});
  } catch (const std::bad_alloc&) {
    const std::string of = e.kind == Kind::parcel_column ? " parcels"
                           : e.kind == Kind::face_field  ? " faces"
                                                         : " cells";
    throw OutOfMemory(e.full_name() + " of " + std::to_string(count) + of + " takes " +
                      rounded(static_cast<double>(count) * sizeof(T) / 1e9) + " GB");
  }
}

std::string text(double not_finite) { return std::isnan(not_finite) ? "nan" : not_finite > 0 ? "inf" : "-inf"; }

} // namespace

std::string Entry::full_name() const { return axis < 0 ? name : name + "_" + "xyz"[axis]; }

std::int64_t Entry::bytes() const {
  if (const auto* r = reals()) return r->bytes();
  if (const auto* u = ids()) return u->bytes();
  return 0;
}

Entry& Registry::declare(Entry entry) {
  const auto allowed = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; };
  if (entry.name.empty() || !std::all_of(entry.name.begin(), entry.name.end(), allowed))
    throw Error("state entry '" + entry.name + "' (a name is made of letters, digits, _ and -)");
  const std::string full = entry.full_name();
  for (const Entry& e : entries_)
    if (e.full_name() == full) throw Error("state entry " + full + " is declared twice (names must differ)");
  return entries_.emplace_back(std::move(entry));
}

Components Registry::declare_components(const std::string& name, const std::string& unit, const std::string& meaning,
                                        Kind kind, Use use) {
  Components components{};
  for (int d = 0; d < 3; ++d) {
    Entry e{name, unit, meaning, kind, use, d, {}, {}};
    std::int64_t values = parcel_count_;
    if (kind == Kind::face_field) {
      for (int a = 0; a < 3; ++a) e.extents[a] = grid_.points(face(d), a);
      values = grid_.points(face(d));
    }
    allocate(e.value.emplace<Array<double>>(), values, e);
    components[d] = declare(std::move(e)).reals();
  }
  return components;
}

Array<double>& Registry::declare_cell_field(std::string name, std::string unit, std::string meaning, Use use) {
  Entry e{std::move(name), std::move(unit), std::move(meaning), Kind::cell_field, use, -1, {}, {}};
  for (int a = 0; a < 3; ++a) e.extents[a] = grid_.points(Staggering::centre, a);
  allocate(e.value.emplace<Array<double>>(), grid_.points(Staggering::centre), e);
  return *declare(std::move(e)).reals();
}

Components Registry::declare_face_field(const std::string& name, const std::string& unit,
                                        const std::string& meaning, Use use) {
  return declare_components(name, unit, meaning, Kind::face_field, use);
}

Array<double>& Registry::declare_column(std::string name, std::string unit, std::string meaning, Use use) {
  Entry e{std::move(name), std::move(unit), std::move(meaning), Kind::parcel_column, use, -1, {}, {}};
  allocate(e.value.emplace<Array<double>>(), parcel_count_, e);
  return *declare(std::move(e)).reals();
}

Components Registry::declare_vector_column(const std::string& name, const std::string& unit,
                                           const std::string& meaning, Use use) {
  return declare_components(name, unit, meaning, Kind::parcel_column, use);
}

Array<std::uint64_t>& Registry::declare_id_column(std::string name, std::string meaning, Use use) {
  Entry e{std::move(name), "", std::move(meaning), Kind::parcel_column, use, -1, {}, {}};
  allocate(e.value.emplace<Array<std::uint64_t>>(), parcel_count_, e);
  return *declare(std::move(e)).ids();
}

double& Registry::declare_scalar(std::string name, std::string unit, std::string meaning, Use use) {
  Entry e{std::move(name), std::move(unit), std::move(meaning), Kind::scalar, use, -1, {}, 0.0};
  return std::get<double>(declare(std::move(e)).value);
}

std::int64_t& Registry::declare_counter(std::string name, std::string meaning, Use use) {
  Entry e{std::move(name), "", std::move(meaning), Kind::scalar, use, -1, {}, std::int64_t{0}};
  return std::get<std::int64_t>(declare(std::move(e)).value);
}

void Registry::set_parcel_count(std::int64_t count) {
  if (count < 0) throw Error(std::to_string(count) + " parcels (a count is never negative)");
  for (Entry& e : entries_) {
    if (e.kind != Kind::parcel_column) continue;
    if (auto* r = e.reals()) allocate(*r, count, e);
    if (auto* u = e.ids()) allocate(*u, count, e);
  }
  parcel_count_ = count;
}

const Entry* Registry::find(std::string_view name, int axis) const {
  for (const Entry& e : entries_)
    if (e.name == name && e.axis == axis) return &e;
  return nullptr;
}

std::int64_t Registry::bytes() const {
  std::int64_t total = 0;
  for (const Entry& e : entries_) total += e.bytes();
  return total;
}

std::optional<std::string> Registry::find_not_finite() const {
  const Array<std::uint64_t>* ids = nullptr;
  for (const Entry& e : entries_)
    if (!ids) ids = e.ids();
  for (const Entry& e : entries_) {
    if (!has(e.use, Use::saved)) continue;
    if (const double* scalar = std::get_if<double>(&e.value); scalar && !std::isfinite(*scalar))
      return e.full_name() + " is " + text(*scalar);
    if (!e.reals()) continue;
    const std::int64_t index = first_not_finite(*e.reals());
    if (index < 0) continue;
    return e.full_name() + place(e, index, ids) + " is " + text((*e.reals())[index]);
  }
  return std::nullopt;
}

} // namespace corral::run
