#include "fluid/lattice/device/populations.hpp"

#include "fluid/lattice/device/launches.hpp"
#include "fluid/lattice/device/on_device.cuh"
#include "fluid/lattice/device/sums.hpp"
#include "fluid/lattice/placed_flow.hpp"

#include <corral/error.hpp>
#include <corral/for_each.cuh>

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace corral::fluid::lattice {

namespace {

/// Faces of sides that act, one side after the other.
template <class T> struct ReturningView {
  BoxView box;
  SidesView sides;
  T* values;
  std::uint32_t end[6]; ///< of a side's faces

  CORRAL_HOST_DEVICE CellPlace beside(int side, std::uint32_t face) const {
    const std::uint32_t last = box.n[side / 2] - 1, at = side % 2 == 0 ? 0 : last;
    const std::uint32_t along = side < 2 ? box.n[1] : box.n[0], one = face % along, other = face / along;
    return side < 2 ? box.at(at, one, other) : side < 4 ? box.at(one, at, other) : box.at(one, other, at);
  }
};

/// Puts what returns from sides into the place of what left for them, so that a step need not know of them: a thread a
/// face. What meets several is the first one's that acts.
template <class T, class A> __global__ void __launch_bounds__(look_threads, 1) return_global(const ReturningView<T> view) {
  const std::uint32_t number = blockIdx.x * look_threads + threadIdx.x;
  int side = 0;
  while (side < 6 && number >= view.end[side]) ++side;
  if (side == 6) return;
  const CellPlace p = view.beside(side, number - (side == 0 ? 0 : view.end[side - 1]));
  const Link* const links = view.box.links_of(p.kind);
  T* const own = view.values + view.box.own(p);
  for (int q = 1; q < view.box.layout.count; ++q) {
    const Link& link = links[q];
    const std::uint32_t acting = link.meets & view.sides.acting, below = (1u << side) - 1;
    if ((acting >> side & 1) == 0 || (acting & below) != 0) continue;
    own[link.from] = static_cast<T>(view.sides.returned(view.box, link, p, static_cast<A>(own[link.from])));
  }
}

constexpr std::int64_t most_threads = std::numeric_limits<std::uint32_t>::max() - 1024;
static_assert(most_threads == most_cells_of_a_device);

/// What is compiled for each set of velocities.
template <class T, class A> struct OfSet {
  int count;
  std::vector<Link> (*links)(const Walls&, const Layout&, Scheme, bool in_own_cells);
  void (*step)(Gpu, const StepView<T, A>&, const Rule<A>&);
  void (*look)(Gpu, const LookView<T, A>&);

  template <class Set> static OfSet of() {
    return {Set::count, lattice::links<Set>, launch_step<Set, T, A>, launch_look<Set, T, A>};
  }
};

/// Populations kept as T and computed with as A.
template <class T, class A> class DevicePopulationsOf final : public DevicePopulations {
public:
  DevicePopulationsOf(const PopulationsSetup& setup, Sides& sides, const OfSet<T, A>& set)
      : units_(setup.units), p_(setup.properties), set_(set), rule_{p_.collision, setup.relaxation<A>(), true}, sides_(sides),
        layout_(Layout::of(sides.walls().cells, set.count, sizeof(T))), now_(layout_.size(), Memory::device) {
    now_.zero();
    if (p_.scheme == Scheme::two_lattices) next_ = Array<T>(now_.size(), Memory::device);
    for (const bool own : {false, true}) {
      links_[own] = set.links(sides.walls(), layout_, p_.scheme, own);
      device_links_[own] = Array<Link>(std::span<const Link>(links_[own]), Memory::device);
    }
    fastest_ = Array<A>(3 * std::int64_t{blocks_for({nullptr, box().cells, 1}, collide_threads)}, Memory::device);
    for (int s = 0; s < 6; ++s)
      if (sides.outlet(s))
        for (auto& component : outlets_[s]) component = Array<double>(static_cast<std::int64_t>(faces(s)), 0.0, Memory::device);
  }

  void step(Gpu gpu, const RowParts* forced, const ConstFacePointers& force, const FacePointers& velocity) override {
    if (!elsewhere_done_ || apart_.count > 0) {
      StepView<T, A> view = step_view(gpu, force, velocity);
      if (elsewhere_done_) {
        view.cells = apart_;
        view.fastest = fastest_apart_.renew(3 * std::int64_t{blocks_for(apart_, collide_threads)}, gpu.stream);
      } else if (forced && force != ConstFacePointers{}) {
        view.force.where = announced(*forced) ? to_come(gpu).where : forced_.update(gpu, *forced, rows());
      }
      set_.step(gpu, view, rule_);
    }
    to_come_.reset();
    if (!next_.empty()) now_.swap(next_);
    was_in_two_ = std::exchange(elsewhere_done_, false);
    has_moved_ = true;
    ++steps;
  }

  void begin_step(RowParts forced) override { to_come_ = ToCome{forced, {}, {}}; }
  void step_elsewhere(Gpu gpu, const FacePointers& velocity) override {
    StepView<T, A> view = step_view(gpu, {}, velocity);
    view.apart = to_come(gpu).where;
    apart_ = to_come(gpu).cells;
    set_.step(gpu, view, rule_);
    elsewhere_done_ = true;
  }

  void find(Gpu gpu, const RowParts* parts, const ConstFacePointers& force, const FacePointers& velocity,
            double* pressure) const override {
    if (parts && parts->empty()) return;
    LookView<T, A> view;
    view.box = box();
    if (parts) view.cells = announced(*parts) ? to_come(gpu).cells : cells_of(looked_at_.update(gpu, *parts), *parts);
    else view.cells.count = view.box.cells;
    view.sides = sides_view(gpu);
    view.from = now_.data();
    view.force = force_view(force);
    view.velocity = velocity_view(velocity);
    view.pressure = pressure;
    view.pressure_unit = units_.pressure();
    set_.look(gpu, view);
  }

  Populations::Totals totals(Gpu gpu) const override {
    return accumulate(gpu, box().cells, Populations::Totals{}, AddArriving<T, A>{lattice_view(gpu)}, AddTotals{});
  }
  std::array<double, 3> given_by_sides(Gpu gpu) const override {
    const auto& kinds = sides_.walls().kinds;
    if (std::all_of(std::begin(kinds), std::end(kinds), [](SideKind kind) { return kind == SideKind::periodic; })) return {};
    return accumulate(gpu, box().cells, std::array<double, 3>{}, AddGivenBySides<T, A>{lattice_view(gpu)}, AddVectors{});
  }
  std::array<double, 3> fastest(Gpu gpu) const override {
    if (!has_moved_) return {};
    const std::int64_t first = fastest_.size() / 3, later = was_in_two_ && apart_.count > 0 ? fastest_apart_.size() / 3 : 0;
    const KeepFastest<A> keep{fastest_.data(), first, fastest_apart_.data()};
    return accumulate(gpu, first + later, std::array<double, 3>{}, keep, KeepLarger{});
  }

  LatticeFlow::State state() override {
    LatticeFlow::State state{&now_, &steps};
    for (int s = 0; s < 6; ++s)
      if (sides_.outlet(s)) state.outlets.push_back({s, {&outlets_[s][0], &outlets_[s][1], &outlets_[s][2]}});
    return state;
  }

private:
  bool in_own_cells() const { return p_.scheme == Scheme::in_place && steps % 2 == 0; }
  std::int64_t rows() const { return sides_.walls().cells[1] * sides_.walls().cells[2]; }
  std::size_t faces(int side) const {
    const auto& n = sides_.walls().cells;
    return static_cast<std::size_t>(n[0] * n[1] * n[2] / n[side / 2]);
  }

  BoxView box() const {
    BoxView view;
    for (int d = 0; d < 3; ++d) view.n[d] = static_cast<std::uint32_t>(sides_.walls().cells[d]);
    view.cells = view.n[0] * view.n[1] * view.n[2];
    view.layout = layout_;
    view.links = device_links_[in_own_cells()].data();
    return view;
  }

  ForceView<A> force_view(const ConstFacePointers& force) const {
    ForceView<A> view;
    view.unit = 1 / units_.force();
    for (int d = 0; d < 3; ++d) {
      view.everywhere[d] = static_cast<A>(p_.body_force[d] * view.unit);
      view.field[d] = force[d];
    }
    return view;
  }
  VelocityView velocity_view(const FacePointers& velocity) const {
    return {{velocity[0], velocity[1], velocity[2]}, units_.speed()};
  }

  static CellsView cells_of(const RowPart* on_device, RowParts parts) {
    std::int64_t longest = 1;
    for (const RowPart& part : parts) longest = std::max(longest, part.end - part.begin);
    if (std::ssize(parts) * longest > most_threads)
      throw Error(std::to_string(parts.size()) + " parts of rows, of up to " + std::to_string(longest) +
                  " cells, in a call on a device (their threads have numbers of 32 bits) ask for all cells");
    return {on_device, static_cast<std::uint32_t>(parts.size()), static_cast<std::uint32_t>(longest)};
  }

  /// Parts of the step that has begun, which are compared with those of the step before once.
  struct ToCome {
    RowParts parts;
    PartsView where; ///< on the device, once somebody asked for it
    CellsView cells;
  };
  bool announced(RowParts parts) const {
    return to_come_ && to_come_->parts.data() == parts.data() && to_come_->parts.size() == parts.size();
  }
  const ToCome& to_come(Gpu gpu) const {
    if (to_come_->where.first == nullptr) {
      to_come_->where = forced_.update(gpu, to_come_->parts, rows());
      to_come_->cells = cells_of(to_come_->where.parts, to_come_->parts);
    }
    return *to_come_;
  }

  /// Of all cells. What returns from sides is let in where a step begins.
  StepView<T, A> step_view(Gpu gpu, const ConstFacePointers& force, const FacePointers& velocity) {
    if (!elsewhere_done_) let_return(gpu);
    StepView<T, A> view;
    view.box = box();
    view.cells.count = view.box.cells;
    view.from = now_.data();
    view.to = next_.empty() ? now_.data() : next_.data();
    const Link* const inner = links_[in_own_cells()].data() + inner_kind * set_.count;
    for (int q = 0; q < set_.count; ++q) {
      view.inner_from[q] = inner[q].from;
      view.inner_to[q] = inner[q].to;
    }
    view.force = force_view(force);
    view.velocity = velocity_view(velocity);
    view.any_outlet = sides_.any_outlet();
    for (int s = 0; s < 6; ++s)
      for (int d = 0; d < 3; ++d) view.outlets[s][d] = outlets_[s][d].data();
    view.fastest = fastest_.data();
    return view;
  }

  /// Walls and inlets as they are now on the host. In the middle of a step nothing is still to be changed.
  SidesView sides_view(Gpu gpu) const {
    SidesView view;
    view.enclosing = sides_.enclosing();
    for (int s = 0; s < 6; ++s) {
      if (sides_.outlet(s)) view.outlets |= 1u << s;
      if ((sides_.outlet(s) || sides_.moves(s)) && !elsewhere_done_) view.acting |= 1u << s;
      const auto of_host = sides_.velocity(s, {});
      for (int d = 0; d < 3; ++d) {
        if (sides_.outlet(s)) view.velocity[s][d] = outlets_[s][d].data();
        else if (sides_.has_velocity(s)) view.velocity[s][d] = walls_[s][d].update(gpu, {of_host[d], faces(s)});
      }
    }
    return view;
  }
  LatticeView<T> lattice_view(Gpu gpu) const { return {box(), sides_view(gpu), now_.data()}; }

  void let_return(Gpu gpu) {
    ReturningView<T> view{box(), sides_view(gpu), now_.data(), {}};
    std::uint32_t all = 0;
    for (int s = 0; s < 6; ++s) view.end[s] = all += (view.sides.acting >> s & 1) ? static_cast<std::uint32_t>(faces(s)) : 0;
    if (all == 0) return;
    corral::detail::check_cuda(CORRAL_LAUNCH((return_global<T, A>), (all - 1) / look_threads + 1, look_threads, 0, gpu.stream,
                                             view),
                               "what returns from sides of the lattice");
  }

  Units units_;
  LatticeProperties p_;
  OfSet<T, A> set_;
  Rule<A> rule_;
  Sides& sides_;
  Layout layout_;
  Array<T> now_, next_{Memory::device}; ///< next_: of two lattices
  std::array<std::vector<Link>, 2> links_; ///< [in own cells]
  std::array<Array<Link>, 2> device_links_;
  Array<A> fastest_{Memory::device}, fastest_apart_{Memory::device}; ///< [block][axis] of the last step, and of what came last
  bool has_moved_ = false;
  mutable std::optional<ToCome> to_come_; ///< of a step in two
  CellsView apart_;                       ///< what it has still to do when this is true:
  bool elsewhere_done_ = false, was_in_two_ = false; ///< was_in_two_: the last step
  std::array<std::array<Array<double>, 3>, 6> outlets_;
  mutable std::array<std::array<Mirror<double>, 3>, 6> walls_;
  mutable MirroredParts forced_;
  mutable Mirror<RowPart> looked_at_;
};

template <class T, class A> std::unique_ptr<DevicePopulations> make(const PopulationsSetup& setup, Sides& sides) {
  const auto of = [&](const OfSet<T, A>& set) { return std::make_unique<DevicePopulationsOf<T, A>>(setup, sides, set); };
  switch (setup.properties.set) {
  case VelocitySet::d2q9: return of(OfSet<T, A>::template of<D2Q9>());
  case VelocitySet::d3q19: return of(OfSet<T, A>::template of<D3Q19>());
  case VelocitySet::d3q27: break;
  }
  return of(OfSet<T, A>::template of<D3Q27>());
}

} // namespace

std::unique_ptr<DevicePopulations> make_device_populations(const PopulationsSetup& setup, Sides& sides) {
  const auto& n = sides.walls().cells;
  if (n[0] * n[1] * n[2] > most_threads)
    throw Error("a lattice of " + std::to_string(n[0] * n[1] * n[2]) +
                " cells on a device (their numbers have 32 bits) take fewer");
  switch (setup.properties.precision) {
  case Precision::doubles: return make<double, double>(setup, sides);
  case Precision::floats: return make<float, float>(setup, sides);
  case Precision::floats_in_double: break;
  }
  return make<float, double>(setup, sides);
}

} // namespace corral::fluid::lattice
