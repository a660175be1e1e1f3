#include "run/case/values.hpp"

#include "tests/catch.hpp"

using namespace corral;
using run::brief;

TEST_CASE("numbers in messages have three digits, whole ones up to a million all") {
  CHECK(brief(0.012345) == "0.0123");
  CHECK(brief(2.5e-7) == "2.5e-7");
  CHECK(brief(0) == "0");
  CHECK(brief(38) == "38");
  CHECK(brief(999.6) == "1000");
  CHECK(brief(17078.4) == "17078");
  CHECK(brief(4e9) == "4e9");
  CHECK(brief(1.2345e18) == "1.23e18");
}
