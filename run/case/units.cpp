#include "run/case/units.hpp"

#include "run/case/problems.hpp"
#include "run/case/values.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

namespace corral::run {

namespace {

constexpr std::size_t longest_unit = 64;
constexpr std::string_view blanks = " \t";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

Unit product(Unit a, const Unit& b, int power) {
  for (std::size_t i = 0; i < a.powers.size(); ++i) a.powers[i] += power * b.powers[i];
  a.exponent += power * b.exponent;
  for (int n = 0; n < std::abs(power); ++n) {
    a.factor *= power > 0 ? b.factor : b.divisor;
    a.divisor *= power > 0 ? b.divisor : b.factor;
  }
  return a;
}

// Recursive descent over: product = term {(blank | '*' | '/') term};  term = (symbol | '(' product ')') [power].
class UnitReader {
public:
  explicit UnitReader(std::string_view text) : text_(text), rest_(text) {}

  Unit read() {
    const Unit unit = read_product();
    if (!rest_.empty()) fail("unexpected '" + std::string(1, rest_.front()) + "'");
    return unit;
  }

private:
  Unit read_product() {
    Unit unit;
    int sign = 1;
    for (bool divided = false;; divided = divided || sign < 0) {
      if (divided && sign > 0) fail("ambiguous: put what divides in parentheses, as in kg/(m s)");
      unit = product(unit, read_term(), sign);
      skip_blanks();
      if (rest_.empty() || rest_.front() == ')') return unit;
      sign = take('/') ? -1 : 1;
      if (sign > 0) take('*');
    }
  }

  Unit read_term() {
    skip_blanks();
    Unit unit;
    if (take('(')) {
      unit = read_product();
      if (!take(')')) fail("a parenthesis is not closed");
    } else {
      const std::size_t end =
          rest_ == "1" || rest_.starts_with("1/") ? 1 : rest_.find_first_of(" \t*/()^+-0123456789");
      const std::string_view symbol = rest_.substr(0, end);
      const auto found = find_symbol(symbol);
      if (!found) fail(symbol.empty() ? "a unit is missing" : "unknown: " + std::string(symbol), advice_on(symbol));
      unit = *found;
      rest_.remove_prefix(symbol.size());
    }
    return product({}, unit, read_power());
  }

  int read_power() {
    const bool caret = take('^');
    const int sign = take('-') ? -1 : 1;
    if (rest_.empty() || !is_digit(rest_.front())) {
      if (caret || sign < 0) fail("a power is missing");
      return 1;
    }
    const int power = rest_.front() - '0';
    rest_.remove_prefix(1);
    if (power == 0 || (!rest_.empty() && is_digit(rest_.front()))) fail("powers go from -9 to 9, without 0");
    return sign * power;
  }

  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size())); }

  // Advice on all of the text is better than on a part of it: "inH2O" is cut at its digit.
  [[noreturn]] void fail(const std::string& why, std::string advice = "") const {
    if (const std::string on_all = advice_on(text_); !on_all.empty()) advice = on_all;
    throw Error(cited(text_) + " is not a unit (" + why + ")" + (advice.empty() ? "" : " " + advice));
  }

  std::string_view text_, rest_;
};

struct Number {
  std::string_view text;     ///< all of it, trimmed
  std::string_view mantissa; ///< sign, digits, point
  int exponent = 0;
  std::string_view unit; ///< what follows, trimmed
};

// Cuts "1.8e-5 Pa s" into its parts. No other notation is a number here, so nan, inf and 0x10 are none.
Number split(std::string_view text) {
  text = trimmed(text);
  auto count_digits = [&](std::size_t from) {
    std::size_t n = 0;
    while (from + n < text.size() && is_digit(text[from + n])) ++n;
    return n;
  };
  const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  std::size_t end = sign + count_digits(sign);
  std::size_t digits = end - sign;
  if (end < text.size() && text[end] == '.') {
    const std::size_t decimals = count_digits(end + 1);
    digits += decimals;
    end += 1 + decimals;
  }
  if (digits == 0)
    throw Error(text.empty() ? "a number is missing" : cited(text) + " is not a finite decimal number");

  Number number{text, text.substr(0, end), 0, {}};
  if (number.mantissa.starts_with('+')) number.mantissa.remove_prefix(1); // std::from_chars knows no plus
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    const bool minus = text.substr(end + 1).starts_with('-');
    const std::size_t first = end + 1 + (minus || text.substr(end + 1).starts_with('+') ? 1 : 0);
    if (const std::size_t n = count_digits(first); n > 0) {
      if (n > 4) throw Error(cited(text) + " is beyond the range of double precision");
      std::from_chars(text.data() + first, text.data() + first + n, number.exponent);
      if (minus) number.exponent = -number.exponent;
      end = first + n;
    }
  }
  number.unit = trimmed(text.substr(end));
  return number;
}

double to_si(const Number& number, std::string_view unit_text, std::string_view expected) {
  const Unit kind = parse_unit(expected);
  Unit unit;
  if (!unit_text.empty()) {
    unit = parse_unit(unit_text);
    if (unit.powers != kind.powers)
      throw Error(cited(number.text) + " has the unit " + cited(unit_text) +
                  (expected.empty() ? " (a bare number is expected)"
                                    : " (" + std::string(expected) + " or a unit of its kind is expected)"));
  }
  // Decimal units are one rounding of the text. Factors are whole numbers: small powers of ten divide their product.
  const bool decimal = unit.factor == 1 && unit.divisor == 1;
  const int divided = decimal || unit.exponent >= 0 || unit.exponent < -22 ? 0 : -unit.exponent;
  const std::string digits =
      std::string(number.mantissa) + "e" + std::to_string(number.exponent + unit.exponent + divided);
  double value = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  value = value * unit.factor / std::pow(10.0, divided) / unit.divisor;
  if (code != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value))
    throw Error(cited(number.text) + " is beyond the range of double precision");
  return value;
}

} // namespace

Unit parse_unit(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return {};
  if (text.size() > longest_unit) throw Error(cited(text) + " is not a unit (too long)");
  const std::string plain = plain_notation(text);
  return UnitReader(plain).read();
}

std::vector<double> parse_quantities(std::string_view text, std::string_view unit) {
  std::vector<Number> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    numbers.push_back(split(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  // "15, 150, 450 mm": one unit at the end is meant for all; "15 mm, 150, 450 mm" could mean anything.
  std::size_t units = 0;
  for (const Number& n : numbers) units += n.unit.empty() ? 0 : 1;
  const std::string_view common = numbers.back().unit;
  if (units != 0 && units != numbers.size() && (units != 1 || common.empty()))
    throw Error(cited(trimmed(text)) + " has units for some numbers only (write one unit at the end, or one each)");

  std::vector<double> values;
  for (const Number& n : numbers) values.push_back(to_si(n, n.unit.empty() ? common : n.unit, unit));
  return values;
}

double parse_quantity(std::string_view text, std::string_view unit) {
  const std::vector<double> values = parse_quantities(text, unit);
  if (values.size() != 1)
    throw Error(cited(trimmed(text)) + " is a list (one number is expected, with a point for its decimals)");
  return values.front();
}

} // namespace corral::run
