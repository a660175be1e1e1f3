#include "fluid/incompressible/stress_rows.hpp"

// Compiled once per instruction set and chosen at run time. No multiply-add is fused: the same bits on all of them.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fluid/incompressible/stress_rows.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include "fluid/incompressible/rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace corral::fluid::HWY_NAMESPACE {

struct StressOfX {
  StressRowOfX r;

  template <class T> HWY_INLINE T operator()(std::int64_t i, std::int64_t low, std::int64_t high) const {
    const T here = value_at<T>(r.u + i), per_x(r.per_spacing[0]);
    const T on = value_at<T>(r.mu + i) * (value_at<T>(r.u + high) - here);
    const T back = value_at<T>(r.mu + low) * (here - value_at<T>(r.u + low));
    T force = T(2.0) * per_x * per_x * (on - back);
    for (std::size_t e = 0; e < 2; ++e) {
      const T per(r.per_spacing[e + 1]);
      const T above = value_at<T>(r.edge_high[e] + i) *
                      ((value_at<T>(r.u_high[e] + i) - here) * per +
                       (value_at<T>(r.side_high[e] + i) - value_at<T>(r.side_high[e] + low)) * per_x);
      const T below = value_at<T>(r.edge_low[e] + i) *
                      ((here - value_at<T>(r.u_low[e] + i)) * per +
                       (value_at<T>(r.side_low[e] + i) - value_at<T>(r.side_low[e] + low)) * per_x);
      force = force + per * (above - below);
    }
    return force;
  }
};

struct StressOfOther {
  StressRowOfOther r;

  template <class T> HWY_INLINE T operator()(std::int64_t i, std::int64_t low, std::int64_t high) const {
    const T here = value_at<T>(r.u + i), per_x(r.per_x), per_a(r.per_a), per_b(r.per_b);
    const T on = value_at<T>(r.mu + i) * (value_at<T>(r.u_high_a + i) - here);
    const T back = value_at<T>(r.mu_back + i) * (here - value_at<T>(r.u_low_a + i));
    const T right = value_at<T>(r.edge_x + high) * ((value_at<T>(r.u + high) - here) * per_x +
                                                    (value_at<T>(r.x + high) - value_at<T>(r.x_back + high)) * per_a);
    const T left = value_at<T>(r.edge_x + i) * ((here - value_at<T>(r.u + low)) * per_x +
                                                (value_at<T>(r.x + i) - value_at<T>(r.x_back + i)) * per_a);
    const T above = value_at<T>(r.edge_b_high + i) *
                    ((value_at<T>(r.u_high_b + i) - here) * per_b +
                     (value_at<T>(r.b_high + i) - value_at<T>(r.b_high_back + i)) * per_a);
    const T below = value_at<T>(r.edge_b_low + i) *
                    ((here - value_at<T>(r.u_low_b + i)) * per_b +
                     (value_at<T>(r.b_low + i) - value_at<T>(r.b_low_back + i)) * per_a);
    return T(2.0) * per_a * per_a * (on - back) + per_x * (right - left) + per_b * (above - below);
  }
};

inline void stress_row_of_x(const StressRowOfX& r, double* to) { each_of_row(r.n, to, StressOfX{r}); }
inline void stress_row_of_other(const StressRowOfOther& r, double* to) { each_of_row(r.n, to, StressOfOther{r}); }

} // namespace corral::fluid::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace corral::fluid {

HWY_EXPORT(stress_row_of_x);
HWY_EXPORT(stress_row_of_other);

void stress_row(const StressRowOfX& row, double* to) { HWY_DYNAMIC_DISPATCH(stress_row_of_x)(row, to); }
void stress_row(const StressRowOfOther& row, double* to) { HWY_DYNAMIC_DISPATCH(stress_row_of_other)(row, to); }

} // namespace corral::fluid
#endif
