#include "tests/catch.hpp"
#include "tests/engine/message_of.hpp"

#include "distributed/make_team.hpp"
#include "distributed/mpi.hpp"
#include "distributed/session.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace corral::test {
namespace {

using distributed::Ranks;

} // namespace

TEST_CASE("sums over ranks are those of their order") {
  const Ranks ranks = Ranks::world();
  // 1 is lost beside 2^53, unless what follows it comes first.
  const auto of = [](int rank) { return rank == 0 ? 0x1p53 : rank == 1 ? 1.0 : rank == 2 ? 1.0 : -0x1p53; };
  double expected = 0;
  for (int r = 0; r < ranks.size(); ++r) expected += of(r);
  CHECK(distributed::sum(ranks, of(ranks.rank())) == expected);
  if (ranks.size() == 4) CHECK(expected == 0);
  const std::array mine{of(ranks.rank()), double(ranks.rank()), 0.5};
  const std::vector<double> found = distributed::sums(ranks, mine);
  CHECK(found == std::vector<double>{expected, ranks.size() * (ranks.size() - 1) / 2.0, 0.5 * ranks.size()});
  CHECK(distributed::sums(ranks, {}).empty());
}

TEST_CASE("extremes over ranks, and a NaN of any of them") {
  const Ranks ranks = Ranks::world();
  CHECK(distributed::maximum(ranks, -1.0 - ranks.rank()) == -1.0);
  CHECK(distributed::minimum(ranks, -1.0 - ranks.rank()) == -ranks.size());
  for (int r = 0; r < ranks.size(); ++r) {
    const double mine = r == ranks.rank() ? std::numeric_limits<double>::quiet_NaN() : ranks.rank();
    CHECK(std::isnan(distributed::maximum(ranks, mine)));
    CHECK(std::isnan(distributed::minimum(ranks, mine)));
  }
}

TEST_CASE("totals over ranks have 64 bits") {
  const Ranks ranks = Ranks::world();
  const std::int64_t large = 0x7fffffffffffffff / ranks.size();
  CHECK(distributed::total(ranks, large) == large * ranks.size());
  const std::vector<std::int64_t> of_all = distributed::all(ranks, 5'000'000'000 + ranks.rank());
  for (int r = 0; r < ranks.size(); ++r) CHECK(of_all[static_cast<std::size_t>(r)] == 5'000'000'000 + r);
  if (ranks.size() > 1)
    CHECK(message_of([&] { distributed::total(ranks, 0x7fffffffffffffff); }) ==
          "a total over ranks beyond 64 bits (counts are at most 2^63 - 1)");
}

TEST_CASE("a problem of one rank is thrown on all of them") {
  const Ranks ranks = Ranks::world();
  CHECK_NOTHROW(ranks.agree(""));
  const int last = ranks.size() - 1;
  const std::string expected =
      ranks.size() == 1 ? "it of 0" : "rank " + std::to_string(last) + ": it of " + std::to_string(last);
  CHECK(message_of([&] {
          ranks.together([&] {
            if (ranks.rank() == last) throw Error("it of " + std::to_string(last));
          });
        }) == expected);
  // Of several, the lowest rank's.
  CHECK(message_of([&] { ranks.agree("mine " + std::to_string(ranks.rank())); }) ==
        (ranks.size() == 1 ? "mine 0" : "rank 0: mine 0"));
}

TEST_CASE("a session within one that runs starts nothing, and ends nothing") {
  { const distributed::Session within; }
  const Ranks ranks = Ranks::world();
  CHECK(distributed::total(ranks, 1) == ranks.size());
}

TEST_CASE("ranks are of the host's communicator, in its order") {
  int world = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &world);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm backwards = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, size - world, &backwards);
  const Ranks ranks = distributed::ranks_of(backwards);
  MPI_Comm_free(&backwards);
  CHECK(ranks.rank() == size - 1 - world);
  CHECK(ranks.size() == size);
  CHECK(distributed::all(ranks, world).front() == size - 1);
  CHECK(message_of([] { distributed::ranks_of(MPI_COMM_NULL); }) ==
        "ranks of MPI_COMM_NULL (this process is none of them)");
}

TEST_CASE("a communicator that is lent is of the same ranks, one for all who ask, and of this MPI") {
  const Ranks ranks = Ranks::world();
  const auto team = distributed::make_team(ranks);
  const distributed::LentCommunicator lent = team->lend();
  CHECK(team->lend().number == lent.number);
  const MPI_Comm comm = MPI_Comm_f2c(lent.number);
  int alike = MPI_UNEQUAL;
  MPI_Comm_compare(comm, distributed::communicator_of(ranks), &alike);
  CHECK(alike == MPI_CONGRUENT); // and not the same: messages do not meet
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> name{};
  int length = 0;
  MPI_Get_library_version(name.data(), &length);
  CHECK(lent.mpi == name.data());
}

} // namespace corral::test
