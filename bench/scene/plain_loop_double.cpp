#include "bench/scene/plain_loop.t.hpp"

namespace corral::bench {
template PlainLoop<double> plain_loop(std::string_view);
} // namespace corral::bench
