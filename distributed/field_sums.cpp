#include "distributed/field_sums.hpp"

#include "distributed/row_type.hpp"

#include <corral/array.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <iterator>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace corral::distributed {
namespace {

constexpr std::size_t block = 512;                 // values
constexpr std::size_t most = std::size_t{1} << 24; // values of the fields that are on their way together

/// Values of fields, block by block.
class Blocks {
public:
  explicit Blocks(std::span<const FieldOfPlanes> fields) {
    for (const FieldOfPlanes& field : fields)
      for (std::size_t i = 0; i < field.values.size(); i += block) {
        const std::span<double> values = field.values.subspan(i, std::min(block, field.values.size() - i));
        all_.push_back({values, static_cast<std::int64_t>(i), field.of_plane});
      }
  }

  std::span<double> operator[](std::int32_t b) const { return all_[static_cast<std::size_t>(b)].values; }
  /// Whether one has values in these planes.
  bool meets(std::int32_t b, std::span<const Piece> planes) const {
    return std::ranges::any_of(planes, [&](const Piece& piece) { return all_[static_cast<std::size_t>(b)].in(piece).size() > 0; });
  }
  /// Its values in these planes, among zeros.
  void copy(std::int32_t b, std::span<const Piece> planes, double* to) const {
    const Block& of = all_[static_cast<std::size_t>(b)];
    std::fill_n(to, of.values.size(), 0.0);
    for (const Piece& piece : planes) {
      const Piece part = of.in(piece);
      std::copy(of.values.data() + part.begin, of.values.data() + part.end, to + part.begin);
    }
  }
  /// Numbers of those that hold something, in these planes.
  std::vector<std::int32_t> filled(std::span<const Piece> planes) const {
    std::vector<std::int32_t> numbers;
    for (std::int32_t b = 0; b < static_cast<std::int32_t>(all_.size()); ++b)
      if (meets(b, planes) && std::ranges::any_of((*this)[b], [](double v) { return v != 0; })) numbers.push_back(b);
    return numbers;
  }

private:
  struct Block {
    std::span<double> values;
    std::int64_t begin, of_plane; ///< in the field; values of a plane

    /// Its values in planes.
    Piece in(const Piece& planes) const {
      return common({planes.begin * of_plane - begin, planes.end * of_plane - begin}, {0, std::ssize(values)});
    }
  };
  std::vector<Block> all_;
};

/// Blocks on their way: the number of each stands before its values.
class BlockRecords {
public:
  static constexpr std::int64_t each = 1 + static_cast<std::int64_t>(block); ///< values
  static constexpr std::int64_t bytes = each * static_cast<std::int64_t>(sizeof(double));

  explicit BlockRecords(std::int64_t count) : values_(count * each) {}
  /// Of blocks with these numbers, what they have in these planes.
  BlockRecords(const Blocks& blocks, const std::vector<std::int32_t>& numbers, std::span<const Piece> planes)
      : BlockRecords(std::ssize(numbers)) {
    for_each(Cpu{}, count(), [&](std::int64_t k) {
      const std::int32_t number = numbers[static_cast<std::size_t>(k)];
      *record(k) = number;
      blocks.copy(number, planes, record(k) + 1);
    });
  }

  std::int64_t count() const { return values_.size() / each; }
  double* values() { return values_.data(); }
  /// Records [begin, end) are added where they belong. No two of them are of one block.
  void add_to(const Blocks& blocks, std::int64_t begin, std::int64_t end) {
    for_each(Cpu{}, end - begin, [&](std::int64_t k) {
      const double* from = record(begin + k);
      const std::span<double> to = blocks[static_cast<std::int32_t>(*from++)];
      for (double& value : to) value += *from++;
    });
  }

private:
  double* record(std::int64_t k) { return values_.data() + k * each; }

  Array<double> values_;
};

std::vector<int> first_of(const std::vector<int>& counts) {
  std::vector<int> first(counts.size() + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), first.begin() + 1);
  return first;
}

/// Records of all ranks, rank after rank; first[r] is where rank r's begin.
struct Received {
  std::vector<int> first;
  BlockRecords records;
};

/// All get the same ones.
Received gathered(const Ranks& ranks, BlockRecords mine) {
  const int count = static_cast<int>(mine.count());
  std::vector<int> counts(static_cast<std::size_t>(ranks.size()));
  MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, communicator_of(ranks));
  std::vector<int> first = first_of(counts);
  BlockRecords all(first.back());
  const RowType record(BlockRecords::bytes);
  MPI_Allgatherv(mine.values(), count, record.get(), all.values(), counts.data(), first.data(), record.get(), communicator_of(ranks));
  return {std::move(first), std::move(all)};
}

/// `mine` are those for rank 0, for rank 1, and so on: so many each.
Received exchanged(const Ranks& ranks, BlockRecords mine, const std::vector<int>& to) {
  std::vector<int> from(to.size());
  MPI_Alltoall(to.data(), 1, MPI_INT, from.data(), 1, MPI_INT, communicator_of(ranks));
  std::vector<int> first = first_of(from);
  const std::vector<int> sent = first_of(to);
  BlockRecords all(first.back());
  const RowType record(BlockRecords::bytes);
  MPI_Alltoallv(mine.values(), to.data(), sent.data(), record.get(), all.values(), from.data(), first.data(), record.get(),
                communicator_of(ranks));
  return {std::move(first), std::move(all)};
}

/// Blocks that meet the planes of a rank, of rank after rank: their numbers, and how many each gets.
std::vector<std::int32_t> blocks_for(const PiecesOfRanks& wanted, const Blocks& blocks, const std::vector<std::int32_t>& filled,
                                     std::vector<int>& to) {
  std::vector<std::int32_t> numbers;
  for (const std::vector<Piece>& pieces : wanted) {
    const std::size_t before = numbers.size();
    std::ranges::copy_if(filled, std::back_inserter(numbers), [&](std::int32_t b) { return blocks.meets(b, pieces); });
    to.push_back(static_cast<int>(numbers.size() - before));
  }
  return numbers;
}

/// `wanted`: null where all ranks want all.
void add_together(const Ranks& ranks, std::span<const FieldOfPlanes> fields, std::span<const Piece> held, const PiecesOfRanks* wanted) {
  const Blocks blocks(fields);
  const std::vector<std::int32_t> filled = blocks.filled(held);
  std::vector<int> to;
  BlockRecords mine(blocks, wanted ? blocks_for(*wanted, blocks, filled, to) : filled, held);
  for_each(Cpu{}, std::ssize(filled), [&](std::int64_t k) { std::ranges::fill(blocks[filled[static_cast<std::size_t>(k)]], 0.0); });
  Received received = wanted ? exchanged(ranks, std::move(mine), to) : gathered(ranks, std::move(mine));
  for (std::size_t r = 0; r + 1 < received.first.size(); ++r) // one rank after the other, at every value
    received.records.add_to(blocks, received.first[r], received.first[r + 1]);
}

/// As many at once as there is room for.
void add_in_turn(const Ranks& ranks, std::span<const FieldOfPlanes> fields, std::span<const Piece> held, const PiecesOfRanks* wanted) {
  for (std::size_t begin = 0; begin < fields.size();) {
    std::size_t end = begin, size = 0;
    while (end < fields.size() && (end == begin || size + fields[end].values.size() <= most)) size += fields[end++].values.size();
    add_together(ranks, fields.subspan(begin, end - begin), held, wanted);
    begin = end;
  }
}

} // namespace

void add_fields(const Ranks& ranks, std::span<const std::span<double>> fields) {
  std::vector<FieldOfPlanes> one_plane_each;
  for (const std::span<double> field : fields) one_plane_each.push_back({field, std::ssize(field)});
  constexpr Piece all[] = {{0, 1}};
  add_in_turn(ranks, one_plane_each, all, nullptr);
}

void add_fields(const Ranks& ranks, std::span<const FieldOfPlanes> fields, std::span<const Piece> held, const PiecesOfRanks& wanted) {
  add_in_turn(ranks, fields, held, &wanted);
}

} // namespace corral::distributed
