#pragma once

#include "app/case/case_file.hpp"
#include "app/checkpoint/checkpoints.hpp"

namespace corral::app {

/// Throws CaseError with a line for each key by which the case differs from that of the checkpoint, but for those that may
/// change when a run goes on (Key::when_resumed), and for each file whose content does.
void require_same_case(const Case& now, const Checkpoint& checkpoint);

} // namespace corral::app
