#pragma once

#include "engine/shared/cell_key.hpp"

#include <array>
#include <cstdint>

namespace corral::cpu {

/// key[i] = the group of the particle at x[d][i], or `groups` where it is outside, `groups` + 1 where it is not finite;
/// groups is the number of groups, at most vector_groups. For the instruction set at hand; all give the same.
template <class T>
void cell_keys(const shared::CellKey<T>&, const std::array<const T*, 3>& x, std::int64_t n, std::uint32_t* key);
inline constexpr std::int64_t vector_groups = std::int64_t{1} << 30;

/// u[i] = the fraction of coordinate x[i] within its group. Coordinates that are outside or not finite get some u that
/// nobody uses.
template <class T> void cell_fractions(const shared::AxisKey<T>&, const T* x, std::int64_t n, T* u);

} // namespace corral::cpu
