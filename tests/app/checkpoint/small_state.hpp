#pragma once

#include "run/driver.hpp"
#include "run/state/registry.hpp"

#include <corral/grid.hpp>

#include <array>
#include <cstdint>

namespace corral::test {

inline constexpr std::array<Staggering, 3> all_at_centres{Staggering::centre, Staggering::centre, Staggering::centre};

/// A registry with an entry of every kind, and that of a loop.
struct SmallState {
  explicit SmallState(std::int64_t particles = 40, std::int64_t cells = 5, Memory memory = Memory::host)
      : grid({Axis{.cells = cells, .spacing = 0.5, .low = Boundary::wall, .high = Boundary::wall}, Axis{.cells = 4},
              Axis{.cells = 3}}),
        state(grid, memory), loop(grid) {
    using run::Use;
    pressure = &state.declare_field("pressure", "Pa", "of the gas", Staggering::centre, Use::saved);
    velocity = state.declare_vector_field("velocity", "m/s", "of the gas", run::on_faces, Use::saved | Use::shown);
    populations = state.declare_fields("populations", "kg/m3", "by velocity", 2, Staggering::centre, Use::saved | Use::shown);
    centred = state.declare_vector_field("slip", "m/s", "of the gas", all_at_centres, Use::shown);
    state.declare_field("derived", "", "no state", Staggering::node, Use::shown);
    set = &state.declare_set({.name = "vertices", .one = "vertex", .keeps_order = true});
    position = set->declare_vector_column("position", "m", "of each", Use::saved);
    ids = &set->declare_ids("id", "permanent number", Use::saved | Use::shown);
    kind = &set->declare_integers("kind", "number of its kind", Use::saved | Use::shown);
    strain = set->declare_columns("strain", "", "xx, yy, zz, yz, xz, xy", 6, Use::saved | Use::shown);
    set->resize(particles);
    triangles = &set->declare_connectivity("triangles", "places of their corners", 3, Use::saved);
    triangles->resize(particles > 2 ? 6 : 0);
    tension = &set->declare_on_triangles("tension", "N/m", "of each", Use::shown);
    number = &state.declare_real("number", "kg", "of something", Use::saved);
    counter = &state.declare_counter("counter", "of something", Use::saved);
    state.bind("table", "J", "of something", table);
    clock.bind_state(loop);
  }

  void fill(double with) {
    const auto all = [&](Array<double>& values) {
      for (std::int64_t i = 0; i < values.size(); ++i) values[i] = with / (1.0 + static_cast<double>(i));
    };
    all(*pressure);
    all(*tension);
    for (const auto& components : {velocity, centred, position})
      for (Array<double>* one : components) all(*one);
    for (const run::Columns& components : {populations, strain})
      for (Array<double>* one : components) all(*one);
    for (std::int64_t i = 0; i < kind->size(); ++i) (*kind)[i] = static_cast<std::int32_t>(300 * with) - static_cast<std::int32_t>(i);
    for (std::int64_t i = 0; i < ids->size(); ++i) (*ids)[i] = ~static_cast<std::uint64_t>(i);
    for (std::int64_t i = 0; i < triangles->size(); ++i) (*triangles)[i] = static_cast<std::int32_t>(i);
    *number = with, *counter = static_cast<std::int64_t>(-with);
    table.resize(7);
    all(table);
    clock.set_dt(with);
    clock.advance();
  }

  Grid grid;
  run::Registry state, loop;
  run::Clock clock;
  Array<double>* pressure;
  run::Components velocity{}, centred{}, position{};
  run::ParticleSet* set;
  Array<std::uint64_t>* ids;
  Array<std::int32_t>*kind, *triangles;
  run::Columns populations, strain;
  double* number;
  std::int64_t* counter;
  Array<double>* tension;
  Array<double> table;
};

} // namespace corral::test
