#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace corral::run {

/// A unit of measurement: a value in it times factor/divisor * 10^exponent is the value in SI.
/// Powers of ten are kept apart, so that 0.3 mm is the very double 0.3e-3.
struct Unit {
  std::array<int, 6> powers{}; ///< of m, kg, s, K, mol, rad
  int exponent = 0;
  double factor = 1;
  double divisor = 1;
};

/// Reads products of units with SI prefixes and powers: "kg/m3", "Pa s", "W/(m K)", "m s^-2", "L/min", "%", "lb/ft3",
/// "cP"; "" is the dimensionless 1. Throws Error for what is unknown, with the unit to write where it is a known word
/// for one ("seconds", "degC"), or ambiguous ("kg/m s").
Unit parse_unit(std::string_view text);

/// Reads numbers, comma separated, each with an optional unit of the same kind as `unit`, and returns them in SI;
/// one unit after the last number holds for all that have none. Bare numbers are SI. Throws Error for anything
/// else: nan, inf, hexadecimal, overflow, an empty element, a unit of another kind.
std::vector<double> parse_quantities(std::string_view text, std::string_view unit);

/// One such number.
double parse_quantity(std::string_view text, std::string_view unit);

/// A single unit with or without its SI prefix: "Pa", "mm", "um", "psi"; nothing where it is not known.
std::optional<Unit> find_symbol(std::string_view text);

/// What to write instead of a unit that is not read: "write s" for "seconds", "write kg" for "KG"; "" where nothing is
/// known of it.
std::string advice_on(std::string_view unknown);

/// The text with the signs that people paste as the reader knows them: "kg/m\u00B3" as "kg/m^3", "N\u00B7s" as "N*s".
std::string plain_notation(std::string_view text);

} // namespace corral::run
