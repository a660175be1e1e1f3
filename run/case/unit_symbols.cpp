#include "run/case/units.hpp"

#include <algorithm>
#include <array>
#include <numbers>

namespace corral::run {

namespace {

struct Symbol {
  std::string_view text;
  Unit unit;
  bool prefixes = false; ///< whether SI prefixes go with it
};

// Customary units by their definitions, which are exact: factor and power of ten are whole numbers.
constexpr double pound = 45359237;  // 1e-8 kg
constexpr double gravity = 980665;  // 1e-5 m/s2

const std::array symbols{
    Symbol{"m", {{1}, 0}, true},
    Symbol{"g", {{0, 1}, -3}, true},
    Symbol{"s", {{0, 0, 1}, 0}, true},
    Symbol{"K", {{0, 0, 0, 1}, 0}, true},
    Symbol{"mol", {{0, 0, 0, 0, 1}, 0}, true},
    Symbol{"rad", {{0, 0, 0, 0, 0, 1}, 0}, true},
    Symbol{"deg", {{0, 0, 0, 0, 0, 1}, 0, std::numbers::pi, 180}},
    Symbol{"Hz", {{0, 0, -1}, 0}, true},
    Symbol{"N", {{1, 1, -2}, 0}, true},
    Symbol{"Pa", {{-1, 1, -2}, 0}, true},
    Symbol{"bar", {{-1, 1, -2}, 5}, true},
    Symbol{"J", {{2, 1, -2}, 0}, true},
    Symbol{"W", {{2, 1, -3}, 0}, true},
    Symbol{"L", {{3}, -3}, true},
    Symbol{"l", {{3}, -3}, true},
    Symbol{"t", {{0, 1}, 3}},
    Symbol{"min", {{0, 0, 1}, 0, 60}},
    Symbol{"h", {{0, 0, 1}, 0, 3600}},
    Symbol{"%", {{}, -2}},
    Symbol{"ppm", {{}, -6}},
    Symbol{"1", {}},
    // of the cgs system
    Symbol{"micron", {{1}, -6}},
    Symbol{"microns", {{1}, -6}},
    Symbol{"P", {{-1, 1, -1}, -1}, true},
    Symbol{"St", {{2, 0, -1}, -4}, true},
    Symbol{"dyn", {{1, 1, -2}, -5}},
    Symbol{"erg", {{2, 1, -2}, -7}},
    // customary
    Symbol{"in", {{1}, -4, 254}},
    Symbol{"ft", {{1}, -4, 3048}},
    Symbol{"yd", {{1}, -4, 9144}},
    Symbol{"mph", {{1, 0, -1}, -5, 44704}},
    Symbol{"lb", {{0, 1}, -8, pound}},
    Symbol{"lbm", {{0, 1}, -8, pound}},
    Symbol{"lbf", {{1, 1, -2}, -13, pound * gravity}},
    Symbol{"kgf", {{1, 1, -2}, -5, gravity}},
    Symbol{"psi", {{-1, 1, -2}, -5, pound * gravity, 254 * 254}},
    Symbol{"atm", {{-1, 1, -2}, 0, 101325}},
    Symbol{"Torr", {{-1, 1, -2}, 0, 101325, 760}},
    Symbol{"mmHg", {{-1, 1, -2}, -9, 133322387415}},
};

struct Prefix {
  std::string_view text;
  int exponent;
};
constexpr std::array prefixes{Prefix{"a", -18}, Prefix{"f", -15}, Prefix{"p", -12},     Prefix{"n", -9},
                              Prefix{"u", -6},  Prefix{"\u00B5", -6}, Prefix{"\u03BC", -6}, Prefix{"m", -3},
                              Prefix{"c", -2},  Prefix{"d", -1},  Prefix{"h", 2},       Prefix{"k", 3},
                              Prefix{"M", 6},   Prefix{"G", 9}};

struct Advice {
  std::string_view words; ///< with a blank around each
  std::string_view advice;
};

// What has several meanings, an offset, or is a word: one way to write it is enough, and it is said here.
constexpr std::array advices{
    Advice{" sec secs second seconds ", "write s"},
    Advice{" millisecond milliseconds msec msecs ", "write ms"},
    Advice{" microsecond microseconds usec usecs ", "write us"},
    Advice{" nanosecond nanoseconds nsec ", "write ns"},
    Advice{" minute minutes mins ", "write min"},
    Advice{" hr hrs hour hours ", "write h"},
    Advice{" meter meters metre metres mtr ", "write m"},
    Advice{" millimeter millimeters millimetre millimetres ", "write mm"},
    Advice{" centimeter centimeters centimetre centimetres ", "write cm"},
    Advice{" nanometer nanometers nanometre nanometres ", "write nm"},
    Advice{" kilometer kilometers kilometre kilometres ", "write km"},
    Advice{" micrometer micrometers micrometre micrometres mu mum mcm \u00B5 \u03BC ", "write um"},
    Advice{" inch inches ", "write in"},
    Advice{" foot feet ' ", "write ft"},
    Advice{" mil mils thou ", "write um (25.4 of them) or in"},
    Advice{" mile miles ", "write km"},
    Advice{" gram grams gm gms gr ", "write g"},
    Advice{" kilogram kilograms kilo kgs ", "write kg"},
    Advice{" ton tons tonne tonnes ", "write t (1000 kg) or lb"},
    Advice{" lbs pound pounds ", "write lb, or lbf for a force"},
    Advice{" oz ounce ounces ", "write g"},
    Advice{" liter liters litre litres ", "write L"},
    Advice{" cc ccm ", "write cm3"},
    Advice{" gal gallon gallons usgal ", "write L (3.785411784 of them to a US gallon)"},
    Advice{" gpm ", "write L/min"},
    Advice{" cfm scfm slpm sccm ", "write m3/s or ft3/min of the gas as it is in the box"},
    Advice{" fps ", "write ft/s"},
    Advice{" kph kmh kmph ", "write km/h"},
    Advice{" pascal pascals ", "write Pa"},
    Advice{" poise ", "write P"},
    Advice{" centipoise cps ", "write cP or mPa s"},
    Advice{" stokes centistokes ", "write cSt or mm2/s"},
    Advice{" psig psia barg bara ", "write psi or bar; pressures of a case are differences"},
    Advice{" inHg inH2O inwc inWC ", "write Pa (249.09 of them to an inch of water, 3386.4 of mercury)"},
    Advice{" mmH2O mmwc mmWC mH2O ", "write Pa (9.80665 of them to a millimetre of water)"},
    Advice{" degC degF C F celsius fahrenheit Celsius Fahrenheit ", "write kelvins: K"},
    Advice{" degK kelvin Kelvin kelvins ", "write K"},
    Advice{" degree degrees ", "write deg"},
    Advice{" rpm rps rev ", "write 1/s or rad/s"},
    Advice{" percent pct wt% vol% ", "write %"},
    Advice{" dyne dynes ", "write dyn"},
    Advice{" newton newtons ", "write N"},
    Advice{" kT kBT kbT kBt ", "write J (4.14e-21 of them at 300 K)"},
    Advice{" mesh ", "write the width of its openings in um or mm"},
    Advice{" phi ", "write the diameter in um or mm"},
};

bool same_letters(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

// Those that differ from `text` in large and small letters only.
std::string other_cases(std::string_view text) {
  std::string found;
  const auto add = [&](const std::string& word) {
    if (same_letters(text, word)) found += (found.empty() ? "" : " or ") + word;
  };
  for (const Symbol& s : symbols) {
    add(std::string(s.text));
    for (const Prefix& p : prefixes)
      if (s.prefixes) add(std::string(p.text) + std::string(s.text));
  }
  return found;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) text.replace(at, from.size(), to);
}

} // namespace

std::optional<Unit> find_symbol(std::string_view text) {
  for (const Symbol& s : symbols)
    if (text == s.text) return s.unit;
  for (const Prefix& p : prefixes)
    for (const Symbol& s : symbols)
      if (s.prefixes && text.starts_with(p.text) && text.substr(p.text.size()) == s.text) {
        Unit unit = s.unit;
        unit.exponent += p.exponent;
        return unit;
      }
  return std::nullopt;
}

std::string advice_on(std::string_view unknown) {
  if (unknown.empty() || unknown.find(' ') != unknown.npos) return "";
  const std::string word = " " + std::string(unknown) + " ";
  for (const Advice& a : advices)
    if (a.words.find(word) != a.words.npos) return std::string(a.advice);
  if (const std::string found = other_cases(unknown); !found.empty()) return "write " + found;
  for (const Advice& a : advices) // "Seconds", "RPM"
    for (std::size_t i = 0; i + word.size() <= a.words.size(); ++i)
      if (same_letters(word, a.words.substr(i, word.size()))) return std::string(a.advice);
  return "";
}

std::string plain_notation(std::string_view text) {
  std::string plain(text);
  constexpr std::array<std::string_view, 10> superscripts{"\u2070", "\u00B9", "\u00B2", "\u00B3", "\u2074",
                                                          "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  replace_all(plain, "\u207B", "^-");
  for (std::size_t digit = 0; digit < superscripts.size(); ++digit)
    replace_all(plain, superscripts[digit], "^" + std::to_string(digit));
  replace_all(plain, "^-^", "^-");
  for (const std::string_view times : {"\u00B7", "\u22C5", "\u00D7"}) replace_all(plain, times, "*");
  replace_all(plain, "\u00B0", "deg");
  return plain;
}

} // namespace corral::run
