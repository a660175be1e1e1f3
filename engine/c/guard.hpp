#pragma once

/// What every function for C does with its arguments and with what is thrown: the engine's, and those of rooms above it.
/// Headers alone, for nothing of it leaves the shared library.

#include <corral/corral.h>
#include <corral/error.hpp>
#include <corral/execution.hpp>
#include <corral/views.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <type_traits>

namespace corral::c {

/// Padding would hide a member that a later version puts there: structs would keep their size.
template <class... Structs>
inline constexpr bool without_padding = (std::has_unique_object_representations_v<Structs> && ...);

/// The size that a struct had first; members beyond it may be missing and are then zero.
template <class Struct> inline constexpr std::size_t first_size = sizeof(Struct);
/// No struct of any version is longer: what says so has no size, and is not searched for members.
inline constexpr std::size_t most_struct_size = 1024;

/// What the last call that failed found; a library has one for each thread.
class LastError {
public:
  void keep(const char* message) noexcept { std::snprintf(text_, sizeof text_, "%s", message); }
  const char* text() const { return text_; }

private:
  char text_[512] = ""; // keeping allocates nothing
};

/// Runs the body of a C function and turns what it throws into a status.
template <class F> int guarded(LastError& last, F&& body) noexcept {
  try {
    body();
    return corral_ok;
  } catch (const Error& e) {
    last.keep(e.what());
    return corral_bad_argument;
  } catch (const std::bad_alloc&) {
    last.keep("out of memory");
    return corral_out_of_memory;
  } catch (const std::exception& e) {
    last.keep(e.what());
  } catch (...) {
    last.keep("an exception of unknown type");
  }
  return corral_failed;
}

/// Throws Error for a column or field without memory.
inline void require_data(const void* data, const std::string& what) {
  if (data == nullptr)
    throw Error("a " + what + "'s data is NULL (in Fortran, corral_" + what +
                "_of gives none to what it cannot view) hand over its memory");
}

inline void require_pointer(const void* pointer, const char* what) {
  if (pointer == nullptr) throw Error(std::string(what) + " is NULL");
}

/// Element i of an array of structs as its caller knows them: `struct_size` of the first is the distance from one to
/// the next. A caller compiled for an earlier version hands over shorter structs; one compiled for a later version may
/// hand over longer ones, if it leaves zero what is unknown here. Throws Error where that is not so, and for sizes that
/// no struct has.
template <class Struct> Struct read(const Struct* structs, std::int64_t i, const char* name) {
  require_pointer(structs, name);
  const auto known_size = [](std::size_t size) {
    return size >= first_size<Struct> && size <= most_struct_size && size % alignof(Struct) == 0;
  };
  std::size_t stride = 0;
  std::memcpy(&stride, structs, sizeof stride);
  const char* at = reinterpret_cast<const char*>(structs) + static_cast<std::size_t>(i) * stride;
  std::size_t size = stride;
  if (known_size(stride)) std::memcpy(&size, at, sizeof size);
  if (!known_size(size) || size != stride)
    throw Error(std::string(name) + " with struct_size " + std::to_string(size) + " (this library has " +
                std::to_string(sizeof(Struct)) + ") set it to sizeof(" + name + ")");
  for (std::size_t byte = sizeof(Struct); byte < size; ++byte)
    if (at[byte] != 0)
      throw Error(std::string(name) + " sets a member that this library does not know (it is version " +
                  std::to_string(CORRAL_VERSION_MAJOR) + "." + std::to_string(CORRAL_VERSION_MINOR) + ")");
  Struct known{};
  std::memcpy(&known, at, std::min(size, sizeof known));
  if constexpr (requires { known.reserved; })
    if (known.reserved != 0)
      throw Error(std::string(name) + " with reserved = " + std::to_string(known.reserved) +
                  " (that member is 0 in this version) begin with all members zero");
  return known;
}

/// The enumerator of C++ with that number; `count` of them are known. Throws Error beyond.
template <class Enum> Enum enumerator(std::int32_t value, std::int32_t count, const char* name) {
  if (value < 0 || value >= count)
    throw Error(std::string(name) + " " + std::to_string(value) + " (known are 0 to " + std::to_string(count - 1) +
                ")");
  return static_cast<Enum>(value);
}

inline const char* type_name(std::int32_t type) {
  constexpr const char* names[] = {"double", "float", "int32", "int64", "uint64"};
  return names[enumerator<std::size_t>(type, 5, "corral_type")];
}
template <class T> constexpr std::int32_t type_of = corral_double;
template <> inline constexpr std::int32_t type_of<float> = corral_float;

/// The column with its defaults filled in. Throws Error for a negative size and for memory that is missing.
inline corral_column read_column(const corral_column* columns, std::int64_t i) {
  corral_column column = read(columns, i, "corral_column");
  if (column.size < 0) throw Error("a column of " + std::to_string(column.size) + " values (a size is never negative)");
  if (column.size > 0) require_data(column.data, "column");
  if (column.stride == 0) column.stride = 1;
  return column;
}

/// The column as one of T, which its type must say: `others` are, as in "the order is".
template <class T> Column<T> typed(const corral_column& column, const char* others) {
  constexpr std::int32_t wanted = type_of<std::remove_const_t<T>>;
  if (column.type != wanted)
    throw Error(std::string("a column of ") + type_name(column.type) + " (" + others + " of " + type_name(wanted) + ")");
  return {static_cast<T*>(column.data), column.size, column.stride};
}

/// Throws Error for a negative number of something.
inline void require_count(std::int64_t count, const char* what) {
  if (count < 0) throw Error(std::to_string(count) + " " + what + " (a number is never negative)");
}

/// Throws Error for a number of threads that no call takes; 0 sets no limit.
inline void require_threads(std::int32_t threads) {
  if (threads < 0) throw Error(std::to_string(threads) + " threads (a number is never negative) 0 sets no limit");
  if (threads > 0) run_with_threads(threads, [] {});
}

/// Calls `work` on no more threads than that; 0 sets no limit.
template <class F> void with_threads(std::int32_t threads, const F& work) {
  if (threads == 0) work();
  else run_with_threads(threads, work);
}

} // namespace corral::c
