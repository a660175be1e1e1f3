#include "run/units.hpp"

#include "tests/catch.hpp"

#include <corral/error.hpp>

#include <numbers>
#include <string>
#include <vector>

using namespace corral;
using run::parse_quantities;
using run::parse_quantity;

TEST_CASE("a number with a decimal unit is the double nearest to its text") {
  CHECK(parse_quantity("0.3 mm", "m") == 0.3e-3);
  CHECK(parse_quantity("0.3mm", "m") == 0.3e-3);
  CHECK(parse_quantity("2.5e2 um", "m") == 2.5e-4);
  CHECK(parse_quantity("7 \u00B5m", "m") == 7e-6);
  CHECK(parse_quantity("7 \u03BCm", "m") == 7e-6);
  CHECK(parse_quantity("1.8e-5 Pa s", "Pa s") == 1.8e-5);
  CHECK(parse_quantity("0.018 mPa*s", "Pa s") == 1.8e-5);
  CHECK(parse_quantity("1.8e-5 kg/(m s)", "Pa s") == 1.8e-5);
  CHECK(parse_quantity("1.8e-5 kg m^-1 s-1", "Pa s") == 1.8e-5);
  CHECK(parse_quantity("1.2 g/L", "kg/m3") == 1.2);
  CHECK(parse_quantity("1.2 kg/m^3", "kg/m3") == 1.2);
  CHECK(parse_quantity("1.2e-3 g/cm3", "kg/m3") == 1.2);
  CHECK(parse_quantity("3 mm2", "m2") == 3e-6);
  CHECK(parse_quantity("981 cm/s/s", "m/s2") == 9.81);
  CHECK(parse_quantity("1.1 bar", "Pa") == 1.1e5);
  CHECK(parse_quantity("5 N/m2", "Pa") == 5);
  CHECK(parse_quantity("2 kW/(m2 K)", "kg/(s3 K)") == 2000);
  CHECK(parse_quantity("3 Hz", "1/s") == 3);
  CHECK(parse_quantity("97 %", "") == 0.97);
  CHECK(parse_quantity("5 mm/m", "") == 0.005);
}

TEST_CASE("other units are converted") {
  CHECK(parse_quantity("3 min", "s") == 180);
  CHECK(parse_quantity("36 km/h", "m/s") == 10);
  CHECK(parse_quantity("6 L/min", "m3/s") == 0.0001);
  CHECK(parse_quantity("180 deg", "rad") == std::numbers::pi);
}

TEST_CASE("a bare number is SI, in any decimal notation") {
  for (const char* text : {"1500", "+1500", "1500.", "1.5e3", "1.5E+03", "0.15e4", " 1500\t", "15000e-1"})
    CHECK(parse_quantity(text, "m") == 1500);
  CHECK(parse_quantity("-.5", "m") == -0.5);
}

TEST_CASE("a list takes a unit for each number or one for all") {
  CHECK(parse_quantities("15, 150,450 mm", "m") == std::vector<double>{0.015, 0.15, 0.45});
  CHECK(parse_quantities("15 mm, 15 cm, 0.45 m", "m") == std::vector<double>{0.015, 0.15, 0.45});
  CHECK(parse_quantities("1", "m") == std::vector<double>{1});
  CHECK_THROWS_AS(parse_quantities("15 mm, 150, 450", "m"), Error);
  CHECK_THROWS_AS(parse_quantities("15, 150 mm, 450 mm", "m"), Error);
  CHECK_THROWS_AS(parse_quantities("", "m"), Error);
  CHECK_THROWS_AS(parse_quantities("1,,2", "m"), Error);
}

TEST_CASE("what is no number or no unit of the kind is refused") {
  for (const char* text :
       {"",       "nan",   "inf",  "-inf", "0x1p3", "1e400", "1e-400", "e3",     "+-1",    "1 s",   "1 m2", "1 mmm",
        "1 kmin", "1 xyz", "1 m/", "1 (m", "1 m)",  "1 m^",  "1 m^0",  "1 m^12", "1 12/s", "1 m 2", "1 2 m"})
    CHECK_THROWS_AS(parse_quantity(text, "m"), Error);
  CHECK_THROWS_AS(parse_quantity("1, 2", "m"), Error);
  CHECK_THROWS_AS(run::parse_unit("kg/m s"), Error);
  CHECK_THROWS_AS(run::parse_unit(std::string(65, '(')), Error);
}
