#pragma once

#include "fluid/lattice/block.hpp"
#include "fluid/lattice/flow.hpp"
#include "fluid/lattice/layout.hpp"
#include "fluid/lattice/returned.hpp"
#include "fluid/lattice/sides.hpp"

#include <corral/array.hpp>
#include <corral/vector_loops.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

/// Where the populations of a lattice lie, and what they meet on their way.
namespace corral::fluid::lattice {

template <class T, class A>
CORRAL_WIDE_VECTOR_CLONES [[maybe_unused]] static void fetch(const T* from, int n, A* to) {
  CORRAL_INDEPENDENT_ITERATIONS
  for (int i = 0; i < n; ++i) to[i] = static_cast<A>(from[i]);
}

/// Asks for n values, which nobody uses yet, of few cells in many places, which no processor foresees: into the second cache, for
/// the nearest waits for fewer lines at once. Inlined, with its callers: of a function of its own GCC believes that it does nothing.
template <class T> CORRAL_INLINED void ask_for(const T* values, int n) {
  constexpr int line = 64 / sizeof(T);
  for (int i = 0; i < n + line - 1; i += line) __builtin_prefetch(values + std::min(i, n - 1), 0, 2);
}

/// The cells of [x, x + n) that stand in the row's straight part, and that one that does not, or -1.
struct Span {
  std::int64_t begin, end, apart;
};
inline Span straight(std::int64_t end_x, std::int64_t x, int n) {
  const bool inside = end_x >= x && end_x < x + n;
  return {x + (inside && end_x == x ? 1 : 0), x + n - (inside && end_x != x ? 1 : 0), inside ? end_x : -1};
}

/// The populations themselves, kept as T and computed with as A: one lattice or two.
template <class Set, class T, class A> class Lattice {
public:
  using Cell = std::array<std::int64_t, 3>;

  /// Of zeros(n), so many each. Keeps references to both; `steps`: how many were done.
  Lattice(Scheme scheme, const Sides& sides, const std::int64_t& steps, Array<T> (*zeros)(std::int64_t))
      : scheme_(scheme), sides_(sides), steps_(steps), n_(sides.walls().cells), layout_(Layout::of(n_, Set::count, sizeof(T))),
        pitch_(layout_.pitch), plane_(layout_.plane), now_(zeros(layout_.size())) {
    if (scheme == Scheme::two_lattices) next_ = zeros(now_.size());
    find_ways();
  }

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
    int left = 0, end_left = 0; ///< the populations that they left as: others than q where a side turned them round
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


  Places places(std::int64_t y, std::int64_t z) const {
    // Who only looks writes nowhere.
    return {kinds_[in_own_cells()][kind_of(y, z)], row(const_cast<T*>(now_.data()), 0, y, z)};
  }
  /// Values from a row to the next.
  std::int64_t pitch() const { return pitch_; }
  Array<T>& values() { return now_; }
  /// After a step of all cells, before the next one is counted.
  void turn() {
    if (!next_.empty()) now_.swap(next_);
  }

  /// Walls may begin to move, and stop.
  void find_plain_rows() {
    for (const bool own : {false, true})
      for (RowKind& kind : kinds_[own]) {
        kind.plain = kind.idle_ends = true;
        for (const Way& w : kind.ways) {
          kind.plain = kind.plain && sides_.idle(w.from);
          kind.idle_ends = kind.idle_ends && sides_.idle(w.end_from);
        }
        kind.plain_ends = kind.idle_ends && own;
      }
  }

  /// Of cells of a plain row, from x on.
  Arrivals<Set, T> arrivals(const Places& from, std::int64_t x) const {
    Arrivals<Set, T> s;
    for (int q = 0; q < Set::count; ++q) s.from[q] = from.own + from.kind.ways[q].inner + x;
    return s;
  }
  Stretch<Set, T> stretch(const Places& from, std::int64_t y, std::int64_t z) {
    Stretch<Set, T> s;
    for (int q = 0; q < Set::count; ++q) {
      s.from[q] = from.own + from.kind.ways[q].inner;
      s.to[q] = scheme_ == Scheme::in_place ? from.own + from.kind.ways[opposite(q)].inner : row(next_.data(), q, y, z);
    }
    return s;
  }

  /// Asks for the populations of n cells, as if none stood apart.
  CORRAL_INLINED void ask_for_cells(const Places& from, std::int64_t x, int n) const {
    for (int q = 0; q < Set::count; ++q) ask_for(from.own + from.kind.ways[q].inner + x, n);
  }

  // Populations of cells to a block and back, as a step finds and leaves them.
  void gather(const Places&, std::int64_t x, int n, std::int64_t y, std::int64_t z, Block<Set, A>&) const;
  void scatter(const Places&, std::int64_t x, int n, std::int64_t y, std::int64_t z, Block<Set, A>&);
  void gather_cell(const Places&, const Cell& at, int lane, Block<Set, A>&) const;
  void scatter_cell(const Places&, const Cell& at, int lane, const Block<Set, A>&);
  /// Writes them so that they are what `gather` reads.
  void put(const Places&, std::int64_t x, int n, std::int64_t y, std::int64_t z, Block<Set, A>&);
  /// What sides make of population q in n cells of a row, and the way back.
  void change(int q, const std::array<int, 3>& from, const Cell& first, int n, bool back, A* g) const;

private:
  T* row(T* lattice, int q, std::int64_t y, std::int64_t z) const { return lattice + layout_.row(q, y, z); }

  /// In place, populations lie by turns in their own cells, and one cell ahead where the opposite one came from.
  bool in_own_cells() const { return scheme_ == Scheme::in_place && steps_ % 2 == 0; }

  static int end_of(std::int64_t at, std::int64_t cells) { return at == 0 ? 0 : at == cells - 1 ? 2 : 1; }
  int kind_of(std::int64_t y, std::int64_t z) const { return end_of(y, n_[1]) + 3 * end_of(z, n_[2]); }

  Way way(bool own_cells, int q, std::int64_t y, std::int64_t z) const {
    const RowSource s = sides_.walls().template source<Set>(q, y, z);
    Way w{q * plane_, q * plane_ + s.end_x, s.end_x, s.inner.from, s.end.from, s.inner.q, s.end.q};
    if (own_cells) return w;
    const auto start = [&](const Source& of) {
      const int slot = scheme_ == Scheme::in_place ? opposite(of.q) : of.q;
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

  Scheme scheme_;
  const Sides& sides_;
  const std::int64_t& steps_;
  std::array<std::int64_t, 3> n_;
  Layout layout_;
  std::int64_t pitch_, plane_; ///< of rows, and of a population's in a plane, in values
  Array<T> now_, next_; ///< next_: of two lattices
  std::array<std::array<RowKind, 9>, 2> kinds_; ///< [in own cells][end along y + 3 end along z]
};

template <class Set, class T, class A>
void Lattice<Set, T, A>::gather(const Places& from, std::int64_t x, int n, std::int64_t y, std::int64_t z,
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
void Lattice<Set, T, A>::scatter(const Places& from, std::int64_t x, int n, std::int64_t y, std::int64_t z,
                                       Block<Set, A>& b) {
  for (int q = 0; q < Set::count; ++q) {
    if (scheme_ == Scheme::two_lattices) {
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
void Lattice<Set, T, A>::gather_cell(const Places& from, const Cell& at, int lane, Block<Set, A>& b) const {
  const auto& ways = from.kind.ways;
  for (int q = 0; q < Set::count; ++q)
    b.g[q][lane] = static_cast<A>(from.own[ways[q].end_x == at[0] ? ways[q].end : ways[q].inner + at[0]]);
  if (from.kind.idle_ends) return;
  for (int q = 0; q < Set::count; ++q) change(q, ways[q].end_x == at[0] ? ways[q].end_from : ways[q].from, at, 1, false, b.g[q] + lane);
}

template <class Set, class T, class A>
void Lattice<Set, T, A>::scatter_cell(const Places& from, const Cell& at, int lane, const Block<Set, A>& b) {
  const auto& ways = from.kind.ways;
  if (scheme_ == Scheme::two_lattices) {
    T* const to = row(next_.data(), 0, at[1], at[2]) + at[0];
    for (int q = 0; q < Set::count; ++q) to[q * plane_] = static_cast<T>(b.g[q][lane]);
    return;
  }
  for (int q = 0; q < Set::count; ++q)
    from.own[ways[q].end_x == at[0] ? ways[q].end : ways[q].inner + at[0]] = static_cast<T>(b.g[opposite(q)][lane]);
}

template <class Set, class T, class A>
void Lattice<Set, T, A>::change(int q, const std::array<int, 3>& from, const Cell& first, int n, bool back, A* g) const {
  if (sides_.idle(from)) return;
  const double w = Set::weight(q);
  bool wall = false;
  for (const int s : from) {
    if (s < 0 || sides_.outlet(s)) continue;
    wall = true;
    const std::array<int, 3> c = sides_.along_wall(s, from, Set::c[q]);
    const auto u = sides_.velocity(s, first);
    for (int i = 0; i < n; ++i) {
      const double given = given_by_wall(w, c, u[0][i], u[1][i], u[2][i]);
      g[i] += static_cast<A>(back ? -given : given);
    }
  }
  if (wall) return;
  // All cells' faces on outlets hold the same velocity: that of the cell.
  const auto& c = Set::c[q];
  const auto u = sides_.velocity(*std::max_element(from.begin(), from.end()), first);
  for (int i = 0; i < n; ++i) g[i] = static_cast<A>(even_at_outlet(w, c, u[0][i], u[1][i], u[2][i])) - g[i]; // its own inverse
}

template <class Set, class T, class A>
void Lattice<Set, T, A>::put(const Places& to, std::int64_t x, int n, std::int64_t y, std::int64_t z, Block<Set, A>& b) {
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

} // namespace corral::fluid::lattice
