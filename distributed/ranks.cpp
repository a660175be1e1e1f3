#include "distributed/mpi.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace corral::distributed {

Ranks::Communicator::Communicator(MPI_Comm of) {
  int started = 0, ended = 0;
  MPI_Initialized(&started);
  MPI_Finalized(&ended);
  if (started == 0 || ended != 0)
    throw Error("ranks without MPI (it runs from MPI_Init to MPI_Finalize) make a Session first");
  if (of == MPI_COMM_NULL) throw Error("ranks of MPI_COMM_NULL (this process is none of them)");
  MPI_Comm_dup(of, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
}

Ranks::Communicator::~Communicator() {
  int ended = 0;
  MPI_Finalized(&ended);
  if (ended == 0) MPI_Comm_free(&comm);
}

Ranks::Ranks(std::shared_ptr<const Communicator> communicator) : communicator_(std::move(communicator)) {}

Ranks ranks_of(MPI_Comm of) { return Ranks(std::make_shared<const Ranks::Communicator>(of)); }
Ranks Ranks::world() { return ranks_of(MPI_COMM_WORLD); }
Ranks Ranks::alone() { return ranks_of(MPI_COMM_SELF); }

int Ranks::rank() const { return communicator_->rank; }
int Ranks::size() const { return communicator_->size; }

void Ranks::agree(const std::string& problem) const {
  const MPI_Comm comm = communicator_->comm;
  const int mine = problem.empty() ? size() : rank();
  int first = 0;
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm);
  if (first == size()) return;
  int length = static_cast<int>(problem.size());
  MPI_Bcast(&length, 1, MPI_INT, first, comm);
  std::string text = problem;
  text.resize(static_cast<std::size_t>(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, first, comm);
  throw Error(size() == 1 ? text : "rank " + std::to_string(first) + ": " + text);
}

namespace {

/// What every rank has, rank after rank.
template <class T> std::vector<T> gathered(const Ranks& ranks, std::span<const T> mine, MPI_Datatype type) {
  const std::size_t n = mine.size();
  std::vector<T> of_all(n * static_cast<std::size_t>(ranks.size()));
  MPI_Allgather(mine.data(), static_cast<int>(n), type, of_all.data(), static_cast<int>(n), type,
                communicator_of(ranks));
  return of_all;
}

/// `wins(a, b)`: a is taken and not b.
template <class Wins> double extreme(const Ranks& ranks, double mine, const Wins& wins) {
  double found = mine;
  for (const double a : gathered<double>(ranks, {&mine, 1}, MPI_DOUBLE))
    if (std::isnan(a) || wins(a, found)) found = a;
  return found;
}

} // namespace

std::vector<double> sums(const Ranks& ranks, std::span<const double> mine) {
  const std::vector<double> of_all = gathered(ranks, mine, MPI_DOUBLE);
  std::vector<double> found(mine.size(), 0.0);
  for (std::size_t i = 0; i < of_all.size(); ++i) found[i % mine.size()] += of_all[i];
  return found;
}

double sum(const Ranks& ranks, double mine) { return sums(ranks, {&mine, 1}).front(); }

double maximum(const Ranks& ranks, double mine) {
  return extreme(ranks, mine, [](double a, double b) { return a > b; });
}
double minimum(const Ranks& ranks, double mine) {
  return extreme(ranks, mine, [](double a, double b) { return a < b; });
}

std::vector<std::int64_t> all(const Ranks& ranks, std::int64_t mine) {
  return gathered<std::int64_t>(ranks, {&mine, 1}, MPI_INT64_T);
}

std::int64_t total(const Ranks& ranks, std::int64_t mine) {
  std::int64_t found = 0;
  for (const std::int64_t a : all(ranks, mine))
    if (__builtin_add_overflow(found, a, &found))
      throw Error("a total over ranks beyond 64 bits (counts are at most 2^63 - 1)");
  return found;
}

} // namespace corral::distributed
