// Catch2 2 builds its own code here; Catch2 3 brings that as a library, and this file only calls its session.
#include "catch_session.hpp"

#if CORRAL_CATCH2 >= 3
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

int run_catch_session(int argc, char** argv) { return Catch::Session().run(argc, argv); }
