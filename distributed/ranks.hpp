#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace corral::distributed {

/// The processes that share a domain: a communicator of this room's own, so that no message of the host's meets one of
/// these. A value; copies share the communicator. `ranks_of` (<distributed/mpi.hpp>) makes one of the host's.
///
/// Calls that say they are collective are made by all ranks, in the same order. An Error that all ranks meet is thrown
/// on all of them; one that a rank meets alone leaves the others waiting: programs end them by MPI_Abort.
class Ranks {
public:
  /// All processes of the program. Collective, as every copy of a communicator is.
  static Ranks world();
  /// This process alone.
  static Ranks alone();

  int rank() const;
  int size() const;

  /// Collective. Throws Error on all ranks where one of them has a problem: that of the lowest such rank, with its
  /// number. An empty text is none.
  void agree(const std::string& problem) const;
  /// The same for checks that throw Error: every rank makes them, and learns what any of them threw.
  template <class F> void together(const F& checks) const;

  struct Communicator;
  explicit Ranks(std::shared_ptr<const Communicator> communicator);
  const Communicator& communicator() const { return *communicator_; }

private:
  std::shared_ptr<const Communicator> communicator_;
};

// Sums and extremes over ranks. Collective; every rank gets the same bits. Values are combined in the order of the
// ranks, so that bits belong to a number of ranks, and not to a network or a library. Each rank receives 8 bytes from
// every other.

double sum(const Ranks& ranks, double mine);
/// Several sums at once: of each place of `mine`, which has the same size on all ranks.
std::vector<double> sums(const Ranks& ranks, std::span<const double> mine);
/// NaN where a rank has it.
double maximum(const Ranks& ranks, double mine);
double minimum(const Ranks& ranks, double mine);
/// Exact. Throws Error where the total leaves 64 bits.
std::int64_t total(const Ranks& ranks, std::int64_t mine);
/// What all ranks have, in their order.
std::vector<std::int64_t> all(const Ranks& ranks, std::int64_t mine);

} // namespace corral::distributed

#include <corral/error.hpp>

template <class F> void corral::distributed::Ranks::together(const F& checks) const {
  std::string problem;
  try {
    checks();
  } catch (const Error& error) {
    problem = error.what();
  }
  agree(problem);
}
