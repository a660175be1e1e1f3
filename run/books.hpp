#pragma once

#include "run/registry.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace corral::run {

/// Where every parcel ever created is: created = inside + left (by boundary) + rejected (by cause), exactly.
/// The counters are entries of the registry ("created", "left_top", "rejected_overlap"), and `inside` is its parcel
/// count, so that the balance checks the arrays themselves.
class Books {
public:
  struct Account {
    std::string name;
    std::int64_t* count;
  };

  /// Declares "created" in the registry, which must outlive the books.
  explicit Books(Registry& registry);

  /// A counter for the driver to increment: parcels that left through the boundary of that name.
  std::int64_t& add_boundary(const std::string& name);
  /// Likewise: parcels that were created but taken out for the cause of that name.
  std::int64_t& add_cause(const std::string& name);

  std::int64_t& created() { return created_; }
  std::int64_t created() const { return created_; }
  std::int64_t inside() const { return registry_.parcel_count(); }
  std::int64_t left() const;
  std::int64_t rejected() const;
  const std::vector<Account>& boundaries() const { return boundaries_; }
  const std::vector<Account>& causes() const { return causes_; }

  bool balance() const { return created_ == inside() + left() + rejected(); }
  /// Throws Error with all figures where the books don't balance.
  void check() const;

private:
  Registry& registry_;
  std::int64_t& created_;
  std::vector<Account> boundaries_;
  std::vector<Account> causes_;
};

} // namespace corral::run
