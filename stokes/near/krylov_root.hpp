#pragma once

#include "stokes/sums/normal_numbers.hpp"

#include <corral/array.hpp>
#include <corral/execution.hpp>
#include <corral/views.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace corral::stokes {

/// The positive root of a symmetric matrix without negative eigenvalues, times a random vector, by the matrix's
/// products alone: from the space of the first of them (Chow and Saad 2014). Keeps its memory from call to call.
class KrylovSpace {
public:
  static constexpr int most_vectors = 200;
  /// Adds the matrix's product with the first columns to the second, which are set to 0.
  using Product =
      std::function<void(const std::vector<Column<const double>>& of, const std::vector<Column<double>>& to)>;

  /// Adds to three columns of `n` numbers, of streams 3 to 5 of the random ones. Error relative to the result. Throws
  /// Error where so many vectors do not suffice.
  void add_root(Cpu, std::int64_t n, double tolerance, const NormalNumbers&, const Product&,
                std::span<const Column<double>> to);

  int vectors() const { return vectors_; } ///< that the last call took
  std::int64_t bytes() const;

private:
  Array<double>& vector(std::size_t j, std::int64_t size);

  std::vector<Array<double>> space_;
  int vectors_ = 0;
};

} // namespace corral::stokes
