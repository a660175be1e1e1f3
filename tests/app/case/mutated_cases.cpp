#include "tests/app/fake_driver.hpp"

#include "app/case/case_file.hpp"
#include "run/case/problems.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

using namespace corral;

namespace {

// Counter-based, so that mutation n is the same on every machine (the finaliser of SplitMix64).
class Dice {
public:
  explicit Dice(std::uint64_t n) : state_(n << 32) {}
  std::size_t below(std::size_t n) {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return static_cast<std::size_t>((z ^ (z >> 31)) % n);
  }

private:
  std::uint64_t state_;
};

const std::vector<std::string> words{"[",
                                     "]",
                                     "=",
                                     "#",
                                     " #",
                                     "\"",
                                     "\"\"",
                                     ",",
                                     "\n",
                                     "\r\n",
                                     ".",
                                     "*",
                                     "-",
                                     "+",
                                     "e",
                                     "1e308",
                                     "1e-320",
                                     "nan",
                                     "inf",
                                     "0x",
                                     "mm",
                                     "kg/m3",
                                     "/(",
                                     ")",
                                     "%",
                                     "[gas]",
                                     "[inlet.a]",
                                     "[inlet.*]",
                                     "velocity = 1\n",
                                     "density",
                                     "case.driver",
                                     "\xC2\xB5m",
                                     "\xFF",
                                     std::string(1, '\0'),
                                     "\x1F",
                                     "\xEF\xBB\xBF",
                                     "99999999999999999999",
                                     "deg"};

std::string mutated(std::string text, Dice& dice) {
  for (std::size_t times = dice.below(3) == 0 ? 1 + dice.below(6) : 1; times > 0; --times) {
    const std::size_t at = dice.below(text.size() + 1);
    switch (dice.below(6)) {
    case 0: text.insert(at, words[dice.below(words.size())]); break;
    case 1: text.insert(at, 1, static_cast<char>(dice.below(256))); break;
    case 2: text.erase(at, 1 + dice.below(20)); break;
    case 3: text.insert(at, text.substr(dice.below(text.size() + 1), dice.below(60))); break;
    case 4: text.replace(at, dice.below(8), words[dice.below(words.size())]); break;
    default:
      if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << dice.below(8)));
    }
  }
  return text;
}

// Either a case that survives used.ini, or a CaseError whose every line names a place; "" where that holds.
std::string judged(const std::string& text, std::int64_t& accepted) {
  const auto& kinds = test::fake_kinds();
  try {
    const std::string used = app::used_ini(app::parse_case(text, "case.ini", "/", {}, kinds));
    ++accepted;
    return app::used_ini(app::parse_case(used, "used.ini", "/", {}, kinds)) == used ? "" : "used.ini is another case";
  } catch (const run::CaseError& e) {
    std::istringstream lines(e.what());
    for (std::string line; std::getline(lines, line);)
      if (!line.starts_with("case.ini:") || line[9] < '1' || line[9] > '9') return "no place: " + line;
    return std::string_view(e.what()).empty() ? "no message" : "";
  } catch (const std::exception& e) {
    return std::string("another exception: ") + e.what();
  }
}

} // namespace

TEST_CASE("20,000 mutated case files give a case or a message, nothing else") {
  std::int64_t accepted = 0;
  for (std::uint64_t n = 0; n < 20'000; ++n) {
    Dice dice(n);
    const std::string text = mutated(test::case_with(0, ""), dice);
    const std::string wrong = judged(text, accepted);
    if (!wrong.empty()) {
      INFO("mutation " << n << "\n" << text);
      FAIL(wrong);
    }
  }
  // Mutations that hit comments and numbers leave a case valid: both ways out are taken often.
  CHECK(accepted > 1000);
  CHECK(accepted < 19'000);
}
