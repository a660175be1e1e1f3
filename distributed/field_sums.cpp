#include "distributed/field_sums.hpp"

#include "distributed/mpi.hpp"

#include <corral/array.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace corral::distributed {
namespace {

constexpr std::size_t block = 512;                 // values
constexpr std::size_t most = std::size_t{1} << 24; // values of the fields that are on their way together

using Fields = std::span<const std::span<double>>;

/// Values of fields, block by block.
class Blocks {
public:
  explicit Blocks(Fields fields) {
    for (const std::span<double> field : fields)
      for (std::size_t i = 0; i < field.size(); i += block) all_.push_back(field.subspan(i, std::min(block, field.size() - i)));
  }

  std::span<double> operator[](std::int32_t b) const { return all_[static_cast<std::size_t>(b)]; }
  /// Numbers of those that hold something.
  std::vector<std::int32_t> filled() const {
    std::vector<std::int32_t> numbers;
    for (std::size_t b = 0; b < all_.size(); ++b)
      if (std::any_of(all_[b].begin(), all_[b].end(), [](double v) { return v != 0; })) numbers.push_back(static_cast<std::int32_t>(b));
    return numbers;
  }

private:
  std::vector<std::span<double>> all_;
};

/// Blocks on their way: the number of each stands before its values.
class BlockRecords {
public:
  static constexpr std::int64_t each = 1 + static_cast<std::int64_t>(block); ///< values

  explicit BlockRecords(std::size_t count) : values_(static_cast<std::int64_t>(count) * each) {}
  double* operator[](std::int64_t k) { return values_.data() + k * each; }

  /// Those of all ranks, rank after rank; first[r] is where rank r's begin.
  BlockRecords gathered(const Ranks& ranks, std::vector<int>& first) {
    const int mine = static_cast<int>(values_.size() / each);
    std::vector<int> count(static_cast<std::size_t>(ranks.size()));
    MPI_Allgather(&mine, 1, MPI_INT, count.data(), 1, MPI_INT, communicator_of(ranks));
    first.assign(count.size() + 1, 0);
    std::partial_sum(count.begin(), count.end(), first.begin() + 1);
    BlockRecords all(static_cast<std::size_t>(first.back()));
    MPI_Datatype record = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(static_cast<int>(each), MPI_DOUBLE, &record);
    MPI_Type_commit(&record);
    MPI_Allgatherv(values_.data(), mine, record, all.values_.data(), count.data(), first.data(), record, communicator_of(ranks));
    MPI_Type_free(&record);
    return all;
  }

private:
  Array<double> values_;
};

void add_together(const Ranks& ranks, Fields fields) {
  const Blocks blocks(fields);
  const std::vector<std::int32_t> filled = blocks.filled();
  BlockRecords mine(filled.size());
  for_each(Cpu{}, static_cast<std::int64_t>(filled.size()), [&](std::int64_t k) {
    const std::int32_t number = filled[static_cast<std::size_t>(k)];
    const std::span<double> values = blocks[number];
    mine[k][0] = number;
    std::copy(values.begin(), values.end(), mine[k] + 1);
    std::fill(values.begin(), values.end(), 0.0);
  });
  std::vector<int> first;
  BlockRecords all = mine.gathered(ranks, first);
  for (std::size_t r = 0; r + 1 < first.size(); ++r) // one rank after the other, at every value
    for_each(Cpu{}, first[r + 1] - first[r], [&](std::int64_t k) {
      const double* from = all[first[r] + k];
      const std::span<double> to = blocks[static_cast<std::int32_t>(*from++)];
      for (double& value : to) value += *from++;
    });
}

} // namespace

void add_fields(const Ranks& ranks, Fields fields) {
  for (std::size_t begin = 0; begin < fields.size();) {
    std::size_t end = begin, size = 0;
    while (end < fields.size() && (end == begin || size + fields[end].size() <= most)) size += fields[end++].size();
    add_together(ranks, fields.subspan(begin, end - begin));
    begin = end;
  }
}

} // namespace corral::distributed
