#include "fluid/domain.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace corral::fluid {

std::string_view name(SideKind kind) {
  constexpr std::array<std::string_view, 5> names{"no_slip", "free_slip", "symmetry", "outlet", "periodic"};
  return names[static_cast<std::size_t>(kind)];
}

double middle_velocity(const Inlet& inlet) {
  std::array<double, 3> middle{};
  for (std::size_t d = 0; d < 3; ++d) middle[d] = 0.5 * (inlet.region.low[d] + inlet.region.high[d]);
  return inlet.velocity(middle);
}

double area(const Inlet& inlet) {
  double area = 1;
  for (std::size_t d = 0; d < 3; ++d)
    if (static_cast<int>(d) != inlet.side / 2) area *= inlet.region.high[d] - inlet.region.low[d];
  return area;
}

Grid Domain::make_grid(std::array<std::int64_t, 3> cells, std::array<double, 3> origin, std::array<double, 3> size,
                       const std::array<SideKind, 6>& sides) {
  std::array<Axis, 3> axes;
  for (std::size_t d = 0; d < 3; ++d) {
    const auto boundary = [&](bool high) {
      return sides[2 * d + (high ? 1 : 0)] == SideKind::periodic ? Boundary::periodic : Boundary::wall;
    };
    axes[d] = {cells[d], origin[d], size[d] / static_cast<double>(cells[d]), boundary(false), boundary(true)};
  }
  return Grid(axes);
}

namespace {

/// Of a part: at ends that the whole does not have stand walls, unless the part wraps as the whole does.
std::array<SideKind, 6> sides_of_part(const distributed::SharedGrid& shared, std::array<SideKind, 6> sides) {
  for (int d = 0; d < 3; ++d) {
    if (shared.box().axis(d).periodic()) continue;
    if (shared.own_begin(d) > 0) sides[static_cast<std::size_t>(side(d, false))] = SideKind::no_slip;
    if (shared.own_end(d) < shared.box().axis(d).cells) sides[static_cast<std::size_t>(side(d, true))] = SideKind::no_slip;
  }
  return sides;
}

std::vector<Inlet> inlets_of_part(const distributed::SharedGrid& shared, std::vector<Inlet> inlets) {
  std::erase_if(inlets, [&](const Inlet& inlet) {
    const int d = inlet.side / 2;
    return inlet.side % 2 == 0 ? shared.own_begin(d) > 0 : shared.own_end(d) < shared.box().axis(d).cells;
  });
  return inlets;
}

} // namespace

Domain::Domain(const Grid& grid, std::array<SideKind, 6> sides, std::vector<Inlet> inlets,
               const std::vector<std::uint8_t>& blocked)
    : Domain(grid, sides, sides, std::move(inlets), nullptr, blocked) {}

Domain::Domain(const distributed::SharedGrid& shared, std::array<SideKind, 6> sides, std::vector<Inlet> inlets)
    : Domain(shared.box(), sides_of_part(shared, sides), sides, std::move(inlets), &shared, {}) {}

Domain::Domain(const Grid& grid, std::array<SideKind, 6> sides, std::array<SideKind, 6> whole_sides, std::vector<Inlet> inlets,
               const distributed::SharedGrid* shared, const std::vector<std::uint8_t>& blocked)
    : grid_(grid), shared_(shared), sides_(sides), whole_sides_(whole_sides) {
  for (const Inlet& inlet : inlets) whole_has_inlet_[static_cast<std::size_t>(inlet.side)] = true;
  inlets_ = shared ? inlets_of_part(*shared, std::move(inlets)) : std::move(inlets);
  for (int d = 0; d < 3; ++d) {
    const auto e = static_cast<std::size_t>(d);
    own_.begin[e] = shared ? shared->own_begin(d) : 0;
    own_.end[e] = shared ? shared->own_end(d) : grid.axis(d).cells;
  }
  for (int d = 0; d < 3; ++d)
    if ((side_kind(side(d, false)) == SideKind::periodic) != grid.axis(d).periodic())
      throw Error(std::string("side ") + std::string(side_names[2 * d]) +
                  " and the grid disagree (one of them is periodic) make the grid with Domain::make_grid");
  check_inlets();
  set_boundary_faces();
  set_blocked_cells(blocked);
  set_time(0);
}

namespace {

template <class T, std::size_t n> std::array<const T*, n> each_data(const std::array<Array<T>, n>& arrays) {
  std::array<const T*, n> all{};
  for (std::size_t k = 0; k < n; ++k) all[k] = arrays[k].empty() ? nullptr : arrays[k].data();
  return all;
}

template <class T, std::size_t n> std::array<Array<T>, n> on_device(const std::array<Array<T>, n>& arrays) {
  std::array<Array<T>, n> all;
  for (std::size_t k = 0; k < n; ++k) all[k] = Array<T>(arrays[k].span(), Memory::device);
  return all;
}

} // namespace

DomainView Domain::view(Memory memory) const {
  const bool here = memory != Memory::device;
  if (!here && !sent_) throw Error("a domain that is not on the device (its arrays lie on the host) send() it");
  return {.grid = grid_,
          .sides = sides_,
          .has_closed_faces = has_closed_faces_,
          .marks = each_data(here ? mark_ : sent_->mark),
          .given_velocities = each_data(here ? given_ : sent_->given),
          .blocked = !has_closed_faces_ ? nullptr : here ? blocked_.data() : sent_->blocked.data()};
}

void Domain::send() {
  if (!sent_) {
    sent_.emplace(Sent{on_device(mark_), on_device(given_), Array<std::uint8_t>(blocked_.span(), Memory::device)});
    return;
  }
  for (std::size_t side = 0; side < 6; ++side)
    if (!given_[side].empty()) sent_->given[side].assign(given_[side].span());
}

bool Domain::closed() const { return std::find(sides_.begin(), sides_.end(), SideKind::outlet) == sides_.end(); }

void Domain::set_wall_velocity(int side, const std::array<double, 3>& velocity) {
  const auto i = static_cast<std::size_t>(side);
  const std::string what = "a velocity of side " + std::string(side_names.at(i));
  if (whole_sides_[i] != SideKind::no_slip)
    throw Error(what + ", which is " + std::string(name(whole_sides_[i])) + " (only no_slip walls take the fluid along)");
  if (velocity[i / 2] != 0)
    throw Error(what + " along its normal (walls slide along themselves; an inlet lets fluid in)");
  for (const double u : velocity)
    if (!std::isfinite(u)) throw Error(what + " that is not finite");
  whole_wall_velocity_[i] = velocity;
  if (has_side(side)) wall_velocity_[i] = velocity;
}

void Domain::set_boundary_faces() {
  for (int d = 0; d < 3; ++d) {
    auto& mark = mark_[d];
    mark.resize(grid_.points(face(d)), static_cast<std::uint8_t>(FaceKind::interior));
    for_each_face(Cpu{}, grid_, d, [&](const Face& f) {
      if (!f.boundary()) return;
      const bool outlet = side_kind(side(d, f.above < 0)) == SideKind::outlet;
      const auto kind = static_cast<std::uint8_t>(outlet ? FaceKind::outlet : FaceKind::fixed);
      mark[f.index] = static_cast<std::uint8_t>(kind | FaceMark::on_side);
    });
  }
}

void Domain::check_inlets() const {
  for (const Inlet& inlet : inlets_) {
    const SideKind kind = side_kind(inlet.side);
    if (kind == SideKind::outlet || kind == SideKind::periodic)
      throw Error("inlet " + inlet.name + " lies on " +
                  std::string(side_names[inlet.side]) + ", which is " +
                  std::string(name(kind)) + " (an inlet is part of a wall)");
  }
}

void Domain::set_time(double time) {
  time_ = time;
  std::vector<double> factors;
  for (const Inlet& inlet : inlets_) factors.push_back(inlet.schedule.at(time));
  if (factors == factors_) return;
  factors_ = std::move(factors);
  set_given_velocity();
}

void Domain::set_given_velocity() {
  for (const Inlet& inlet : inlets_) {
    const int d = inlet.side / 2;
    given_[inlet.side].resize(grid_.points(face(d)) / grid_.points(face(d), d));
    given_[inlet.side].fill(0);
  }
  for (std::size_t k = 0; k < inlets_.size(); ++k) {
    const int d = inlets_[k].side / 2;
    const bool high = inlets_[k].side % 2 == 1;
    for_each_face(Cpu{}, grid_, d, [&](const Face& f) {
      const PlaceOnSide at = place_on_side(grid_, d, f.index);
      if (at.side != inlets_[k].side) return;
      const double flow = inlet_flow(inlets_[k], f, factors_[k]);
      given_[at.side][at.number] += high ? -flow : flow;
    });
  }
}

double Domain::inlet_flow(const Inlet& inlet, const Face& f, double factor) const {
  const int d = inlet.side / 2;
  if (!f.boundary() || (f.above < 0) != (inlet.side % 2 == 1) || aperture(d, f.index) == 0) return 0;
  const double share = inlet_share(inlet, f.place);
  if (share == 0) return 0;
  std::array<double, 3> centre{};
  for (int e = 0; e < 3; ++e) {
    const Axis& a = whole().axis(e);
    const double place = e != d ? static_cast<double>(in_whole(e, f.place[e])) + 0.5 : inlet.side % 2 == 1 ? static_cast<double>(a.cells) : 0;
    centre[e] = a.origin + place * a.spacing;
  }
  return share * (factor * inlet.velocity(centre));
}

double Domain::inlet_share(const Inlet& inlet, const std::array<std::int64_t, 3>& place) const {
  double share = 1;
  for (int e = 0; e < 3; ++e) {
    if (e == inlet.side / 2) continue;
    const Axis& a = whole().axis(e);
    const double low = a.origin + static_cast<double>(in_whole(e, place[e])) * a.spacing;
    const double covered = std::min(low + a.spacing, inlet.region.high[e]) - std::max(low, inlet.region.low[e]);
    const double part = std::clamp(covered / a.spacing, 0.0, 1.0);
    share *= part > 1 - 1e-9 ? 1.0 : part < 1e-9 ? 0.0 : part; // an edge on a face line is meant to lie on it
  }
  return share;
}

void Domain::set_blocked_cells(const std::vector<std::uint8_t>& blocked) {
  if (blocked.empty()) return;
  if (static_cast<std::int64_t>(blocked.size()) != grid_.cells())
    throw Error(std::to_string(blocked.size()) + " flags of blocked cells (the grid has " +
                std::to_string(grid_.cells()) + " cells)");
  const auto is_blocked = [&](std::int64_t cell) { return cell >= 0 && blocked[cell] != 0; };
  for (int d = 0; d < 3; ++d)
    for_each_face(Cpu{}, grid_, d, [&](const Face& f) {
      if (!is_blocked(f.below) && !is_blocked(f.above)) return;
      std::uint8_t& mark = mark_[d][f.index];
      mark = static_cast<std::uint8_t>((mark & FaceMark::on_side) | FaceMark::closed | static_cast<std::uint8_t>(FaceKind::fixed));
    });
  blocked_.assign(blocked);
  for (std::int64_t c = 0; c < grid_.cells(); ++c) has_closed_faces_ = has_closed_faces_ || is_blocked(c);
}

} // namespace corral::fluid
