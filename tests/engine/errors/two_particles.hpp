#pragma once

#include "tests/catch.hpp"
#include "tests/engine/message_of.hpp"

#include <corral/corral.hpp>

#include <string>
#include <vector>

namespace corral::test {

inline constexpr kernels::Linear linear;

inline Axis axis_of(std::int64_t cells, Boundary side) { return {cells, 0.0, 1.0, side, side}; }

/// Two particles on a grid of 3 x 2 cells, with and without an order.
struct TwoParticles {
  Grid grid{{axis_of(3, Boundary::wall), axis_of(2, Boundary::open), Axis{}}};
  std::vector<double> x{0.5, 1.5}, one{1, 1};
  Positions<double> at = positions(x.data(), x.data(), x.data(), 2);
  CellOrder<double> order{grid};

  TwoParticles() { order.sort(Cpu{}, at); }
  std::string spread_error(std::initializer_list<Spread<double>> terms) const {
    const std::string text = message_of([&] { spread(Cpu{}, order, linear, terms); });
    CHECK(message_of([&] { spread(Cpu{}, grid, at, linear, terms); }) == text);
    return text;
  }
  std::string read_error(std::initializer_list<Interpolate<double>> terms) const {
    const std::string text = message_of([&] { interpolate(Cpu{}, order, linear, terms); });
    CHECK(message_of([&] { interpolate(Cpu{}, grid, at, linear, terms); }) == text);
    return text;
  }
  Column<const double> ones() const { return {one.data(), 2}; }
};

} // namespace corral::test
