#include "bench/scene/plain_loop.t.hpp"

namespace corral::bench {
template PlainLoop<float> plain_loop(std::string_view);
} // namespace corral::bench
