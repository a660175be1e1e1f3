#pragma once

#include <corral/method.hpp>

namespace corral::shared {

/// Throws Error for a number that stands for no method.
void require_known(Method);

} // namespace corral::shared
