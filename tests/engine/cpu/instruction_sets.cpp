#include "engine/cpu/order/sort_keys.hpp"
#include "engine/shared/order_data.hpp"
#include "tests/engine/compare_with_reference.hpp"

#include <hwy/targets.h>

#include <cstring>
#include <map>
#include <string>

/// What the vector code gives on each instruction set that this processor has.
namespace corral::test {
namespace {

/// Lets the maps choose among `targets` only while it lives.
class Mocked {
public:
  explicit Mocked(std::int64_t targets) { hwy::SetSupportedTargetsForTest(targets); }
  ~Mocked() { hwy::SetSupportedTargetsForTest(0); }
  Mocked(const Mocked&) = delete;
  Mocked& operator=(const Mocked&) = delete;
};

/// The names and bits of every set of the processor; the plain path, which needs no set, always among them.
std::map<std::string, std::int64_t> available() {
  std::map<std::string, std::int64_t> found;
  const std::int64_t supported = hwy::SupportedTargets();
  for (int bit = 0; bit < 62; ++bit) {
    const std::int64_t target = std::int64_t{1} << bit;
    if ((supported & target) == 0 && target != HWY_EMU128) continue;
    const Mocked mocked(target);
    found.emplace(instruction_set(), target);
  }
  return found;
}

/// Everything that a step maps: each staggering from three orders, spread and interpolated.
template <class T, class K> std::vector<T> results(const K& kernel, Method method) {
  Random random(61);
  const Grid grid = make_grid({9, 7, 5}, Sides::wall_minus, Placement::anywhere, random);
  const auto particles = make_particles<T>(grid, 3000, Placement::anywhere, random);
  const std::vector<T> value = random_column<T>(particles.size(), random);
  std::vector<T> all;
  for (const Offsets drawn : {Offsets::zero, Offsets::half, Offsets::mixed}) {
    CellOrder<T> order(grid, offsets(drawn, random));
    order.sort(Cpu{}, particles.positions());
    for (const Staggering s : all_staggerings) {
      OwnedField<T> field(grid, s, wall_signs(Sides::wall_minus, random), 1);
      std::vector<T> read(value.size(), T(0));
      spread(Cpu{}, order, kernel, {{Column<const T>{value.data(), particles.size()}, field.view}}, method);
      interpolate(Cpu{}, order, kernel, {{field.view, Column<T>{read.data(), particles.size()}}}, method);
      all.insert(all.end(), field.values.begin(), field.values.end());
      all.insert(all.end(), read.begin(), read.end());
    }
  }
  return all;
}

template <class T, class K> bool agree(const K& kernel, Method method, std::int64_t a, std::int64_t b) {
  const auto on = [&](std::int64_t target) {
    const Mocked mocked(target);
    return results<T>(kernel, method);
  };
  const std::vector<T> x = on(a), y = on(b);
  return std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}

} // namespace

TEST_CASE("the maps name their instruction set, and every set equals the reference", "[values]") {
  const std::string chosen(instruction_set());
  const auto sets = available();
  WARN("instruction set " << chosen);
  CHECK(sets.count(chosen) == 1);
  for (const auto& [set, target] : sets) {
    const Mocked mocked(target);
    REQUIRE(instruction_set() == set);
    INFO(set);
    Random random(62);
    for (const Staggering s : all_staggerings)
      for (const Offsets drawn : all_offsets) {
        const Grid grid = make_grid({5, 4, 3}, Sides::mixed, Placement::lattice, random);
        MapCase<double> c{grid, make_particles<double>(grid, 333, Placement::lattice, random), s,
                          wall_signs(Sides::mixed, random), offsets(drawn, random)};
        compare_with_reference(kernels::Linear{}, c, random);
        MapCase<float> f{grid, make_particles<float>(grid, 333, Placement::lattice, random), s,
                         wall_signs(Sides::mixed, random), offsets(drawn, random)};
        compare_with_reference(kernels::Linear{}, f, random);
        for (const Method method : {Method::stencils, Method::tiles}) {
          c.method = f.method = method;
          compare_with_reference(kernels::Peskin4{}, c, random);
          compare_with_reference(kernels::BSpline<5>{}, f, random);
        }
      }
  }
  CHECK(std::string(instruction_set()) == chosen);
}

TEMPLATE_TEST_CASE("every set gives the keys and fractions of the pointwise maths", "[values]", float, double) {
  using T = TestType;
  Random random(63);
  int different = 0;
  for (const auto& [set, target] : available())
    for (const Sides sides : all_sides)
      for (const Offsets drawn : all_offsets)
        for (const Placement placement : all_placements) {
          const Mocked mocked(target);
          const Grid grid = make_grid({9, 7, 5}, sides, placement, random);
          const auto p = make_particles<T>(grid, 101, placement, random);
          const CellOrder<T> order(grid, offsets(drawn, random));
          const shared::CellKey<T>& key = order.data().key;
          const auto groups = static_cast<std::uint32_t>(order.data().group_count());
          std::vector<std::uint32_t> keys(101);
          std::vector<T> u(101);
          cpu::cell_keys(key, {p.x.data(), p.y.data(), p.z.data()}, 101, keys.data());
          cpu::cell_fractions(key.axis[0], p.x.data(), 101, u.data());
          for (std::size_t i = 0; i < 101; ++i) {
            const shared::Place<T> place = key(p.x[i], p.y[i], p.z[i]);
            const auto expected = place.group >= 0 ? static_cast<std::uint32_t>(place.group)
                                                   : groups + static_cast<std::uint32_t>(-1 - place.group);
            different += keys[i] != expected || (place.group >= 0 && u[i] != place.u[0]);
          }
        }
  CHECK(different == 0);
}

TEST_CASE("AVX2 and AVX-512 give the same bits", "[values]") {
  const auto sets = available();
  if (sets.count("AVX2") == 0 || sets.count("AVX3") == 0) {
    WARN("this processor doesn't have both: nothing to compare");
    return;
  }
  const auto require_agreement = [&](const auto& kernel, Method method) {
    INFO(std::decay_t<decltype(kernel)>::name << " by " << name(method));
    CHECK(agree<double>(kernel, method, sets.at("AVX2"), sets.at("AVX3")));
    CHECK(agree<float>(kernel, method, sets.at("AVX2"), sets.at("AVX3")));
  };
  require_agreement(kernels::Linear{}, Method::cells);
  for (const Method method : {Method::stencils, Method::tiles}) {
    require_agreement(kernels::Peskin4{}, method);
    require_agreement(kernels::SmoothedPeskin4{}, method); // an arcsine
    require_agreement(kernels::Ib6{}, method);
    require_agreement(kernels::KaiserBessel<11>{}, method);
  }
}

} // namespace corral::test
