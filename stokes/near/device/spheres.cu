#include "stokes/near/device/point_law.cuh"

namespace corral::stokes::device {
namespace {

/// Forces on spheres of one radius, from the table: near_loops-inl.hpp's sphere_functions.
template <int degree> struct SphereLaw {
  struct Source {
    double force[3];
  };
  struct Sum {
    double of[3];
  };

  SphereNumbers numbers;
  std::array<const double*, 3> force;
  std::array<Column<double>, 3> result;

  __device__ Source source(std::int64_t place, std::int64_t) const {
    return {{force[0][place], force[1][place], force[2][place]}};
  }
  __device__ Sum begin(std::int64_t) const { return {}; }
  __device__ __forceinline__ void add(const Source& source, const std::array<double, 3>& apart, double square,
                                      Sum& sum) const {
    constexpr int shift = SphereTable::shift, row = 2 * (degree + 1);
    constexpr double bins = 1 << (52 - shift); // of a doubling
    const double scaled = numbers.scale * square, u = scaled > SphereTable::least ? scaled : SphereTable::least;
    const long long bits = __double_as_longlong(u), rest = bits & ((1ll << shift) - 1);
    const double one = __longlong_as_double(rest | __double_as_longlong(1.0)); // 1 to 1 + 1/bins
    const double y = fma(2 * bins, one, -(2 * bins + 1));
    const double* const c = numbers.bins + row * ((bits >> shift) - numbers.first_bin);
    double across = __ldg(c), pull = __ldg(c + degree + 1);
#pragma unroll
    for (int k = 1; k <= degree; ++k) {
      across = fma(across, y, __ldg(c + k));
      pull = fma(pull, y, __ldg(c + degree + 1 + k));
    }
    const double r[3] = {apart[0], apart[1], apart[2]}, along = pull * dot(r, source.force);
    for (int a = 0; a < 3; ++a) sum.of[a] = fma(across, source.force[a], fma(along, r[a], sum.of[a]));
  }
  __device__ void end(std::int64_t i, const Sum& sum) const {
    for (std::size_t c = 0; c < 3; ++c) result[c][i] += sum.of[c];
  }
};

template <int degree> void add(Gpu gpu, const Call& call, const SphereNumbers& numbers) {
  add_by(gpu, call,
         SphereLaw<degree>{numbers,
                           {call.strength[0], call.strength[1], call.strength[2]},
                           {call.result[0], call.result[1], call.result[2]}});
}

} // namespace

void add_spheres(Gpu gpu, const Call& call, const SphereNumbers& numbers, SphereTable::Degree degree) {
  if (degree == SphereTable::Degree::three) add<3>(gpu, call, numbers);
  else add<7>(gpu, call, numbers);
}

} // namespace corral::stokes::device
