#include "distributed/maps/passes.hpp"

#include <corral/for_each.hpp>
#include <corral/method.hpp>

#include <algorithm>

namespace corral::distributed {
namespace {

std::vector<Stretch> stretches_of(const Domain& domain, int d, std::int64_t reach) {
  return stretches(domain.whole().axis(d), domain.begin(d), domain.end(d), reach);
}

template <class T> Positions<T> gathered(const ParticlesAround<T>& particles, const Array<std::int64_t>& members,
                                         std::array<Array<T>, 3>& to) {
  const std::array<const Array<T>*, 3> from{&particles.x, &particles.y, &particles.z};
  for (std::size_t d = 0; d < 3; ++d) {
    to[d].resize(members.size());
    for_each(Cpu{}, members.size(), [&](std::int64_t i) { to[d][i] = (*from[d])[members[i]]; });
  }
  return corral::positions(to[0].data(), to[1].data(), to[2].data(), members.size());
}

/// Brings members, sorted by cell, into the order of their ids within each.
template <class T> void order_by_id(const CellOrder<T>& order, const ParticlesAround<T>& particles,
                                    Array<std::int64_t>& members, std::string& problem) {
  struct Numbered {
    std::uint64_t id;
    std::int64_t member;
  };
  const OrderView<T> view = order.view(Cpu{});
  Array<Numbered> sorted(members.size());
  for_each(Cpu{}, members.size(), [&](std::int64_t i) {
    const std::int64_t member = members[view.source(i)];
    sorted[i] = {particles.id[member], member};
  });
  for_each(Cpu{}, view.group_count(), [&](std::int64_t g) {
    std::sort(sorted.begin() + view.group_begin(g), sorted.begin() + view.group_begin(g + 1),
              [](const Numbered& a, const Numbered& b) { return a.id < b.id; });
  });
  for (std::int64_t g = 0; g < view.group_count(); ++g)
    for (std::int64_t i = view.group_begin(g) + 1; i < view.group_begin(g + 1); ++i)
      if (sorted[i - 1].id == sorted[i].id && problem.empty())
        problem = "two particles with the id " + std::to_string(sorted[i].id) +
                  " in one cell (ids give sums their order) number them";
  for_each(Cpu{}, members.size(), [&](std::int64_t i) { members[i] = sorted[i].member; });
}

/// Those of `among` whose cells lie within a stretch along axis d.
template <class T> Array<std::int64_t> within(const Stretch& stretch, std::size_t d,
                                              const ParticlesAround<T>& particles, const Array<std::int64_t>& among) {
  Array<std::int64_t> found;
  select(
      Cpu{}, among.size(),
      [&](std::int64_t k) {
        const auto& cell = particles.cell[among[k]];
        return cell[0] >= 0 && cell[d] >= stretch.begin && cell[d] < stretch.end;
      },
      found);
  for_each(Cpu{}, found.size(), [&](std::int64_t i) { found[i] = among[found[i]]; });
  return found;
}

template <class T> Pass<T> make_pass(const Domain& domain, const ParticlesAround<T>& particles,
                                     Array<std::int64_t> members, const std::array<Stretch, 3>& along,
                                     std::string& problem) {
  const auto axis = [&](int d) {
    return domain.part_of_axis(d, along[static_cast<std::size_t>(d)].begin, along[static_cast<std::size_t>(d)].end);
  };
  const Grid grid({axis(0), axis(1), axis(2)});
  Pass<T> pass{{along[0].first, along[1].first, along[2].first}, CellOrder<T>(grid), std::move(members)};
  std::array<Array<T>, 3> coordinates;
  pass.order.sort(Cpu{}, gathered(particles, pass.members, coordinates));
  order_by_id(pass.order, particles, pass.members, problem);
  pass.order.sort(Cpu{}, gathered(particles, pass.members, coordinates));
  pass.order.forget_permutation();
  return pass;
}

/// The particles that some turn may bring again.
template <class T> Array<std::int64_t> brought_again(const ParticlesAround<T>& particles,
                                                     const std::array<std::vector<Stretch>, 3>& along) {
  Array<std::int64_t> found;
  select(
      Cpu{}, particles.size(),
      [&](std::int64_t i) {
        const auto& cell = particles.cell[i];
        for (std::size_t d = 0; d < 3; ++d)
          for (std::size_t s = 1; s < along[d].size(); ++s)
            if (cell[d] >= along[d][s].begin && cell[d] < along[d][s].end) return true;
        return false;
      },
      found);
  return found;
}

} // namespace

template <class T> std::vector<Pass<T>> make_passes(const Domain& domain, std::int64_t reach,
                                                    const ParticlesAround<T>& particles, std::string& problem) {
  const std::array along{stretches_of(domain, 0, reach), stretches_of(domain, 1, reach), stretches_of(domain, 2, reach)};
  std::vector<Pass<T>> passes;
  const auto add = [&](Array<std::int64_t> members, const std::array<Stretch, 3>& stretch) {
    if (!members.empty()) passes.push_back(make_pass(domain, particles, std::move(members), stretch, problem));
  };
  Array<std::int64_t> direct;
  select(
      Cpu{}, particles.size(), [](std::int64_t) { return true; }, direct);
  for (std::size_t d = 0; d < 3; ++d) direct = within(along[d][0], d, particles, direct);
  const Array<std::int64_t> again = brought_again(particles, along);
  for (const Stretch& z : along[2]) {
    const Array<std::int64_t> in_z = within(z, 2, particles, again);
    for (const Stretch& y : along[1]) {
      const Array<std::int64_t> in_y = within(y, 1, particles, in_z);
      for (const Stretch& x : along[0]) {
        const bool is_direct = &x == along[0].data() && &y == along[1].data() && &z == along[2].data();
        add(is_direct ? std::move(direct) : within(x, 0, particles, in_y), {x, y, z});
      }
    }
  }
  return passes;
}

template <class T>
void spread_passes(std::vector<Pass<T>>& passes, const KernelWeights<T>& kernel, std::span<const PassTerm<T>> terms) {
  Array<T> values;
  std::vector<Spread<T>> spreads(terms.size());
  for (Pass<T>& pass : passes) {
    const std::int64_t n = pass.members.size();
    values.resize(n * static_cast<std::int64_t>(terms.size()));
    for (std::size_t t = 0; t < terms.size(); ++t) {
      T* const column = values.data() + n * static_cast<std::int64_t>(t);
      for_each(Cpu{}, n, [&](std::int64_t i) { column[i] = (*terms[t].values)[pass.members[i]]; });
      FieldView<T> field = terms[t].field;
      field.data = &field(pass.first[0], pass.first[1], pass.first[2]);
      field.extent = {}; // the pass has its own part's
      spreads[t] = {{column, n, 1}, field};
    }
    // The one method whose sums have the order of particles alone, wherever the part begins and ends.
    corral::detail::spread<T>(Cpu{}, pass.order, kernel, spreads, Method::serial);
  }
}

template std::vector<Pass<float>> make_passes(const Domain&, std::int64_t, const ParticlesAround<float>&, std::string&);
template std::vector<Pass<double>> make_passes(const Domain&, std::int64_t, const ParticlesAround<double>&,
                                               std::string&);
template void spread_passes(std::vector<Pass<float>>&, const KernelWeights<float>&, std::span<const PassTerm<float>>);
template void spread_passes(std::vector<Pass<double>>&, const KernelWeights<double>&,
                            std::span<const PassTerm<double>>);

} // namespace corral::distributed
