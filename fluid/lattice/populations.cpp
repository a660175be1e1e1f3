#include "fluid/lattice/populations.hpp"

#include "engine/cpu/machine/huge_pages.hpp"
#include "fluid/lattice/block.hpp"
#include "fluid/lattice/forced_cells.hpp"
#include "fluid/lattice/places.hpp"

#include <corral/for_each.hpp>
#include <corral/vector_loops.hpp>

#include <algorithm>
#include <cmath>

namespace corral::fluid::lattice {

namespace {

template <class Set, class A>
CORRAL_WIDE_VECTOR_CLONES void keep_largest(const Block<Set, A>& b, int begin, int end, A (*most)[block_cells]) {
  for (int d = 0; d < Set::axes; ++d) {
    CORRAL_INDEPENDENT_ITERATIONS
    for (int i = begin; i < end; ++i) most[d][i] = larger(most[d][i], std::abs(b.u[d][i]));
  }
}

/// to = everywhere + unit from
template <class A> CORRAL_WIDE_VECTOR_CLONES void take(const double* from, double unit, A everywhere, int n, A* to) {
  CORRAL_INDEPENDENT_ITERATIONS
  for (int i = 0; i < n; ++i) to[i] = everywhere + static_cast<A>(from[i] * unit);
}
/// The same of the components of n cells of a band, to[d].
template <class A>
CORRAL_WIDE_VECTOR_CLONES void take_band(const double* from, double unit, const std::array<double, 3> everywhere, int n, A* const to[3]) {
  for (int d = 0; d < 3; ++d) {
    A* const of_d = to[d];
    const A all = static_cast<A>(everywhere[d]);
    CORRAL_INDEPENDENT_ITERATIONS
    for (int i = 0; i < n; ++i) of_d[i] = all + static_cast<A>(from[BandField::lanes * i + d] * unit);
  }
}
/// And back: to = unit from[d]
template <class A> CORRAL_WIDE_VECTOR_CLONES void put_band(const A* const from[3], double unit, int n, double* to) {
  const A *const x = from[0], *const y = from[1], *const z = from[2];
  CORRAL_INDEPENDENT_ITERATIONS
  for (int i = 0; i < n; ++i) {
    to[BandField::lanes * i] = static_cast<double>(x[i]) * unit;
    to[BandField::lanes * i + 1] = static_cast<double>(y[i]) * unit;
    to[BandField::lanes * i + 2] = static_cast<double>(z[i]) * unit;
    to[BandField::lanes * i + 3] = 0;
  }
}
/// to = unit from
template <class A> CORRAL_WIDE_VECTOR_CLONES void put(const A* from, double unit, int n, double* to) {
  CORRAL_INDEPENDENT_ITERATIONS
  for (int i = 0; i < n; ++i) to[i] = static_cast<double>(from[i]) * unit;
}

/// Populations kept as T and computed with as A.
template <class Set, class T, class A> class PopulationsOf final : public Populations {
public:
  PopulationsOf(const PopulationsSetup& setup, Sides& sides)
      : units_(setup.units), p_(setup.properties), tau_(setup.tau), relaxation_(setup.relaxation<A>()), sides_(sides), n_(sides.walls().cells), own_(setup.own),
        lattice_(p_.scheme, sides, steps, cpu::zeros_on_huge_pages<T>) {}

  void start(Cpu cpu, const Begin& begin) override;

  void step(Cpu cpu, const RowParts* forced, const ConstFacePointers& force, const FacePointers& velocity) override {
    static constexpr RowParts nowhere{};
    step(cpu, force == ConstFacePointers{} ? &nowhere : forced, force, nullptr, velocity);
  }
  void step_in_band(Cpu cpu, const ConstBandField& force, const FacePointers& velocity) override {
    step(cpu, &force.parts, {}, &force, velocity);
  }

  void begin_step(RowParts forced) override { begin(&forced); }
  void step_elsewhere(Cpu cpu, const FacePointers& velocity) override {
    elsewhere_done_ = true;
    fastest = {};
    advance(cpu, Turn::others, {}, nullptr, velocity);
  }

  void find(Cpu, const RowParts* parts, const ConstFacePointers& force, const FacePointers& velocity, double* pressure) const override;
  void find_in_band(Cpu, const double* forces, const BandField& velocity) const override;

  Totals totals(Cpu cpu) const override;
  std::array<double, 3> given_by_sides(Cpu cpu) const override;

  LatticeFlow::State state() override { return {&lattice_.values(), &steps}; }

private:
  using Places = typename Lattice<Set, T, A>::Places;
  using Place = typename Lattice<Set, T, A>::Place;
  using Cell = typename Lattice<Set, T, A>::Cell;

  static constexpr std::int64_t rows_at_once = 4;

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

  void begin(const RowParts* forced) {
    forced_.set(forced, n_[1] * n_[2], n_[0]);
    lattice_.find_plain_rows();
  }

  void step(Cpu cpu, const RowParts* forced, const ConstFacePointers& force, const ConstBandField* band, const FacePointers& velocity) {
    if (!elsewhere_done_) {
      begin(forced);
      fastest = {};
    }
    advance(cpu, elsewhere_done_ ? Turn::forced : Turn::all, force, band, velocity);
    elsewhere_done_ = false;
    lattice_.turn();
    ++steps;
  }

  void advance(Cpu cpu, Turn turn, const ConstFacePointers& force, const ConstBandField* band, const FacePointers& velocity) {
    const std::int64_t rows = n_[1] * n_[2];
    fastest_of_chunks_.resize((rows + rows_at_once - 1) / rows_at_once);
    for_each_chunk(cpu, rows, rows_at_once, [&](std::int64_t begin, std::int64_t end) {
      std::array<double, 3>& of_chunk = fastest_of_chunks_[begin / rows_at_once] = {};
      if (turn == Turn::forced && !forced_.any_in(begin, end)) return;
      Advance work{turn, force, band, velocity, {p_.collision, relaxation_, true}};
      for (std::int64_t r = begin; r < end; ++r) {
        if (turn != Turn::others && r + 1 < rows) ask_for_forces(r + 1, force, band);
        advance_row(work, r % n_[1], r / n_[1]);
      }
      advance_ends(work, begin, end);
      for (int d = 0; d < 3; ++d)
        for (const A u : work.most[d]) of_chunk[d] = larger(of_chunk[d], static_cast<double>(u));
    });
    for (const auto& of : fastest_of_chunks_)
      for (int d = 0; d < 3; ++d) fastest[d] = larger(fastest[d], of[d]);
  }

  /// Of a row that comes soon.
  CORRAL_INLINED void ask_for_forces(std::int64_t row, const ConstFacePointers& force, const ConstBandField* band) const {
    if (band)
      forced_.for_each_asked(row, 0, n_[0], [&](std::int64_t, int cells, std::size_t part) __attribute__((always_inline)) {
        ask_for(band->of(part), static_cast<int>(ConstBandField::lanes) * cells);
      });
    else for (const RowPart& part : forced_.of(row))
      for (const double* const f : force)
        if (f) ask_for(f + n_[0] * row + part.begin, static_cast<int>(part.end - part.begin));
  }

  /// What a thread needs to advance rows.
  struct Advance {
    Advance(Turn t, const ConstFacePointers& f, const ConstBandField* kept, const FacePointers& v, const Rule<A>& r)
        : turn(t), force(f), band(kept), velocity(v), rule(r) {}

    const Turn turn;
    const ConstFacePointers& force;
    const ConstBandField* const band; ///< where not null it has the forces
    const FacePointers& velocity;
    Rule<A> rule; // `forces` of the cells at hand
    Block<Set, A> block; // unset
    /// Lanes of it in which more than the body force may act; all of them, before anything is known.
    struct Pushed {
      int begin = 0, end = block_cells;
      void add(int from, int to) { begin = std::min(begin, from), end = std::max(end, to); }
    } pushed;
    alignas(64) A most[3][block_cells] = {};
  };

  void advance_row(Advance& work, std::int64_t y, std::int64_t z) {
    const Places from = lattice_.places(y, z);
    const bool all = from.kind.plain_ends;
    const std::int64_t row = y + n_[1] * z;
    if (!from.kind.plain) return advance_cells(work, from, y, z);
    const Stretch<Set, T> whole = lattice_.stretch(from, y, z);
    const std::int64_t end = all ? n_[0] : n_[0] - 1;
    forced_.for_each_block(work.turn, row, all ? 0 : 1, end, [&](std::int64_t x, int n, bool forced) {
      if (find_rule(work, forced)) set_force(work, row, x, n, forced);
      Stretch<Set, T> here = whole.at(x);
      here.ahead = x + n < end ? block_cells : lattice_.pitch() - x;
      collide(here, work.block, n, work.rule);
      finish(work, {x, y, z}, n);
    });
  }

  /// Of a row whose populations sides may change.
  void advance_cells(Advance& work, const Places& from, std::int64_t y, std::int64_t z) {
    const std::int64_t row = y + n_[1] * z;
    forced_.for_each_block(work.turn, row, 0, n_[0], [&](std::int64_t x, int n, bool forced) {
      lattice_.gather(from, x, n, y, z, work.block);
      find_rule(work, forced);
      set_force(work, row, x, n, forced);
      collide(work.block, n, work.rule);
      lattice_.scatter(from, x, n, y, z, work.block);
      tell_outlets(x, n, y, z, work.block, 0);
      finish(work, {x, y, z}, n);
    });
  }

  /// First and last cells of rows, as far as they are still to be advanced: side by side in a block.
  void advance_ends(Advance& work, std::int64_t begin, std::int64_t end) {
    const auto each = [&](const auto& f) {
      int lane = 0;
      for (std::int64_t r = begin; r < end; ++r) {
        const std::int64_t y = r % n_[1], z = r / n_[1];
        const Places from = lattice_.places(y, z);
        if (!from.kind.plain || from.kind.plain_ends) continue;
        for (const std::int64_t x : {std::int64_t{0}, n_[0] - 1})
          if (const bool forced = forced_.at(r, x); ForcedCells::has_turn(work.turn, forced)) f(from, Cell{x, y, z}, x + n_[0] * r, lane++, forced);
      }
      return lane;
    };
    bool any_forced = false;
    const int lanes = each([&](const Places& from, const Cell& at, std::int64_t, int lane, bool forced) {
      lattice_.gather_cell(from, at, lane, work.block);
      set_force(work, at[1] + n_[1] * at[2], at[0], 1, lane, forced);
      work.pushed.add(lane, lane + 1);
      any_forced = any_forced || forced;
    });
    if (lanes == 0) return;
    find_rule(work, any_forced);
    collide(work.block, lanes, work.rule);
    each([&](const Places& from, const Cell& at, std::int64_t cell, int lane, bool) {
      lattice_.scatter_cell(from, at, lane, work.block);
      tell_outlets(at[0], 1, at[1], at[2], work.block, lane);
      put_velocity(work.block, cell, 1, work.velocity, lane);
      if (const Lanes own = own_in(at, 1); own.begin == own.end)
        for (auto& u : work.block.u) u[lane] = 0;
    });
    keep_largest(work.block, 0, lanes, work.most);
  }
  static_assert(2 * rows_at_once <= block_cells);

  /// Of cells in which a field's force acts or not: whether any does.
  bool find_rule(Advance& work, bool forced) const { return work.rule.forces = forced || p_.body_force != std::array<double, 3>{}; }
  /// Of n cells of a row from x on, that are a block.
  void set_force(Advance& work, std::int64_t row, std::int64_t x, int n, bool forced) const {
    static constexpr ConstFacePointers none{};
    if (forced && forced_.anywhere()) return take_force(work.force, x + n_[0] * row, n, work.block, 0), work.pushed.add(0, n);
    if (work.pushed.begin < work.pushed.end) take_force(none, 0, work.pushed.end - work.pushed.begin, work.block, work.pushed.begin);
    work.pushed = {block_cells, 0};
    if (!forced) return;
    const auto each = [&](std::int64_t first, int cells, std::size_t part) {
      const int lane = static_cast<int>(first - x);
      take_force(work, row, first, cells, part, lane);
      work.pushed.add(lane, lane + cells);
    };
    if (work.band) forced_.for_each_asked(row, x, x + n, each);
    else forced_.for_each_stretch(row, x, x + n, [&](std::int64_t first, int cells) { each(first, cells, 0); });
  }
  /// Of a part of a row, number `part` of those of a band, if there is one.
  void take_force(Advance& work, std::int64_t row, std::int64_t first, int cells, std::size_t part, int lane) const {
    if (!work.band) return take_force(work.force, first + n_[0] * row, cells, work.block, lane);
    take_force(work.band->of(part) + ConstBandField::lanes * (first - work.band->parts[part].begin), cells, work.block, lane);
  }
  /// Of n cells of a row from x on, in a block from `lane` on.
  void set_force(Advance& work, std::int64_t row, std::int64_t x, int n, int lane, bool forced) const {
    static constexpr ConstFacePointers none{};
    if (!forced || !forced_.anywhere()) take_force(none, 0, n, work.block, lane);
    if (forced && work.band)
      forced_.for_each_asked(row, x, x + n, [&](std::int64_t first, int cells, std::size_t part) {
        take_force(work, row, first, cells, part, lane + static_cast<int>(first - x));
      });
    else if (forced)
      forced_.for_each_stretch(row, x, x + n, [&](std::int64_t first, int cells) {
        take_force(work, row, first, cells, 0, lane + static_cast<int>(first - x));
      });
  }

  /// Of n cells of a row from one on.
  void finish(Advance& work, const Cell& from, int n) {
    const Lanes own = own_in(from, n);
    keep_largest(work.block, own.begin, own.end, work.most);
    put_velocity(work.block, from[0] + n_[0] * (from[1] + n_[1] * from[2]), n, work.velocity, 0);
  }

  /// Which of these cells are those of sums.
  struct Lanes {
    int begin, end;
  };
  Lanes own_in(const Cell& from, int n) const {
    for (std::size_t d = 1; d < 3; ++d)
      if (from[d] < own_.begin[d] || from[d] >= own_.end[d]) return {0, 0};
    return {static_cast<int>(std::clamp<std::int64_t>(own_.begin[0] - from[0], 0, n)),
            static_cast<int>(std::clamp<std::int64_t>(own_.end[0] - from[0], 0, n))};
  }

  CORRAL_INLINED void ask_for_part(const RowPart&, const ConstFacePointers& force, const FacePointers& velocity) const;
  template <class Take, class Put> void find_part(const RowPart&, const Take& take, const Put& put, Block<Set, A>&) const;

  // Of n cells, in a block from `lane` on.
  void take_force(const ConstFacePointers&, std::int64_t cell, int n, Block<Set, A>&, int lane) const;
  void take_force(const double* of_band, int n, Block<Set, A>&, int lane) const;
  void put_velocity(const Block<Set, A>&, std::int64_t cell, int n, const FacePointers& velocity, int lane) const;
  void tell_outlets(std::int64_t x, int n, std::int64_t y, std::int64_t z, const Block<Set, A>& b, int lane) {
    if (sides_.any_outlet()) sides_.keep(x, n, y, z, std::array<const A*, 3>{b.u[0] + lane, b.u[1] + lane, b.u[2] + lane});
  }
  void set(const Begin&, std::int64_t cell, int i, Block<Set, A>&) const;

  Units units_;
  LatticeProperties p_;
  double tau_;
  Relaxation<A> relaxation_;
  Sides& sides_;
  std::array<std::int64_t, 3> n_;
  CellBox own_;
  Lattice<Set, T, A> lattice_;
  ForcedCells forced_; ///< of the step at hand
  bool elsewhere_done_ = false; ///< of the step that comes next
  Array<std::array<double, 3>> fastest_of_chunks_; ///< of rows; scratch
};

template <class Set, class T, class A>
void PopulationsOf<Set, T, A>::take_force(const ConstFacePointers& force, std::int64_t cell, int n, Block<Set, A>& b,
                                          int lane) const {
  const double unit = 1 / units_.force();
  for (int d = 0; d < Set::axes; ++d) {
    const A everywhere = static_cast<A>(p_.body_force[d] * unit);
    if (force[d]) take(force[d] + cell, unit, everywhere, n, b.force[d] + lane);
    else std::fill_n(b.force[d] + lane, n, everywhere);
  }
}

template <class Set, class T, class A>
void PopulationsOf<Set, T, A>::take_force(const double* of_band, int n, Block<Set, A>& b, int lane) const {
  const double unit = 1 / units_.force();
  std::array<double, 3> everywhere{};
  for (int d = 0; d < Set::axes; ++d) everywhere[d] = p_.body_force[d] * unit;
  A* const to[3]{b.force[0] + lane, b.force[1] + lane, b.force[2] + lane};
  take_band(of_band, unit, everywhere, n, to);
}

template <class Set, class T, class A>
void PopulationsOf<Set, T, A>::put_velocity(const Block<Set, A>& b, std::int64_t cell, int n, const FacePointers& velocity,
                                            int lane) const {
  for (int d = 0; d < 3; ++d)
    if (velocity[d]) put(b.u[d] + lane, units_.speed(), n, velocity[d] + cell);
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
    const Places to = lattice_.places(y, z);
    for_each_block([&](std::int64_t x, int n) {
      for (int i = 0; i < n; ++i) set(begin, x + i + n_[0] * (y + n_[1] * z), i, b);
      lattice_.put(to, x, n, y, z, b);
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
  constexpr std::int64_t at_once = 32, soon = 4; // parts around bodies are short
  const std::int64_t count = parts ? static_cast<std::int64_t>(parts->size()) : n_[1] * n_[2];
  const auto part = [&](std::int64_t k) { return parts ? (*parts)[static_cast<std::size_t>(k)] : RowPart{k, 0, n_[0]}; };
  for_each_chunk(cpu, count, parts ? at_once : rows_at_once, [&](std::int64_t begin, std::int64_t end) {
    Block<Set, A> b;
    for (std::int64_t k = begin; k < end; ++k) {
      if (parts && k + soon < count) ask_for_part(part(k + soon), force, velocity);
      const RowPart at = part(k);
      const std::int64_t row = n_[0] * at.row;
      find_part(
          at, [&](std::int64_t x, int n) { take_force(force, row + x, n, b, 0); },
          [&](std::int64_t x, int n, int lane) {
            put_velocity(b, row + x, n, velocity, lane);
            if (!pressure) return;
            for (int i = 0; i < n; ++i) pressure[row + x + i] = static_cast<double>(b.excess[lane + i]) * units_.pressure();
          },
          b);
    }
  });
}

template <class Set, class T, class A>
void PopulationsOf<Set, T, A>::find_in_band(Cpu cpu, const double* forces, const BandField& velocity) const {
  constexpr std::int64_t at_once = 32, soon = 4, lanes = BandField::lanes;
  static constexpr ConstFacePointers none{};
  const RowParts parts = velocity.parts;
  for_each_chunk(cpu, std::ssize(parts), at_once, [&](std::int64_t begin, std::int64_t end) {
    Block<Set, A> b;
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
      if (k + soon < parts.size()) ask_for_part(parts[k + soon], none, {});
      const RowPart& part = parts[k];
      double* const to = velocity.of(k);
      const double* const from = forces ? forces + (to - velocity.values) : nullptr;
      find_part(
          part,
          [&](std::int64_t x, int n) {
            take_force(none, 0, n, b, 0); // of cells beside the part nobody keeps anything
            const std::int64_t first = std::max(x, part.begin), last = std::min(x + n, part.end);
            if (from && first < last)
              take_force(from + lanes * (first - part.begin), static_cast<int>(last - first), b, static_cast<int>(first - x));
          },
          [&](std::int64_t x, int n, int lane) {
            const A* const u[3]{b.u[0] + lane, b.u[1] + lane, b.u[2] + lane};
            put_band(u, units_.speed(), n, to + lanes * (x - part.begin));
          },
          b);
    }
  });
}

/// Asks for what the first block of a part needs.
template <class Set, class T, class A>
CORRAL_INLINED void PopulationsOf<Set, T, A>::ask_for_part(const RowPart& part, const ConstFacePointers& force,
                                                           const FacePointers& velocity) const {
  const int n = static_cast<int>(std::min<std::int64_t>(block_cells, part.end - part.begin));
  lattice_.ask_for_cells(lattice_.places(part.row % n_[1], part.row / n_[1]), part.begin, n);
  const std::int64_t cell = part.begin + n_[0] * part.row;
  for (int d = 0; d < 3; ++d) {
    if (force[d]) ask_for(force[d] + cell, n);
    if (velocity[d]) ask_for(velocity[d] + cell, n);
  }
}

/// In plain rows a vector of cells is looked at where fewer are asked for, and these are kept: none beyond those that a step leaves
/// for later, where others may be at work.
/// take(x, n) sets the forces of cells from x on; put(x, n, lane) is handed what was found of cells of the part.
template <class Set, class T, class A>
template <class Take, class Put>
void PopulationsOf<Set, T, A>::find_part(const RowPart& part, const Take& take, const Put& put, Block<Set, A>& b) const {
  const std::int64_t y = part.row % n_[1], z = part.row / n_[1];
  const Places from = lattice_.places(y, z);
  const std::int64_t apart = from.kind.plain_ends ? 0 : 1; // cells at each end
  const bool plain = from.kind.plain && part.begin >= apart && part.end <= n_[0] - apart;
  std::int64_t first = part.begin, last = part.end;
  if (plain) {
    const RowPart whole = in_vectors(part, n_[0]);
    first = std::max({std::min(first, whole.end - vector_cells), whole.begin, apart});
    last = std::max(last, std::min({first + vector_cells, whole.end, n_[0] - apart}));
  }
  for (std::int64_t x = first; x < last; x += block_cells) {
    const int n = static_cast<int>(std::min<std::int64_t>(block_cells, last - x));
    take(x, n);
    if (plain) look(lattice_.arrivals(from, x), b, n);
    else {
      lattice_.gather(from, x, n, y, z, b);
      look(b, n);
    }
    const std::int64_t begin = std::max(x, part.begin), end = std::min(x + n, part.end);
    put(begin, static_cast<int>(end - begin), static_cast<int>(begin - x));
  }
}

template <class Set, class T, class A> Populations::Totals PopulationsOf<Set, T, A>::totals(Cpu cpu) const {
  Array<Totals> rows(n_[1] * n_[2]);
  for_each_row(cpu, [&](Block<Set, A>& b, std::int64_t y, std::int64_t z) {
    const Places from = lattice_.places(y, z);
    Totals of;
    for_each_block([&](std::int64_t x, int n) {
      lattice_.gather(from, x, n, y, z, b);
      const Lanes own = own_in({x, y, z}, n);
      for (int q = 0; q < Set::count; ++q)
        for (int i = own.begin; i < own.end; ++i) {
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
    const Places from = lattice_.places(y, z);
    for (int q = 1; q < Set::count; ++q) {
      const auto& way = from.kind.ways[q];
      const Place p = from[q];
      const auto add = [&](int left_as, const std::array<int, 3>& sides, const T* left, std::int64_t x, int n) {
        fetch(left, n, b.g[q]);
        lattice_.change(q, sides, {x, y, z}, n, false, b.g[q]);
        const Lanes own = own_in({x, y, z}, n);
        for (int d = 0; d < 3; ++d)
          for (int i = own.begin; i < own.end; ++i)
            given[d] += Set::c[q][d] * static_cast<double>(b.g[q][i]) - Set::c[left_as][d] * static_cast<double>(left[i]);
      };
      if (way.end_x >= 0 && way.end_left != q) add(way.end_left, way.end_from, p.end, way.end_x, 1);
      if (way.left == q) continue;
      for_each_block([&](std::int64_t x, int n) {
        const Span part = straight(way.end_x, x, n);
        add(way.left, way.from, p.inner + part.begin, part.begin, static_cast<int>(part.end - part.begin));
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
