#pragma once

#include <corral/method.hpp>

namespace corral::shared {

/// Throws Error for a number of threads that no machine has: each would take memory before any work is done.
void require_few_threads(int threads);

/// Throws Error for a number that stands for no method.
void require_known(Method);

} // namespace corral::shared
