#pragma once

#include "bench/scene/workload.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace corral::bench {

/// Workloads that answer a question together.
struct Suite {
  std::vector<Workload> works;
  bool ceilings = false; ///< the device's are measured first
  /// What the rows of all of them show, in a few lines of text; may be empty.
  std::function<std::string(const std::vector<Row>&)> conclusion{};
};

struct SuiteKind {
  std::string_view name, meaning;
  Suite (*make)(Backend);
  std::vector<Backend> backends{Backend::cpu, Backend::gpu}; ///< on which it asks something; the first one unless said
};

/// The suites by name:
/// - standard: the workloads that the engine's targets are stated for, with the targets
/// - methods: every method, on kernels 2, 4 and 8 points wide and .03, 1, 10 and 100 particles a cell
/// - sizes: linear maps on 60 to 140 cells an axis, four particles a cell; a row pitch that caches dislike shows
/// - gpu: the device's ceilings, and the workloads that targets of the GPU are stated for
/// - large: 10^8 particles beside 11.7 million, as many a cell
/// - random_points: 65,536 points on 16^3 to 128^3 cells, by sort_reduce in its three forms and by what is automatic
/// - starts: first sorts beside later ones, maps after a rest beside maps in a row, on one thread and on two
/// - windows: no maps, but the largest error of each window's polynomials
const std::vector<SuiteKind>& suites();

} // namespace corral::bench
