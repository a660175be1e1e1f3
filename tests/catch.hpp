#pragma once

// Catch2 2.13 (Debian 12) and 3.x differ in their headers and in a name, as far as the tests go. CMake says which it found:
// headers of the other one may lie on the way.
#if CORRAL_CATCH2 >= 3
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
namespace Catch::Matchers {
inline auto ContainsSubstring(const std::string& text) { return Contains(text); } // as version 3 calls it
} // namespace Catch::Matchers
#endif
