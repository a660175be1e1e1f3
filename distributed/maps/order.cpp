#include "distributed/maps/order.hpp"

#include "distributed/halo.hpp"
#include "distributed/maps/passes.hpp"
#include "distributed/particles/owner.hpp"

#include <corral/error.hpp>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace corral::distributed {

template <class T> struct RankOrder<T>::Data {
  Data(const Domain& whole, int widest_kernel, Sums how, std::array<Offset, 3> offset)
      : domain(whole), widest(widest_kernel), sums(how), own(whole.part(), offset) {}

  Domain domain;
  int widest;
  Sums sums;
  CellOrder<T> own;
  std::int64_t size = 0;
  std::map<std::pair<Staggering, std::int64_t>, Halo> halos; ///< of the fields that have come: staggering and ghosts
  std::optional<ParticlesAround<T>> around;
  std::vector<Pass<T>> passes;

  /// Points that stencils reach to either side of a cell.
  std::int64_t reach() const { return (widest + 1) / 2; }

  const Halo& halo(const FieldView<T>& field) {
    const std::pair key(field.staggering, field.ghosts);
    const auto found = halos.find(key);
    return found != halos.end() ? found->second
                                : halos.emplace(key, Halo(domain, field.staggering, field.ghosts)).first->second;
  }

  /// All fields of a staggering at once.
  void add_ghosts(std::span<const Spread<T>> terms) {
    std::map<const Halo*, std::vector<FieldView<T>>> fields_of;
    std::vector<const Halo*> in_order; // of the terms, which is that of all ranks
    for (const Spread<T>& term : terms) {
      std::vector<FieldView<T>>& fields = fields_of[&halo(term.field)];
      if (fields.empty()) in_order.push_back(&halo(term.field));
      fields.push_back(term.field);
    }
    for (const Halo* const one : in_order) one->add(std::span<const FieldView<T>>(fields_of[one]));
  }
};

namespace {

/// A field of the part with room for passes, which begins at 0. An axis of one cell has nothing around it.
template <class T> struct PassField {
  PassField(const Domain& domain, const FieldView<T>& like, std::int64_t reach) {
    view = {nullptr, like.staggering, {}, like.wall_sign, ghosts_of_passes(reach), {}};
    std::int64_t size = 1, first = 0;
    for (int d = 0; d < 3; ++d) {
      const std::int64_t around = domain.whole().axis(d).thin() ? 0 : view.ghosts;
      view.stride[static_cast<std::size_t>(d)] = size;
      first += around * size;
      size *= domain.part().points(like.staggering, d) + 2 * around;
    }
    memory.resize(size, T(0));
    view.data = memory.data() + first;
  }
  Array<T> memory;
  FieldView<T> view;
};

/// to += from, at the points that the rank owns.
template <class T> void add_owned(const Domain& domain, const FieldView<T>& from, const FieldView<T>& to) {
  const auto n = [&](int d) { return domain.owned_points(to.staggering, d); };
  const std::int64_t nx = n(0), ny = n(1);
  for_each(Cpu{}, ny * n(2), [&](std::int64_t row) {
    for (std::int64_t i = 0; i < nx; ++i) to(i, row % ny, row / ny) += from(i, row % ny, row / ny);
  });
}

template <class T> std::string strangers(const Domain& domain, const Array<std::array<std::int64_t, 3>>& cells,
                                         const Column<const std::uint64_t>& ids) {
  std::int64_t count = 0, first = -1;
  for (std::int64_t i = 0; i < cells.size(); ++i)
    if (cells[i][0] >= 0 && !domain.has(cells[i])) {
      if (count++ == 0) first = i;
    }
  if (count == 0) return {};
  return std::to_string(count) + " particles lie in other ranks' parts, the one with id " + std::to_string(ids[first]) +
         " in that of rank " + std::to_string(domain.owner(cells[first])) + " (each rank sorts its own) migrate first";
}

} // namespace

template <class T>
RankOrder<T>::RankOrder(const Domain& domain, int widest_kernel, Sums sums, std::array<Offset, 3> offset) {
  domain.ranks().together([&] {
    if (widest_kernel < 1 || widest_kernel > 64)
      throw Error("an order for kernels of " + std::to_string(widest_kernel) + " points (there are those of 1 to 64)");
    data_ = std::make_unique<Data>(domain, widest_kernel, sums, offset);
  });
}
template <class T> RankOrder<T>::~RankOrder() = default;
template <class T> RankOrder<T>::RankOrder(RankOrder&&) noexcept = default;
template <class T> RankOrder<T>& RankOrder<T>::operator=(RankOrder&&) noexcept = default;

template <class T> CellOrder<T>& RankOrder<T>::own() { return data_->own; }
template <class T> std::int64_t RankOrder<T>::ghosts() const { return data_->reach(); }
template <class T> std::int64_t RankOrder<T>::ghost_particles() const {
  return data_->around ? data_->around->ghosts() : 0;
}

template <class T>
SortCounts RankOrder<T>::sort(const Positions<T>& positions, const Column<const std::uint64_t>& ids) {
  Data& d = *data_;
  const Ranks& ranks = d.domain.ranks();
  SortCounts counts;
  Array<std::array<std::int64_t, 3>> cells;
  ranks.together([&] {
    if (ids.size != positions.size())
      throw Error(std::to_string(ids.size) + " ids for " + std::to_string(positions.size()) +
                  " particles (one for each)");
    counts = d.own.sort(Cpu{}, positions); // which looks at the columns, too
    if (d.sums == Sums::halo_add && counts.outside == 0) return;
    cells = cells_of(d.domain.whole(), positions);
    if (const std::string problem = strangers<T>(d.domain, cells, ids); !problem.empty()) throw Error(problem);
  });
  d.size = positions.size();
  if (d.sums == Sums::halo_add) return counts;
  d.passes.clear();
  d.around = particles_around(d.domain, d.reach(), positions, ids, std::move(cells));
  std::string problem;
  d.passes = make_passes(d.domain, d.reach(), *d.around, problem);
  ranks.agree(problem);
  return counts;
}

namespace {

template <class Data, class Weights> void require_kernel(const Data& d, const Weights& kernel) {
  if (kernel.widest() > d.widest)
    throw Error("a kernel of " + std::to_string(kernel.widest()) + " points (the order is for kernels of at most " +
                std::to_string(d.widest) + ") say so where it is made");
}

template <class T, class U> void require_field(const FieldView<U>& field, std::int64_t ghosts) {
  if (field.ghosts < ghosts)
    throw Error("a " + std::string(name(field.staggering)) + " field with " + std::to_string(field.ghosts) +
                " ghosts (the order's kernels reach " + std::to_string(ghosts) + " points beyond a part)");
}

template <class U> void require_column(const Column<U>& column, std::int64_t size) {
  if (column.size != size)
    throw Error("a column of " + std::to_string(column.size) + " values (the order holds " + std::to_string(size) +
                " particles)");
  if (column.data == nullptr && size > 0) throw Error("a column without memory (its pointer is null)");
}

} // namespace

template <class T> void RankOrder<T>::spread_by(const KernelWeights<T>& kernel, std::span<const Spread<T>> terms) {
  Data& d = *data_;
  require_kernel(d, kernel);
  for (const Spread<T>& term : terms) {
    require_field<T>(term.field, ghosts());
    require_column(term.column, d.size);
  }
  if (d.sums == Sums::halo_add) {
    for (const Spread<T>& term : terms) d.halo(term.field).clear(term.field);
    corral::detail::spread<T>(Cpu{}, d.own, kernel, terms, Method::automatic);
    d.add_ghosts(terms);
    return;
  }
  if (!d.around) throw Error("a spread before a sort (an order holds no particles at first) sort them");
  std::vector<Array<T>> values(terms.size());
  for (std::size_t t = 0; t < terms.size(); ++t) {
    values[t].resize(d.size);
    for_each(Cpu{}, d.size, [&](std::int64_t i) { values[t][i] = terms[t].column[i]; });
  }
  d.around->extend(values);
  std::vector<PassField<T>> fields;
  std::vector<PassTerm<T>> passed;
  for (std::size_t t = 0; t < terms.size(); ++t) fields.emplace_back(d.domain, terms[t].field, d.reach());
  for (std::size_t t = 0; t < terms.size(); ++t) passed.push_back({&values[t], fields[t].view});
  spread_passes(d.passes, kernel, std::span<const PassTerm<T>>(passed));
  for (std::size_t t = 0; t < terms.size(); ++t) add_owned(d.domain, fields[t].view, terms[t].field);
}

template <class T>
void RankOrder<T>::interpolate_by(const KernelWeights<T>& kernel, std::span<const Interpolate<T>> terms) {
  Data& d = *data_;
  require_kernel(d, kernel);
  for (const Interpolate<T>& term : terms) {
    require_field<T>(term.field, ghosts());
    require_column(term.column, d.size);
  }
  // Of these a particle's value doesn't depend on where a part begins; `automatic` chooses by what a part holds.
  const Method exact = kernel.linear ? Method::cells : Method::tiles;
  corral::detail::interpolate<T>(Cpu{}, d.own, kernel, terms, d.sums == Sums::whole_order ? exact : Method::automatic);
}

template class RankOrder<float>;
template class RankOrder<double>;

} // namespace corral::distributed
