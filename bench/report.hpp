#pragma once

#include "bench/device/ceilings.hpp"
#include "bench/scene/workload.hpp"

#include <string>
#include <vector>

namespace corral::bench {

/// A line of text per measurement, with columns that are as wide as the workloads need.
class Table {
public:
  explicit Table(const std::vector<Workload>& works);

  std::string header() const;
  std::string line(const Row& row) const;

private:
  std::string aligned(const std::vector<std::string>& cells) const;

  std::vector<std::size_t> widths_;
};

/// What a device was measured to do at most; none of the CPU.
struct Ceilings {
  std::string device{};
  std::vector<Ceiling> all{};
};

/// A line of text per ceiling.
std::string text(const Ceilings& ceilings);

/// Ceilings, then rows, as a JSON array of objects; docs/benchmark.md explains each member.
std::string json(const Ceilings& ceilings, const std::vector<Row>& rows);

} // namespace corral::bench
