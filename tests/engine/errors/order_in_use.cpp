#include "tests/engine/errors/two_particles.hpp"

#include <functional>
#include <utility>

/// An order whose scratch memory two calls at once would share, and one whose memory is another's.
namespace corral::test {
namespace {

/// A kernel of the user's that calls something while a map evaluates it.
struct Meddler {
  static constexpr int support = 1;
  static constexpr std::string_view name = "meddler";
  std::function<void()> call;

  template <class T> T operator()(T) const { return T(1); }
  template <class T> void weights(T, T* w) const {
    call();
    w[0] = T(1);
  }
};

} // namespace

TEST_CASE("an order in two calls at once is noticed, and serves again afterwards") {
  TwoParticles scene;
  std::vector<double> points(6), seen(2);
  const std::string busy = "an order that another call is using at this moment (its scratch memory serves one sort or "
                           "map at a time) give each thread an order of its own";
  const auto field = field_view(scene.grid, points.data(), Staggering::centre);
  const Column<double> column{seen.data(), 2};
  std::vector<std::string> found;
  Meddler meddler{[&] {
    if (!found.empty()) return;
    found.push_back(message_of([&] { scene.order.sort(Cpu{}, scene.at); }));
    found.push_back(message_of([&] { spread(Cpu{}, scene.order, linear, {{scene.ones(), field}}); }));
    found.push_back(message_of([&] { interpolate(Cpu{}, scene.order, linear, {{field, column}}); }));
    found.push_back(message_of([&] { scene.order.permute(Cpu{}, column); }));
    found.push_back(message_of([&] { scene.order.reorder(Cpu{}, column, Column<double>{scene.x.data(), 2}); }));
    found.push_back(message_of([&] { scene.order.gather(Cpu{}, scene.x.data(), seen.data()); }));
    found.push_back(message_of([&] { scene.order.forget_permutation(); }));
    CellOrder<double> own(scene.grid);
    found.push_back(message_of([&] { own.sort(Cpu{}, scene.at); }));
  }};
  run_with_threads(1, [&] { spread(Cpu{}, scene.order, meddler, {{scene.ones(), field}}); });
  CHECK(found == std::vector<std::string>{busy, busy, busy, busy, busy, busy, busy, "no error"});
  found.clear();
  run_with_threads(1, [&] { interpolate(Cpu{}, scene.order, meddler, {{field, column}}); });
  CHECK(found == std::vector<std::string>{busy, busy, busy, busy, busy, busy, busy, "no error"});
  CHECK(message_of([&] { spread(Cpu{}, scene.order, linear, {{scene.ones(), field}}); }) == "no error");
  CHECK(message_of([&] { scene.order.sort(Cpu{}, scene.at); }) == "no error");
  meddler.call = [] { throw Error("thrown"); };
  CHECK(message_of([&] {
          run_with_threads(1, [&] { spread(Cpu{}, scene.order, meddler, {{scene.ones(), field}}); });
        }) == "thrown");
  CHECK(message_of([&] { scene.order.sort(Cpu{}, scene.at); }) == "no error");
}

TEST_CASE("an order that was moved from throws in every call, and serves again once it is assigned to") {
  TwoParticles scene;
  CellOrder<double>& left = scene.order;
  CellOrder<double> taken(std::move(left));
  std::vector<double> points(6), seen(2);
  const auto field = field_view(scene.grid, points.data(), Staggering::centre);
  const Column<double> column{seen.data(), 2};
  const std::vector<std::function<void()>> calls{[&] { left.sort(Cpu{}, scene.at); },
                                                 [&] { left.reorder(Cpu{}, column); },
                                                 [&] { left.permute(Cpu{}, column); },
                                                 [&] { left.gather(Cpu{}, scene.x.data(), seen.data()); },
                                                 [&] { left.forget_permutation(); },
                                                 [&] { left.grid(); },
                                                 [&] { left.counts(); },
                                                 [&] { left.size(); },
                                                 [&] { left.groups(); },
                                                 [&] { left.identity(); },
                                                 [&] { left.source(0); },
                                                 [&] { left.group_begin(0); },
                                                 [&] { left.view(Cpu{}); },
                                                 [&] { left.bytes(); },
                                                 [&] { spread(Cpu{}, left, linear, {{scene.ones(), field}}); },
                                                 [&] { interpolate(Cpu{}, left, linear, {{field, column}}); }};
  for (std::size_t i = 0; i < calls.size(); ++i) {
    CAPTURE(i);
    CHECK(message_of(calls[i]) ==
          "an order that was moved from (another one has its particles) make or assign a new one");
  }
  CHECK(taken.size() == 2);
  left = std::move(taken);
  CHECK(message_of(calls[14]) == "no error");
  CHECK(left.source(1) == 1);
}

} // namespace corral::test
