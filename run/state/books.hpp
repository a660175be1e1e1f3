#pragma once

#include "run/state/registry.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace corral::run {

/// Where every particle of a set that was ever created is: created = inside + left (by boundary) + rejected (by cause),
/// exactly. The counters are entries of the registry ("parcels_created", "parcels_left_top",
/// "parcels_rejected_overlap"), and `inside` is the size of the set, of all ranks that share it out, so that the balance checks the arrays themselves.
class Books {
public:
  struct Account {
    std::string name;
    std::int64_t* count;
  };

  /// Declares what was created in the registry, which must outlive the books.
  Books(Registry& registry, const ParticleSet& set);

  /// A counter for the driver to increment: particles that left through the boundary of that name.
  std::int64_t& add_boundary(const std::string& name);
  /// Likewise: particles that were created but taken out for the cause of that name.
  std::int64_t& add_cause(const std::string& name);

  std::int64_t& created() { return created_; }
  std::int64_t created() const { return created_; }
  std::int64_t inside() const { return set_.total(); }
  std::int64_t left() const;
  std::int64_t rejected() const;
  const std::vector<Account>& boundaries() const { return boundaries_; }
  const std::vector<Account>& causes() const { return causes_; }

  bool balance() const { return created_ == inside() + left() + rejected(); }
  /// Throws Error with all figures where the books don't balance.
  void check() const;

private:
  Registry& registry_;
  const ParticleSet& set_;
  std::int64_t& created_;
  std::vector<Account> boundaries_;
  std::vector<Account> causes_;
};

} // namespace corral::run
