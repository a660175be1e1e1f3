// What maps promise, in a user's own build: linear, roma3 and peskin4 spread all that there is and interpolate ones to
// ones, on every staggering and in both precisions. Ends with 1 where they don't.
#include <corral/corral.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

using namespace corral;

template <class T, class K> bool right(const K& kernel, CellOrder<T>& order, Staggering staggering) {
  const Grid& grid = order.grid();
  const std::int64_t n = order.size();
  std::vector<T> ones(n, T(1)), seen(n), field(grid.points(staggering)), field_of_ones(field.size(), T(1));
  spread(Cpu{}, order, kernel, {{{ones.data(), n}, field_view(grid, field.data(), staggering)}});
  interpolate(Cpu{}, order, kernel, {{field_view<const T>(grid, field_of_ones.data(), staggering), {seen.data(), n}}});

  double total = 0;
  for (const T value : field) total += value;
  const auto [least, most] = std::minmax_element(seen.begin(), seen.end());
  const double round_off = 64 * std::numeric_limits<T>::epsilon();
  const auto is_one = [=](double value) { return std::abs(value - 1) <= round_off; }; // not so if not a number
  if (is_one(total / double(n)) && std::all_of(seen.begin(), seen.end(), is_one)) return true;
  std::printf("%s, staggering %d, %zu bytes: %lld ones spread to %.9g and interpolate to %.9g .. %.9g\n",
              K::name.data(), int(staggering), sizeof(T), static_cast<long long>(n), total, double(*least),
              double(*most));
  return false;
}

template <class T> bool all_right() {
  const auto periodic = [](std::int64_t cells) { return Axis{cells, 0.0, 1.0, Boundary::periodic, Boundary::periodic}; };
  const Grid grid({periodic(12), periodic(10), periodic(9)});
  const std::int64_t n = 5000;
  std::vector<T> xyz(3 * n);
  for (std::int64_t i = 0; i < 3 * n; ++i) xyz[i] = T(9 * std::fmod(0.7548776662466927 * double(i + 1), 1.0));
  bool all = true;
  for (const Offset offset : {Offset::zero, Offset::half}) {
    CellOrder<T> order(grid, {offset, offset, offset});
    order.sort(Cpu{}, positions(xyz.data(), n));
    for (const Staggering staggering : all_staggerings) {
      all = right(kernels::Linear{}, order, staggering) && all;
      all = right(kernels::Roma3{}, order, staggering) && all;
      all = right(kernels::Peskin4{}, order, staggering) && all;
    }
  }
  return all;
}

int main() {
  const bool in_double = all_right<double>(), in_float = all_right<float>();
  return in_double && in_float ? 0 : 1;
}
