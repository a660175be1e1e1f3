#include "distributed/make_team.hpp"

#include "distributed/field_sums.hpp"
#include "distributed/mpi.hpp"
#include "distributed/shared_grid.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace corral::distributed {
namespace {

/// Rows of so many bytes, as MPI counts them: by one each.
class RowType {
public:
  explicit RowType(std::int64_t bytes) {
    MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
  }
  ~RowType() { MPI_Type_free(&type_); }
  RowType(const RowType&) = delete;
  RowType& operator=(const RowType&) = delete;

  MPI_Datatype get() const { return type_; }

private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

std::vector<int> as_ints(std::span<const std::int64_t> counts) { return {counts.begin(), counts.end()}; }
std::vector<int> begins_of(const std::vector<int>& counts) {
  std::vector<int> begins(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
  return begins;
}

class TeamOfRanks final : public Team {
public:
  explicit TeamOfRanks(const Ranks& ranks) : ranks_(ranks) {}

  int rank() const override { return ranks_.rank(); }
  int size() const override { return ranks_.size(); }
  void agree(const std::string& problem) const override { ranks_.agree(problem); }
  std::vector<double> sums(std::span<const double> mine) const override { return distributed::sums(ranks_, mine); }
  double maximum(double mine) const override { return distributed::maximum(ranks_, mine); }

  void add(std::span<std::uint64_t> counts) const override {
    each_part(counts.size(), [&](std::size_t begin, int n) {
      MPI_Allreduce(MPI_IN_PLACE, counts.data() + begin, n, MPI_UINT64_T, MPI_SUM, communicator_of(ranks_));
    });
  }
  void add(std::span<const std::span<double>> fields) const override { add_fields(ranks_, fields); }

  std::vector<std::byte> all(std::span<const std::byte> mine) const override {
    std::vector<std::byte> of_all(mine.size() * static_cast<std::size_t>(size()));
    const int n = static_cast<int>(mine.size());
    MPI_Allgather(mine.data(), n, MPI_BYTE, of_all.data(), n, MPI_BYTE, communicator_of(ranks_));
    return of_all;
  }

  ReceivedRows exchange(std::span<const std::byte> rows, std::int64_t each, std::span<const std::int64_t> to) const override {
    ReceivedRows received;
    received.from.resize(to.size());
    MPI_Alltoall(to.data(), 1, MPI_INT64_T, received.from.data(), 1, MPI_INT64_T, communicator_of(ranks_));
    const std::int64_t come = std::accumulate(received.from.begin(), received.from.end(), std::int64_t{0});
    received.bytes.resize(static_cast<std::size_t>(come * each));
    const std::vector<int> sent = as_ints(to), got = as_ints(received.from), sent_at = begins_of(sent), got_at = begins_of(got);
    const RowType row(each);
    MPI_Alltoallv(rows.data(), sent.data(), sent_at.data(), row.get(), received.bytes.data(), got.data(), got_at.data(), row.get(),
                  communicator_of(ranks_));
    return received;
  }

  void broadcast(std::span<std::byte> bytes) const override {
    each_part(bytes.size(), [&](std::size_t begin, int n) { MPI_Bcast(bytes.data() + begin, n, MPI_BYTE, 0, communicator_of(ranks_)); });
  }

  std::unique_ptr<SharedGrid> share(const Grid& whole, std::int64_t ghosts) const override {
    return share_grid(*this, ranks_, whole, ghosts);
  }

private:
  /// f(begin, count) of parts that MPI can count.
  template <class F> static void each_part(std::size_t size, const F& f) {
    constexpr std::size_t at_once = std::size_t{1} << 30;
    for (std::size_t i = 0; i < size; i += at_once) f(i, static_cast<int>(std::min(at_once, size - i)));
  }

  Ranks ranks_;
};

} // namespace

std::unique_ptr<Team> make_team(const Ranks& ranks) { return std::make_unique<TeamOfRanks>(ranks); }

} // namespace corral::distributed
