// Catch2's session between the start and the end of MPI: the same program on every rank.
#include "distributed/session.hpp"
#include "tests/catch_session.hpp"

#include <corral/execution.hpp>

int main(int argc, char** argv) {
  const corral::distributed::Session session;
  int failed = 0;
  corral::run_with_threads(1, [&] { failed = run_catch_session(argc, argv); }); // ranks share the cores
  return failed;
}
