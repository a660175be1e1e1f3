#pragma once

#include "bench/device/device.hpp"
#include "bench/scene/workload.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace corral::bench {

/// Reads rows [begin, end) of six columns side by side, with the calling thread: the rate at which a map could read its
/// particles. Returns their sum, so that nothing can be left out.
template <class T>
T read_columns(const std::array<const T*, 6>& columns, std::int64_t begin, std::int64_t end);

/// Multiplies and adds in registers for some milliseconds, with the calling thread: what a second thread gains here,
/// no map can gain more.
double multiply_and_add();

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
