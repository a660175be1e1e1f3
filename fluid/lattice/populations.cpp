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
        pitch_(pitch_of(n_[0])), plane_(plane_of()), now_(Set::count * plane_ * n_[2], T(0)) {
    if (p_.scheme == Scheme::two_lattices) next_ = Array<T>(now_.size(), T(0));
    find_ways();
  }

  void start(Cpu cpu, const Begin& begin) override;

  void step(Cpu cpu, const RowParts* forced, const ConstFacePointers& force, const FacePointers& velocity) override {
    static constexpr RowParts nowhere{};
    find_forced(force == ConstFacePointers{} ? &nowhere : forced);
    const double magic = p_.collision == Collision::bgk ? (tau_ - 0.5) * (tau_ - 0.5) : p_.magic;
    const double eddies = 18 * std::numbers::sqrt2 * p_.smagorinsky * p_.smagorinsky;
    advance(cpu, force, velocity, {p_.collision, {static_cast<A>(tau_), static_cast<A>(magic), static_cast<A>(eddies)}, true});
    if (!next_.empty()) now_.swap(next_);
    ++steps;
  }

  void find(Cpu, const RowParts* parts, const ConstFacePointers& force, const FacePointers& velocity, double* pressure) const override;

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
    const std::array<int, 3>&from, &end_from; ///< sides that it returned from, -1: none
  };
  /// The same from the row's own place on, in values.
  struct Way {
    std::int64_t inner = 0, end = 0, end_x = -1;
    std::array<int, 3> from{-1, -1, -1}, end_from{-1, -1, -1};
  };
  /// What rows have in common that lie at the same ends of y and z, or at none.
  struct RowKind {
    std::array<Way, Set::count> ways;
    bool plain = false;      ///< whether no side changes what cells but the first and the last read
    bool idle_ends = false;  ///< and these
    bool plain_ends = false; ///< which are read at `inner`, too
  };
  struct Places {
    const RowKind& kind;
    T* own;
    Place operator[](int q) const {
      const Way& w = kind.ways[q];
      return {own + w.inner, own + w.end, w.end_x, w.from, w.end_from};
    }
  };

  /// Rows begin with a vector.
  static std::int64_t pitch_of(std::int64_t cells) { return (cells + 7) / 8 * 8; }
  /// The rows of a population in a plane follow each other, so that processors see as many streams as there are populations,
  /// and all populations of a plane lie close. Streams are to fall evenly into a cache's sets, of which the nearest has 64:
  /// planes begin so many lines apart that multiples of that are spread over them (39 is nearest to the golden section).
  std::int64_t plane_of() const {
    constexpr std::int64_t line = 64 / sizeof(T), sets = 64;
    const std::int64_t lines = (pitch_ * n_[1] + line - 1) / line;
    return (lines < 4 * sets ? lines : lines + (39 + sets - lines % sets) % sets) * line;
  }
  T* row(T* lattice, int q, std::int64_t y, std::int64_t z) const { return lattice + (z * Set::count + q) * plane_ + y * pitch_; }

  /// In place, populations lie by turns in their own cells, and one cell ahead where the opposite one came from.
  bool in_own_cells() const { return p_.scheme == Scheme::in_place && steps % 2 == 0; }

  static int end_of(std::int64_t at, std::int64_t cells) { return at == 0 ? 0 : at == cells - 1 ? 2 : 1; }
  int kind_of(std::int64_t y, std::int64_t z) const { return end_of(y, n_[1]) + 3 * end_of(z, n_[2]); }

  Way way(bool own_cells, int q, std::int64_t y, std::int64_t z) const {
    const RowSource s = sides_.walls().template source<Set>(q, y, z);
    Way w{q * plane_, q * plane_ + s.end_x, s.end_x, s.inner.from, s.end.from};
    if (own_cells) return w;
    const auto start = [&](const Source& of) {
      const int slot = p_.scheme == Scheme::in_place ? opposite(of.q) : of.q;
      return ((of.z - z) * Set::count + slot) * plane_ + (of.y - y) * pitch_;
    };
    w.inner = start(s.inner) - s.shift;
    w.end = start(s.end) + s.end_from;
    return w;
  }

  void find_ways() {
    for (const bool own : {false, true})
      for (const std::int64_t z : {n_[2] / 2, n_[2] - 1, std::int64_t{0}}) // of few rows the ends count
        for (const std::int64_t y : {n_[1] / 2, n_[1] - 1, std::int64_t{0}})
          for (int q = 0; q < Set::count; ++q) kinds_[own][kind_of(y, z)].ways[q] = way(own, q, y, z);
  }

  Places places(T* lattice, std::int64_t y, std::int64_t z) const {
    return {kinds_[in_own_cells()][kind_of(y, z)], row(lattice, 0, y, z)};
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

  /// Cells of each row beyond which there is no force.
  void find_forced(const RowParts* forced) {
    const std::int64_t rows = n_[1] * n_[2];
    forced_.resize(rows);
    forced_.fill(forced ? Forced{0, 0} : Forced{0, n_[0]});
    if (!forced) return;
    for (const RowPart& part : *forced) forced_[part.row] = {part.begin, part.end};
  }
  bool is_forced(std::int64_t row, std::int64_t x, std::int64_t end) const { return forced_[row].begin < end && x < forced_[row].end; }

  /// Walls may begin to move, and stop.
  void find_plain_rows() {
    for (RowKind& kind : kinds_[in_own_cells()]) {
      kind.plain = kind.idle_ends = true;
      for (const Way& w : kind.ways) {
        kind.plain = kind.plain && sides_.idle(w.from);
        kind.idle_ends = kind.idle_ends && sides_.idle(w.end_from);
      }
      kind.plain_ends = kind.idle_ends && in_own_cells();
    }
  }

  Stretch<Set, T> stretch(const Places& from, std::int64_t y, std::int64_t z) {
    Stretch<Set, T> s;
    for (int q = 0; q < Set::count; ++q) {
      s.from[q] = from.own + from.kind.ways[q].inner;
      s.to[q] = p_.scheme == Scheme::in_place ? from.own + from.kind.ways[opposite(q)].inner : row(next_.data(), q, y, z);
    }
    return s;
  }

  void advance(Cpu cpu, const ConstFacePointers& force, const FacePointers& velocity, const Rule<A>& rule) {
    const std::int64_t rows = n_[1] * n_[2];
    find_plain_rows();
    fastest_of_chunks_.resize((rows + rows_at_once - 1) / rows_at_once);
    for_each_chunk(cpu, rows, rows_at_once, [&](std::int64_t begin, std::int64_t end) {
      Advance work{force, velocity, rule};
      for (std::int64_t r = begin; r < end; ++r) advance_row(work, r % n_[1], r / n_[1]);
      advance_ends(work, begin, end);
      std::array<double, 3>& of_chunk = fastest_of_chunks_[begin / rows_at_once] = {};
      for (int d = 0; d < 3; ++d)
        for (const A u : work.most[d]) of_chunk[d] = larger(of_chunk[d], static_cast<double>(u));
    });
    fastest = {};
    for (const auto& of : fastest_of_chunks_)
      for (int d = 0; d < 3; ++d) fastest[d] = larger(fastest[d], of[d]);
  }

  /// What a thread needs to advance rows.
  struct Advance {
    Advance(const ConstFacePointers& f, const FacePointers& v, const Rule<A>& r) : force(f), velocity(v), rule(r) {}

    const ConstFacePointers& force;
    const FacePointers& velocity;
    Rule<A> rule; // `forces` of the cells at hand
    Block<Set, A> block; // unset
    alignas(64) A most[3][block_cells] = {};
  };

  void advance_row(Advance& work, std::int64_t y, std::int64_t z) {
    const Places from = places(now_.data(), y, z);
    const bool all = from.kind.plain_ends;
    if (!from.kind.plain) return advance_cells(work, from, y, z);
    const Stretch<Set, T> whole = stretch(from, y, z);
    const std::int64_t end = all ? n_[0] : n_[0] - 1;
    for (std::int64_t x = all ? 0 : 1; x < end;) {
      const std::int64_t next = std::min(end, x + block_cells);
      const int n = static_cast<int>(next - x);
      const std::int64_t cell = x + n_[0] * (y + n_[1] * z);
      set_force(work, cell, x, n, 0);
      Stretch<Set, T> here = whole.at(x);
      here.ahead = next < end ? block_cells : pitch_ - x;
      collide(here, work.block, n, work.rule);
      finish(work, cell, n);
      x = next;
    }
  }

  /// Of a row whose populations sides may change.
  void advance_cells(Advance& work, const Places& from, std::int64_t y, std::int64_t z) {
    for_each_block([&](std::int64_t x, int n) {
      const std::int64_t cell = x + n_[0] * (y + n_[1] * z);
      gather(from, x, n, y, z, work.block);
      set_force(work, cell, x, n, 0);
      collide(work.block, n, work.rule);
      scatter(from, x, n, y, z, work.block);
      tell_outlets(x, n, y, z, work.block, 0);
      finish(work, cell, n);
    });
  }

  /// First and last cells of rows, as far as they are still to be advanced: side by side in a block.
  void advance_ends(Advance& work, std::int64_t begin, std::int64_t end) {
    const auto each = [&](const auto& f) {
      int lane = 0;
      for (std::int64_t r = begin; r < end; ++r) {
        const std::int64_t y = r % n_[1], z = r / n_[1];
        const Places from = places(now_.data(), y, z);
        if (!from.kind.plain || from.kind.plain_ends) continue;
        for (const std::int64_t x : {std::int64_t{0}, n_[0] - 1}) f(from, Cell{x, y, z}, x + n_[0] * r, lane++);
      }
      return lane;
    };
    const int lanes = each([&](const Places& from, const Cell& at, std::int64_t cell, int lane) {
      gather_cell(from, at, lane, work.block);
      set_force(work, cell, at[0], 1, lane);
    });
    if (lanes == 0) return;
    collide(work.block, lanes, work.rule);
    each([&](const Places& from, const Cell& at, std::int64_t cell, int lane) {
      scatter_cell(from, at, lane, work.block);
      tell_outlets(at[0], 1, at[1], at[2], work.block, lane);
      put_velocity(work.block, cell, 1, work.velocity, lane);
    });
    keep_largest(work.block, lanes, work.most);
  }
  static_assert(2 * rows_at_once <= block_cells);

  /// Of n cells from x on, and whether there is one.
  void set_force(Advance& work, std::int64_t cell, std::int64_t x, int n, int lane) const {
    static constexpr ConstFacePointers none{};
    const bool field = is_forced(cell / n_[0], x, x + n);
    take_force(field ? work.force : none, cell, n, work.block, lane);
    work.rule.forces = field || p_.body_force != std::array<double, 3>{};
  }

  void finish(Advance& work, std::int64_t cell, int n) {
    keep_largest(work.block, n, work.most);
    put_velocity(work.block, cell, n, work.velocity, 0);
  }

  void gather(const Places&, std::int64_t x, int n, std::int64_t y, std::int64_t z, Block<Set, A>&) const;
  void scatter(const Places&, std::int64_t x, int n, std::int64_t y, std::int64_t z, Block<Set, A>&);
  using Cell = std::array<std::int64_t, 3>;
  void gather_cell(const Places&, const Cell& at, int lane, Block<Set, A>&) const;
  void scatter_cell(const Places&, const Cell& at, int lane, const Block<Set, A>&);
  /// What sides make of population q in n cells of a row, and the way back.
  void change(int q, const std::array<int, 3>& from, const Cell& first, int n, bool back, A* g) const;
  // Of n cells, in a block from `lane` on.
  void take_force(const ConstFacePointers&, std::int64_t cell, int n, Block<Set, A>&, int lane) const;
  void put_velocity(const Block<Set, A>&, std::int64_t cell, int n, const FacePointers& velocity, int lane) const;
  void tell_outlets(std::int64_t x, int n, std::int64_t y, std::int64_t z, const Block<Set, A>&, int lane);
  void set(const Begin&, std::int64_t cell, int i, Block<Set, A>&) const;
  void put(const Places&, std::int64_t x, int n, std::int64_t y, std::int64_t z, Block<Set, A>&);

  Units units_;
  LatticeProperties p_;
  double tau_;
  Sides& sides_;
  std::array<std::int64_t, 3> n_;
  std::int64_t pitch_, plane_; ///< of rows, and of a population's in a plane, in values
  Array<T> now_, next_; ///< next_: of two lattices
  std::array<std::array<RowKind, 9>, 2> kinds_; ///< [in own cells][end along y + 3 end along z]
  struct Forced {
    std::int64_t begin, end;
  };
  Array<Forced> forced_; ///< by row; scratch
  Array<std::array<double, 3>> fastest_of_chunks_; ///< of rows; scratch
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
    const Place p = from[q];
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
    const Place p = from[q];
    const Span s = straight(p.end_x, x, n);
    const A* g = b.g[opposite(q)];
    fetch(g + (s.begin - x), static_cast<int>(s.end - s.begin), p.inner + s.begin);
    if (s.apart >= 0) *p.end = static_cast<T>(g[s.apart - x]);
  }
}

template <class Set, class T, class A>
void PopulationsOf<Set, T, A>::gather_cell(const Places& from, const Cell& at, int lane, Block<Set, A>& b) const {
  const auto& ways = from.kind.ways;
  for (int q = 0; q < Set::count; ++q)
    b.g[q][lane] = static_cast<A>(from.own[ways[q].end_x == at[0] ? ways[q].end : ways[q].inner + at[0]]);
  if (from.kind.idle_ends) return;
  for (int q = 0; q < Set::count; ++q) change(q, ways[q].end_x == at[0] ? ways[q].end_from : ways[q].from, at, 1, false, b.g[q] + lane);
}

template <class Set, class T, class A>
void PopulationsOf<Set, T, A>::scatter_cell(const Places& from, const Cell& at, int lane, const Block<Set, A>& b) {
  const auto& ways = from.kind.ways;
  if (p_.scheme == Scheme::two_lattices) {
    T* const to = row(next_.data(), 0, at[1], at[2]) + at[0];
    for (int q = 0; q < Set::count; ++q) to[q * plane_] = static_cast<T>(b.g[q][lane]);
    return;
  }
  for (int q = 0; q < Set::count; ++q)
    from.own[ways[q].end_x == at[0] ? ways[q].end : ways[q].inner + at[0]] = static_cast<T>(b.g[opposite(q)][lane]);
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
void PopulationsOf<Set, T, A>::take_force(const ConstFacePointers& force, std::int64_t cell, int n, Block<Set, A>& b,
                                          int lane) const {
  const double unit = 1 / units_.force();
  for (int d = 0; d < 3; ++d) {
    const A everywhere = static_cast<A>(p_.body_force[d] * unit);
    for (int i = 0; i < n; ++i)
      b.force[d][lane + i] = force[d] ? everywhere + static_cast<A>(force[d][cell + i] * unit) : everywhere;
  }
}

template <class Set, class T, class A>
void PopulationsOf<Set, T, A>::put_velocity(const Block<Set, A>& b, std::int64_t cell, int n, const FacePointers& velocity,
                                            int lane) const {
  for (int d = 0; d < 3; ++d) {
    if (!velocity[d]) continue;
    for (int i = 0; i < n; ++i) velocity[d][cell + i] = static_cast<double>(b.u[d][lane + i]) * units_.speed();
  }
}

template <class Set, class T, class A>
void PopulationsOf<Set, T, A>::tell_outlets(std::int64_t x, int n, std::int64_t y, std::int64_t z, const Block<Set, A>& b,
                                            int lane) {
  if (!sides_.any_outlet()) return;
  const std::array<std::int64_t, 3> last{n_[0] - 1, n_[1] - 1, n_[2] - 1};
  for (int s = 0; s < 6; ++s) {
    if (!sides_.outlet(s)) continue;
    const std::int64_t at = s % 2 == 0 ? 0 : last[s / 2];
    if (s >= 2 && (s < 4 ? y : z) != at) continue;
    for (std::int64_t i = s < 2 ? at : x; i < (s < 2 ? at + 1 : x + n); ++i) {
      if (i < x || i >= x + n) continue;
      const std::int64_t k = lane + i - x;
      sides_.keep(s, sides_.face(s, i, y, z), {b.u[0][k], b.u[1][k], b.u[2][k]});
    }
  }
}

/// Writes populations so that they are what `gather` reads.
template <class Set, class T, class A>
void PopulationsOf<Set, T, A>::put(const Places& to, std::int64_t x, int n, std::int64_t y, std::int64_t z, Block<Set, A>& b) {
  for (int q = 0; q < Set::count; ++q) {
    const Place p = to[q];
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
      tell_outlets(x, n, y, z, b, 0);
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
void PopulationsOf<Set, T, A>::find(Cpu cpu, const RowParts* parts, const ConstFacePointers& force, const FacePointers& velocity,
                                    double* pressure) const {
  const std::int64_t count = parts ? static_cast<std::int64_t>(parts->size()) : n_[1] * n_[2];
  for_each_chunk(cpu, count, rows_at_once, [&](std::int64_t begin, std::int64_t end) {
    Block<Set, A> b;
    for (std::int64_t k = begin; k < end; ++k) {
      const RowPart part = parts ? (*parts)[static_cast<std::size_t>(k)] : RowPart{k, 0, n_[0]};
      const std::int64_t y = part.row % n_[1], z = part.row / n_[1];
      const Places from = places(read_only(), y, z);
      for (std::int64_t x = part.begin; x < part.end; x += block_cells) {
        const int n = static_cast<int>(std::min<std::int64_t>(block_cells, part.end - x));
        const std::int64_t cell = x + n_[0] * part.row;
        gather(from, x, n, y, z, b);
        take_force(force, cell, n, b, 0);
        look(b, n);
        put_velocity(b, cell, n, velocity, 0);
        if (!pressure) continue;
        for (int i = 0; i < n; ++i) pressure[cell + i] = static_cast<double>(b.excess[i]) * units_.pressure();
      }
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
      const Place p = places(read_only(), y, z)[q];
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
