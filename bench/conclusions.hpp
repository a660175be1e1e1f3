#pragma once

#include "bench/scene/workload.hpp"

#include <string>
#include <vector>

namespace corral::bench {

/// What the rows of a suite show together: lines of text.

/// How many targets were met, and which rows missed theirs.
std::string count_targets(const std::vector<Row>& rows);

/// For each workload and map the fastest method, and how much longer `automatic` takes.
std::string compare_methods(const std::vector<Row>& rows);

/// The grid that is slowest beside its neighbours: time per particle over the median of the three sizes below and
/// the three above.
std::string compare_with_neighbours(const std::vector<Row>& rows);

/// Time per particle of each row over that of the first row of the same task.
std::string compare_with_first(const std::vector<Row>& rows);

/// For each task and method the time on each grid, and how much longer the last one takes than the first.
std::string compare_grids(const std::vector<Row>& rows);

/// Time of each row that did not start warm over that of its neighbour which did; and what threads gain, by start.
std::string compare_starts(const std::vector<Row>& rows);

/// The shape of each window, and the largest error of its polynomials relative to its maximum.
std::string window_fits();

} // namespace corral::bench
