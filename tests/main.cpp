// Catch2 2 builds its main here; Catch2 3 brings one as a library, and this file only calls its session.
#if CORRAL_CATCH2 >= 3
#include <catch2/catch_session.hpp>
int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }
#else
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
