#pragma once

#include "run/case/keys.hpp"

namespace corral::app {

/// Keys of [checkpoint].
void declare_checkpoint_keys(run::KeyTable& table);

} // namespace corral::app
