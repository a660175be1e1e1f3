#include "distributed/shared_grid.hpp"

#include "distributed/cut.hpp"
#include "distributed/domain.hpp"
#include "distributed/mpi.hpp"
#include "distributed/petsc.hpp"

#include <algorithm>
#include <cstring>
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

/// The least number that is not below a / b, of b > 0.
std::int64_t ceil_of(std::int64_t a, std::int64_t b) { return a > 0 ? (a + b - 1) / b : -(-a / b); }

class SharedFieldsByPetsc final : public SharedFields {
public:
  SharedFieldsByPetsc(const Team& team, const Domain& domain, std::int64_t ghosts, Staggering s, const FieldLayout& layout)
      : team_(team), domain_(domain), ghosts_(ghosts), staggering_(s), layout_(layout), mine_(memory_of(domain.place(domain.ranks().rank()))),
        whole_(layout({points_of_whole(0), points_of_whole(1), points_of_whole(2)})), halo_(make_halo()) {}

  void fill(std::span<double* const> fields) const override { fill_all(fields); }
  void fill(std::span<float* const> fields) const override { fill_all(fields); }

  void bring(const std::byte* mine, std::int64_t each, std::span<const FieldBegin> begins, const PiecesOfRanks& wanted,
             std::byte* to) const override {
    std::vector<std::byte> packed;
    const auto rank = static_cast<std::size_t>(team_.rank());
    const std::vector<std::int64_t> counts = each_piece(rank, begins, wanted, [&](const Run& run) {
      packed.insert(packed.end(), mine + run.here * each, mine + (run.here + run.count) * each);
    });
    const std::vector<std::byte> came = team_.exchange(packed, each, counts).bytes;
    const std::byte* next = came.data();
    for (std::size_t from = 0; from < wanted.size(); ++from)
      each_run(from, begins, wanted[rank], [&](const Run& run) { next = copy(next, to + run.there * each, run.count * each); });
  }
  void send(const std::byte* from, std::int64_t each, std::span<const FieldBegin> begins, const PiecesOfRanks& given,
            std::byte* mine) const override {
    std::vector<std::byte> packed;
    std::vector<std::int64_t> counts(given.size(), 0);
    const auto rank = static_cast<std::size_t>(team_.rank());
    for (std::size_t to = 0; to < given.size(); ++to)
      each_run(to, begins, given[rank], [&](const Run& run) {
        packed.insert(packed.end(), from + run.there * each, from + (run.there + run.count) * each);
        counts[to] += run.count;
      });
    const std::vector<std::byte> came = team_.exchange(packed, each, counts).bytes;
    const std::byte* next = came.data();
    each_piece(rank, begins, given, [&](const Run& run) { next = copy(next, mine + run.here * each, run.count * each); });
  }

protected:
  std::int64_t size_of_whole() const override { return whole_.size; }
  int ranks() const override { return team_.size(); }

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
  std::int64_t points_of_whole(int d) const { return domain_.whole().points(staggering_, d); }

  /// Values that stand one behind the other in a row of the whole and in one of a rank.
  struct Run {
    std::int64_t count;
    std::int64_t here;  ///< the first, in that rank's memory
    std::int64_t there; ///< in pieces that stand one behind the other
  };
  static const std::byte* copy(const std::byte* from, std::byte* to, std::int64_t bytes) {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
    return from + bytes;
  }

  /// f(run) of what a rank has of each rank's pieces, one after the other; how much of each.
  template <class F>
  std::vector<std::int64_t> each_piece(std::size_t rank, std::span<const FieldBegin> begins, const PiecesOfRanks& pieces, const F& f) const {
    std::vector<std::int64_t> counts(pieces.size(), 0);
    for (std::size_t of = 0; of < pieces.size(); ++of)
      each_run(rank, begins, pieces[of], [&](const Run& run) {
        f(run);
        counts[of] += run.count;
      });
    return counts;
  }
  template <class F> void each_run(std::size_t rank, std::span<const FieldBegin> begins, const std::vector<Piece>& pieces, const F& f) const {
    std::int64_t before = 0;
    for (const Piece& piece : pieces) {
      each_run(rank, begins, piece, before, f);
      before += piece.size();
    }
  }
  /// In the order of the whole's planes, fields, rows.
  template <class F>
  void each_run(std::size_t rank, std::span<const FieldBegin> begins, const Piece& piece, std::int64_t before, const F& f) const {
    const std::array<int, 3> place = domain_.place(static_cast<int>(rank));
    const FieldMemory memory = memory_of(place);
    Three begin{}, end{}, below{};
    for (std::size_t d = 0; d < 3; ++d) {
      const int e = static_cast<int>(d);
      const CellsAlong s = stretch_at(domain_, ghosts_, e, place[d]);
      begin[d] = s.begin, below[d] = s.below;
      end[d] = s.end == domain_.whole().axis(e).cells ? points_of_whole(e) : s.end; // the last face belongs to the last cell
    }
    const auto [row, plane] = std::array{whole_.stride[1], whole_.stride[2]};
    const std::int64_t length = end[0] - begin[0];
    const auto [low, high] = std::minmax_element(begins.begin(), begins.end(), [](const auto& a, const auto& b) { return a.whole < b.whole; });
    // Rows that begin before the piece's end and end behind its begin.
    const auto first = [&](std::int64_t last_in, std::int64_t stride) { return ceil_of(piece.begin - last_in + 1, stride); };
    const auto behind = [&](std::int64_t first_in, std::int64_t stride) { return ceil_of(piece.end - first_in, stride); };
    const std::int64_t z_begin = std::max(begin[2], first(high->whole + (end[1] - 1) * row + end[0], plane)),
                       z_end = std::min(end[2], behind(low->whole + begin[1] * row + begin[0], plane));
    for (std::int64_t z = z_begin; z < z_end; ++z)
      for (const FieldBegin& field : begins) {
        const std::int64_t corner = field.whole + z * plane + begin[0];
        const std::int64_t y_end = std::min(end[1], behind(corner, row));
        for (std::int64_t y = std::max(begin[1], first(corner + length, row)); y < y_end; ++y) {
          const std::int64_t start = corner + y * row, from = std::max(start, piece.begin), to = std::min(start + length, piece.end);
          if (from >= to) continue;
          const Three local{from - start + below[0], y - begin[1] + below[1], z - begin[2] + below[2]};
          f(Run{to - from, field.mine + at(memory, local), before + from - piece.begin});
        }
      }
  }

  template <class T> void fill_all(std::span<T* const> fields) const {
    const auto all = [&](auto call) {
      for (T* const field : fields) check(call(halo_.get(), datatype<T>(), field, field, MPI_REPLACE), "filling ghosts");
    };
    all(PetscSFBcastBegin);
    all(PetscSFBcastEnd);
  }
  const Team& team_;
  Domain domain_;
  std::int64_t ghosts_;
  Staggering staggering_;
  FieldLayout layout_;
  FieldMemory mine_, whole_;
  OwnedSF halo_;
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
      const std::int64_t most = layout(points(box_, s)).size;
      if (most > std::numeric_limits<PetscInt>::max())
        throw Error("a field of " + std::to_string(most) + " values (this PETSc counts to " +
                    std::to_string(std::numeric_limits<PetscInt>::max()) + ") take one with 64-bit indices");
    });
    return std::make_unique<SharedFieldsByPetsc>(team_, domain_, ghosts_, s, layout);
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
