#include "engine/cpu/cells/row_method.hpp"

#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 takes the row buffers for too small where Highway stores value by value (the set without registers).
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#endif

// Compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/cpu/cells/linear.cpp"
#include "engine/cpu/machine/instruction_sets.hpp"

#include <corral/execution.hpp>

#include "engine/cpu/cells/linear-inl.hpp"

#if HWY_ONCE
namespace corral::cpu {

HWY_EXPORT(linear_float);
HWY_EXPORT(linear_double);
HWY_EXPORT(faces_float);
HWY_EXPORT(faces_double);
HWY_EXPORT(target_name);

template <>
std::unique_ptr<RowMethod<float>> linear_method(const shared::FieldSupport& support,
                                                 std::array<std::int64_t, 3> stride) {
  return HWY_DYNAMIC_DISPATCH(linear_float)(support, stride);
}
template <>
std::unique_ptr<RowMethod<double>> linear_method(const shared::FieldSupport& support,
                                                  std::array<std::int64_t, 3> stride) {
  return HWY_DYNAMIC_DISPATCH(linear_double)(support, stride);
}

template <>
std::unique_ptr<RowMethod<float>> linear_faces_method(const std::array<std::array<std::int64_t, 3>, 3>& stride) {
  return HWY_DYNAMIC_DISPATCH(faces_float)(stride);
}
template <>
std::unique_ptr<RowMethod<double>> linear_faces_method(const std::array<std::array<std::int64_t, 3>, 3>& stride) {
  return HWY_DYNAMIC_DISPATCH(faces_double)(stride);
}

} // namespace corral::cpu

namespace corral {

std::string_view instruction_set() { return HWY_DYNAMIC_DISPATCH(cpu::target_name)(); }

} // namespace corral
#endif
