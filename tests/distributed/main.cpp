// Catch2's session between the start and the end of MPI: the same program on every rank.
#include "distributed/session.hpp"

#include <corral/execution.hpp>

#if CORRAL_CATCH2 >= 3
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

int main(int argc, char** argv) {
  const corral::distributed::Session session;
  int failed = 0;
  corral::run_with_threads(1, [&] { failed = Catch::Session().run(argc, argv); }); // ranks share the cores
  return failed;
}
