#include "run/case/units.hpp"
#include "run/case/values.hpp"
#include "tests/catch.hpp"

#include <corral/error.hpp>

#include <cmath>
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
  CHECK(parse_quantity("38.4 pN", "N") == 38.4e-12);
  CHECK(parse_quantity("94 fL", "m3") == 94e-18);
  CHECK(parse_quantity("97 %", "") == 0.97);
  CHECK(parse_quantity("5 mm/m", "") == 0.005);
}

TEST_CASE("other units are converted") {
  CHECK(parse_quantity("3 min", "s") == 180);
  CHECK(parse_quantity("36 km/h", "m/s") == 10);
  CHECK(parse_quantity("6 L/min", "m3/s") == 0.0001);
  CHECK(parse_quantity("180 deg", "rad") == std::numbers::pi);
}

TEST_CASE("units of engineers are read by their definitions") {
  struct Same {
    const char *text, *si;
    double value;
  };
  for (const Same& u : std::vector<Same>{
           {"60 micron", "m", 60e-6},      {"60 microns", "m", 60e-6},       {"1 in", "m", 0.0254},
           {"3 ft/s", "m/s", 0.9144},      {"2 yd", "m", 1.8288},            {"1 mph", "m/s", 0.44704},
           {"1 lb", "kg", 0.45359237},     {"100 lbm", "kg", 45.359237},     {"1 lbf", "N", 4.4482216152605},
           {"1 kgf", "N", 9.80665},        {"1 atm", "Pa", 101325},          {"760 Torr", "Pa", 101325},
           {"1 mmHg", "Pa", 133.322387415}, {"1 P", "Pa s", 0.1},            {"1 cP", "Pa s", 1e-3},
           {"1 cSt", "m2/s", 1e-6},        {"1 dyn/cm2", "Pa", 0.1},         {"1 erg", "J", 1e-7},
           {"1 t/m3", "kg/m3", 1000},      {"10 hPa", "Pa", 1000},           {"3 ppm", "", 3e-6},
           {"2 m\u00B2", "m2", 2},         {"2 kg/m\u00B3", "kg/m3", 2},     {"2 m\u00B7s\u207B\u00B2", "m/s2", 2},
           {"7 pN", "N", 7e-12},           {"90 fL", "m3", 90e-18},          {"0.2 aJ", "J", 0.2e-18},
           {"2 \u00B5m\u00B2", "m2", 2e-12}, {"180\u00B0", "rad", std::numbers::pi}}) {
    INFO(u.text);
    CHECK(parse_quantity(u.text, u.si) == u.value);
  }
  CHECK_THAT(parse_quantity("1 psi", "Pa"), Catch::Matchers::WithinULP(4.4482216152605 / (0.0254 * 0.0254), 4));
  CHECK_THAT(parse_quantity("62.4 lb/ft3", "kg/m3"),
             Catch::Matchers::WithinULP(62.4 * 0.45359237 / (0.3048 * 0.3048 * 0.3048), 4));
}

TEST_CASE("a word that is meant for a unit is answered with the unit") {
  const auto said = [](const std::string& text) {
    try {
      parse_quantity(text, "m");
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("read");
  };
  CHECK(said("5 seconds") == "'seconds' is not a unit (unknown: seconds) write s");
  CHECK(said("5 microseconds") == "'microseconds' is not a unit (unknown: microseconds) write us");
  CHECK(said("5 Metres") == "'Metres' is not a unit (unknown: Metres) write m");
  CHECK(said("5 mu").ends_with("write um"));
  CHECK(said("5 \u03BC").ends_with("write um"));
  CHECK(said("5 inches").ends_with("write in"));
  CHECK(said("5 lbs/ft3").ends_with("write lb, or lbf for a force"));
  CHECK(said("5 degC").ends_with("write kelvins: K"));
  CHECK(said("5 \u00B0C").ends_with("write kelvins: K"));
  CHECK(said("5 inH2O").ends_with("of mercury)"));
  CHECK(said("5 mesh").ends_with("in um or mm"));
  CHECK(said("5 PSI").ends_with("write psi"));
  CHECK(said("5 Pa S").ends_with("(unknown: S) write s"));
  CHECK(said("5 MM").ends_with("write mm or Mm"));
  CHECK(said("5 parsec") == "'parsec' is not a unit (unknown: parsec)");
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

TEST_CASE("a greatest value is never said larger than it is") {
  using run::brief_below;
  CHECK(brief_below(3.7689e-6) == "3.76e-6");
  CHECK(brief_below(3.77e-6) == "3.77e-6");
  CHECK(brief_below(std::nextafter(3.77e-6, 0)) == "3.76e-6");
  CHECK(brief_below(9.999) == "9.99");
  CHECK(brief_below(1.0009) == "1");
  CHECK(brief_below(999.6) == "999");
  CHECK(brief_below(17078.9) == "17078");
  CHECK(brief_below(999999.7) == "999999");
  CHECK(brief_below(-0.12345) == "-0.124");
  CHECK(brief_below(0) == "0");
  for (double x = 1e-300; x < 1e300; x *= 1.2345) {
    const double said = parse_quantity(brief_below(x), "");
    CHECK((said <= x && said > 0.989 * x));
  }
}
