#pragma once

#include "bench/maps.hpp"

namespace corral::bench {

/// `--suite stokes`: what sums of Stokes flow cost, by part, beside what their cost model expects. With `--fit` the
/// constants of that model.
OtherSuite stokes_suite();

} // namespace corral::bench
