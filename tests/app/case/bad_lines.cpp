#include "tests/app/case/problems_of.hpp"
#include "tests/app/surroundings.hpp"
#include "tests/catch.hpp"

#include <algorithm>

using namespace corral;
using test::case_with;
using test::contains;
using test::problems_of;

namespace {

struct BadLine {
  int line; ///< that is replaced in the valid case; 0: appended, as line 23
  std::string text;
  std::string message; ///< part of what is said
  int blamed = 0;      ///< line that is named, where it is another one
};

const std::vector<BadLine> bad_lines{
    // Names
    {2, "[cas]", "case.driver is missing", 1},
    {5, "[tme]", "(nearest section: time)"},
    {7, "[Grid]", "(nearest section: grid)"},
    {10, "[gass]", "(nearest section: gas)"},
    {21, "[plasma]", "known sections: case, time"},
    {18, "[inlt.bottom]", "(nearest section: inlet.bottom)"},
    {18, "[inlet]", "lacks a name of its own"},
    {18, "[inlet.]", "not a section's name"},
    {18, "[inlet.a.b]", "not a section's name"},
    {18, "[inlet.a b]", "not a section's name"},
    {18, "[gas.bottom]", "[gas.bottom] is not known"},
    {3, "drivr = fake", "(nearest key: driver)"},
    {3, "driver = fak", "nearest: fake"},
    {3, "driver = openfoam", "choices: fake"},
    {3, "driver =", "has no value"},
    {6, "ned = 5", "(nearest key: end)"},
    {11, "densty = 1.2", "(nearest key: density)"},
    {11, "Density = 1.2", "(nearest key: density)"},
    {11, "dens = 1.2", "(nearest key: density)"},
    {12, "viscocity = 1e-5", "(nearest key: viscosity)"},
    {12, "ivscosity = 1e-5", "(nearest key: viscosity)"},
    {12, "frozen = true", "(it is a key of [solids]: parcels never move)"},
    {12, "colour = red", "known keys: density, viscosity"},
    {19, "velocty = 1.5", "(nearest key: velocity)"},
    {20, "density = 1", "(it is a key of [gas]: density of the gas)"},
    // Syntax
    {1, "driver = fake", "outside a section"},
    {1, "A valid case", "has no '='"},
    {1, "; A valid case", "comments begin with #"},
    {1, "// A valid case", "comments begin with #"},
    {2, "[case", "is not closed"},
    {2, "[case] driver", "is not closed"},
    {2, "[]", "not a section's name"},
    {2, "[ca se]", "not a section's name"},
    {2, "[1case]", "not a section's name"},
    {2, "case]", "has no '='"},
    {3, "driver fake", "has no '='"},
    {3, "driver: fake", "has no '='"},
    {3, "= fake", "'' is not a key's name"},
    {3, "the driver = fake", "not a key's name"},
    {3, "case.driver = fake", "not a key's name"},
    {3, "3 = fake", "not a key's name"},
    {3, "dr\xC3\xADver = fake", "not a key's name"},
    {4, "title = \"no end", "no closing quote"},
    {4, "title = \"one\" two", "goes on after its closing quote"},
    {4, "title = one \"two\"", "stray quote"},
    {4, "title = \"", "no closing quote"},
    {4, "title = " + std::string(1001, 'x'), "longer than 1000 bytes"},
    {4, "title = " + std::string(5000, 'x'), "the limit is 4096"},
    {4, "title = \"a \" b\"", "goes on after its closing quote"},
    {4, std::string("title = a\0b", 11), "control character in column 10"},
    {4, "title = a\x1F" "b", "control character in column 10"},
    {4, "title = a\rb", "control character"},
    {4, "title = \xE9t\xE9", "column 9 is not UTF-8"},
    {4, "title = \xC0\xAF", "not UTF-8"},
    {4, "title = \xED\xA0\x80", "not UTF-8"},
    {4, "title = \xF4\x90\x80\x80", "not UTF-8"},
    {4, "title = \xE2\x82", "not UTF-8"},
    // What stands twice
    {4, "driver = fake", "case.driver stands twice (first in line 3)"},
    {7, "[time]", "[time] stands twice (first in line 5)"},
    {0, "[inlet.bottom]", "[inlet.bottom] stands twice (first in line 18)"},
    {0, "log = 0.02", "output.log stands twice (first in line 22)"},
    // What is missing
    {3, "", "case.driver is missing", 2},
    {6, "", "time.end is missing", 5},
    {8, "", "grid.cells is missing", 7},
    {11, "", "gas.density is missing (density of the gas [kg/m3])", 10},
    {19, "", "inlet.bottom.velocity is missing", 18},
    {0, "[inlet.jet]", "inlet.jet.velocity is missing"},
    // Numbers
    {11, "density = dense", "'dense' is not a finite decimal number"},
    {11, "density = nan", "'nan' is not a finite decimal number"},
    {11, "density = NaN kg/m3", "not a finite decimal number"},
    {11, "density = inf", "'inf' is not a finite decimal number"},
    {11, "density = -Infinity", "not a finite decimal number"},
    {11, "density = 1e999", "beyond the range"},
    {11, "density = 1e99999999999999999999", "beyond the range"},
    {11, "density = 1e-999", "beyond the range"},
    {11, "density = 0", "0 kg/m3 is out of range (above 0)"},
    {11, "density = -1.2", "-1.2 kg/m3 is out of range (above 0)"},
    {11, "density = 1,2", "is a list"},
    {11, "density = 1.2.3", "not a unit"},
    {11, "density = 0x10", "not a unit"},
    {11, "density = 1_000", "not a unit"},
    {11, "density = --1", "not a finite decimal number"},
    {11, "density = .", "not a finite decimal number"},
    {11, "density = e5", "not a finite decimal number"},
    {11, "density = \"\"", "has no value"},
    {11, "density =    # 1.2", "has no value"},
    {11, "density = 1.2# kg/m3", "not a unit"},
    // Units
    {11, "density = 1.2 kg", "(kg/m3 or a unit of its kind is expected)"},
    {11, "density = 1.2 m", "(kg/m3 or a unit of its kind is expected)"},
    {11, "density = 1.2 kg/m2", "has the unit 'kg/m2'"},
    {11, "density = 1.2 KG/m3", "(unknown: KG) write kg"},
    {11, "density = 1.2 kg/m3 s", "ambiguous"},
    {11, "density = 1.2 kg/", "a unit is missing"},
    {11, "density = 1.2 /m3", "a unit is missing"},
    {11, "density = 1.2 kg/(m3", "a parenthesis is not closed"},
    {11, "density = 1.2 kg/m^", "a power is missing"},
    {11, "density = 1.2 kg/m0", "powers go from -9 to 9"},
    {11, "density = 1.2 kg/m33", "powers go from -9 to 9"},
    {11, "density = 1.2 " + std::string(2000, '('), "too long"},
    {12, "viscosity = 1.8e-5 Pa", "(Pa s or a unit of its kind is expected)"},
    {12, "viscosity = 1.8e-5 pa s", "unknown: pa"},
    {6, "end = 5 seconds", "(unknown: seconds) write s"},
    {6, "end = 5 m", "(s or a unit of its kind is expected)"},
    {17, "parcels = 100 m", "a bare number is expected"},
    // Whole numbers
    {17, "parcels = 1.5", "not a whole number"},
    {17, "parcels = -1", "-1 is out of range (0 to 1000000000)"},
    {17, "parcels = 4294967295", "out of range"},
    {17, "parcels = 99999999999999999999", "not a whole number below 2^63"},
    {17, "parcels = many", "not a finite decimal number"},
    {17, "parcels = nan", "not a finite decimal number"},
    // Triples and lists
    {8, "cells = 4, 3", "has 2 values (3 are expected"},
    {8, "cells = 4, 3, 2, 1", "has 4 values"},
    {8, "cells = 4 3 2", "not a unit"},
    {8, "cells = 4, 3, 0", "0 is out of range (1 to 1000)"},
    {8, "cells = 4, 3, 1001", "1001 is out of range"},
    {8, "cells = 4, , 2", "number is missing"},
    {8, "cells = 4, 3, 2,", "number is missing"},
    {9, "size = 15 mm, 150, 450", "units for some numbers only"},
    {9, "size = 15, 150 mm, 450 mm", "units for some numbers only"},
    {9, "size = 15, 150, 450 kg", "(m or a unit of its kind is expected)"},
    {9, "size = 15, 0, 450 mm", "0 m is out of range (above 0)"},
    {9, "size = 15, 150, nan", "not a finite decimal number"},
    {9, "size = 15", "has 1 values"},
    {14, "sizes = ,", "a number is missing"},
    {14, "sizes = 1 mm, -2 mm", "-0.002 m is out of range"},
    {14, "sizes = " + std::string(300, '1').replace(1, 298, std::string(298, ',')), "a number is missing"},
    // Words and files
    {13, "law = ergum", "nearest: ergun"},
    {13, "law = Ergun", "nearest: ergun"},
    {13, "law = stokes, ergun", "choices: stokes, ergun, wen_yu"},
    {16, "frozen = 1", "neither true nor false"},
    {16, "frozen = True", "neither true nor false"},
    {20, "side = left", "choices: floor, top"},
    {17, "table = no_such_file.csv", "'no_such_file.csv' does not exist"},
    {17, "table = .", "'.' is a directory (looked for "},
    {17, "table = /dev/null", "is not a regular file"},
    {17, "table =", "has no value"},
};

} // namespace

TEST_CASE("each bad line is refused with one message that names it") {
  REQUIRE(bad_lines.size() >= 100);
  for (const BadLine& bad : bad_lines) {
    const std::string said = problems_of(case_with(bad.line, bad.text));
    INFO("line " << bad.line << " replaced by: " << run::cited(bad.text) << "\nsaid: " << said);
    const int blamed = bad.blamed > 0 ? bad.blamed : bad.line > 0 ? bad.line : 23;
    CHECK(said.starts_with("case.ini:" + std::to_string(blamed) + ": "));
    CHECK(contains(said, bad.message));
    CHECK(std::count(said.begin(), said.end(), '\n') == 0);
  }
}
