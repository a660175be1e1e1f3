#pragma once

#include "fluid/incompressible/device/modes.hpp"
#include "fluid/spectral/symbols.hpp"

#include <corral/array.hpp>
#include <corral/grid.hpp>

#include <cstdint>
#include <vector>

namespace corral::fluid::spectral_flow {

/// The symbols of an axis, of its first `kept` modes, in memory of the device.
class SymbolsOfAxis {
public:
  SymbolsOfAxis(const Axis& axis, std::int64_t kept) {
    const spectral::DifferenceSymbols symbols(axis.cells, axis.spacing);
    std::vector<Mode> gradient;
    std::vector<double> square;
    for (std::int64_t m = 0; m < kept; ++m) gradient.push_back({symbols.re(m), symbols.im(m)}), square.push_back(symbols.square(m));
    gradient_.assign(gradient), square_.assign(square);
  }
  AxisSymbols view() const { return {gradient_.data(), square_.data()}; }

private:
  Array<Mode> gradient_{Memory::device};
  Array<double> square_{Memory::device};
};

} // namespace corral::fluid::spectral_flow
