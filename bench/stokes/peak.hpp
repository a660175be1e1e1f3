#pragma once

namespace corral::bench {

/// Fused multiply-adds of doubles in registers, as wide as those of `instruction_set()`, with the calling thread: some
/// milliseconds, in which no chain waits for another. Returns how many multiplications and additions that were. Where there
/// are no fused ones, multiplications and additions.
double multiply_add_at_peak();

} // namespace corral::bench
