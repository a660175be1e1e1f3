#pragma once

#include "bench/scene/workload.hpp"

#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace corral::bench {

// What the rows of a suite show together: lines of text.

/// How many targets were met, and which rows missed theirs.
std::string count_targets(const std::vector<Row>& rows);

/// For each workload and map the fastest method, and how much longer `automatic` takes.
std::string compare_methods(const std::vector<Row>& rows);

/// For each constant of engine/gpu/tuning.cuh by which `automatic` chooses a method, the density from which on that
/// method was the fastest of those that it is chosen from, as a line to paste there; and how near the next one came.
std::string find_crossings(const std::vector<Row>& rows);

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
/// - gpu_tune: methods of the GPU by kernel and density; the crossings, as lines for engine/gpu/tuning.cuh
/// - large: 10^8 particles beside 11.7 million, as many a cell
/// - random_points: 65,536 points on 16^3 to 128^3 cells, by sort_reduce in its three forms and by what is automatic
/// - starts: first sorts beside later ones, maps after a rest beside maps in a row, on one thread and on two
/// - windows: no maps, but the largest error of each window's polynomials
const std::vector<SuiteKind>& suites();

/// What such a suite is asked for.
struct SuiteCall {
  int repeats = 7;            ///< figures are medians of so many
  std::int64_t particles = 0; ///< instead of the suite's own numbers of them; 0: those
  bool fit = false;           ///< a model of costs, rather than rows
};
/// A suite that measures something else than maps, on the CPU. Those that know more of the house than the engine are added
/// by the command, which has it.
struct OtherSuite {
  std::string_view name, meaning;
  /// Calls `tell` with lines of text as they come, and returns an array of JSON.
  std::string (*run)(const SuiteCall&, const std::function<void(const std::string&)>& tell);
  std::vector<std::string_view> takes{}; ///< options, beside those that all suites take
};
std::vector<OtherSuite>& other_suites();

/// What `corral bench` was asked for.
struct MapOptions {
  Suite suite;
  const OtherSuite* other = nullptr; ///< instead
  SuiteCall call{};                  ///< of that
  bool json = false; ///< an array of objects instead of the table
  std::string json_file; ///< gets that array, too; empty: none
  bool help = false;
};

/// Reads the words behind `corral bench`. Throws Error where they cannot be obeyed.
MapOptions read_map_options(const std::vector<std::string>& words);

/// All options and suites, for people.
std::string map_options_help();

/// `corral bench`: measures what was asked for and writes a line per measurement, as it comes, or JSON at the end.
/// While it runs, a bar is drawn on standard error if that is a terminal. Throws Error at the end where a
/// map was wrong or failed, with a line for each; the others are measured all the same.
void run_maps(const MapOptions& options, std::ostream& out);

} // namespace corral::bench
