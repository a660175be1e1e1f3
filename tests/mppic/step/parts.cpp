#include "tests/catch.hpp"
#include "tests/mppic/small_beds.hpp"

#include <string>
#include <vector>

namespace corral::test {
namespace {

using mppic::StepPlace;

std::vector<std::string> numbers_of(const mppic::Setup& setup) {
  const Bed b(setup);
  std::vector<std::string> numbers;
  for (const mppic::StepPart& part : b.step.parts())
    if (!part.number.empty()) numbers.emplace_back(part.number);
  return numbers;
}

} // namespace

TEST_CASE("models enter a step before and after its places, in the order in which they came") {
  std::string done;
  const auto act = [&](char c) { return [&done, c](const mppic::StepTime&) { done += c; }; };
  mppic::StepParts parts;
  parts.at(StepPlace::move, "9", "", act('d'));
  parts.at(StepPlace::sort, "1", "", act('b'));
  parts.before(StepPlace::sort, "", act('a'));
  parts.after(StepPlace::sort, "", act('c'));
  parts.after(StepPlace::move, "", act('e'));
  parts.after(StepPlace::move, "", act('f'));
  for (const mppic::StepPart& part : parts.all()) part.act({1, 0});
  CHECK(done == "abcdef");
}

TEST_CASE("a step has the parts of the algorithm in docs/models.md, by its numbers") {
  using Numbers = std::vector<std::string>;
  mppic::Setup s = empty_box({2, 2, 2}, {1, 1, 1});
  CHECK(numbers_of(s) == Numbers{"1", "2", "3", "4", "5", "6a", "6a", "6a", "6b", "7", "7", "7", "8", "8", "8", "9", "9", "10"});
  s.collisions.isotropy = true;
  CHECK(numbers_of(s) ==
        Numbers{"1", "2", "3", "4", "5", "6a", "6a", "6a", "6b", "7", "7", "7b", "7", "8", "8", "8", "9", "9", "10"});
  s.solids.frozen = true;
  CHECK(numbers_of(s) == Numbers{"1", "2", "3", "4", "5", "7", "7"});
}

} // namespace corral::test
