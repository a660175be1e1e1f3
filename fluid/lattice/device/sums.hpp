#pragma once

#include "fluid/lattice/device/views.hpp"
#include "fluid/lattice/populations.hpp"

#include <cstdint>

/// What is added up over cells on a device: objects for `accumulate`.
namespace corral::fluid::lattice {

/// A lattice between two steps.
template <class T> struct LatticeView {
  BoxView box;
  SidesView sides;
  const T* values = nullptr;
};

/// All populations as they will arrive.
template <class T, class A> struct AddArriving {
  LatticeView<T> lattice;

  CORRAL_HOST_DEVICE void operator()(std::int64_t cell, Populations::Totals& sum) const {
    const CellPlace p = lattice.box.place(static_cast<std::uint32_t>(cell));
    const T* const own = lattice.values + lattice.box.own(p);
    const Link* const links = lattice.box.links_of(p.kind);
    for (int q = 0; q < lattice.box.layout.count; ++q) {
      A g = static_cast<A>(own[links[q].from]);
      if (lattice.sides.change(links[q])) g = lattice.sides.returned(lattice.box, links[q], p, g);
      sum.excess += static_cast<double>(g);
      for (int d = 0; d < 3; ++d) sum.momentum[d] += links[q].c[d] * static_cast<double>(g);
    }
  }
};

/// What arrives from sides, less what had left for them: it lies where it is read from.
template <class T, class A> struct AddGivenBySides {
  LatticeView<T> lattice;

  CORRAL_HOST_DEVICE void operator()(std::int64_t cell, std::array<double, 3>& sum) const {
    const CellPlace p = lattice.box.place(static_cast<std::uint32_t>(cell));
    if (p.kind == inner_kind) return;
    const T* const own = lattice.values + lattice.box.own(p);
    const Link* const links = lattice.box.links_of(p.kind);
    for (int q = 1; q < lattice.box.layout.count; ++q) {
      const Link& link = links[q];
      if (link.left == q) continue;
      const A left = static_cast<A>(own[link.from]);
      const A arrives = lattice.sides.change(link) ? lattice.sides.returned(lattice.box, link, p, left) : left;
      for (int d = 0; d < 3; ++d)
        sum[d] += link.c[d] * static_cast<double>(arrives) - links[link.left].c[d] * static_cast<double>(left);
    }
  }
};

struct AddTotals {
  CORRAL_HOST_DEVICE void operator()(Populations::Totals& sum, const Populations::Totals& more) const {
    sum.excess += more.excess;
    for (int d = 0; d < 3; ++d) sum.momentum[d] += more.momentum[d];
  }
};
struct AddVectors {
  CORRAL_HOST_DEVICE void operator()(std::array<double, 3>& sum, const std::array<double, 3>& more) const {
    for (int d = 0; d < 3; ++d) sum[d] += more[d];
  }
};

/// The largest of blocks, of which the first so many stand together, and those that came later elsewhere.
template <class A> struct KeepFastest {
  const A* blocks;
  std::int64_t first;
  const A* later;
  CORRAL_HOST_DEVICE void operator()(std::int64_t block, std::array<double, 3>& most) const {
    const A* const of = block < first ? blocks + 3 * block : later + 3 * (block - first);
    for (int d = 0; d < 3; ++d) most[d] = larger(most[d], static_cast<double>(of[d]));
  }
};
struct KeepLarger {
  CORRAL_HOST_DEVICE void operator()(std::array<double, 3>& most, const std::array<double, 3>& other) const {
    for (int d = 0; d < 3; ++d) most[d] = larger(most[d], other[d]);
  }
};

} // namespace corral::fluid::lattice
