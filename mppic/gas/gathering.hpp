#pragma once

#include <corral/array.hpp>
#include <corral/cell_order.hpp>
#include <corral/interpolate.hpp>
#include <corral/kernels/linear.hpp>

#include <cstdint>
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

  /// `column` gets the parcels' number of rows; both have to live until `run`.
  void add(const Array<double>& field, Staggering staggering, Array<double>& column) {
    column.resize(parcels_);
    terms_.push_back({field_view(grid_, field.data(), staggering), {column.data(), parcels_}});
  }
  template <Execution E> void run(E execution, const CellOrder<double>& order) const {
    interpolate<kernels::Linear, double>(execution, order, kernels::Linear{}, terms_);
  }
  int fields() const { return static_cast<int>(terms_.size()); }

private:
  const Grid& grid_;
  std::int64_t parcels_;
  std::vector<Interpolate<double>> terms_;
};

} // namespace corral::mppic
