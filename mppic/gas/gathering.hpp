#pragma once

#include <corral/array.hpp>
#include <corral/cell_order.hpp>
#include <corral/interpolate.hpp>
#include <corral/kernels/linear.hpp>

#include <algorithm>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace corral::mppic {

/// A field and the column that parcels take it into.
struct Interpolated {
  const Array<double>* field;
  Staggering staggering;
  Array<double>* column;
};

/// Fields of a grid that parcels take in one pass, trilinearly, each into a column of its own.
class Gathering {
public:
  Gathering(const Grid& grid, std::int64_t parcels) : grid_(grid), parcels_(parcels) {}

  /// `column` has the parcels' number of rows; both have to live until `run`.
  void add(const Array<double>& field, Staggering staggering, Array<double>& column) {
    assert(column.size() == parcels_);
    terms_.push_back({field_view(grid_, field.data(), staggering), {column.data(), parcels_}});
  }
  template <Execution E> void run(E execution, const CellOrder<double>& order) {
    if constexpr (std::same_as<E, Cpu>)
      interpolate<kernels::Linear, double>(execution, order, kernels::Linear{}, terms_);
    else
      run_in_parts(execution, order);
  }
  int fields() const { return static_cast<int>(terms_.size()); }

private:
  /// A device takes four fields of a staggering at once, however many are handed over, and memory for their padded copies:
  /// of few at once it is little.
  void run_in_parts(Gpu gpu, const CellOrder<double>& order) {
    constexpr std::ptrdiff_t at_once = 4;
    const auto staggering = [](const Interpolate<double>& term) { return term.field.staggering; };
    std::stable_sort(terms_.begin(), terms_.end(),
                     [&](const auto& a, const auto& b) { return staggering(a) < staggering(b); });
    for (auto first = terms_.begin(); first != terms_.end();) {
      auto last = first;
      while (last != terms_.end() && last - first < at_once && staggering(*last) == staggering(*first)) ++last;
      interpolate<kernels::Linear, double>(gpu, order, kernels::Linear{}, std::span(first, last));
      first = last;
    }
  }

  const Grid& grid_;
  std::int64_t parcels_;
  std::vector<Interpolate<double>> terms_;
};

} // namespace corral::mppic
