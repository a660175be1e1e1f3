#include "run/state/registry.hpp"

#include "run/device/not_finite.hpp"
#include "run/state/file_values.hpp"
#include "run/state/host_copy.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>
#include <corral/memory.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace corral::run {

namespace {

/// Same shape: a value can be copied from one to the other, once sets and tables have the same length.
bool alike(const Entry& a, const Entry& b) {
  return a.kind == b.kind && a.value.index() == b.value.index() && a.extents == b.extents &&
         a.staggering == b.staggering && a.corners == b.corners && a.components == b.components;
}

} // namespace

Registry::Registry(const Grid& grid, Memory memory) : grid_(grid), memory_(memory) {}
Registry::~Registry() = default;

Entry& Registry::declare(Entry entry) {
  const auto allowed = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; };
  if (entry.name.empty() || !std::all_of(entry.name.begin(), entry.name.end(), allowed))
    throw Error("state entry '" + entry.name + "' (a name is made of letters, digits, _ and -)");
  const std::string full = entry.full_name();
  for (const Entry& e : entries_)
    if (e.set == entry.set && (e.full_name() == full || (e.name == entry.name && e.components != entry.components)))
      throw Error("state entry " + full + (e.set ? " of " + e.set->name() : "") +
                  " is declared twice (names must differ)");
  return entries_.emplace_back(std::move(entry));
}

Array<double>& Registry::own_reals(Entry entry, std::int64_t count) {
  Array<double>& values = reals_.emplace_back(memory_);
  entry.value = &values;
  entry.resize(count);
  declare(std::move(entry));
  return values;
}

Array<double>& Registry::own_field(Entry entry, Staggering staggering) {
  entry.kind = Kind::field;
  entry.staggering = staggering;
  for (int a = 0; a < 3; ++a) entry.extents[a] = grid_.points(staggering, a);
  return own_reals(std::move(entry), grid_.points(staggering));
}

Array<double>& Registry::declare_field(std::string name, std::string unit, std::string meaning, Staggering staggering,
                                       Use use) {
  return own_field({.name = std::move(name), .unit = std::move(unit), .meaning = std::move(meaning), .use = use}, staggering);
}

Columns Registry::declare_fields(const std::string& name, const std::string& unit, const std::string& meaning, int components,
                                 Staggering staggering, Use use) {
  Columns all;
  for (int c = 0; c < components; ++c)
    all.push_back(&own_field({.name = name, .unit = unit, .meaning = meaning, .use = use, .components = components, .component = c},
                             staggering));
  return all;
}

Components Registry::declare_vector_field(const std::string& name, const std::string& unit, const std::string& meaning,
                                          const std::array<Staggering, 3>& staggerings, Use use) {
  Components vector{};
  for (int d = 0; d < 3; ++d)
    vector[d] = &own_field({.name = name, .unit = unit, .meaning = meaning, .use = use, .components = 3, .component = d},
                           staggerings[d]);
  return vector;
}

ParticleSet& Registry::declare_set(ParticleKind kind) {
  if (find_set(kind.name)) throw Error("the set " + kind.name + " is declared twice (names must differ)");
  return sets_.emplace_back(*this, std::move(kind));
}

double& Registry::declare_real(std::string name, std::string unit, std::string meaning, Use use) {
  double& number = numbers_.emplace_back(0.0);
  declare({.name = std::move(name), .unit = std::move(unit), .meaning = std::move(meaning), .use = use,
           .value = &number});
  return number;
}

std::int64_t& Registry::declare_counter(std::string name, std::string meaning, Use use) {
  std::int64_t& number = counters_.emplace_back(0);
  declare({.name = std::move(name), .unit = {}, .meaning = std::move(meaning), .use = use, .value = &number});
  return number;
}

void Registry::bind(std::string name, std::string unit, std::string meaning, double& number, Use use) {
  declare({.name = std::move(name), .unit = std::move(unit), .meaning = std::move(meaning), .use = use, .value = &number});
}

void Registry::bind(std::string name, std::string meaning, std::int64_t& number) {
  declare({.name = std::move(name), .unit = {}, .meaning = std::move(meaning), .use = Use::saved, .value = &number});
}

void Registry::bind(std::string name, std::string unit, std::string meaning, Array<double>& table, Use use,
                    std::optional<FieldsOfTable> fields) {
  declare({.name = std::move(name), .unit = std::move(unit), .meaning = std::move(meaning), .kind = Kind::table,
           .use = use, .fields = std::move(fields), .value = &table});
}

void Registry::bind(std::string name, std::string unit, std::string meaning, Array<float>& table, Use use,
                    std::optional<FieldsOfTable> fields) {
  declare({.name = std::move(name), .unit = std::move(unit), .meaning = std::move(meaning), .kind = Kind::table,
           .use = use, .fields = std::move(fields), .value = &table});
}

void Registry::bind(std::string name, std::string meaning, Array<std::uint64_t>& table) {
  declare({.name = std::move(name), .unit = {}, .meaning = std::move(meaning), .kind = Kind::table, .use = Use::saved,
           .value = &table});
}

const Entry* Registry::find(std::string_view name, int component) const {
  for (const Entry& e : entries_)
    if (!e.set && e.name == name && e.component == component) return &e;
  return nullptr;
}

const Entry* Registry::find(const Entry& like) const {
  if (!like.set) return find(like.name, like.component);
  const ParticleSet* set = find_set(like.set->name());
  return set ? set->find(like.name, like.component) : nullptr;
}

const ParticleSet* Registry::find_set(std::string_view name) const {
  for (const ParticleSet& set : sets_)
    if (set.name() == name) return &set;
  return nullptr;
}

std::int64_t Registry::bytes() const {
  std::int64_t total = 0;
  for (const Entry& e : entries_) total += e.bytes();
  return total;
}

HostCopy& Registry::host_copy() const {
  if (!host_copy_) host_copy_ = std::make_unique<HostCopy>(*this);
  return *host_copy_;
}

const Registry& Registry::on_host(const Wanted& wanted) const {
  return memory_ == Memory::device ? host_copy().fetch(wanted) : *this;
}

void Registry::fill_on_host(const std::function<void(Registry&)>& fill) {
  if (memory_ != Memory::device) {
    fill(*this);
    if (source_) source_->send();
    return;
  }
  const Wanted saved = [](const Entry& e) { return has(e.use, Use::saved); };
  fill(host_copy().fetch(saved)); // what it leaves alone stays as it is
  host_copy().send(*this, saved);
}

void Registry::fill(const std::filesystem::path& file, const std::vector<FilePlace>& places, bool on_disk) const {
  if (!places.empty()) source_->write(file, places, on_disk);
}

void Registry::take(const std::filesystem::path& file, const std::vector<FilePlace>& places, const std::filesystem::path& witness) {
  if (!places.empty()) source_->read(file, places, witness);
}

void Registry::assign(const Registry& other) {
  for (const ParticleSet& set : sets_)
    if (!other.find_set(set.name())) throw Error("there is no set " + set.name() + " (the state is of another case)");
  for (const Entry& e : entries_) {
    if (!has(e.use, Use::saved)) continue;
    const std::string name = (e.set ? e.set->name() + "." : "") + e.full_name();
    const Entry* found = other.find(e);
    if (!found && has(e.use, Use::optional)) continue;
    if (!found) throw Error("there is no " + name + " (the state is of another case, or of another version)");
    if (!alike(*found, e)) throw Error(name + " has another shape (the state is of another case or grid)");
  }
  for (ParticleSet& set : sets_) set.resize(other.find_set(set.name())->size());
  bool on_device = false;
  for (const Entry& e : entries_) {
    const Entry* found = other.find(e);
    if (!has(e.use, Use::saved) || !found) continue;
    e.take(*found);
    on_device = on_device || e.on_device() || found->on_device();
  }
  if (on_device) detail::wait_for(run_stream);
}

namespace {

// Exponent bits all ones mean infinite or NaN; adding one to the exponent then carries into the sign bit. Integer
// operations vectorise where std::isfinite in a loop with an exit does not.
template <class T> bool all_finite(const T* values, std::int64_t n) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  constexpr Bits one = Bits{1} << (std::numeric_limits<T>::digits - 1), sign = Bits{1} << (8 * sizeof(T) - 1);
  constexpr Bits exponent = sign - one;
  Bits carries = 0;
  for (std::int64_t i = 0; i < n; ++i) carries |= (std::bit_cast<Bits>(values[i]) & exponent) + one;
  return (carries & sign) == 0;
}

// Index of the first value that is not finite, of those that are known, or -1.
template <class T> std::int64_t first_not_finite(const Entry& e, const Array<T>& values) {
  constexpr std::int64_t chunk = 8 * chunk_size;
  const distributed::Piece known = e.known.value_or(distributed::Piece{0, values.size()});
  const T* const from = values.data() + known.begin;
  Array<std::int64_t> found((known.size() + chunk - 1) / chunk, -1);
  for_each_chunk(Cpu{}, known.size(), chunk, [&](std::int64_t begin, std::int64_t end) {
    if (all_finite(from + begin, end - begin)) return;
    const T* first = std::find_if(from + begin, from + end, [](T v) { return !std::isfinite(v); });
    found[begin / chunk] = first - values.data();
  });
  for (const std::int64_t index : found)
    if (index >= 0) return index;
  return -1;
}

/// Wherever the array lies; waits for a device.
template <class T> T value_at(const Array<T>& values, std::int64_t index) {
  if (values.memory() != Memory::device) return values[index];
  T value{};
  detail::copy_memory(&value, values.data() + index, sizeof value);
  return value;
}

bool is_scanned(const Entry& e) { return has(e.use, Use::saved) && !has(e.use, Use::watched); }

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
  return " of " + e.set->one() + (ids ? " " + std::to_string(value_at(*ids, index)) : " at index " + std::to_string(index));
}

std::string text(double not_finite) { return std::isnan(not_finite) ? "nan" : not_finite > 0 ? "inf" : "-inf"; }

} // namespace

std::optional<Registry::Found> Registry::find_not_finite_on_device() const {
  std::vector<const Entry*> entries;
  std::vector<NotFiniteScan::Values> arrays;
  for (const Entry& e : entries_) {
    if (!is_scanned(e) || !e.reals() || !e.on_device()) continue;
    entries.push_back(&e);
    arrays.push_back({e.reals()->data(), e.reals()->size()});
  }
  if (arrays.empty()) return std::nullopt;
  if (!scan_) scan_ = std::make_unique<NotFiniteScan>();
  const auto place = scan_->first(Gpu{run_stream}, arrays);
  if (!place) return std::nullopt;
  return Found{entries[static_cast<std::size_t>(place->array)], place->index};
}

std::optional<std::string> Registry::find_not_finite() const {
  if (source_) return source_->find_not_finite();
  const std::optional<Found> there = find_not_finite_on_device();
  for (const Entry& e : entries_) {
    if (!is_scanned(e)) continue;
    if (const double* number = e.real(); number && !std::isfinite(*number))
      return e.full_name() + " is " + text(*number);
    if (!e.reals() && !e.floats()) continue;
    const std::int64_t index = e.on_device() ? (there && there->entry == &e ? there->index : -1)
                               : e.reals()   ? first_not_finite(e, *e.reals())
                                             : first_not_finite(e, *e.floats());
    if (index < 0) continue;
    const double found = e.reals() ? value_at(*e.reals(), index) : static_cast<double>((*e.floats())[index]);
    return e.full_name() + place(e, index) + " is " + text(found);
  }
  return std::nullopt;
}

} // namespace corral::run
