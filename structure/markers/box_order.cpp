#include "structure/markers/box_order.hpp"

#include <corral/for_each.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace corral::structure {

namespace {

using distributed::part_of_axis;
using distributed::Stretch;

Axis own_axis(const Axis& whole, const MappedBox::Along& a) { return a.cut ? part_of_axis(whole, a.begin, a.begin + a.own) : whole; }

Grid own_grid(const Grid& whole, const MappedBox& box) {
  return Grid({own_axis(whole.axis(0), box.along[0]), own_axis(whole.axis(1), box.along[1]), own_axis(whole.axis(2), box.along[2])});
}

/// Parts of an axis, each with the place of its first cell.
struct PartAlong {
  Axis axis;
  std::int64_t first;
};
std::vector<PartAlong> parts_along(const Axis& whole, const MappedBox::Along& a, std::int64_t reach) {
  if (!a.cut && !a.turns) return {{whole, 0}};
  std::vector<PartAlong> all;
  for (const Stretch& s : distributed::stretches(whole, a.begin, a.begin + a.own, reach))
    all.push_back({part_of_axis(whole, s.begin, s.end), s.first});
  return all;
}

std::vector<BoxOrder::Pass> make_passes(const Grid& whole, const MappedBox& box) {
  std::array<std::vector<PartAlong>, 3> along;
  for (std::size_t d = 0; d < 3; ++d) along[d] = parts_along(whole.axis(static_cast<int>(d)), box.along[d], box.ghosts);
  std::vector<BoxOrder::Pass> passes; // in the order in which a grid folds
  for (const PartAlong& z : along[2])
    for (const PartAlong& y : along[1])
      for (const PartAlong& x : along[0])
        passes.push_back({{x.first, y.first, z.first}, CellOrder<double>(Grid({x.axis, y.axis, z.axis}))});
  return passes;
}

/// Cells [low, high) of the whole, and a little more, along an axis on which places may wrap.
struct Near {
  double origin, per_cell, cells, low, high;
  bool all, wraps;

  Near(const Axis& axis, const MappedBox::Along& a, std::int64_t reach)
      : origin(axis.origin), per_cell(1 / axis.spacing), cells(static_cast<double>(axis.cells)),
        low(static_cast<double>(a.begin - reach - 1)), high(static_cast<double>(a.begin + a.own + reach + 1)), all(!a.cut),
        wraps(axis.periodic()) {}
  bool operator()(double x) const {
    if (all) return std::isfinite(x);
    double i = (x - origin) * per_cell - low;
    if (wraps) i -= cells * std::floor(i / cells);
    return i >= 0 && i <= high - low;
  }
};

} // namespace

MappedBox::MappedBox(const distributed::SharedGrid& shared) {
  bool any = false, before = false; // an axis is cut; one that wraps, before this one
  for (int d = 0; d < 3; ++d) {
    const Axis& whole = shared.whole().axis(d);
    Along& a = along[static_cast<std::size_t>(d)];
    const std::int64_t below = shared.own_begin(d), above = shared.box().axis(d).cells - shared.own_end(d);
    a.begin = shared.first(d) + below;
    a.own = shared.own_end(d) - below;
    a.cut = a.own != whole.cells;
    a.ghosts = std::max(below, above);
    if (a.cut) ghosts = any ? std::min(ghosts, a.ghosts) : a.ghosts, any = true;
    a.turns = distributed::wraps(whole) && (a.cut || before);
    before = before || a.turns;
  }
}

BoxOrder::BoxOrder(const distributed::SharedGrid& shared)
    : team_(shared.team()), whole_(shared.whole()), box_(shared), own_(own_grid(whole_, box_)), passes_(make_passes(whole_, box_)) {}

/// Some more than have to be: orders leave out those that do not count.
void BoxOrder::find_members(Cpu cpu, const ConstPoints& x, std::int64_t n) {
  const Near near_x(whole_.axis(0), box_.along[0], box_.ghosts), near_y(whole_.axis(1), box_.along[1], box_.ghosts),
      near_z(whole_.axis(2), box_.along[2], box_.ghosts);
  select(cpu, n, [=](std::int64_t i) { return near_x(x[0][i]) && near_y(x[1][i]) && near_z(x[2][i]); }, members_);
  for (std::size_t d = 0; d < 3; ++d) {
    places_[d].resize(members_.size());
    for_each(cpu, members_.size(), [to = places_[d].data(), from = x[d], of = members_.data()](std::int64_t i) { to[i] = from[of[i]]; });
  }
}

std::int64_t BoxOrder::sort(Cpu cpu, const ConstPoints& x, std::int64_t n) {
  size_ = n;
  find_members(cpu, x, n);
  const Positions<double> places = positions(places_[0].data(), places_[1].data(), places_[2].data(), members_.size());
  const auto inside = static_cast<double>(own_.sort(cpu, places).inside);
  for (Pass& pass : passes_) pass.order.sort(cpu, places);
  return std::llround(team_.sums({&inside, 1}).front());
}

} // namespace corral::structure
