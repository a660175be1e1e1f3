#pragma once

#include "stokes/far/box.hpp"

#include <corral/cell_order.hpp>
#include <corral/execution.hpp>
#include <corral/interpolate.hpp>
#include <corral/spread.hpp>

#include <memory>
#include <span>

namespace corral::stokes {

/// One of a number of points known at run time.
class Window {
public:
  virtual ~Window() = default;
  virtual int support() const = 0;
  /// Its Fourier transform at k [radians per spacing].
  virtual double transform(double k) const = 0;
  virtual void spread(Cpu, const CellOrder<double>&, std::span<const Spread<double>>) const = 0;
  virtual void interpolate(Cpu, const CellOrder<double>&, std::span<const Interpolate<double>>) const = 0;
};

inline constexpr int least_support = 4, most_support = 16;

/// Of 4, 6, ... 16 points. The larger `beta`, the less do modes alias and the less well are high ones resolved.
/// Throws Error for other numbers of points, and for a beta that is not 1.5 to 3 of them.
std::unique_ptr<Window> make_window(WindowShape shape, int support, double beta);
void require_window(int support, double beta);

} // namespace corral::stokes
