#include "mppic/heat/cell_balance.hpp"
#include "mppic/heat/heat.t.hpp"
#include "mppic/output/audit.t.hpp"
#include "mppic/parcels/move.hpp"
#include "mppic/parcels/solid_books.hpp"
#include "tests/catch.hpp"

#include <corral/for_each.cuh>

#include <array>
#include <cstring>

/// Every type of sum that a step adds up on a device, in its own size: what is found must be what a loop finds. Values are
/// whole numbers, whose sums no order changes.
namespace corral::test {
namespace {

CORRAL_HOST_DEVICE double value(std::int64_t i, int k) { return static_cast<double>((7 * i + 3 * k) % 101 - 50); }

struct AddMove {
  CORRAL_HOST_DEVICE void operator()(std::int64_t i, mppic::MoveSums& s) const {
    for (int d = 0; d < 3; ++d) {
      s.wall_impulse[d] += value(i, d);
      s.from_gas[d] += value(i, 3 + d);
      s.exchanged[d] += value(i, 6 + d);
    }
    s.wall_work += value(i, 9);
    const double square = value(i, 10) + 50;
    if (square > s.speed_squared) s.speed_squared = square;
    ++s.left[i % 6];
  }
};

struct AddCell {
  CORRAL_HOST_DEVICE void operator()(std::int64_t i, mppic::heat::CellSums& s) const {
    s.stored += value(i, 0);
    s.change += value(i, 1);
    s.to_solids += value(i, 2);
    s.exchanged += value(i, 3);
    s.compressed += value(i, 4);
  }
};

struct AddParcel {
  CORRAL_HOST_DEVICE void operator()(std::int64_t i, mppic::heat::ParcelSums& s) const {
    s.stored += value(i, 0);
    s.change += value(i, 1);
  }
};

struct AddForces {
  CORRAL_HOST_DEVICE void operator()(std::int64_t i, mppic::ForcesOfParcel::Sums& s) const {
    for (std::size_t t = 0; t < mppic::term_count; ++t) {
      s.work[t] += value(i, static_cast<int>(t));
      for (std::size_t d = 0; d < 3; ++d) s.impulse[t][d] += value(i, static_cast<int>(8 + 3 * t + d));
    }
    s.lift_flight += value(i, 40);
  }
};

struct AddState {
  CORRAL_HOST_DEVICE void operator()(std::int64_t i, mppic::Audit::State& s) const {
    s.kinetic += value(i, 0);
    s.potential += value(i, 1);
    s.mass += value(i, 2);
    for (std::size_t d = 0; d < 3; ++d) s.momentum[d] += value(i, static_cast<int>(3 + d));
  }
};

struct AddInside {
  CORRAL_HOST_DEVICE void operator()(std::int64_t i, mppic::SolidBooks::Inside& s) const {
    s.parcels += i % 2;
    s.mass += value(i, 0);
    s.moment += value(i, 1);
  }
};

template <class R, class Add> void check_sum(Add add) {
  for (const std::int64_t n : {0, 1, 31, 33, 1'000, 4'097, 100'000}) {
    R expected{};
    for (std::int64_t i = 0; i < n; ++i) add(i, expected);
    const R found = accumulate(Gpu{}, n, R{}, add, AddInPlace{});
    INFO("n " << n << ", " << sizeof(R) << " bytes");
    CHECK(std::memcmp(&found, &expected, sizeof(R)) == 0);
  }
}

} // namespace

TEST_CASE("every sum of a step is on the device what a loop finds") {
  check_sum<mppic::MoveSums>(AddMove{});
  check_sum<mppic::heat::CellSums>(AddCell{});
  check_sum<mppic::heat::ParcelSums>(AddParcel{});
  check_sum<mppic::ForcesOfParcel::Sums>(AddForces{});
  check_sum<mppic::Audit::State>(AddState{});
  check_sum<mppic::SolidBooks::Inside>(AddInside{});
}

} // namespace corral::test
