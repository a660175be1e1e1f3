#pragma once

#include "engine/shared/support.hpp"

namespace corral::cpu {

/// The weights of one axis of a cell, or basis functions that they are made of, as straight lines in the fraction u:
/// lane j is max(0, intercept[j] + slope[j] u). A straddled axis has the lines (max(0, 1/2 - u), 1, max(0, u - 1/2));
/// the sum that belongs to its middle point is put right once per cell: middle - low - high.
template <class T> struct Lines {
  T intercept[4], slope[4];
};

template <class T> constexpr Lines<T> lines(int width) {
  if (width == 1) return {{1, 0, 0, 0}, {0, 0, 0, 0}};
  if (width == 2) return {{1, 0, 0, 0}, {-1, 1, 0, 0}};
  return {{T(0.5), 1, T(-0.5), 0}, {-1, 0, 1, 0}};
}

/// The lines of two or three axes, one value per lane: lane i takes line a[i] of an axis of width w, and 0 for -1.
template <class T> struct LaneLines {
  T intercept[8], slope[8];

  constexpr LaneLines(int width, const int (&line)[8]) : intercept{}, slope{} {
    const Lines<T> l = lines<T>(width);
    for (int i = 0; i < 8; ++i)
      if (line[i] >= 0) {
        intercept[i] = l.intercept[line[i]];
        slope[i] = l.slope[line[i]];
      }
  }
};

} // namespace corral::cpu
