#include "tests/fluid/lattice/mixed_boxes.hpp"

#include <corral/execution.hpp>

#include <cstring>

/// What a lattice flow keeps: bits, mass, and itself when it is looked at from another side.
namespace corral::test {
namespace {

bool same_bits(const CellVectors& a, const CellVectors& b) {
  for (std::size_t d = 0; d < 3; ++d)
    if (std::memcmp(a[d].data(), b[d].data(), static_cast<std::size_t>(a[d].size()) * sizeof(double)) != 0) return false;
  return true;
}

TEST_CASE("one lattice and two, and any number of threads, give the same bits in any box") {
  for_each_box([](VelocitySet set, const Mixed& box) {
    for (const Collision c : all_collisions) {
      INFO(name(c));
      LatticeProperties p = of_tau(0.6, set, c);
      for (const int steps : {5, 6}) {
        p.scheme = Scheme::two_lattices;
        CellVectors two;
        run_with_threads(1, [&] { two = box.run(p, steps); });
        p.scheme = Scheme::in_place;
        for (const int threads : {1, 3}) run_with_threads(threads, [&] { CHECK(same_bits(box.run(p, steps), two)); });
      }
    }
  });
}

TEST_CASE("floats follow doubles on a lattice as far as they can", "[values]") {
  for_each_box([](VelocitySet set, const Mixed& box) {
    LatticeProperties p = of_tau(0.6, set);
    const CellVectors exact = box.run(p, 30);
    p.precision = Precision::floats_in_double;
    CHECK(largest_apart(box.run(p, 30), exact) < 3e-8);
    p.precision = Precision::floats;
    CHECK(largest_apart(box.run(p, 30), exact) < 1e-7);
  });
}

TEST_CASE("a box that nothing enters or leaves keeps its mass") {
  for_each_box([](VelocitySet set, const Mixed& box) {
    for (int s = 0; s < 6; ++s)
      if (box.domain.side_kind(s) == SideKind::outlet) return;
    for (const Collision c : all_collisions) {
      INFO(name(c));
      double excess = 1;
      LatticeProperties p = of_tau(0.6, set, c);
      p.smagorinsky = 0.1;
      box.run(p, 50, &excess);
      CHECK(std::abs(excess) < 1e-15);
    }
  });
}

TEST_CASE("momentum changes by what forces and sides give, to round-off, in any box") {
  for_each_box([](VelocitySet set, const Mixed& box) {
    for (const Scheme scheme : {Scheme::in_place, Scheme::two_lattices}) {
      INFO(name(scheme));
      LatticeProperties p = of_tau(0.6, set);
      p.scheme = scheme;
      p.body_force = {1e-4, -2e-4, set == VelocitySet::d2q9 ? 0 : 3e-4};
      LatticeFlow flow(box.domain, p);
      flow.start(Cpu{}, seen(box.start));
      const auto cells = static_cast<double>(box.domain.grid().cells());
      std::array<double, 3> given{}, one{};
      for (std::size_t d = 0; d < 3; ++d) {
        for (std::int64_t c = 0; c < box.force[d].size(); ++c) given[d] += box.force[d][c];
        given[d] += cells * p.body_force[d];
      }
      for (int s = 0; s < 5; ++s) {
        const std::array<double, 3> before = flow.momentum(Cpu{});
        flow.step(Cpu{}, seen(box.force));
        const std::array<double, 3> after = flow.momentum(Cpu{}), by_sides = flow.force_of_sides(Cpu{});
        for (std::size_t d = 0; d < 3; ++d) CHECK(std::abs(after[d] - before[d] - given[d] - by_sides[d]) < 1e-14 * cells);
        run_with_threads(3, [&] { one = flow.force_of_sides(Cpu{}); });
        CHECK(one == by_sides);
      }
    }
  });
}

TEST_CASE("momentum, forces and velocities of a lattice are in SI units") {
  const SideKinds sides = with(all_wrap, 1, SideKind::no_slip, SideKind::no_slip);
  const double h = 0.5, dt = 0.1, rho = 3;
  const fluid::Domain domain = lattice_box({4, 6, 4}, sides, h);
  LatticeProperties p{.density = rho, .viscosity = rho * 0.1 * h * h / dt, .dt = dt, .body_force = {0.02, 0, 0}};
  LatticeFlow flow(domain, p);
  flow.start(Cpu{}, seen(fluid::make_cell_arrays(domain.grid())));
  CellVectors u = fluid::make_cell_arrays(domain.grid());
  for (int s = 0; s < 1500; ++s) flow.step(Cpu{}, {}, written(u)); // the flow stands
  const double volume = 2 * 3 * 2;
  CHECK(flow.force_of_sides(Cpu{})[0] == Approx(-0.02 * volume));
  CHECK(largest_apart(u, velocity_of(flow, domain.grid())) < 1e-12); // half of the force is in both
  double sum = 0, most = 0;
  for (std::int64_t c = 0; c < u[0].size(); ++c) sum += u[0][c], most = std::max(most, u[0][c]);
  CHECK(flow.fastest()[0] == Approx(most).epsilon(1e-12));
  CHECK(most == Approx(0.02 / (2 * p.viscosity) * (1.25 * 1.75)).epsilon(1e-6));
  const double mean = sum / static_cast<double>(u[0].size());
  CHECK(flow.momentum(Cpu{})[0] == Approx(volume * (rho * mean - 0.5 * dt * 0.02)).epsilon(1e-9));
}

TEST_CASE("a velocity that is no number is the fastest") {
  const fluid::Domain domain = lattice_box({70, 6, 1}, all_wrap);
  for (const Precision precision : {Precision::doubles, Precision::floats}) {
    LatticeProperties p = of_tau(0.7, VelocitySet::d2q9);
    p.precision = precision;
    LatticeFlow flow(domain, p);
    flow.start(Cpu{}, seen(at_centres(domain.grid(), [](const auto& x) {
                 return std::array<double, 3>{x[0] < 3 && x[1] < 2 && x[1] > 1 ? std::nan("") : 0.01, 0, 0};
               })));
    CHECK(flow.fastest()[0] == 0);
    flow.step(Cpu{});
    CHECK(std::isnan(flow.fastest()[0]));
    CHECK(flow.fastest()[2] == 0);
  }
}

TEST_CASE("what an inlet lets in is in the box, to round-off") {
  const bool slips = GENERATE(false, true);
  Mixed box(boxes[slips ? 5 : 3], false);
  if (slips) box.domain.set_wall_velocity(2, {});
  LatticeFlow flow(box.domain, of_tau(0.6));
  // Nothing leaves yet: the outlet is at the same pressure, and sound needs some steps to reach it.
  flow.start(Cpu{}, seen(fluid::make_cell_arrays(box.domain.grid())));
  for (int s = 0; s < 3; ++s) flow.step(Cpu{});
  const double in = 3 * 0.01 * (1.5 + 2.5 + 3.5) * 6 / (7 * 5 * 6);
  CHECK(flow.excess_mass(Cpu{}) == Approx(in).epsilon(1e-12));
}

TEST_CASE("ripples beside an inlet whose side lets slip are washed out, where viscosity is too low to damp them") {
  fluid::Inlet in;
  in.side = 0;
  in.region = {{0, 0, 0}, {0, 32, 1}};
  in.velocity = [](const auto&) { return 0.05; };
  const fluid::Domain domain = lattice_box({40, 32, 1}, with(all_wrap, 0, SideKind::free_slip, SideKind::outlet), 1, {in});
  LatticeProperties p = of_tau(0.51, VelocitySet::d2q9); // 15 cells of U h/nu
  p.magic = 0.375;
  LatticeFlow flow(domain, p);
  const auto aside = [&] {
    const CellVectors u = velocity_of(flow, domain.grid());
    double most = 0;
    for (const double v : u[1]) most = std::max(most, std::abs(v));
    return most;
  };
  flow.start(Cpu{}, seen(at_centres(domain.grid(), [](const auto& x) {
               return std::array<double, 3>{0.05, 1e-6 * std::sin(40 * x[0] * x[0] + 17 * x[1] * x[1]), 0};
             })));
  const double before = aside();
  for (int s = 0; s < 1000; ++s) flow.step(Cpu{}); // one that is no_slip lets them grow to 1e-2
  CHECK(aside() < 0.1 * before);
}

/// The flow seen with axes a and b exchanged.
CellVectors exchanged(const CellVectors& u, std::array<std::int64_t, 3> n, int a, int b) {
  CellVectors to = u;
  std::swap(to[static_cast<std::size_t>(a)], to[static_cast<std::size_t>(b)]);
  const CellVectors from = to;
  std::array<std::int64_t, 3> m = n, at{};
  std::swap(m[static_cast<std::size_t>(a)], m[static_cast<std::size_t>(b)]);
  for (at[2] = 0; at[2] < n[2]; ++at[2])
    for (at[1] = 0; at[1] < n[1]; ++at[1])
      for (at[0] = 0; at[0] < n[0]; ++at[0]) {
        std::array<std::int64_t, 3> other = at;
        std::swap(other[static_cast<std::size_t>(a)], other[static_cast<std::size_t>(b)]);
        for (std::size_t d = 0; d < 3; ++d)
          to[d][other[0] + m[0] * (other[1] + m[1] * other[2])] = from[d][at[0] + n[0] * (at[1] + n[1] * at[2])];
      }
  return to;
}

TEST_CASE("a lattice has no axis of its own", "[values]") {
  const std::array<std::int64_t, 3> n{7, 5, 6};
  const SideKinds sides = with(with(all_wrap, 0, SideKind::no_slip, SideKind::outlet), 1, SideKind::free_slip, SideKind::no_slip);
  for (const VelocitySet set : {VelocitySet::d3q19, VelocitySet::d3q27})
    for (const Collision c : all_collisions)
      for (const auto& [a, b] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
        INFO(name(set) << ' ' << name(c) << ", axes " << a << " and " << b);
        auto m = n;
        auto swapped = sides;
        const auto i = static_cast<std::size_t>(a), k = static_cast<std::size_t>(b);
        std::swap(m[i], m[k]);
        std::swap(swapped[2 * i], swapped[2 * k]);
        std::swap(swapped[2 * i + 1], swapped[2 * k + 1]);
        const fluid::Domain one = lattice_box(n, sides), other = lattice_box(m, swapped);
        const CellVectors start = at_centres(one.grid(), [](const auto& x) {
          return std::array<double, 3>{0.02 * std::sin(x[0] + 2 * x[1]), 0.01 * std::cos(x[1] - x[2]), 0.015 * std::sin(3 * x[2] + x[0])};
        });
        LatticeFlow f(one, of_tau(0.6, set, c)), g(other, of_tau(0.6, set, c));
        f.start(Cpu{}, seen(start));
        g.start(Cpu{}, seen(exchanged(start, n, a, b)));
        for (int s = 0; s < 10; ++s) {
          f.step(Cpu{});
          g.step(Cpu{});
        }
        CHECK(largest_apart(exchanged(velocity_of(f, one.grid()), n, a, b), velocity_of(g, other.grid())) < 1e-15);
      }
}

TEST_CASE("a lattice flow goes on from its state as if it had never stopped") {
  for (const Scheme scheme : {Scheme::in_place, Scheme::two_lattices})
    for (const SideKinds& sides : {boxes[2], boxes[4]}) {
      const Mixed box(sides, false);
      LatticeProperties p = of_tau(0.6);
      p.scheme = scheme;
      LatticeFlow whole(box.domain, p), rest(box.domain, p);
      whole.start(Cpu{}, seen(box.start));
      for (int s = 0; s < 7; ++s) whole.step(Cpu{}, seen(box.force));
      const LatticeFlow::State from = whole.state(), to = rest.state();
      *std::get<Array<double>*>(to.populations) = *std::get<Array<double>*>(from.populations);
      for (std::size_t i = 0; i < from.outlets.size(); ++i)
        for (std::size_t d = 0; d < 3; ++d) *to.outlets[i].velocity[d] = *from.outlets[i].velocity[d];
      *to.steps = *from.steps;
      for (int s = 0; s < 2; ++s) {
        whole.step(Cpu{}, seen(box.force));
        rest.step(Cpu{}, seen(box.force));
      }
      CHECK(same_bits(velocity_of(whole, box.domain.grid()), velocity_of(rest, box.domain.grid())));
    }
}

TEST_CASE("rows that are asked for have what the whole has") {
  const Mixed box(boxes[4], false);
  LatticeFlow flow(box.domain, of_tau(0.7));
  flow.start(Cpu{}, seen(box.start));
  for (int s = 0; s < 3; ++s) flow.step(Cpu{}, seen(box.force));
  CellVectors all = fluid::make_cell_arrays(box.domain.grid()), some = fluid::make_cell_arrays(box.domain.grid(), 7);
  flow.find(Cpu{}, seen(box.force), written(all), nullptr);
  const std::array<fluid::RowPart, 3> parts{{{2, 0, 7}, {11, 1, 3}, {29, 6, 7}}};
  flow.find_in(Cpu{}, parts, seen(box.force), written(some), nullptr);
  for (std::int64_t c = 0; c < all[0].size(); ++c) {
    const bool asked = std::any_of(parts.begin(), parts.end(), [&](const fluid::RowPart& part) {
      return part.row == c / 7 && part.begin <= c % 7 && c % 7 < part.end;
    });
    for (std::size_t d = 0; d < 3; ++d) CHECK(some[d][c] == (asked ? all[d][c] : 7));
  }
}

TEST_CASE("a force that is known to act in some cells alone acts as one that is 0 elsewhere") {
  const Mixed box(boxes[4], false);
  const std::array<fluid::RowPart, 3> parts{{{2, 0, 7}, {11, 1, 3}, {29, 6, 7}}};
  CellVectors force = fluid::make_cell_arrays(box.domain.grid());
  for (const fluid::RowPart& part : parts)
    for (std::int64_t x = part.begin; x < part.end; ++x)
      for (std::size_t d = 0; d < 3; ++d) force[d][7 * part.row + x] = box.force[d][7 * part.row + x];
  LatticeFlow one(box.domain, of_tau(0.7)), other(box.domain, of_tau(0.7));
  for (LatticeFlow* flow : {&one, &other}) flow->start(Cpu{}, seen(box.start));
  for (int s = 0; s < 3; ++s) {
    one.step(Cpu{}, seen(force));
    other.step_forced_in(Cpu{}, parts, seen(force));
  }
  CellVectors u = fluid::make_cell_arrays(box.domain.grid()), v = u;
  one.find(Cpu{}, {}, written(u), nullptr);
  other.find(Cpu{}, {}, written(v), nullptr);
  for (std::size_t d = 0; d < 3; ++d)
    for (std::int64_t c = 0; c < u[d].size(); ++c) CHECK(u[d][c] == v[d][c]);
}

/// Forces and velocities of parts of rows, which are kept there alone.
struct Band {
  Band(fluid::RowParts of, std::int64_t cells_of_a_row, const CellVectors& force) : parts(of), nx(cells_of_a_row) {
    std::int32_t cells = 0;
    for (const fluid::RowPart& part : parts) first.push_back(cells), cells += static_cast<std::int32_t>(part.end - part.begin);
    forces.assign(fluid::BandField::lanes * static_cast<std::size_t>(cells), 7.0), velocity = forces;
    each_cell(forces, [&](std::int64_t cell, double* f) {
      for (std::size_t d = 0; d < 3; ++d) f[d] = force[d][cell];
    });
  }
  template <class F> void each_cell(std::vector<double>& values, const F& f) const {
    const fluid::BandField band{parts, first.data(), values.data()};
    for (std::size_t k = 0; k < parts.size(); ++k)
      for (std::int64_t x = parts[k].begin; x < parts[k].end; ++x) f(nx * parts[k].row + x, band.of(k) + band.lanes * (x - parts[k].begin));
  }
  bool has_velocity(const CellVectors& u) {
    bool same = true;
    each_cell(velocity, [&](std::int64_t cell, const double* of_band) {
      for (std::size_t d = 0; d < 3; ++d) same = same && of_band[d] == u[d][cell];
    });
    return same;
  }
  fluid::BandField velocities() { return {parts, first.data(), velocity.data()}; }
  fluid::ConstBandField pushes() const { return {parts, first.data(), forces.data()}; }

  fluid::RowParts parts;
  std::int64_t nx;
  std::vector<std::int32_t> first;
  std::vector<double> forces, velocity;
};

TEST_CASE("cells where a force acts may be advanced after all others, and their velocity be found meanwhile") {
  for (const SideKinds& sides : boxes)
    for (const Scheme scheme : {Scheme::in_place, Scheme::two_lattices}) {
      const Mixed box(sides, false);
      LatticeProperties p = of_tau(0.7);
      p.scheme = scheme;
      // Ends of rows alone, too: the first row's last cell, the second's first, and more than one part of a row.
      const std::array<fluid::RowPart, 6> parts{{{0, 6, 7}, {1, 0, 1}, {2, 0, 2}, {2, 4, 7}, {11, 1, 3}, {29, 6, 7}}};
      CellVectors force = fluid::make_cell_arrays(box.domain.grid());
      for (const fluid::RowPart& part : parts)
        for (std::int64_t x = part.begin; x < part.end; ++x)
          for (std::size_t d = 0; d < 3; ++d) force[d][7 * part.row + x] = box.force[d][7 * part.row + x];
      LatticeFlow whole(box.domain, p), in_two(box.domain, p), in_band(box.domain, p);
      Band band(parts, 7, force);
      for (LatticeFlow* flow : {&whole, &in_two, &in_band}) flow->start(Cpu{}, seen(box.start));
      for (int s = 0; s < 3; ++s) {
        CellVectors u = fluid::make_cell_arrays(box.domain.grid()), v = u;
        whole.find_in(Cpu{}, parts, seen(force), written(u), nullptr);
        whole.step(Cpu{}, seen(force));
        in_two.begin_step(parts);
        run_at_once(
            1, [&] { in_two.find_in(Cpu{}, parts, seen(force), written(v), nullptr); }, 2, [&] { in_two.step_elsewhere(Cpu{}); });
        CHECK(same_bits(u, v));
        in_band.begin_step(parts);
        run_at_once(
            1, [&] { in_band.find_in(Cpu{}, band.forces.data(), band.velocities()); }, 2, [&] { in_band.step_elsewhere(Cpu{}); });
        CHECK(band.has_velocity(u));
        in_band.step_forced_in(Cpu{}, band.pushes());
        CHECK(whole.fastest() == in_band.fastest());
        in_two.step_forced_in(Cpu{}, parts, seen(force));
        CHECK(whole.fastest() == in_two.fastest());
        CHECK(same_bits(velocity_of(whole, box.domain.grid()), velocity_of(in_two, box.domain.grid())));
        CHECK(same_bits(velocity_of(whole, box.domain.grid()), velocity_of(in_band, box.domain.grid())));
      }
    }
}

TEST_CASE("parts of long rows are found, and forces act in them, as in the whole box") {
  // Shorter than a vector, as long, longer; beside a vector's end, a block's, and the row's; two in a block, one in several.
  const std::vector<fluid::RowPart> parts{{0, 0, 3},     {0, 9, 14},    {1, 5, 13},     {1, 24, 32}, {3, 1, 2},
                                          {3, 30, 41},   {3, 60, 66},   {3, 140, 149},  {4, 20, 145}, {6, 143, 149},
                                          {6, 149, 150}, {7, 7, 16},    {7, 24, 25},    {8, 0, 150},  {11, 64, 128}};
  for (const SideKinds& sides : {boxes[0], boxes[2]})
    for (const VelocitySet set : {VelocitySet::d3q19, VelocitySet::d3q27})
      for (const Precision precision : {Precision::doubles, Precision::floats, Precision::floats_in_double}) {
        INFO(name(set) << ", " << name(precision));
        const fluid::Domain domain = lattice_box({150, 3, 4}, sides);
        LatticeProperties p = of_tau(0.7, set);
        p.precision = precision;
        const auto wave = [&](double size) {
          return at_centres(domain.grid(), [=](const auto& x) {
            return std::array<double, 3>{size * std::sin(x[0] + 2 * x[1]), size * std::cos(x[1] - x[2]), size * std::sin(3 * x[2] + x[0])};
          });
        };
        const auto in_the_parts = [&](const CellVectors& from, double beside) {
          CellVectors v = fluid::make_cell_arrays(domain.grid(), beside);
          for (const fluid::RowPart& part : parts)
            for (std::size_t d = 0; d < 3; ++d)
              std::copy_n(from[d].data() + 150 * part.row + part.begin, part.end - part.begin, v[d].data() + 150 * part.row + part.begin);
          return v;
        };
        const CellVectors start = wave(0.02), force = in_the_parts(wave(1e-4), 0);
        LatticeFlow whole(domain, p), in_parts(domain, p), in_two(domain, p), in_band(domain, p);
        Band band(parts, 150, force);
        for (LatticeFlow* flow : {&whole, &in_parts, &in_two, &in_band}) flow->start(Cpu{}, seen(start));
        for (int s = 0; s < 3; ++s) {
          CellVectors all = fluid::make_cell_arrays(domain.grid()), found = fluid::make_cell_arrays(domain.grid(), 7), meanwhile = found;
          whole.find(Cpu{}, seen(force), written(all), nullptr);
          const CellVectors expected = in_the_parts(all, 7);
          in_parts.find_in(Cpu{}, parts, seen(force), written(found), nullptr);
          CHECK(same_bits(found, expected));
          in_two.begin_step(parts);
          run_at_once(
              1, [&] { in_two.find_in(Cpu{}, parts, seen(force), written(meanwhile), nullptr); }, 2,
              [&] { in_two.step_elsewhere(Cpu{}); });
          CHECK(same_bits(meanwhile, expected));
          whole.step(Cpu{}, seen(force));
          in_band.find_in(Cpu{}, band.forces.data(), band.velocities());
          CHECK(band.has_velocity(all));
          in_band.step_forced_in(Cpu{}, band.pushes());
          in_parts.step_forced_in(Cpu{}, parts, seen(force));
          in_two.step_forced_in(Cpu{}, parts, seen(force));
          const CellVectors after = velocity_of(whole, domain.grid());
          CHECK(same_bits(velocity_of(in_parts, domain.grid()), after));
          CHECK(same_bits(velocity_of(in_two, domain.grid()), after));
          CHECK(same_bits(velocity_of(in_band, domain.grid()), after));
        }
      }
}

TEST_CASE("parts at the ends of a box without a value to spare are found, and nothing beyond it is read") {
  const SideKinds sides = with(with(all_wrap, 0, SideKind::no_slip, SideKind::no_slip), 2, SideKind::no_slip, SideKind::free_slip);
  for (const VelocitySet set : {VelocitySet::d3q19, VelocitySet::d3q27}) {
    const fluid::Domain domain = lattice_box({8, 2, 2}, sides); // rows fill their vectors, planes follow each other
    LatticeFlow flow(domain, of_tau(0.7, set));
    CellVectors start = at_centres(domain.grid(), [](const auto& x) { return std::array<double, 3>{0.01 * x[1], 0.02 * x[2], 0.01 * x[0]}; });
    flow.start(Cpu{}, seen(start));
    const std::array<fluid::RowPart, 4> parts{{{0, 0, 1}, {0, 7, 8}, {3, 0, 1}, {3, 1, 8}}};
    for (int s = 0; s < 3; ++s) {
      CellVectors all = fluid::make_cell_arrays(domain.grid()), some = fluid::make_cell_arrays(domain.grid());
      flow.find(Cpu{}, {}, written(all), nullptr);
      flow.find_in(Cpu{}, parts, {}, written(some), nullptr);
      for (const fluid::RowPart& part : parts)
        for (std::int64_t x = part.begin; x < part.end; ++x)
          for (std::size_t d = 0; d < 3; ++d) CHECK(some[d][8 * part.row + x] == all[d][8 * part.row + x]);
      flow.step(Cpu{});
    }
  }
}

TEST_CASE("a lattice refuses what it cannot have") {
  const auto refused = [](const fluid::Domain& d, const LatticeProperties& p, const std::string& why) {
    CHECK_THROWS_WITH(LatticeFlow(d, p), Catch::Matchers::ContainsSubstring(why));
  };
  const fluid::Domain cube = lattice_box({4, 4, 4}, all_wrap);
  refused(cube, of_tau(0.5), "positive");
  refused(cube, of_tau(0.8, VelocitySet::d2q9), "plane of x and y");
  refused(lattice_box({4, 4, 1}, all_wrap), of_tau(0.8), "two cells along z");
  const fluid::Domain flat(fluid::Domain::make_grid({4, 4, 4}, {0, 0, 0}, {4, 4, 5}, all_wrap), all_wrap, {});
  refused(flat, of_tau(0.8), "cubes");
  std::vector<std::uint8_t> blocked(64, 0);
  blocked[5] = 1;
  refused(fluid::Domain(cube.grid(), all_wrap, {}, blocked), of_tau(0.8), "blocked");
  LatticeProperties p = of_tau(0.8);
  p.magic = 0;
  refused(cube, p, "magic");
}

} // namespace
} // namespace corral::test
