#include "tests/catch.hpp"
#include "tests/distributed/scenes.hpp"

#include "distributed/halo.hpp"
#include "distributed/maps/order.hpp"
#include "distributed/mpi.hpp"
#include "distributed/particles/migrate.hpp"

#include <corral/corral.hpp>
#include <corral/kernels/linear.hpp>
#include <corral/kernels/peskin4.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

/// The table of docs/ranks.md: mpirun -n RANKS test_distributed "[costs]". No run of all tests has it.
namespace corral::test {
namespace {

using distributed::Domain;
using distributed::Halo;
using distributed::RankOrder;
using distributed::Ranks;
using distributed::Sums;

/// The median of some calls on the slowest rank [ms].
template <class F> double time_of(const Ranks& ranks, const F& call) {
  std::vector<double> times;
  for (int i = 0; i < 9; ++i) {
    MPI_Barrier(distributed::communicator_of(ranks));
    const double begin = MPI_Wtime();
    call();
    times.push_back(distributed::maximum(ranks, MPI_Wtime() - begin));
  }
  std::nth_element(times.begin(), times.begin() + 4, times.end());
  return 1e3 * times[4];
}

struct Column3 {
  std::vector<double> x, y, z, v;
  std::vector<std::uint64_t> id;
  std::int64_t size() const { return static_cast<std::int64_t>(x.size()); }
  Positions<double> positions() const { return corral::positions(x.data(), y.data(), z.data(), size()); }
  Column<const std::uint64_t> ids() const { return {id.data(), size(), 1}; }
};

Column3 uniform(const Domain& domain, std::int64_t each) {
  Column3 c;
  std::vector<double>* const columns[3]{&c.x, &c.y, &c.z};
  const std::int64_t n = each * domain.part().cells();
  for (std::int64_t i = 0; i < n; ++i) {
    for (int d = 0; d < 3; ++d) {
      const Axis& a = domain.part().axis(d);
      columns[d]->push_back(a.origin + a.spacing * (double(domain.begin(d)) +
                                                    double(a.cells) * number(static_cast<std::uint64_t>(3 * i + d))));
    }
    c.id.push_back(static_cast<std::uint64_t>(i * domain.ranks().size() + domain.ranks().rank()));
    c.v.push_back(1.0);
  }
  return c;
}

void maps(const Domain& domain, Column3& c) {
  const Ranks& ranks = domain.ranks();
  for (const Sums sums : {Sums::halo_add, Sums::whole_order}) {
    const char* const how = sums == Sums::halo_add ? "halo_add" : "whole_order";
    RankOrder<double> order(domain, 4, sums);
    order.sort(c.positions(), c.ids());
    order.own().reorder(Cpu{}, Column<double>{c.x.data(), c.size()}, Column<double>{c.y.data(), c.size()},
                        Column<double>{c.z.data(), c.size()}, Column<double>{c.v.data(), c.size()},
                        Column<std::uint64_t>{c.id.data(), c.size()});
    const double sort = time_of(ranks, [&] { order.sort(c.positions(), c.ids()); });
    const double ghosts = distributed::sum(ranks, double(order.ghost_particles())) / ranks.size();
    RankField<double> field(domain, Staggering::centre, order.ghosts());
    std::vector<double> felt(c.v.size());
    const auto both = [&](const auto& kernel, const char* name) {
      const double spread = time_of(ranks, [&] { order.spread(kernel, {{{c.v.data(), c.size(), 1}, field.view}}); });
      const double back = time_of(ranks, [&] {
        order.interpolate(kernel, {{field.view, {felt.data(), c.size(), 1}}});
      });
      if (ranks.rank() == 0) std::printf("%-12s %-8s spread %7.1f ms, interpolate %7.1f ms\n", how, name, spread, back);
    };
    if (ranks.rank() == 0) std::printf("%-12s sort %7.1f ms, %.0f ghost particles a rank\n", how, sort, ghosts);
    both(kernels::Linear{}, "linear");
    both(kernels::Peskin4{}, "peskin4");
  }
}

} // namespace

TEST_CASE("what halos, maps and migration cost", "[.][costs]") {
  const Ranks ranks = Ranks::world();
  const Domain domain(ranks, grid_of({64, 64, 64}, {Boundary::periodic, Boundary::periodic, Boundary::periodic}));
  Column3 c = uniform(domain, 12);
  if (ranks.rank() == 0)
    std::printf("%d ranks as %d x %d x %d, %lld particles on the first\n", ranks.size(), domain.ranks_along(0),
                domain.ranks_along(1), domain.ranks_along(2), static_cast<long long>(c.size()));
  for (const std::int64_t width : {1, 2, 3}) {
    const Halo halo(domain, Staggering::centre, width);
    RankField<double> field(domain, Staggering::centre, width);
    const double fill = time_of(ranks, [&] { halo.fill(field.view); }),
                 add = time_of(ranks, [&] { halo.add(field.view); });
    const Halo::Cost cost = halo.cost();
    std::vector<std::byte> out(static_cast<std::size_t>(8 * cost.points_sent)), in(out.size());
    const int next = (ranks.rank() + 1) % ranks.size(), before = (ranks.rank() + ranks.size() - 1) % ranks.size();
    const double floor = time_of(ranks, [&] { // as many bytes in one message
      MPI_Sendrecv(out.data(), int(out.size()), MPI_BYTE, next, 0, in.data(), int(in.size()), MPI_BYTE, before, 0,
                   distributed::communicator_of(ranks), MPI_STATUS_IGNORE);
    });
    if (ranks.rank() == 0)
      std::printf("halo of %lld: to %d ranks, %.0f kB sent, %.0f kB within; fill %.3f ms, add %.3f ms, one message of "
                  "as much %.3f ms\n",
                  static_cast<long long>(width), cost.sent_to, 8e-3 * double(cost.points_sent),
                  8e-3 * double(cost.points_within), fill, add, floor);
  }
  maps(domain, c);
  auto particles = distributed::RankParticles(c.x, c.y, c.z, c.id).with(c.v);
  double moved = 0;
  const double shift = 0.5 * domain.whole().axis(2).spacing;
  const double migrate = time_of(ranks, [&] {
    for (double& z : c.z) z += shift;
    moved = double(distributed::migrate(domain, particles).left);
  });
  const double none = time_of(ranks, [&] { distributed::migrate(domain, particles); });
  moved = distributed::sum(ranks, moved) / ranks.size();
  if (ranks.rank() == 0)
    std::printf("migrate %.1f ms with %.0f leaving a rank, %.1f ms with none\n", migrate, moved, none);
}

} // namespace corral::test
