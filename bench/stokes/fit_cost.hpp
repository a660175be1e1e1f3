#pragma once

#include "bench/stokes/measure_stokes.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace corral::bench {

/// A sum that was measured on one thread.
struct CostSample {
  stokes::Task task;
  stokes::Parameters parameters{};
  stokes::SumSeconds parts{};
};

/// Constants of no less than 0 by which expected and measured seconds of near fields, maps and transforms differ least: by
/// squares of what they differ by relative to the measured. Those that no sample has any of stay as they are.
stokes::CostModel fit_cost(std::span<const CostSample>);

/// Sums that have some of everything, yet to be measured. Throws Error as `choose` does.
std::vector<CostSample> planned_cost_samples();
/// The same, measured. `tell` gets a line after each.
std::vector<CostSample> measure_cost_samples(int repeats, const std::function<void(const std::string&)>& tell);

/// Ready to paste into a program, and an object of JSON, by the names in the model.
std::string cost_text(const stokes::CostModel&);
std::string cost_json(const stokes::CostModel&);

} // namespace corral::bench
