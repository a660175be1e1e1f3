#include "distributed/make_team.hpp"

#include "distributed/field_sums.hpp"
#include "distributed/row_type.hpp"
#include "distributed/shared_grid.hpp"
#include "distributed/transposition.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <thread>

namespace corral::distributed {
namespace {

std::vector<int> as_ints(std::span<const std::int64_t> counts) { return {counts.begin(), counts.end()}; }
std::vector<int> begins_of(const std::vector<int>& counts) {
  std::vector<int> begins(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
  return begins;
}

class TeamOfRanks final : public Team {
public:
  TeamOfRanks(const Ranks& ranks, std::chrono::milliseconds patience)
      : ranks_(ranks), meetings_(ranks_of(communicator_of(ranks))), patience_(patience) {}

  int rank() const override { return ranks_.rank(); }
  int size() const override { return ranks_.size(); }
  void agree(const std::string& problem) const override { ranks_.agree(problem); }
  void meet(const std::string& problem) const override {
    // The first rank that has a problem, and whether all have one.
    const std::array<int, 2> mine{problem.empty() ? size() : rank(), problem.empty() ? 0 : 1};
    std::array<int, 2> all{};
    MPI_Request met = MPI_REQUEST_NULL;
    MPI_Iallreduce(mine.data(), all.data(), 2, MPI_INT, MPI_MIN, communicator_of(meetings_), &met);
    if (problem.empty()) MPI_Wait(&met, MPI_STATUS_IGNORE);
    else wait_or_end(met, problem);
    if (all[0] == size()) return;
    std::string text = problem;
    std::int64_t length = std::ssize(text);
    MPI_Bcast(&length, 1, MPI_INT64_T, all[0], communicator_of(meetings_));
    text.resize(static_cast<std::size_t>(length));
    MPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, all[0], communicator_of(meetings_));
    throw Error(all[1] == 1 ? text : "rank " + std::to_string(all[0]) + ": " + text);
  }
  std::vector<double> sums(std::span<const double> mine) const override { return distributed::sums(ranks_, mine); }
  double maximum(double mine) const override { return distributed::maximum(ranks_, mine); }

  void add(std::span<std::uint64_t> counts) const override {
    each_part(counts.size(), [&](std::size_t begin, int n) {
      MPI_Allreduce(MPI_IN_PLACE, counts.data() + begin, n, MPI_UINT64_T, MPI_SUM, communicator_of(ranks_));
    });
  }
  void add(std::span<const std::span<double>> fields) const override { add_fields(ranks_, fields); }
  void add(std::span<const FieldOfPlanes> fields, std::span<const Piece> held, const PiecesOfRanks& wanted) const override {
    add_fields(ranks_, fields, held, wanted);
  }

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

  void swap(const SwappedBytes& bytes) const override {
    enum Way : int { down, up };
    const int before = (rank() + size() - 1) % size(), behind = (rank() + 1) % size();
    std::array<MPI_Request, 4> requests{};
    std::size_t n = 0;
    const auto receive = [&](std::span<std::byte> to, int from, Way way) {
      if (!to.empty()) MPI_Irecv(to.data(), static_cast<int>(to.size()), MPI_BYTE, from, way, communicator_of(ranks_), &requests[n++]);
    };
    const auto send = [&](std::span<const std::byte> from, int to, Way way) {
      if (!from.empty()) MPI_Isend(from.data(), static_cast<int>(from.size()), MPI_BYTE, to, way, communicator_of(ranks_), &requests[n++]);
    };
    receive(bytes.from_before, before, up);
    receive(bytes.from_behind, behind, down);
    send(bytes.to_before, before, down);
    send(bytes.to_behind, behind, up);
    MPI_Waitall(static_cast<int>(n), requests.data(), MPI_STATUSES_IGNORE);
  }

  void complete(std::byte* rows, std::int64_t each, std::span<const std::int64_t> first) const override {
    std::vector<int> counts, begins;
    for (std::size_t r = 0; r + 1 < first.size(); ++r) {
      begins.push_back(static_cast<int>(first[r]));
      counts.push_back(static_cast<int>(first[r + 1] - first[r]));
    }
    const RowType row(each);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, rows, counts.data(), begins.data(), row.get(), communicator_of(ranks_));
  }

  void deliver(std::byte* rows, std::int64_t each, std::span<const std::int64_t> first, const PiecesOfRanks& wanted) const override {
    const RowType row(each);
    const auto own = static_cast<std::size_t>(rank());
    std::vector<MPI_Request> requests;
    const auto call = [&](const Piece& piece, std::size_t with, const auto& transfer) {
      if (piece.size() == 0 || with == own) return;
      transfer(rows + piece.begin * each, static_cast<int>(piece.size()), row.get(), static_cast<int>(with), 0, communicator_of(ranks_),
               &requests.emplace_back());
    };
    for (std::size_t r = 0; r < wanted.size(); ++r) {
      const Piece of_rank{first[r], first[r + 1]};
      for (const Piece& piece : wanted[own]) call(common(piece, of_rank), r, MPI_Irecv);
    }
    const Piece mine{first[own], first[own + 1]};
    for (std::size_t r = 0; r < wanted.size(); ++r)
      for (const Piece& piece : wanted[r]) call(common(piece, mine), r, MPI_Isend);
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }

  void broadcast(std::span<std::byte> bytes) const override {
    each_part(bytes.size(), [&](std::size_t begin, int n) { MPI_Bcast(bytes.data() + begin, n, MPI_BYTE, 0, communicator_of(ranks_)); });
  }

  LentCommunicator lend() const override {
    if (!lent_) lent_ = ranks_of(communicator_of(ranks_));
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> name{};
    int length = 0;
    MPI_Get_library_version(name.data(), &length);
    return {static_cast<std::int32_t>(MPI_Comm_c2f(communicator_of(*lent_))), name.data()}; // the length may count the closing zero
  }

  std::unique_ptr<Transposition> transposition(const SharedMatrix& matrix) const override { return make_transposition(ranks_, matrix); }

  std::unique_ptr<SharedGrid> share(const Grid& whole, std::int64_t ghosts, const Uncut& uncut) const override {
    return share_grid(*this, ranks_, whole, ghosts, uncut);
  }

private:
  /// f(begin, count) of parts that MPI can count.
  template <class F> static void each_part(std::size_t size, const F& f) {
    constexpr std::size_t at_once = std::size_t{1} << 30;
    for (std::size_t i = 0; i < size; i += at_once) f(i, static_cast<int>(std::min(at_once, size - i)));
  }

  void wait_or_end(MPI_Request met, const std::string& problem) const {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point last = Clock::now() + patience_;
    for (int done = 0;;) {
      MPI_Test(&met, &done, MPI_STATUS_IGNORE);
      if (done != 0) return;
      if (Clock::now() > last) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    // Nobody else can say it: who would is waiting for this rank.
    std::fprintf(stderr, "corral: rank %d: %s (the other ranks wait for this one, and all end) checkpoints that are written stand\n", rank(), problem.c_str());
    MPI_Abort(communicator_of(meetings_), 1);
  }

  Ranks ranks_;
  Ranks meetings_; ///< of `meet` alone: what ranks wait for elsewhere is not taken for it
  mutable std::optional<Ranks> lent_;
  std::chrono::milliseconds patience_;
};

} // namespace

std::unique_ptr<Team> make_team(const Ranks& ranks, std::chrono::milliseconds patience) {
  return std::make_unique<TeamOfRanks>(ranks, patience);
}

} // namespace corral::distributed
