#include "distributed/shared_grid.hpp"

#include "distributed/cut.hpp"
#include "distributed/domain.hpp"
#include "distributed/mpi.hpp"
#include "distributed/petsc.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace corral::distributed {
namespace {

using Three = std::array<std::int64_t, 3>;

/// Cells of a box along one axis, as cells of the whole.
struct CellsAlong {
  std::int64_t begin, end; ///< its own
  std::int64_t below, above; ///< ghosts at either end

  std::int64_t cells() const { return below + end - begin + above; }
};

CellsAlong stretch_at(const Domain& domain, std::int64_t ghosts, int d, int place) {
  const int ranks = domain.ranks_along(d);
  const bool cut = ranks > 1, wraps = domain.whole().axis(d).periodic();
  return {domain.begin(d, place), domain.end(d, place), cut && (wraps || place > 0) ? ghosts : 0,
          cut && (wraps || place + 1 < ranks) ? ghosts : 0};
}

Axis axis_of(const Axis& whole, const CellsAlong& s) {
  Axis a = whole;
  if (s.begin == 0 && s.end == whole.cells && s.below == 0 && s.above == 0) return a;
  a.cells = s.cells();
  a.origin += static_cast<double>(s.begin - s.below) * a.spacing;
  if (s.below > 0) a.low = Boundary::wall;
  if (s.above > 0) a.high = Boundary::wall;
  return a;
}

/// Whose a point of a box is, along one axis.
struct PlaceAmongRanks {
  int place;          ///< of the ranks along the axis
  std::int64_t local; ///< number in their box
  bool ghost;
};

PlaceAmongRanks owner_along(const Domain& domain, std::int64_t ghosts, Staggering s, int d, int place, std::int64_t i) {
  const Axis& whole = domain.whole().axis(d);
  const CellsAlong here = stretch_at(domain, ghosts, d, place);
  const std::int64_t points = whole.points(on_face(s, d)), p = here.begin - here.below + i;
  const std::int64_t of_whole = whole.periodic() ? (p % points + points) % points : p;
  const int owner = domain.place_of(d, std::min(of_whole, whole.cells - 1)); // the last face belongs to the last cell
  const CellsAlong there = stretch_at(domain, ghosts, d, owner);
  const std::int64_t local = of_whole - there.begin + there.below;
  return {owner, local, owner != place || local != i};
}

class SharedFieldsByPetsc final : public SharedFields {
public:
  SharedFieldsByPetsc(const Domain& domain, std::int64_t ghosts, Staggering s, const FieldLayout& layout)
      : domain_(domain), ghosts_(ghosts), staggering_(s), layout_(layout), mine_(memory_of(domain.place(domain.ranks().rank()))),
        halo_(make_halo()), whole_(make_whole()) {}

  void fill(std::span<double* const> fields) const override { fill_all(fields); }
  void fill(std::span<float* const> fields) const override { fill_all(fields); }
  void gather(const double* mine, double* whole) const override { gather_all(mine, whole); }
  void gather(const float* mine, float* whole) const override { gather_all(mine, whole); }
  void scatter(const double* whole, double* mine) const override { scatter_all(whole, mine); }
  void scatter(const float* whole, float* mine) const override { scatter_all(whole, mine); }

private:
  Three points_of(const std::array<int, 3>& place) const {
    Three n{};
    for (int d = 0; d < 3; ++d)
      n[static_cast<std::size_t>(d)] =
          axis_of(domain_.whole().axis(d), stretch_at(domain_, ghosts_, d, place[static_cast<std::size_t>(d)])).points(on_face(staggering_, d));
    return n;
  }
  FieldMemory memory_of(const std::array<int, 3>& place) const { return layout_(points_of(place)); }

  static std::int64_t at(const FieldMemory& memory, const Three& point) {
    return point[0] * memory.stride[0] + point[1] * memory.stride[1] + point[2] * memory.stride[2];
  }
  template <class F> static void each(const Three& points, const F& f) {
    Three i{};
    for (i[2] = 0; i[2] < points[2]; ++i[2])
      for (i[1] = 0; i[1] < points[1]; ++i[1])
        for (i[0] = 0; i[0] < points[0]; ++i[0]) f(i);
  }
  /// f(place in this memory, whose, place there, ghost?) of each point of a box, whose memory is `memory`.
  template <class F> void each_owner(const std::array<int, 3>& place, const FieldMemory& memory, const F& f) const {
    const Three points = points_of(place);
    std::array<std::vector<PlaceAmongRanks>, 3> along;
    for (std::size_t d = 0; d < 3; ++d)
      for (std::int64_t i = 0; i < points[d]; ++i)
        along[d].push_back(owner_along(domain_, ghosts_, staggering_, static_cast<int>(d), place[d], i));
    const std::vector<FieldMemory> of_rank = memories();
    each(points, [&](const Three& i) {
      const PlaceAmongRanks &x = along[0][static_cast<std::size_t>(i[0])], &y = along[1][static_cast<std::size_t>(i[1])],
                  &z = along[2][static_cast<std::size_t>(i[2])];
      const int rank = domain_.rank_at({x.place, y.place, z.place});
      f(at(memory, i), rank, at(of_rank[static_cast<std::size_t>(rank)], {x.local, y.local, z.local}), x.ghost || y.ghost || z.ghost);
    });
  }
  std::vector<FieldMemory> memories() const {
    std::vector<FieldMemory> all;
    for (int r = 0; r < domain_.ranks().size(); ++r) all.push_back(memory_of(domain_.place(r)));
    return all;
  }

  OwnedSF make_halo() const {
    std::vector<PetscInt> leaf;
    std::vector<PetscSFNode> root;
    each_owner(domain_.place(domain_.ranks().rank()), mine_, [&](std::int64_t here, int rank, std::int64_t there, bool ghost) {
      if (!ghost) return;
      leaf.push_back(static_cast<PetscInt>(here));
      root.push_back({rank, static_cast<PetscInt>(there)});
    });
    return made_forest(communicator_of(domain_.ranks()), mine_.size, leaf, root);
  }
  /// Leaves are all points of the whole, on rank 0.
  OwnedSF make_whole() const {
    std::vector<PetscInt> leaf;
    std::vector<PetscSFNode> root;
    if (domain_.ranks().rank() == 0) {
      Three points{};
      for (int d = 0; d < 3; ++d) points[static_cast<std::size_t>(d)] = domain_.whole().points(staggering_, d);
      const FieldMemory whole = layout_(points);
      const std::vector<FieldMemory> of_rank = memories();
      each(points, [&](const Three& p) {
        std::array<int, 3> place{};
        Three local{};
        for (std::size_t d = 0; d < 3; ++d) {
          const int e = static_cast<int>(d);
          place[d] = domain_.place_of(e, std::min(p[d], domain_.whole().axis(e).cells - 1));
          const CellsAlong s = stretch_at(domain_, ghosts_, e, place[d]);
          local[d] = p[d] - s.begin + s.below;
        }
        const int rank = domain_.rank_at(place);
        leaf.push_back(static_cast<PetscInt>(at(whole, p)));
        root.push_back({rank, static_cast<PetscInt>(at(of_rank[static_cast<std::size_t>(rank)], local))});
      });
    }
    return made_forest(communicator_of(domain_.ranks()), mine_.size, leaf, root);
  }

  template <class T> void fill_all(std::span<T* const> fields) const {
    const auto all = [&](auto call) {
      for (T* const field : fields) check(call(halo_.get(), datatype<T>(), field, field, MPI_REPLACE), "filling ghosts");
    };
    all(PetscSFBcastBegin);
    all(PetscSFBcastEnd);
  }
  template <class T> void gather_all(const T* mine, T* whole) const {
    check(PetscSFBcastBegin(whole_.get(), datatype<T>(), mine, whole, MPI_REPLACE), "gathering a field");
    check(PetscSFBcastEnd(whole_.get(), datatype<T>(), mine, whole, MPI_REPLACE), "gathering a field");
  }
  template <class T> void scatter_all(const T* whole, T* mine) const {
    check(PetscSFReduceBegin(whole_.get(), datatype<T>(), whole, mine, MPI_REPLACE), "spreading a field over ranks");
    check(PetscSFReduceEnd(whole_.get(), datatype<T>(), whole, mine, MPI_REPLACE), "spreading a field over ranks");
    T* const one[] = {mine};
    fill_all(std::span<T* const>(one));
  }

  Domain domain_;
  std::int64_t ghosts_;
  Staggering staggering_;
  FieldLayout layout_;
  FieldMemory mine_;
  OwnedSF halo_, whole_;
};

class SharedGridByPetsc final : public SharedGrid {
public:
  SharedGridByPetsc(const Team& team, const Domain& domain, std::int64_t ghosts)
      : team_(team), domain_(domain), ghosts_(ghosts), box_(make_box()) {}

  const Team& team() const override { return team_; }
  const Grid& whole() const override { return domain_.whole(); }
  const Grid& box() const override { return box_; }
  std::int64_t own_begin(int d) const override { return stretch(d).below; }
  std::int64_t own_end(int d) const override { return stretch(d).below + stretch(d).end - stretch(d).begin; }
  std::int64_t first(int d) const override { return stretch(d).begin - stretch(d).below; }

  std::unique_ptr<SharedFields> fields(Staggering s, const FieldLayout& layout) const override {
    domain_.ranks().together([&] {
      const std::int64_t most = std::max(layout(points(whole(), s)).size, layout(points(box_, s)).size);
      if (most > std::numeric_limits<PetscInt>::max())
        throw Error("a field of " + std::to_string(most) + " values (this PETSc counts to " +
                    std::to_string(std::numeric_limits<PetscInt>::max()) + ") take one with 64-bit indices");
    });
    return std::make_unique<SharedFieldsByPetsc>(domain_, ghosts_, s, layout);
  }

private:
  CellsAlong stretch(int d) const {
    return stretch_at(domain_, ghosts_, d, domain_.place(domain_.ranks().rank())[static_cast<std::size_t>(d)]);
  }
  Grid make_box() const {
    return Grid({axis_of(whole().axis(0), stretch(0)), axis_of(whole().axis(1), stretch(1)), axis_of(whole().axis(2), stretch(2))});
  }
  static Three points(const Grid& grid, Staggering s) { return {grid.points(s, 0), grid.points(s, 1), grid.points(s, 2)}; }

  const Team& team_;
  Domain domain_;
  std::int64_t ghosts_;
  Grid box_;
};

} // namespace

std::unique_ptr<SharedGrid> share_grid(const Team& team, const Ranks& ranks, const Grid& whole, std::int64_t ghosts, const Uncut& uncut) {
  const std::optional<BoxCut> cut = best_cut(whole, ranks.size(), ghosts, uncut);
  if (!cut) throw Error(too_many_ranks(whole, ranks.size(), ghosts, uncut));
  return std::make_unique<SharedGridByPetsc>(team, Domain(ranks, whole, {.ranks = cut->ranks, .cells = {}}), ghosts);
}

} // namespace corral::distributed
