#include "tests/catch.hpp"
#include "tests/cuda_on_host/run_twins.cuh"

using namespace corral::test;

TEST_CASE("the right twins of the planted bugs pass in all orders", "[cuda_on_host]") {
  const std::size_t live = cuda_on_host::live_allocations().size();
  in_all_orders([] {
    CHECK(turns_block<Bug::none>());
    CHECK(rotates_warps<Bug::none>());
    CHECK(sums_warps<Bug::none>());
    CHECK(counts_values<Bug::none>());
    CHECK(sums_blocks<Bug::none>());
    CHECK(shifts<Bug::none>());
    CHECK(orders_streams(true));
    CHECK(waits_for_copy(true));
    CHECK(reads_from_device());
    CHECK(fills_shared(5000, true));
    CHECK(fills_shared(10000, true));
    cuda_on_host::finish();
  });
  CHECK(cuda_on_host::live_allocations().size() == live);
}
