#pragma once

#include <corral/array.hpp>
#include <corral/views.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace corral::distributed {

namespace detail {
/// A column of any type that grows, in memory the caller owns: std::vector, or Array on the host.
struct GrowingColumn {
  std::int64_t each; ///< [bytes] of a value
  void* values;
  std::int64_t (*size)(const void*);
  std::byte* (*data)(void*);
  void (*resize)(void*, std::int64_t);

  template <class Values> static GrowingColumn of(Values& values) {
    using V = std::remove_cvref_t<decltype(values[0])>;
    static_assert(std::is_trivially_copyable_v<V> && !std::is_same_v<Values, std::vector<bool>>);
    return {sizeof(V), &values,
            [](const void* v) { return static_cast<std::int64_t>(static_cast<const Values*>(v)->size()); },
            [](void* v) { return reinterpret_cast<std::byte*>(static_cast<Values*>(v)->data()); },
            [](void* v, std::int64_t n) {
              using Size = decltype(static_cast<Values*>(v)->size());
              static_cast<Values*>(v)->resize(static_cast<Size>(n));
            }};
  }
};
} // namespace detail

/// The particles of a rank by columns that grow and shrink together: three of coordinates, one of ids, and any others,
/// which are values of any type that can be copied byte by byte. Ids are 64-bit numbers of which no two particles of
/// the whole have the same. Columns are the caller's, and outlive this. T is float or double.
template <class T> class RankParticles {
public:
  template <class X, class Ids> RankParticles(X& x, X& y, X& z, Ids& ids) {
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(x[0])>, T>);
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(ids[0])>, std::uint64_t>);
    with(x), with(y), with(z), with(ids);
  }
  /// One column more.
  template <class Values> RankParticles& with(Values& values) {
    columns_.push_back(detail::GrowingColumn::of(values));
    return *this;
  }

  std::int64_t size() const { return columns_[0].size(columns_[0].values); }
  Positions<T> positions() const { return {{coordinate(0), coordinate(1), coordinate(2)}}; }
  Column<const std::uint64_t> ids() const { return {reinterpret_cast<const std::uint64_t*>(data(3)), size(), 1}; }

  const std::vector<detail::GrowingColumn>& columns() const { return columns_; }

private:
  std::byte* data(std::size_t c) const { return columns_[c].data(columns_[c].values); }
  Column<const T> coordinate(std::size_t d) const {
    return {reinterpret_cast<const T*>(data(d)), columns_[d].size(columns_[d].values), 1};
  }

  std::vector<detail::GrowingColumn> columns_;
};

template <class X, class Ids> RankParticles(X& x, X& y, X& z, Ids& ids)
    -> RankParticles<std::remove_cvref_t<decltype(x[0])>>;

} // namespace corral::distributed
