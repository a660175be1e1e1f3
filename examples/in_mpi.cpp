// corral in a code that runs on several ranks: slabs along z, each with ghosts of its own. The halos, who talks to whom
// and the markers that change their rank are the code's; docs/parts.md says what corral promises of parts.
//   mpiexec -n 2 example_in_mpi

#include <corral/corral.hpp>
#include <corral/kernels/peskin4.hpp>

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

namespace {

using namespace corral;

constexpr std::int64_t cells[3] = {12, 10, 24}, ghosts = 2; // what Peskin's kernel reaches
constexpr double h = 0.1;
constexpr int steps = 20;

struct Marker {
  double x[3], mass;
  std::int64_t id;
};

/// Cells [begin, end) of the whole box along z, which is periodic.
Grid slab(std::int64_t begin, std::int64_t end) {
  const Axis x{cells[0], 0, h}, y{cells[1], 0, h};
  Axis z{cells[2], 0, h};
  if (end - begin < cells[2])
    z = {.cells = end - begin, .origin = 0, .spacing = h, .low = Boundary::halo, .high = Boundary::halo,
         .global_periodic = true, .offset = begin, .global_cells = cells[2]};
  return Grid({x, y, z});
}

/// A field at the cells' centres with its ghosts: planes of memory across z.
struct Field {
  explicit Field(const Grid& grid)
      : plane((grid.axis(0).cells + 2 * ghosts) * (grid.axis(1).cells + 2 * ghosts)), planes(grid.axis(2).cells),
        memory(static_cast<std::size_t>(plane * (planes + 2 * ghosts)), 0.0),
        view(field_view_with_ghosts(grid, memory.data(), Staggering::centre, ghosts)) {}

  /// Where plane k begins, k from -ghosts.
  double* at(std::int64_t k) { return memory.data() + (k + ghosts) * plane; }

  std::int64_t plane, planes;
  std::vector<double> memory;
  FieldView<double> view;
};

/// The ranks around this one, in a ring.
struct Ring {
  int rank = 0, ranks = 1;

  int below() const { return (rank + ranks - 1) % ranks; }
  int above() const { return (rank + 1) % ranks; }

  /// Sends `planes` planes from k to a neighbour, and gets as many from the other one.
  std::vector<double> shift(Field& field, std::int64_t k, bool up) const {
    std::vector<double> got(static_cast<std::size_t>(ghosts * field.plane));
    MPI_Sendrecv(field.at(k), static_cast<int>(got.size()), MPI_DOUBLE, up ? above() : below(), 0, got.data(),
                 static_cast<int>(got.size()), MPI_DOUBLE, up ? below() : above(), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return got;
  }
};

/// What ghosts got in a spread goes to the points that they stand for.
void halo_add(const Ring& ring, Field& field) {
  const std::vector<double> from_below = ring.shift(field, field.planes, true), from_above = ring.shift(field, -ghosts, false);
  double *const lowest = field.at(0), *const highest = field.at(field.planes - ghosts);
  for (std::size_t i = 0; i < from_below.size(); ++i) lowest[i] += from_below[i];
  for (std::size_t i = 0; i < from_above.size(); ++i) highest[i] += from_above[i];
}

/// Ghosts get the values of the points that they stand for.
void halo_fill(const Ring& ring, Field& field) {
  const std::vector<double> from_below = ring.shift(field, field.planes - ghosts, true);
  const std::vector<double> from_above = ring.shift(field, 0, false);
  std::copy(from_below.begin(), from_below.end(), field.at(-ghosts));
  std::copy(from_above.begin(), from_above.end(), field.at(field.planes));
}

std::int64_t first_cell(int rank, int ranks) { return cells[2] * rank / ranks; }

/// Markers whose cell is another rank's go there. In a step none moves further than to a neighbour, but nothing here
/// asks for that.
void migrate(const Ring& ring, std::vector<Marker>& markers) {
  std::vector<std::vector<Marker>> to(static_cast<std::size_t>(ring.ranks));
  for (Marker m : markers) {
    double cell = m.x[2] / h; // as corral wraps it
    cell -= cells[2] * std::floor(cell / cells[2]);
    int rank = 0;
    while (rank + 1 < ring.ranks && cell >= static_cast<double>(first_cell(rank + 1, ring.ranks))) ++rank;
    to[static_cast<std::size_t>(rank)].push_back(m);
  }
  std::vector<int> bytes, starts{0}, got(static_cast<std::size_t>(ring.ranks)), got_starts{0};
  std::vector<Marker> leaving;
  for (const std::vector<Marker>& part : to) {
    bytes.push_back(static_cast<int>(part.size() * sizeof(Marker)));
    starts.push_back(starts.back() + bytes.back());
    leaving.insert(leaving.end(), part.begin(), part.end());
  }
  MPI_Alltoall(bytes.data(), 1, MPI_INT, got.data(), 1, MPI_INT, MPI_COMM_WORLD);
  for (const int b : got) got_starts.push_back(got_starts.back() + b);
  markers.resize(static_cast<std::size_t>(got_starts.back()) / sizeof(Marker));
  MPI_Alltoallv(leaving.data(), bytes.data(), starts.data(), MPI_BYTE, markers.data(), got.data(), got_starts.data(),
                MPI_BYTE, MPI_COMM_WORLD);
}

/// Markers that drift towards z, faster where they are many. `ring` null: the whole box, on this rank alone.
void run(const Grid& grid, const Ring* ring, std::vector<Marker>& markers) {
  CellOrder<double> order(grid, {Offset::half, Offset::half, Offset::half}); // for a kernel of an even number of points
  Field density(grid);
  for (int step = 0; step < steps; ++step) {
    if (ring) migrate(*ring, markers);
    const auto n = static_cast<std::int64_t>(markers.size());
    constexpr std::int64_t stride = sizeof(Marker) / sizeof(double);
    Positions<double> positions;
    for (std::size_t d = 0; d < 3; ++d) positions.axis[d] = {markers.empty() ? nullptr : &markers[0].x[d], n, stride};
    const SortCounts counts = order.sort(Cpu{}, positions);
    if (counts.inside != n) throw Error("a marker outside its slab (a rank has one that is another's)");
    std::fill(density.memory.begin(), density.memory.end(), 0.0);
    const Column<double> mass{markers.empty() ? nullptr : &markers[0].mass, n, stride};
    spread(Cpu{}, order, kernels::Peskin4{}, {{mass, density.view}});
    if (ring) halo_add(*ring, density);
    if (ring) halo_fill(*ring, density);
    std::vector<double> felt(markers.size());
    interpolate(Cpu{}, order, kernels::Peskin4{}, {{FieldView<const double>(density.view), {felt.data(), n}}});
    for (std::size_t i = 0; i < markers.size(); ++i) markers[i].x[2] += 0.03 * h * (1 + felt[i]);
  }
}

std::vector<Marker> all_markers() {
  std::vector<Marker> markers;
  for (std::int64_t i = 0; i < 5'000; ++i) {
    const auto at = [&](double step, std::int64_t n) { return std::fmod(step * double(i + 1), 1.0) * double(n) * h; };
    markers.push_back({{at(0.754877666, cells[0]), at(0.569840296, cells[1]), at(0.618033989, cells[2])}, 0.3, i});
  }
  return markers;
}

/// On rank 0: the greatest distance between where the ranks' markers and the whole's ended [m].
double compare_with_whole(const Ring& ring, const std::vector<Marker>& markers) {
  std::vector<int> bytes(static_cast<std::size_t>(ring.ranks)), starts{0};
  const int own = static_cast<int>(markers.size() * sizeof(Marker));
  MPI_Gather(&own, 1, MPI_INT, bytes.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (const int b : bytes) starts.push_back(starts.back() + b);
  std::vector<Marker> found(ring.rank == 0 ? static_cast<std::size_t>(starts.back()) / sizeof(Marker) : 0);
  MPI_Gatherv(markers.data(), own, MPI_BYTE, found.data(), bytes.data(), starts.data(), MPI_BYTE, 0, MPI_COMM_WORLD);
  if (ring.rank != 0) return 0;
  std::vector<Marker> expected = all_markers();
  run(slab(0, cells[2]), nullptr, expected);
  if (found.size() != expected.size()) return INFINITY;
  std::sort(found.begin(), found.end(), [](const Marker& a, const Marker& b) { return a.id < b.id; });
  double apart = 0;
  for (std::size_t i = 0; i < found.size(); ++i) apart = std::max(apart, std::abs(found[i].x[2] - expected[i].x[2]));
  return apart;
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int failed = 0;
  try {
    Ring ring;
    MPI_Comm_rank(MPI_COMM_WORLD, &ring.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ring.ranks);
    if (ring.ranks > cells[2] / ghosts) throw Error("slabs thinner than their ghosts (so many ranks) take fewer");
    std::vector<Marker> markers = ring.rank == 0 ? all_markers() : std::vector<Marker>{};
    run(slab(first_cell(ring.rank, ring.ranks), first_cell(ring.rank + 1, ring.ranks)), &ring, markers);
    const double apart = compare_with_whole(ring, markers);
    failed = apart > 1e-12 ? 1 : 0;
    std::printf("rank %d of %d: %zu markers after %d steps\n", ring.rank, ring.ranks, markers.size(), steps);
    if (ring.rank == 0) std::printf("they end at most %.3g m from where one rank's end\n", apart);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return failed;
}
