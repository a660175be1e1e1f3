#include "distributed/transposition.hpp"

#include "distributed/mpi.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace corral::distributed {
namespace {

using Counts = std::array<std::int64_t, 3>; ///< of fields, rows and columns

/// What goes to each rank, or comes from it, as parts of one array of blocks: nothing is packed here.
class PartsOfArray {
public:
  PartsOfArray() = default;
  ~PartsOfArray() {
    for (MPI_Datatype& type : types_)
      if (type != MPI_DOUBLE) MPI_Type_free(&type);
  }
  PartsOfArray(const PartsOfArray&) = delete;
  PartsOfArray& operator=(const PartsOfArray&) = delete;

  /// The next rank's: `count` of these from `first` on.
  void add(const Counts& all, const Counts& count, const Counts& first, std::int64_t block) {
    const bool none = count[0] == 0 || count[1] == 0 || count[2] == 0;
    counts_.push_back(none ? 0 : 1);
    begins_.push_back(0);
    types_.push_back(MPI_DOUBLE);
    if (none) return;
    const auto ints = [](const Counts& c) { return std::array<int, 3>{static_cast<int>(c[0]), static_cast<int>(c[1]), static_cast<int>(c[2])}; };
    MPI_Datatype one = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(static_cast<int>(block), MPI_DOUBLE, &one);
    MPI_Type_create_subarray(3, ints(all).data(), ints(count).data(), ints(first).data(), MPI_ORDER_C, one, &types_.back());
    MPI_Type_commit(&types_.back());
    MPI_Type_free(&one);
  }

  const int* counts() const { return counts_.data(); }
  const int* begins() const { return begins_.data(); }
  const MPI_Datatype* types() const { return types_.data(); }

private:
  std::vector<int> counts_, begins_;
  std::vector<MPI_Datatype> types_;
};

class TranspositionByMpi final : public Transposition {
public:
  TranspositionByMpi(const Ranks& ranks, const SharedMatrix& matrix) : ranks_(ranks), matrix_(matrix), rows_of_(all_rows()) {
    first_row_.push_back(0);
    for (const std::int64_t rows : rows_of_) first_row_.push_back(first_row_.back() + rows);
    const std::int64_t most = std::max(matrix_.row_stride, first_row_.back());
    ranks_.agree(most > std::numeric_limits<int>::max() ? "a matrix of " + std::to_string(first_row_.back()) + " rows in memory for " +
                                                              std::to_string(matrix_.row_stride) + " columns (MPI counts 2^31 - 1 of either)"
                                                        : "");
  }

  std::int64_t first_column() const override { return first_of(ranks_.rank()); }
  std::int64_t columns() const override { return columns_of(ranks_.rank()); }
  std::int64_t rows() const override { return first_row_.back(); }
  std::int64_t row_stride() const override { return columns() | 1; }

  void by_columns(const double* by_rows, double* by_columns, int matrices) const override {
    const Way& way = of_fields(matrices);
    move(by_rows, way.rows, by_columns, way.columns);
  }
  void by_rows(const double* by_columns, double* by_rows, int matrices) const override {
    const Way& way = of_fields(matrices);
    move(by_columns, way.columns, by_rows, way.rows);
  }

private:
  struct Way {
    PartsOfArray rows, columns; ///< of what is by rows, and by columns
  };

  std::int64_t first_of(int rank) const { return matrix_.columns * rank / ranks_.size(); }
  std::int64_t columns_of(int rank) const { return first_of(rank + 1) - first_of(rank); }

  std::vector<std::int64_t> all_rows() const {
    std::vector<std::int64_t> all(static_cast<std::size_t>(ranks_.size()));
    MPI_Allgather(&matrix_.rows, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, communicator_of(ranks_));
    return all;
  }

  const Way& of_fields(int fields) const {
    const auto [at, made] = ways_.try_emplace(fields);
    for (int r = 0; made && r < ranks_.size(); ++r) {
      const auto rank = static_cast<std::size_t>(r);
      at->second.rows.add({fields, matrix_.rows, matrix_.row_stride}, {fields, matrix_.rows, columns_of(r)}, {0, 0, first_of(r)}, matrix_.block);
      at->second.columns.add({fields, rows(), row_stride()}, {fields, rows_of_[rank], columns()}, {0, first_row_[rank], 0}, matrix_.block);
    }
    return at->second;
  }

  void move(const double* from, const PartsOfArray& sent, double* to, const PartsOfArray& got) const {
    MPI_Alltoallw(from, sent.counts(), sent.begins(), sent.types(), to, got.counts(), got.begins(), got.types(), communicator_of(ranks_));
  }

  Ranks ranks_;
  SharedMatrix matrix_;
  std::vector<std::int64_t> rows_of_, first_row_; ///< by rank
  mutable std::map<int, Way> ways_;               ///< by the number of fields
};

} // namespace

std::unique_ptr<Transposition> make_transposition(const Ranks& ranks, const SharedMatrix& matrix) {
  return std::make_unique<TranspositionByMpi>(ranks, matrix);
}

} // namespace corral::distributed
