#include "fluid/lattice/populations.hpp"

#include "fluid/lattice/block.hpp"

#include <corral/for_each.hpp>
#include <corral/vector_loops.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace corral::fluid::lattice {

namespace {

template <class T, class A>
CORRAL_WIDE_VECTOR_CLONES void fetch(const T* from, int n, A* to) {
  CORRAL_INDEPENDENT_ITERATIONS
  for (int i = 0; i < n; ++i) to[i] = static_cast<A>(from[i]);
}

/// What is no number stays.
template <class A> CORRAL_INLINED A larger(A most, A x) { return x <= most || most != most ? most : x; }

template <class Set, class A>
CORRAL_WIDE_VECTOR_CLONES void keep_largest(const Block<Set, A>& b, int n, A (*most)[block_cells]) {
  for (int d = 0; d < Set::axes; ++d) {
    CORRAL_INDEPENDENT_ITERATIONS
    for (int i = 0; i < n; ++i) most[d][i] = larger(most[d][i], std::abs(b.u[d][i]));
  }
}

/// Populations kept as T and computed with as A.
template <class Set, class T, class A> class PopulationsOf final : public Populations {
public:
  PopulationsOf(const PopulationsSetup& setup, Sides& sides)
      : units_(setup.units), p_(setup.properties), tau_(setup.tau), sides_(sides), n_(sides.walls().cells),
        cells_(n_[0] * n_[1] * n_[2]), now_(Set::count * cells_, T(0)) {
    if (p_.scheme == Scheme::two_lattices) next_ = Array<T>(Set::count * cells_, T(0));
  }

  void start(Cpu cpu, const Begin& begin) override;

  void step(Cpu cpu, const ConstFacePointers& force, const FacePointers& velocity) override {
    const double magic = p_.collision == Collision::bgk ? (tau_ - 0.5) * (tau_ - 0.5) : p_.magic;
    const double eddies = 18 * std::numbers::sqrt2 * p_.smagorinsky * p_.smagorinsky;
    advance(cpu, force, velocity, {p_.collision, {static_cast<A>(tau_), static_cast<A>(magic), static_cast<A>(eddies)}});
    if (!next_.empty()) now_.swap(next_);
    ++steps;
  }

  void find(Cpu, const std::int64_t* rows, std::int64_t count, const ConstFacePointers& force, const FacePointers& velocity,
            double* pressure) const override;

  Totals totals(Cpu cpu) const override;
  std::array<double, 3> given_by_sides(Cpu cpu) const override;

  LatticeFlow::State state() override { return {&now_, &steps}; }

private:
  static constexpr std::int64_t rows_at_once = 4;

  /// Where population q of a row is read: cell x at inner[x], but the one at end_x, if any, at `end`.
  struct Place {
    T* inner;
    T* end;
    std::int64_t end_x;
    std::array<int, 3> from, end_from; ///< sides that it returned from, -1: none
  };
  using Places = std::array<Place, Set::count>;

  T* row(T* lattice, int q, std::int64_t y, std::int64_t z) const {
    return lattice + (q * n_[2] + z) * n_[1] * n_[0] + y * n_[0];
  }

  /// In place, populations lie by turns in their own cells, and one cell ahead where the opposite one came from.
  bool in_own_cells() const { return p_.scheme == Scheme::in_place && steps % 2 == 0; }

  Place place(T* lattice, int q, std::int64_t y, std::int64_t z, const RowSource& s) const {
    Place p{nullptr, nullptr, s.end_x, s.inner.from, s.end.from};
    const auto slot = [&](int from) { return p_.scheme == Scheme::in_place ? opposite(from) : from; };
    if (in_own_cells()) {
      p.inner = row(lattice, q, y, z);
      p.end = p.inner + s.end_x;
    } else {
      p.inner = row(lattice, slot(s.inner.q), s.inner.y, s.inner.z) - s.shift;
      p.end = row(lattice, slot(s.end.q), s.end.y, s.end.z) + s.end_from;
    }
    return p;
  }

  Places places(T* lattice, std::int64_t y, std::int64_t z) const {
    Places all;
    for (int q = 0; q < Set::count; ++q) all[q] = place(lattice, q, y, z, sides_.walls().template source<Set>(q, y, z));
    return all;
  }
  T* read_only() const { return const_cast<T*>(now_.data()); } ///< for places that nobody writes to

  template <class Work> void for_each_row(Cpu cpu, Work&& work) const {
    for_each_chunk(cpu, n_[1] * n_[2], rows_at_once, [&](std::int64_t begin, std::int64_t end) {
      Block<Set, A> block;
      for (std::int64_t r = begin; r < end; ++r) work(block, r % n_[1], r / n_[1]);
    });
  }

  template <class Work> void for_each_block(Work&& work) const {
    for (std::int64_t x = 0; x < n_[0]; x += block_cells)
      work(x, static_cast<int>(std::min<std::int64_t>(block_cells, n_[0] - x)));
  }

  void advance(Cpu cpu, const ConstFacePointers& force, const FacePointers& velocity, const Rule<A>& rule) {
    fastest_of_rows_.resize(n_[1] * n_[2]);
    for_each_row(cpu, [&](Block<Set, A>& block, std::int64_t y, std::int64_t z) {
      const Places from = places(now_.data(), y, z);
      alignas(64) A most[3][block_cells] = {};
      for_each_block([&](std::int64_t x, int n) {
        const std::int64_t cell = x + n_[0] * (y + n_[1] * z);
        gather(from, x, n, y, z, block);
        take_force(force, cell, n, block);
        collide(block, n, rule);
        scatter(from, x, n, y, z, block);
        tell_outlets(x, n, y, z, block);
        keep_largest(block, n, most);
        put_velocity(block, cell, n, velocity);
      });
      std::array<double, 3>& of_row = fastest_of_rows_[y + n_[1] * z] = {};
      for (int d = 0; d < 3; ++d)
        for (const A u : most[d]) of_row[d] = larger(of_row[d], static_cast<double>(u));
    });
    fastest = {};
    for (const auto& of : fastest_of_rows_)
      for (int d = 0; d < 3; ++d) fastest[d] = larger(fastest[d], of[d]);
  }

  void gather(const Places&, std::int64_t x, int n, std::int64_t y, std::int64_t z, Block<Set, A>&) const;
  void scatter(const Places&, std::int64_t x, int n, std::int64_t y, std::int64_t z, Block<Set, A>&);
  using Cell = std::array<std::int64_t, 3>;
  /// What sides make of population q in n cells of a row, and the way back.
  void change(int q, const std::array<int, 3>& from, const Cell& first, int n, bool back, A* g) const;
  void take_force(const ConstFacePointers&, std::int64_t cell, int n, Block<Set, A>&) const;
  void put_velocity(const Block<Set, A>&, std::int64_t cell, int n, const FacePointers& velocity) const;
  void tell_outlets(std::int64_t x, int n, std::int64_t y, std::int64_t z, const Block<Set, A>&);
  void set(const Begin&, std::int64_t cell, int i, Block<Set, A>&) const;
  void put(const Places&, std::int64_t x, int n, std::int64_t y, std::int64_t z, Block<Set, A>&);

  Units units_;
  LatticeProperties p_;
  double tau_;
  Sides& sides_;
  std::array<std::int64_t, 3> n_;
  std::int64_t cells_;
  Array<T> now_, next_; ///< next_: of two lattices
  Array<std::array<double, 3>> fastest_of_rows_; ///< scratch
};

/// The cells of [x, x + n) that stand in the row's straight part, and that one that does not, or -1.
struct Span {
  std::int64_t begin, end, apart;
};
Span straight(std::int64_t end_x, std::int64_t x, int n) {
  const bool inside = end_x >= x && end_x < x + n;
  return {x + (inside && end_x == x ? 1 : 0), x + n - (inside && end_x != x ? 1 : 0), inside ? end_x : -1};
}

template <class Set, class T, class A>
void PopulationsOf<Set, T, A>::gather(const Places& from, std::int64_t x, int n, std::int64_t y, std::int64_t z,
                                      Block<Set, A>& b) const {
  for (int q = 0; q < Set::count; ++q) {
    const Place& p = from[q];
    const Span s = straight(p.end_x, x, n);
    fetch(p.inner + s.begin, static_cast<int>(s.end - s.begin), b.g[q] + (s.begin - x));
    change(q, p.from, {s.begin, y, z}, static_cast<int>(s.end - s.begin), false, b.g[q] + (s.begin - x));
    if (s.apart < 0) continue;
    b.g[q][s.apart - x] = static_cast<A>(*p.end);
    change(q, p.end_from, {s.apart, y, z}, 1, false, b.g[q] + (s.apart - x));
  }
}

/// In place, a population takes the place that the opposite one was read from.
template <class Set, class T, class A>
void PopulationsOf<Set, T, A>::scatter(const Places& from, std::int64_t x, int n, std::int64_t y, std::int64_t z,
                                       Block<Set, A>& b) {
  for (int q = 0; q < Set::count; ++q) {
    if (p_.scheme == Scheme::two_lattices) {
      fetch(b.g[q], n, row(next_.data(), q, y, z) + x);
      continue;
    }
    const Place& p = from[q];
    const Span s = straight(p.end_x, x, n);
    const A* g = b.g[opposite(q)];
    fetch(g + (s.begin - x), static_cast<int>(s.end - s.begin), p.inner + s.begin);
    if (s.apart >= 0) *p.end = static_cast<T>(g[s.apart - x]);
  }
}

template <class Set, class T, class A>
void PopulationsOf<Set, T, A>::change(int q, const std::array<int, 3>& from, const Cell& first, int n, bool back, A* g) const {
  if (sides_.idle(from)) return;
  const auto& c = Set::c[q];
  const double w = Set::weight(q);
  bool wall = false;
  for (const int s : from) {
    if (s < 0 || sides_.outlet(s)) continue;
    wall = true;
    const auto u = sides_.velocity(s, first);
    for (int i = 0; i < n; ++i)
      g[i] += static_cast<A>((back ? -6 : 6) * w * (c[0] * u[0][i] + c[1] * u[1][i] + c[2] * u[2][i]));
  }
  if (wall) return;
  // All cells' faces on outlets hold the same velocity: that of the cell.
  const auto u = sides_.velocity(*std::max_element(from.begin(), from.end()), first);
  for (int i = 0; i < n; ++i) {
    const double cu = c[0] * u[0][i] + c[1] * u[1][i] + c[2] * u[2][i];
    const double square = u[0][i] * u[0][i] + u[1][i] * u[1][i] + u[2][i] * u[2][i];
    g[i] = static_cast<A>(w * (9 * cu * cu - 3 * square)) - g[i]; // its own inverse
  }
}

template <class Set, class T, class A>
void PopulationsOf<Set, T, A>::take_force(const ConstFacePointers& force, std::int64_t cell, int n, Block<Set, A>& b) const {
  const double unit = 1 / units_.force();
  for (int d = 0; d < 3; ++d) {
    const A everywhere = static_cast<A>(p_.body_force[d] * unit);
    for (int i = 0; i < n; ++i)
      b.force[d][i] = force[d] ? everywhere + static_cast<A>(force[d][cell + i] * unit) : everywhere;
  }
}

template <class Set, class T, class A>
void PopulationsOf<Set, T, A>::put_velocity(const Block<Set, A>& b, std::int64_t cell, int n, const FacePointers& velocity) const {
  for (int d = 0; d < 3; ++d) {
    if (!velocity[d]) continue;
    for (int i = 0; i < n; ++i) velocity[d][cell + i] = static_cast<double>(b.u[d][i]) * units_.speed();
  }
}

template <class Set, class T, class A>
void PopulationsOf<Set, T, A>::tell_outlets(std::int64_t x, int n, std::int64_t y, std::int64_t z, const Block<Set, A>& b) {
  const std::array<std::int64_t, 3> last{n_[0] - 1, n_[1] - 1, n_[2] - 1};
  for (int s = 0; s < 6; ++s) {
    if (!sides_.outlet(s)) continue;
    const std::int64_t at = s % 2 == 0 ? 0 : last[s / 2];
    if (s >= 2 && (s < 4 ? y : z) != at) continue;
    for (std::int64_t i = s < 2 ? at : x; i < (s < 2 ? at + 1 : x + n); ++i) {
      if (i < x || i >= x + n) continue;
      const std::int64_t k = i - x;
      sides_.keep(s, sides_.face(s, i, y, z), {b.u[0][k], b.u[1][k], b.u[2][k]});
    }
  }
}

/// Writes populations so that they are what `gather` reads.
template <class Set, class T, class A>
void PopulationsOf<Set, T, A>::put(const Places& to, std::int64_t x, int n, std::int64_t y, std::int64_t z, Block<Set, A>& b) {
  for (int q = 0; q < Set::count; ++q) {
    const Place& p = to[q];
    const Span s = straight(p.end_x, x, n);
    const int inner = static_cast<int>(s.end - s.begin);
    change(q, p.from, {s.begin, y, z}, inner, true, b.g[q] + (s.begin - x));
    fetch(b.g[q] + (s.begin - x), inner, p.inner + s.begin);
    if (s.apart < 0) continue;
    change(q, p.end_from, {s.apart, y, z}, 1, true, b.g[q] + (s.apart - x));
    *p.end = static_cast<T>(b.g[q][s.apart - x]);
  }
}

template <class Set, class T, class A> void PopulationsOf<Set, T, A>::start(Cpu cpu, const Begin& begin) {
  steps = 0;
  for_each_row(cpu, [&](Block<Set, A>& b, std::int64_t y, std::int64_t z) { // what `put` needs at outlets
    for_each_block([&](std::int64_t x, int n) {
      for (int d = 0; d < 3; ++d)
        for (int i = 0; i < n; ++i)
          b.u[d][i] = static_cast<A>(begin.velocity[d][x + i + n_[0] * (y + n_[1] * z)] / units_.speed());
      tell_outlets(x, n, y, z, b);
    });
  });
  for_each_row(cpu, [&](Block<Set, A>& b, std::int64_t y, std::int64_t z) {
    const Places to = places(now_.data(), y, z);
    for_each_block([&](std::int64_t x, int n) {
      for (int i = 0; i < n; ++i) set(begin, x + i + n_[0] * (y + n_[1] * z), i, b);
      put(to, x, n, y, z, b);
    });
  });
}

/// Equilibrium, and the stress of the strain: -3 tau rho w_q (c c - delta/3) : grad u.
template <class Set, class T, class A>
void PopulationsOf<Set, T, A>::set(const Begin& begin, std::int64_t cell, int i, Block<Set, A>& b) const {
  std::array<double, 3> u{};
  double square = 0;
  for (int d = 0; d < 3; ++d) {
    u[d] = begin.velocity[d][cell] / units_.speed();
    square += u[d] * u[d];
  }
  const double excess = begin.pressure ? begin.pressure[cell] / units_.pressure() : 0;
  const Gradient rate = begin.gradient(begin.context, cell);
  for (int q = 0; q < Set::count; ++q) {
    const auto& c = Set::c[q];
    const double cu = c[0] * u[0] + c[1] * u[1] + c[2] * u[2];
    double strain = 0;
    for (int d = 0; d < 3; ++d)
      for (int e = 0; e < 3; ++e) strain += (c[d] * c[e] - (d == e ? 1. / 3 : 0)) * rate[d][e] * units_.time;
    b.g[q][i] = static_cast<A>(Set::weight(q) *
                               (excess + (1 + excess) * (3 * cu + 4.5 * cu * cu - 1.5 * square - 3 * tau_ * strain)));
  }
}

template <class Set, class T, class A>
void PopulationsOf<Set, T, A>::find(Cpu cpu, const std::int64_t* rows, std::int64_t count, const ConstFacePointers& force,
                                    const FacePointers& velocity, double* pressure) const {
  for_each_chunk(cpu, rows ? count : n_[1] * n_[2], rows_at_once, [&](std::int64_t begin, std::int64_t end) {
    Block<Set, A> b;
    for (std::int64_t k = begin; k < end; ++k) {
      const std::int64_t r = rows ? rows[k] : k, y = r % n_[1], z = r / n_[1];
      const Places from = places(read_only(), y, z);
      for_each_block([&](std::int64_t x, int n) {
        const std::int64_t cell = x + n_[0] * r;
        gather(from, x, n, y, z, b);
        take_force(force, cell, n, b);
        look(b, n);
        put_velocity(b, cell, n, velocity);
        if (!pressure) return;
        for (int i = 0; i < n; ++i) pressure[cell + i] = static_cast<double>(b.excess[i]) * units_.pressure();
      });
    }
  });
}

template <class Set, class T, class A> Populations::Totals PopulationsOf<Set, T, A>::totals(Cpu cpu) const {
  Array<Totals> rows(n_[1] * n_[2]);
  for_each_row(cpu, [&](Block<Set, A>& b, std::int64_t y, std::int64_t z) {
    const Places from = places(read_only(), y, z);
    Totals of;
    for_each_block([&](std::int64_t x, int n) {
      gather(from, x, n, y, z, b);
      for (int q = 0; q < Set::count; ++q)
        for (int i = 0; i < n; ++i) {
          const auto g = static_cast<double>(b.g[q][i]);
          of.excess += g;
          for (int d = 0; d < 3; ++d) of.momentum[d] += Set::c[q][d] * g;
        }
    });
    rows[y + n_[1] * z] = of;
  });
  const Totals* of = rows.data();
  Totals all{sum(cpu, rows.size(), [of](std::int64_t r) { return of[r].excess; }), {}};
  for (int d = 0; d < 3; ++d) all.momentum[d] = sum(cpu, rows.size(), [of, d](std::int64_t r) { return of[r].momentum[d]; });
  return all;
}

/// What arrives from sides, less what had left for them: it lies where it is read from.
template <class Set, class T, class A> std::array<double, 3> PopulationsOf<Set, T, A>::given_by_sides(Cpu cpu) const {
  Array<std::array<double, 3>> rows(n_[1] * n_[2]);
  for_each_row(cpu, [&](Block<Set, A>& b, std::int64_t y, std::int64_t z) {
    std::array<double, 3>& given = rows[y + n_[1] * z] = {};
    for (int q = 1; q < Set::count; ++q) {
      const RowSource s = sides_.walls().template source<Set>(q, y, z);
      const Place p = place(read_only(), q, y, z, s);
      const auto add = [&](const Source& source, const T* left, std::int64_t x, int n) {
        fetch(left, n, b.g[q]);
        change(q, source.from, {x, y, z}, n, false, b.g[q]);
        for (int d = 0; d < 3; ++d)
          for (int i = 0; i < n; ++i)
            given[d] += Set::c[q][d] * static_cast<double>(b.g[q][i]) - Set::c[source.q][d] * static_cast<double>(left[i]);
      };
      if (s.end_x >= 0 && s.end.q != q) add(s.end, p.end, s.end_x, 1);
      if (s.inner.q == q) continue;
      for_each_block([&](std::int64_t x, int n) {
        const Span part = straight(s.end_x, x, n);
        add(s.inner, p.inner + part.begin, part.begin, static_cast<int>(part.end - part.begin));
      });
    }
  });
  std::array<double, 3> all{};
  for (int d = 0; d < 3; ++d)
    all[d] = sum(cpu, rows.size(), [of = rows.data(), d](std::int64_t r) { return of[r][d]; });
  return all;
}

template <class Set> std::unique_ptr<Populations> make(const PopulationsSetup& setup, Sides& sides) {
  switch (setup.properties.precision) {
  case Precision::doubles: return std::make_unique<PopulationsOf<Set, double, double>>(setup, sides);
  case Precision::floats: return std::make_unique<PopulationsOf<Set, float, float>>(setup, sides);
  case Precision::floats_in_double: break;
  }
  return std::make_unique<PopulationsOf<Set, float, double>>(setup, sides);
}

} // namespace

std::unique_ptr<Populations> make_populations(const PopulationsSetup& setup, Sides& sides) {
  switch (setup.properties.set) {
  case VelocitySet::d2q9: return make<D2Q9>(setup, sides);
  case VelocitySet::d3q19: return make<D3Q19>(setup, sides);
  case VelocitySet::d3q27: break;
  }
  return make<D3Q27>(setup, sides);
}

} // namespace corral::fluid::lattice
