// corral in a code whose fields are PETSc's: a DMDA cuts the domain and has the halos, corral maps particles from and
// to its arrays where they lie, and moves particles between ranks. Grains drift along z, faster where they are many.
//   mpiexec -n 4 example_in_petsc

#include "distributed/domain.hpp"
#include "distributed/mpi.hpp"
#include "distributed/particles/migrate.hpp"

#include <corral/corral.hpp>
#include <corral/kernels/peskin4.hpp>

#include <petscdmda.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>

namespace {

using namespace corral;

constexpr std::int64_t cells[3] = {12, 10, 16};
constexpr int ghosts = 2; // what Peskin's kernel reaches
constexpr double h = 0.1; // [m]
constexpr std::int64_t grains = 5'000;
constexpr int steps = 20;

Grid whole_grid() {
  const Axis y{cells[1], 0, h, Boundary::wall, Boundary::wall};
  return Grid({Axis{cells[0], 0, h}, y, Axis{cells[2], 0, h}});
}

/// The host's mesh: one value a cell, and what it fills and adds around its parts.
struct Mesh {
  explicit Mesh(MPI_Comm comm) {
    const auto n = [](int d) { return static_cast<PetscInt>(cells[d]); };
    DMDACreate3d(comm, DM_BOUNDARY_PERIODIC, DM_BOUNDARY_NONE, DM_BOUNDARY_PERIODIC, DMDA_STENCIL_BOX, n(0), n(1), n(2),
                 PETSC_DECIDE, PETSC_DECIDE, PETSC_DECIDE, 1, ghosts, nullptr, nullptr, nullptr, &dm);
    DMSetUp(dm);
    DMCreateGlobalVector(dm, &global);
    DMCreateLocalVector(dm, &local);
  }
  ~Mesh() {
    VecDestroy(&local);
    VecDestroy(&global);
    DMDestroy(&dm);
  }
  Mesh(const Mesh&) = delete;
  Mesh& operator=(const Mesh&) = delete;

  /// Where the host's cut is, for corral.
  distributed::Cut cut() const {
    const PetscInt* along[3];
    PetscInt ranks[3];
    DMDAGetOwnershipRanges(dm, &along[0], &along[1], &along[2]);
    DMDAGetInfo(dm, nullptr, nullptr, nullptr, nullptr, &ranks[0], &ranks[1], &ranks[2], nullptr, nullptr, nullptr,
                nullptr, nullptr, nullptr);
    distributed::Cut found;
    for (std::size_t d = 0; d < 3; ++d) found.cells[d].assign(along[d], along[d] + ranks[d]);
    return found;
  }

  /// PETSc's array as corral sees it: point (0, 0, 0) is the part's first cell, with ghosts around it where the mesh
  /// goes on.
  FieldView<double> view(double* array) const {
    PetscInt first[3], with[3], n[3], own[3];
    DMDAGetCorners(dm, &first[0], &first[1], &first[2], &own[0], &own[1], &own[2]);
    DMDAGetGhostCorners(dm, &with[0], &with[1], &with[2], &n[0], &n[1], &n[2]);
    FieldView<double> v;
    v.stride = {1, n[0], std::int64_t{n[0]} * n[1]};
    v.data = array;
    for (std::size_t d = 0; d < 3; ++d) v.data += (first[d] - with[d]) * v.stride[d];
    v.extent = {own[0], own[1], own[2]};
    v.ghosts = ghosts;
    return v;
  }

  DM dm = nullptr;
  Vec global = nullptr, local = nullptr;
};

struct Grains {
  std::vector<double> x, y, z, mass;
  std::vector<std::uint64_t> id;
};

/// This process's share of all grains, wherever they lie.
Grains share(const distributed::Ranks& ranks) {
  Grains g;
  for (std::int64_t i = ranks.rank(); i < grains; i += ranks.size()) {
    const auto at = [&](double step, std::int64_t n) { return std::fmod(step * double(i + 1), 1.0) * double(n) * h; };
    g.x.push_back(at(0.754877666, cells[0])), g.y.push_back(at(0.569840296, cells[1])),
        g.z.push_back(at(0.618033989, cells[2]));
    g.mass.push_back(0.3);
    g.id.push_back(static_cast<std::uint64_t>(i));
  }
  return g;
}

/// Where every grain ends [m], by id, on each process of `comm`; and the mass that the mesh then holds.
std::vector<double> run(MPI_Comm comm, double& mass_on_mesh) {
  const Mesh mesh(comm);
  const distributed::Ranks ranks = distributed::ranks_of(comm);
  const distributed::Domain domain(ranks, whole_grid(), mesh.cut());
  Grains g = share(ranks);
  CellOrder<double> order(domain.part(), {Offset::half, Offset::half, Offset::half});
  for (int step = 0; step < steps; ++step) {
    distributed::migrate(domain, distributed::RankParticles(g.x, g.y, g.z, g.id).with(g.mass));
    const auto n = static_cast<std::int64_t>(g.x.size());
    if (order.sort(Cpu{}, positions(g.x.data(), g.y.data(), g.z.data(), n)).inside != n)
      throw Error("a grain outside its part (it moved behind the sort)");

    double* array = nullptr;
    VecZeroEntries(mesh.local);
    VecGetArray(mesh.local, &array);
    spread(Cpu{}, order, kernels::Peskin4{}, {{{g.mass.data(), n}, mesh.view(array)}});
    VecRestoreArray(mesh.local, &array);
    VecZeroEntries(mesh.global);
    DMLocalToGlobal(mesh.dm, mesh.local, ADD_VALUES, mesh.global);    // halo add
    DMGlobalToLocal(mesh.dm, mesh.global, INSERT_VALUES, mesh.local); // halo fill

    std::vector<double> felt(g.x.size());
    VecGetArray(mesh.local, &array);
    interpolate(Cpu{}, order, kernels::Peskin4{}, {{FieldView<const double>(mesh.view(array)), {felt.data(), n}}});
    VecRestoreArray(mesh.local, &array);
    for (std::size_t i = 0; i < felt.size(); ++i) g.z[i] += 0.03 * h * (1 + felt[i]);
  }
  VecSum(mesh.global, &mass_on_mesh);
  std::vector<double> ends(grains, 0.0);
  for (std::size_t i = 0; i < g.id.size(); ++i) ends[g.id[i]] = g.z[i];
  return distributed::sums(ranks, ends);
}

} // namespace

int main(int argc, char** argv) {
  PetscInitialize(&argc, &argv, nullptr, nullptr);
  int failed = 0;
  try {
    double mass = 0, mass_alone = 0;
    const std::vector<double> ends = run(MPI_COMM_WORLD, mass), alone = run(MPI_COMM_SELF, mass_alone);
    double apart = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) apart = std::max(apart, std::abs(ends[i] - alone[i]));
    failed = apart > 1e-12 || std::abs(mass - 0.3 * grains) > 1e-9 ? 1 : 0;
    PetscPrintf(MPI_COMM_WORLD,
                "the mesh holds %.12g kg of %g; grains end at most %.3g m from where one process has them\n", mass,
                0.3 * grains, apart);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  PetscFinalize();
  return failed;
}
