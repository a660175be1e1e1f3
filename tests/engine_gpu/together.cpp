#include "tests/engine/compare_with_reference.hpp"

#include <corral/kernels/shipped.hpp>

#ifdef CORRAL_CUDA_ON_HOST
#include <cuda_on_host/configuration.hpp>
#endif

#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <thread>

/// Fields of several staggerings in one call: each gets the bits that it gets alone.
namespace corral::test {
namespace {

/// A periodic cube with some particles a cell, or all in one; fields at cell centres don't straddle its order.
struct Cube {
  Grid grid;
  Particles<double> particles;
  std::vector<double> value;
  CellOrder<double> order;

  Cube(std::int64_t cells, int points, std::int64_t n, Placement placement = Placement::anywhere)
      : grid({Axis{cells, 0.0, 1.0}, Axis{cells, 0.0, 1.0}, Axis{cells, 0.0, 1.0}}), order(grid, natural(points)) {
    Random random(91);
    particles = make_particles<double>(grid, n, placement, random);
    value = random_column<double>(n, random);
    run_sort(order, particles.positions());
  }
  static std::array<Offset, 3> natural(int points) {
    const Offset offset = points % 2 == 0 ? Offset::half : Offset::zero;
    return {offset, offset, offset};
  }
  template <class K>
  std::vector<std::vector<double>> spread(const K& kernel, const std::vector<Staggering>& staggerings,
                                          Method method) const {
    std::vector<std::vector<double>> field;
    std::vector<Spread<double>> terms;
    for (const Staggering s : staggerings) field.emplace_back(static_cast<std::size_t>(grid.points(s)), 0.0);
    for (std::size_t t = 0; t < field.size(); ++t)
      terms.push_back({{value.data(), particles.size()}, field_view(grid, field[t].data(), staggerings[t])});
    run_spread(order, kernel, std::span<const Spread<double>>(terms), method);
    return field;
  }
};

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

constexpr std::array some_methods{Method::automatic, Method::tiles, Method::hybrid, Method::tensor_core,
                                  Method::towers, Method::grid_gather, Method::sort_reduce};

template <class K>
void require_as_alone(const K& kernel, const Cube& cube, std::span<const Method> methods = some_methods) {
  const std::vector<Staggering> all{Staggering::face_x, Staggering::face_y, Staggering::face_z, Staggering::centre,
                                    Staggering::node};
  for (const Method method : methods) {
    INFO(K::name << " by " << name(method) << ", " << cube.grid.axis(0).cells << " cells");
    const auto together = cube.spread(kernel, all, method);
    const auto faces = cube.spread(kernel, {all[0], all[1], all[2]}, method);
    for (std::size_t f = 0; f < all.size(); ++f) {
      const std::vector<double> alone = cube.spread(kernel, {all[f]}, method)[0];
      CHECK(same_bits(together[f], alone));
      if (f < 3) CHECK(same_bits(faces[f], alone));
    }
  }
}

} // namespace

TEST_CASE("a field gets the bits that it gets alone, whatever other fields are in the call") {
  require_as_alone(kernels::Linear{}, Cube(5, 2, 300));
  require_as_alone(kernels::Peskin4{}, Cube(5, 4, 60)); // fields differ in the number of colours
  require_as_alone(kernels::Ib5{}, Cube(12, 5, 200));
  if (sanitized) return;
  if (!emulated || thorough()) require_as_alone(kernels::Peskin4{}, Cube(12, 4, 200));
  require_as_alone(kernels::Ib6{}, Cube(11, 6, 140));
  require_as_alone(kernels::KaiserBessel<9>{}, Cube(24, 9, 60));
  constexpr std::array by_parts{Method::tiles, Method::tensor_core};
  require_as_alone(kernels::Ib5{}, Cube(12, 5, 5'000, Placement::one_cell), by_parts);
  constexpr std::array by_larger_parts{Method::towers};
  require_as_alone(kernels::Peskin4{}, Cube(12, 4, 9'000, Placement::one_cell), by_larger_parts);
}

TEST_CASE("parts and passes of a crowd agree, method by method") { // once, for the sanitizer of races
  const auto require_agreement = [](const auto& kernel, const Cube& cube, std::initializer_list<Method> of) {
    const std::vector<Staggering> faces{Staggering::face_x, Staggering::face_y, Staggering::face_z};
    std::vector<std::vector<double>> first;
    for (const Method method : of) {
      INFO(name(method));
      const auto field = cube.spread(kernel, faces, method);
      if (first.empty()) first = field;
      double worst = 0;
      for (std::size_t f = 0; f < faces.size(); ++f)
        for (std::size_t i = 0; i < field[f].size(); ++i)
          worst = std::max(worst, std::abs(field[f][i] - first[f][i]));
      CHECK(worst < 1e-10);
    }
  };
  constexpr Method uncut = Method::grid_gather; // what is wrong with all parts alike shows beside it
  require_agreement(kernels::Linear{}, Cube(5, 2, 1'300, Placement::one_cell), {uncut, Method::octet, Method::zhao});
  require_agreement(kernels::Ib5{}, Cube(8, 5, 5'000, Placement::one_cell),
                    {uncut, Method::tensor_core, Method::tiles});
  require_agreement(kernels::Peskin4{}, Cube(12, 4, 9'000, Placement::one_cell), {uncut, Method::towers});
}

TEST_CASE("towers take any number of fields of a staggering at once, each with the bits that it gets alone") {
  const Cube cube(11, 6, 150);
  const std::vector<double> alone = cube.spread(kernels::Ib6{}, {Staggering::face_y}, Method::towers)[0];
  for (const std::size_t n : {2, 3, 4, 5, 9, 12, 14}) {
    INFO(n << " fields");
    const auto together = cube.spread(kernels::Ib6{}, std::vector<Staggering>(n, Staggering::face_y), Method::towers);
    for (const auto& field : together) CHECK(same_bits(field, alone));
  }
}

TEST_CASE("a value that is not finite spoils no more beside other fields than alone") {
  Cube cube(12, 4, 200);
  cube.value[17] = std::numeric_limits<double>::quiet_NaN();
  for (const Method method : {Method::tiles, Method::hybrid, Method::tensor_core, Method::towers}) {
    INFO(name(method));
    const auto together = cube.spread(kernels::Peskin4{}, {Staggering::centre, Staggering::face_z}, method);
    const std::vector<double> alone = cube.spread(kernels::Peskin4{}, {Staggering::centre}, method)[0];
    const auto spoilt = [](const std::vector<double>& field) {
      return std::count_if(field.begin(), field.end(), [](double v) { return std::isnan(v); });
    };
    CHECK(spoilt(alone) >= 64);
    CHECK(spoilt(alone) == spoilt(together[0]));
  }
}

TEST_CASE("host threads with orders of their own don't disturb each other") {
  const Cube wide(9, 8, 20), narrow(9, 4, 20);
  const auto field_of = [](const Cube& cube, const auto& kernel) {
    return cube.spread(kernel, {Staggering::centre}, Method::tiles)[0];
  };
  const std::vector<double> of_wide = field_of(wide, kernels::KaiserBessel<8>{}),
                            of_narrow = field_of(narrow, kernels::Peskin4{});
  bool same[2] = {true, true};
  std::thread other([&] {
    for (int i = 0; i < 10; ++i) same[0] = same[0] && same_bits(field_of(wide, kernels::KaiserBessel<8>{}), of_wide);
  });
  for (int i = 0; i < 10; ++i) same[1] = same[1] && same_bits(field_of(narrow, kernels::Peskin4{}), of_narrow);
  other.join();
  CHECK(same[0]);
  CHECK(same[1]);
}

#ifdef CORRAL_CUDA_ON_HOST
TEST_CASE("devices with little shared memory, and without tensor cores for doubles") {
  cuda_on_host::Configuration device = cuda_on_host::configuration();
  device.compute_capability = GENERATE(80, 86, 120);
  const cuda_on_host::ScopedConfiguration scope(device);
  const auto require_reference = [&](const auto& kernel, Method method) {
    INFO(std::decay_t<decltype(kernel)>::name << " by " << name(method));
    Random random(92);
    for (const Staggering staggering : {Staggering::centre, Staggering::node}) {
      const Grid grid = make_grid({19, 11, 17}, Sides::periodic, Placement::anywhere, random);
      MapCase<double> c{grid, make_particles<double>(grid, 20, Placement::anywhere, random), staggering,
                        {Sign::plus, Sign::plus, Sign::plus}, {Offset::half, Offset::half, Offset::half}};
      c.method = method;
      compare_with_reference(kernel, c, random);
    }
  };
  for (const Method method : {Method::tiles, Method::automatic}) {
    require_reference(kernels::KaiserBessel<14>{}, method);
    require_reference(kernels::KaiserBessel<16>{}, method);
  }
}

TEST_CASE("towers are shared among any number of blocks, and no sum depends on it") {
  for (const Placement placement : {Placement::anywhere, Placement::one_cell}) {
    const Cube cube(23, 4, 400, placement);
    const auto by_points = cube.spread(kernels::Peskin4{}, {Staggering::centre}, Method::grid_gather)[0];
    std::vector<double> of_one;
    for (const int multiprocessors : {1, 2, 5, 40}) { // whole towers in rounds and a rest, a rest alone, some idle
      INFO(multiprocessors << " multiprocessors");
      cuda_on_host::Configuration device = cuda_on_host::configuration();
      device.multiprocessors = multiprocessors;
      const cuda_on_host::ScopedConfiguration scope(device);
      const auto field = cube.spread(kernels::Peskin4{}, {Staggering::centre, Staggering::centre}, Method::towers)[0];
      if (of_one.empty()) of_one = field;
      CHECK(same_bits(field, of_one));
      double worst = 0;
      for (std::size_t i = 0; i < field.size(); ++i) worst = std::max(worst, std::abs(field[i] - by_points[i]));
      CHECK(worst < 1e-12);
    }
  }
}

TEST_CASE("tiles that stream are shared among any number of blocks, each of which has many") {
  for (const Placement placement : {Placement::anywhere, Placement::one_cell}) {
    const Cube cube(9, 2, 11'001, placement);
    const std::size_t n = cube.value.size();
    const auto read = [&](const std::vector<double>& field, Method method) {
      std::vector<double> values(n, 0.0);
      run_interpolate(cube.order, kernels::Linear{},
                      {Interpolate<double>{field_view(cube.grid, field.data(), Staggering::face_y),
                                           {values.data(), cube.particles.size()}}},
                      method);
      return values;
    };
    const auto worst = [](const std::vector<double>& a, const std::vector<double>& b) {
      double most = 0;
      for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
      return most;
    };
    const auto by_corners = cube.spread(kernels::Linear{}, {Staggering::face_y}, Method::corners)[0];
    const std::vector<double> by_stencils = read(by_corners, Method::stencils);
    std::vector<double> of_one;
    for (const int multiprocessors : {1, 3}) {
      INFO(multiprocessors << " multiprocessors");
      cuda_on_host::Configuration device = cuda_on_host::configuration();
      device.order = cuda_on_host::Order::random; // in which copies arrive at any time
      device.multiprocessors = multiprocessors;
      const cuda_on_host::ScopedConfiguration scope(device);
      const auto field = cube.spread(kernels::Linear{}, {Staggering::face_y}, Method::stream)[0];
      if (of_one.empty()) of_one = field;
      CHECK(same_bits(field, of_one));
      CHECK(worst(field, by_corners) < 1e-10);
      CHECK(worst(read(by_corners, Method::stream), by_stencils) < 1e-12);
    }
  }
}
#endif

} // namespace corral::test
