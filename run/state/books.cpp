#include "run/state/books.hpp"

#include <corral/error.hpp>

namespace corral::run {

namespace {

std::int64_t total(const std::vector<Books::Account>& accounts) {
  std::int64_t n = 0;
  for (const Books::Account& a : accounts) n += *a.count;
  return n;
}

std::string list(const std::vector<Books::Account>& accounts) {
  std::string text;
  for (const Books::Account& a : accounts)
    text += (text.empty() ? "" : ", ") + a.name + " " + std::to_string(*a.count);
  return text.empty() ? "" : " [" + text + "]";
}

} // namespace

Books::Books(Registry& registry, const ParticleSet& set)
    : registry_(registry), set_(set),
      created_(registry.declare_counter(set.name() + "_created", set.name() + " created so far", Use::saved)) {}

std::int64_t& Books::add_boundary(const std::string& name) {
  std::int64_t& count = registry_.declare_counter(set_.name() + "_left_" + name, set_.name() + " that left through " + name, Use::saved);
  boundaries_.push_back({name, &count});
  return count;
}

std::int64_t& Books::add_cause(const std::string& name) {
  std::int64_t& count = registry_.declare_counter(set_.name() + "_rejected_" + name, set_.name() + " rejected: " + name, Use::saved);
  causes_.push_back({name, &count});
  return count;
}

std::int64_t Books::left() const { return total(boundaries_); }
std::int64_t Books::rejected() const { return total(causes_); }

void Books::check() const {
  if (balance()) return;
  throw Error("the books of the " + set_.name() + " do not balance (created " + std::to_string(created_) + ", inside " +
              std::to_string(inside()) + ", left " + std::to_string(left()) + list(boundaries_) + ", rejected " +
              std::to_string(rejected()) + list(causes_) + ") this is an error of corral, not of the case");
}

} // namespace corral::run
