#include "tests/catch.hpp"
#include "tests/fluid_gpu/pressure_on_device.hpp"

#include <cuda_on_host/configuration.hpp>

/// What only the emulation shows: other orders of threads and blocks, launches, allocations.
namespace corral::test {
namespace {

using cuda_on_host::Configuration;

Configuration plain_configuration() {
  Configuration configuration = cuda_on_host::configuration();
  configuration.search_structs = false;
  return configuration;
}

TEST_CASE("a pressure solve on a device has the same bits in every order of threads and on devices of any size") {
  using N = std::array<std::int64_t, 3>;
  const std::array<bool, 3> none{false, false, false};
  for (const ProblemKind& kind : {ProblemKind{"closed, beyond a block", N{23, 19, 21}, none, 2},
                                  {"parts", N{17, 12, 19}, {true, false, false}, 1000, false, true},
                                  {"seams", N{25, 5, 69}, {true, true, true}, 2, false, false, true}}) {
    INFO(kind.name);
    Problem p(kind);
    const Values guess = some_guess(p);
    const auto in = [&](const Configuration& configuration) {
      const cuda_on_host::ScopedConfiguration scope(configuration);
      return by_device(p, guess, {1e-6, 0, 3});
    };
    Configuration configuration = plain_configuration();
    const Solved first = in(configuration);
    CHECK(first.result.iterations == 3);
    configuration.multiprocessors = 1;
    configuration.order = cuda_on_host::Order::reverse;
    CHECK(in(configuration) == first);
    configuration.multiprocessors = 64;
    configuration.order = cuda_on_host::Order::random;
    configuration.preempt = 3;
    CHECK(in(configuration) == first);
    configuration.order = cuda_on_host::Order::warps;
    configuration.workers = 2;
    CHECK(in(configuration) == first);
  }
}

/// What work asks of the device.
template <class F> cuda_on_host::Statistics asked_by(F&& work) {
  cuda_on_host::finish();
  const cuda_on_host::Statistics before = cuda_on_host::statistics();
  work();
  cuda_on_host::finish();
  cuda_on_host::Statistics after = cuda_on_host::statistics();
  after.launches -= before.launches;
  after.calls -= before.calls;
  after.allocations -= before.allocations;
  return after;
}

TEST_CASE("a pressure solve on a device takes as many launches as the manual says, and no memory but the first time") {
  const cuda_on_host::ScopedConfiguration scope(plain_configuration());
  struct Expected {
    ProblemKind kind;
    std::uint64_t coefficients, start, iteration, look;
  };
  using N = std::array<std::int64_t, 3>;
  const std::array<bool, 3> none{false, false, false};
  // An iteration: 1 launch for grids of up to 8192 cells, 10 for a finest grid beyond, and 4; 3 for parts.
  for (const Expected& e : {Expected{{"open", N{12, 12, 12}, none, 2, true}, 2, 1, 5, 3},
                            {{"closed", N{12, 12, 12}, none, 2}, 2, 3, 5, 7},
                            {{"parts", N{12, 12, 12}, none, 2, false, true}, 2, 4, 8, 9},
                            {{"beyond a block", N{24, 24, 24}, none, 2, true}, 3, 1, 15, 3},
                            {{"seams beyond a block", N{25, 24, 23}, {true, false, false}, 2, true}, 3, 1, 22, 3}}) {
    INFO(e.kind.name);
    Problem p(e.kind);
    const Sent sent(p);
    fluid::PressureSolver solver(e.kind.cells, e.kind.periodic, Memory::device);
    Array<double> x = on_device(some_guess(p));
    const auto solve = [&](int iterations) {
      return solver.solve(Gpu{}, sent.b.data(), x.data(), {1e-30, 0, iterations}).iterations;
    };
    const auto guess_again = [&] { x.assign(some_guess(p)); };
    solver.set_coefficients(Gpu{}, sent.coefficients());
    REQUIRE(solve(3) == 3); // from now on three are asked for at once
    const auto coefficients = asked_by([&] { solver.set_coefficients(Gpu{}, sent.coefficients()); });
    CHECK(coefficients.launches == e.coefficients);
    CHECK(coefficients.allocations == 0);
    guess_again();
    const auto three = asked_by([&] { REQUIRE(solve(3) == 3); });
    CHECK(three.launches == e.start + e.look + 3 * e.iteration + e.look);
    CHECK(three.allocations == 0);
    // Beside launches a solve sets its state to 0, copies it to the host and waits; with means it copies the right-hand side.
    const std::uint64_t copies = e.start > 1 ? 1 : 0;
    CHECK(three.calls - three.launches == copies + 3);
    guess_again();
    const auto five = asked_by([&] { REQUIRE(solve(5) == 5); }); // two more, and another look
    CHECK(five.launches - three.launches == 2 * e.iteration + e.look);
    CHECK(five.calls - five.launches == copies + 5);
  }
}

} // namespace
} // namespace corral::test
