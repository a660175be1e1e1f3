#include "fluid/lattice/device/flow.hpp"
#include "fluid/lattice/layout.hpp"
#include "fluid/lattice/placed_flow.hpp"
#include "tests/fluid/lattice/mixed_boxes.hpp"
#include "tests/mppic_gpu/padding.cuh"

#ifdef CORRAL_CUDA_ON_HOST
#include <cuda_on_host/configuration.hpp>
#endif

#include <corral/device.hpp>

#include <algorithm>
#include <memory>
#include <span>

/// A lattice flow whose fields lie on the host and whose populations lie on a device, beside one that is the host's alone.
namespace corral::test {
namespace {

using fluid::PlacedLatticeFlow;
using fluid::RowPart;
using fluid::lattice::Processor;

constexpr Cpu cpu{};
constexpr std::array<RowPart, 4> around{{{2, 0, 7}, {11, 1, 3}, {11, 5, 6}, {29, 6, 7}}};
constexpr std::array<RowPart, 2> elsewhere{{{3, 1, 6}, {18, 0, 2}}};
constexpr std::array<fluid::RowParts, 5> in_turn{{around, around, elsewhere, {}, around}};

LatticeProperties in_scheme(Scheme scheme) {
  LatticeProperties p = of_tau(0.7);
  p.scheme = scheme;
  p.body_force = {1e-5, 0, 2e-5};
  return p;
}

/// By one processor, and what it was seen to do.
struct Placed {
  const Mixed& box;
  std::unique_ptr<PlacedLatticeFlow<Cpu>> flow;
  CellVectors force, found, seen_in_step;
  Array<double> pressure;

  Placed(const Mixed& m, const LatticeProperties& p, Processor processor)
      : box(m), flow(fluid::make_placed_flow(m.domain, p, processor)),
        force(fluid::make_cell_arrays(m.domain.grid(), 0, processor == Processor::device ? Memory::pinned : Memory::host)),
        found(fluid::make_cell_arrays(m.domain.grid())), seen_in_step(found), pressure(found[0].size(), 7.0) {
    flow->start(cpu, seen(m.start));
  }

  void force_in(fluid::RowParts parts, double factor) {
    for (std::size_t d = 0; d < 3; ++d) {
      force[d].fill(0);
      for (const RowPart& part : parts)
        for (std::int64_t c = 7 * part.row + part.begin; c < 7 * part.row + part.end; ++c) force[d][c] = factor * box.force[d][c];
    }
  }

  /// As bodies let it: looks, moves elsewhere, is pushed, looks again, and ends the step.
  void step_around(fluid::RowParts parts, bool apart) {
    flow->begin_step(parts);
    force_in({}, 0);
    flow->find_in(cpu, parts, seen(force), written(found));
    if (apart) flow->step_elsewhere(cpu, written(seen_in_step));
    force_in(parts, 1);
    flow->find_in(cpu, parts, seen(force), written(found));
    flow->step_forced_in(cpu, parts, seen(force), written(seen_in_step));
  }
  void step_everywhere(bool see = true) {
    for (std::size_t d = 0; d < 3; ++d) std::copy(box.force[d].begin(), box.force[d].end(), force[d].begin());
    flow->step(cpu, seen(force), see ? written(seen_in_step) : fluid::FacePointers{});
    force_in({}, 0); // of which the step that may still be under way must not know
  }
  void look() { flow->find(cpu, seen(force), written(found), pressure.data()); }
};

void check_same(Placed& one, Placed& other) {
  CHECK(largest_apart(one.seen_in_step, other.seen_in_step) == 0);
  CHECK(largest_apart(one.found, other.found) == 0);
  one.look(), other.look();
  CHECK(largest_apart(one.found, other.found) == 0);
  CHECK(std::equal(one.pressure.begin(), one.pressure.end(), other.pressure.begin()));
  CHECK(one.flow->fastest() == other.flow->fastest());
  const double round_off = 1e-15 * static_cast<double>(one.force[0].size());
  for (std::size_t d = 0; d < 3; ++d) {
    CHECK(one.flow->momentum(cpu)[d] == Approx(other.flow->momentum(cpu)[d]).margin(round_off));
    CHECK(one.flow->force_of_sides(cpu)[d] == Approx(other.flow->force_of_sides(cpu)[d]).margin(round_off));
  }
}

template <class F> void for_each_placed(F f) {
  const std::array<SideKinds, 4> of{boxes[0], boxes[3], boxes[5], deep_boxes[0]};
  for (std::size_t b = 0; b < of.size(); ++b) {
    const LatticeProperties p = in_scheme(b == 1 ? Scheme::two_lattices : Scheme::in_place);
    INFO(name(p.scheme));
    const Mixed box(of[b], false);
    Placed host(box, p, Processor::host), device(box, p, Processor::device);
    f(host, device);
  }
}

TEST_CASE("a flow placed on a device does for fields of the host what the host does") {
  const PaddingHoldsAnything padding;
  for_each_placed([](Placed& host, Placed& device) {
    check_same(host, device);
    for (const bool apart : {true, false})
      for (const fluid::RowParts parts : in_turn) {
        for (Placed* one : {&host, &device}) one->step_around(parts, apart);
        check_same(host, device);
        for (const bool see : {true, false}) {
          for (Placed* one : {&host, &device}) one->step_everywhere(see);
          check_same(host, device);
        }
      }
  });
}

TEST_CASE("a state that is fetched from a device goes on on the host, and one that is sent goes on there") {
  const PaddingHoldsAnything padding;
  for_each_placed([](Placed& host, Placed& device) {
    for (Placed* one : {&host, &device}) one->step_around(around, true);
    for (const bool from_device : {true, false}) {
      Placed &from = from_device ? device : host, &to = from_device ? host : device;
      from.step_everywhere();
      from.flow->fetch_state();
      copy_state(from.flow->state(), to.flow->state());
      to.flow->send_state();
      to.seen_in_step = from.seen_in_step;
      for (Placed* one : {&from, &to}) one->step_around(elsewhere, true);
      check_same(from, to);
    }
  });
}

#ifdef CORRAL_CUDA_ON_HOST
TEST_CASE("a step around bodies takes as many launches as the manual says") {
  const Mixed periodic(all_wrap, false), walled(boxes[3], false);
  for (const Mixed* box : {&periodic, &walled}) {
    Placed device(*box, in_scheme(Scheme::in_place), Processor::device);
    const auto launches = [&](auto work) {
      const std::uint64_t so_far = cuda_on_host::statistics().launches;
      work();
      cuda_on_host::finish();
      return cuda_on_host::statistics().launches - so_far;
    };
    const bool sides = box == &walled;
    const auto step = [&](bool again) {
      device.flow->begin_step(around);
      device.force_in({}, 0);
      device.flow->find_in(cpu, around, seen(device.force), written(device.found));
      device.flow->step_elsewhere(cpu, {});
      device.force_in(around, 1);
      if (again) device.flow->find_in(cpu, around, seen(device.force), written(device.found));
      device.flow->step_forced_in(cpu, around, seen(device.force), {});
      device.flow->fastest();
      device.flow->force_of_sides(cpu);
    };
    CHECK(launches([&] { step(false); }) == (sides ? 10 : 7));
    CHECK(launches([&] { step(true); }) == (sides ? 13 : 10));
    CHECK(launches([&] { device.step_everywhere(false); }) == (sides ? 2 : 1));
  }
}

TEST_CASE("a flow on a device takes the memory that is said of it") {
  const std::int64_t before = memory_use(Memory::device).held;
  const fluid::Domain box = lattice_box({64, 32, 32}, all_wrap);
  const auto flow = fluid::make_placed_flow(box, in_scheme(Scheme::in_place), Processor::device);
  const double of_cells = 8 * static_cast<double>(fluid::lattice::Layout::of({64, 32, 32}, 19, 8).size()) +
                          fluid::lattice::device_bytes_of_a_cell * static_cast<double>(box.grid().cells());
  const double held = static_cast<double>(memory_use(Memory::device).held - before);
  CHECK(held > 0.99 * of_cells);
  CHECK(held < of_cells + fluid::lattice::device_bytes_beside_cells);
}

TEST_CASE("where no device is, or its memory does not suffice, a flow placed there is refused") {
  const fluid::Domain box = lattice_box({8, 8, 8}, all_wrap);
  cuda_on_host::Configuration none = cuda_on_host::configuration();
  none.devices = 0;
  {
    const cuda_on_host::ScopedConfiguration scope(none);
    CHECK(find_device().why_none == "no CUDA device is found here");
    CHECK_THROWS_WITH(fluid::make_placed_flow(box, in_scheme(Scheme::in_place), Processor::device),
                      Catch::Matchers::ContainsSubstring("no CUDA device is found here"));
  }
  CHECK(find_device().why_none.empty());
  CHECK(!find_device().name.empty());
  CHECK(find_device().free_bytes > 1e9);
  for (std::uint64_t k = 0; k < 40; ++k) {
    cuda_on_host::fail_allocation(k);
    try {
      fluid::make_placed_flow(box, in_scheme(Scheme::in_place), Processor::device);
    } catch (const Error& e) {
      CHECK_THAT(e.what(), Catch::Matchers::ContainsSubstring("memory does not suffice"));
    }
    if (cuda_on_host::stop_failing()) continue;
    CHECK(k > 3);
    return;
  }
  FAIL("each allocation failed");
}
#endif

} // namespace
} // namespace corral::test
