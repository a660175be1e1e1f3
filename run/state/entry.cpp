#include "run/state/entry.hpp"

#include "run/limits.hpp"
#include "run/state/particle_set.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <new>

namespace corral::run {

namespace {

std::string rounded(double value) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.begin(), digits.end(), value, std::chars_format::general, 3).ptr};
}

} // namespace

std::int64_t Entry::bytes() const {
  if (elsewhere) return size() * each();
  if (const auto* r = reals()) return r->bytes();
  if (const auto* u = ids()) return u->bytes();
  if (const auto* n = integers()) return n->bytes();
  if (const auto* f = floats()) return f->bytes();
  return 0;
}

std::int64_t Entry::size() const {
  if (elsewhere) return kind == Kind::column ? set->size() : *elsewhere;
  if (const auto* r = reals()) return r->size();
  if (const auto* u = ids()) return u->size();
  if (const auto* n = integers()) return n->size();
  if (const auto* f = floats()) return f->size();
  return 1;
}

std::int64_t Entry::each() const { return integers() ? sizeof(std::int32_t) : floats() ? sizeof(float) : sizeof(double); }

std::byte* Entry::data() const {
  return std::visit(
      [](auto* held) {
        if constexpr (requires { held->data(); }) return reinterpret_cast<std::byte*>(held->data());
        else return reinterpret_cast<std::byte*>(held);
      },
      value);
}

bool Entry::on_device() const {
  return std::visit(
      [](const auto* held) {
        if constexpr (requires { held->memory(); }) return held->memory() == Memory::device;
        else return false;
      },
      value);
}

void Entry::resize(std::int64_t count) const {
  if (elsewhere) return;
  try {
    if (auto* r = reals()) r->resize(count, 0.0);
    if (auto* u = ids()) u->resize(count, 0);
    if (auto* n = integers()) n->resize(count, 0);
  } catch (const OutOfDeviceMemory&) {
    throw;
  } catch (const std::bad_alloc&) {
    const std::string of = set                              ? " " + set->name()
                           : staggering == Staggering::centre ? " cells"
                           : staggering == Staggering::node   ? " nodes"
                                                                : " faces";
    throw OutOfMemory(full_name() + " of " + std::to_string(count) + of + " takes " +
                      rounded(static_cast<double>(count) * (integers() ? sizeof(std::int32_t) : sizeof(double)) / 1e9) + " GB");
  }
}

void Entry::take(const Entry& from) const {
  std::visit(
      [&](auto* to) {
        const auto& source = *std::get<decltype(to)>(from.value);
        if constexpr (requires { to->memory(); }) {
          if (on_device() || from.on_device()) {
            to->resize(source.size());
            if (source.empty()) return;
            const std::size_t bytes = static_cast<std::size_t>(source.size()) * sizeof(*source.data());
            return detail::copy_memory_on(run_stream, to->data(), source.data(), bytes);
          }
        }
        *to = source;
      },
      value);
}

} // namespace corral::run
