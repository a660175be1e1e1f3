#include "fluid/lattice/shared_flow.hpp"

#include "fluid/lattice/layout.hpp"
#include "fluid/lattice/velocities.hpp"

#include <corral/array.hpp>
#include <corral/error.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace corral::fluid {
namespace {

using namespace lattice;

int count_of(VelocitySet set) {
  switch (set) {
  case VelocitySet::d2q9: return D2Q9::count;
  case VelocitySet::d3q19: return D3Q19::count;
  case VelocitySet::d3q27: break;
  }
  return D3Q27::count;
}

std::size_t bytes_of(Precision p) { return p == Precision::doubles ? sizeof(double) : sizeof(float); }

/// What is wrong with it, on this rank.
std::string fault_of(const Domain& domain) {
  for (int d = 0; d < 3; ++d) {
    const std::int64_t below = domain.own().begin[static_cast<std::size_t>(d)], cells = domain.grid().axis(d).cells,
                       above = cells - domain.own().end[static_cast<std::size_t>(d)];
    for (const std::int64_t ghosts : {below, above})
      if (ghosts != 0 && ghosts < lattice_ghosts)
        return "a lattice fluid over ranks with " + std::to_string(ghosts) + " ghosts (each step spoils one layer) take " +
               std::to_string(lattice_ghosts);
  }
  return "";
}

/// What the whole's outlets know of the velocity before them, on every rank, and the parts of it that this one's box has.
class SharedOutlets {
public:
  using State = LatticeFlow::State;

  explicit SharedOutlets(const Domain& domain) : domain_(domain) {
    for (int s = 0; s < 6; ++s)
      if (domain.side_kind_of_whole(s) == SideKind::outlet) {
        const std::int64_t faces = domain.whole().cells() / domain.whole().axis(s / 2).cells;
        whole_.emplace_back(s).velocity.fill(Array<double>(faces, 0.0));
      }
  }

  std::vector<State::Outlet> state() {
    std::vector<State::Outlet> all;
    for (Whole& of : whole_) all.push_back({of.side, {&of.velocity[0], &of.velocity[1], &of.velocity[2]}});
    return all;
  }
  /// Of all ranks' own cells.
  void gather(const State& mine) {
    std::vector<std::span<double>> fields;
    for (Whole& of : whole_)
      for (std::size_t d = 0; d < 3; ++d) {
        of.velocity[d].zero();
        if (const Array<double>* here = velocity_at(mine, of.side, d))
          each_face(of.side, domain_.own(), [&](std::int64_t face, std::int64_t in_whole) { of.velocity[d][in_whole] = (*here)[face]; });
        fields.push_back(of.velocity[d].span());
      }
    if (!fields.empty()) domain_.shared()->team().add(fields);
  }
  /// To all cells of the box, ghosts among them.
  void hand_out(const State& mine) const {
    CellBox box;
    for (std::size_t d = 0; d < 3; ++d) box.end[d] = domain_.grid().axis(static_cast<int>(d)).cells;
    for (const Whole& of : whole_)
      for (std::size_t d = 0; d < 3; ++d)
        if (Array<double>* here = velocity_at(mine, of.side, d))
          each_face(of.side, box, [&](std::int64_t face, std::int64_t in_whole) { (*here)[face] = of.velocity[d][in_whole]; });
  }

private:
  struct Whole {
    explicit Whole(int of) : side(of) {}
    int side;
    std::array<Array<double>, 3> velocity; ///< a value a face, the lower axis fastest
  };

  /// Null where the box does not have that side.
  static Array<double>* velocity_at(const State& mine, int side, std::size_t d) {
    for (const State::Outlet& outlet : mine.outlets)
      if (outlet.side == side) return outlet.velocity[d];
    return nullptr;
  }
  /// f(face of the box's side, the same of the whole's) of the cells [begin, end) along it.
  template <class F> void each_face(int side, const CellBox& cells, const F& f) const {
    const int a = side < 2 ? 1 : 0, b = side < 4 ? 2 : 1;
    const auto of = [](const std::array<std::int64_t, 3>& at, int d) { return at[static_cast<std::size_t>(d)]; };
    for (std::int64_t j = of(cells.begin, b); j < of(cells.end, b); ++j)
      for (std::int64_t i = of(cells.begin, a); i < of(cells.end, a); ++i)
        f(i + domain_.grid().axis(a).cells * j, domain_.in_whole(a, i) + domain_.whole().axis(a).cells * domain_.in_whole(b, j));
  }

  const Domain& domain_;
  std::vector<Whole> whole_;
};

class SharedFlow final : public PlacedLatticeFlow<Cpu> {
public:
  SharedFlow(const Domain& domain, std::unique_ptr<PlacedLatticeFlow<Cpu>> of)
      : domain_(domain), shared_(*domain.shared()), flow_(std::move(of)), first_(fields_of(flow_->properties())),
        populations_(shared_.fields(Staggering::centre, shared_layout(flow_->properties()))),
        cells_(shared_.fields(Staggering::centre)), outlets_(domain) {}

  void start(Cpu cpu, const ConstFacePointers& velocity, const double* pressure) override {
    flow_->start(cpu, velocity, pressure);
    filled_ = 0;
  }
  void step(Cpu cpu, const ConstFacePointers& force, const FacePointers& velocity) override {
    fill_populations();
    flow_->step(cpu, force, velocity);
    fill(velocity, nullptr);
  }
  void step_forced_in(Cpu cpu, RowParts parts, const ConstFacePointers& force, const FacePointers& velocity) override {
    fill_populations();
    flow_->step_forced_in(cpu, parts, force, velocity);
    fill(velocity, nullptr);
  }
  void begin_step(RowParts parts) override { flow_->begin_step(parts); }
  void step_elsewhere(Cpu, const FacePointers&) override { throw Error("a flow over ranks takes no step in parts"); }

  void find(Cpu cpu, const ConstFacePointers& force, const FacePointers& velocity, double* pressure) override {
    fill_populations();
    flow_->find(cpu, force, velocity, pressure);
    fill(velocity, pressure);
  }
  void find_in(Cpu cpu, RowParts parts, const ConstFacePointers& force, const FacePointers& velocity) override {
    fill_populations();
    flow_->find_in(cpu, parts, force, velocity);
    fill(velocity, nullptr);
  }

  std::array<double, 3> fastest() const override {
    std::array<double, 3> u = flow_->fastest();
    for (double& along : u) along = shared_.team().maximum(along);
    return u;
  }
  std::array<double, 3> momentum(Cpu cpu) const override {
    fill_populations();
    return sums(flow_->momentum(cpu));
  }
  std::array<double, 3> force_of_sides(Cpu cpu) const override {
    fill_populations(); // what a specular side returns comes from the next cell
    return sums(flow_->force_of_sides(cpu));
  }

  const LatticeProperties& properties() const override { return flow_->properties(); }
  LatticeFlow::State state() override {
    LatticeFlow::State state = flow_->state();
    state.outlets = outlets_.state();
    return state;
  }
  void fetch_state() override { outlets_.gather(flow_->state()); }
  void send_state() override {
    outlets_.hand_out(flow_->state());
    filled_ = -1;
  }

private:
  std::array<double, 3> sums(const std::array<double, 3>& mine) const {
    const std::vector<double> all = shared_.team().sums(mine);
    return {all[0], all[1], all[2]};
  }

  void fill(const FacePointers& velocity, double* pressure) const {
    std::vector<double*> fields;
    for (double* const u : velocity)
      if (u) fields.push_back(u);
    if (pressure) fields.push_back(pressure);
    if (!fields.empty()) cells_->fill(fields);
  }

  /// In steps of odd numbers: in place, they are those that read beyond their own cells.
  void fill_populations() const {
    const LatticeFlow::State state = flow_->state();
    if (*state.steps % 2 == 0 || filled_ == *state.steps) return;
    std::visit([&](auto* values) { fill_each(values->data()); }, state.populations);
    outlets_.gather(state);
    outlets_.hand_out(state);
    filled_ = *state.steps;
  }
  template <class T> void fill_each(T* values) const {
    std::array<std::int64_t, 3> n{};
    for (int d = 0; d < 3; ++d) n[static_cast<std::size_t>(d)] = domain_.grid().axis(d).cells;
    std::vector<T*> fields;
    for (const std::int64_t first : first_(n)) fields.push_back(values + first);
    populations_->fill(std::span<T* const>(fields));
  }

  const Domain& domain_;
  const distributed::SharedGrid& shared_;
  std::unique_ptr<PlacedLatticeFlow<Cpu>> flow_;
  std::function<std::vector<std::int64_t>(const std::array<std::int64_t, 3>&)> first_;
  std::unique_ptr<distributed::SharedFields> populations_, cells_;
  mutable SharedOutlets outlets_;
  mutable std::int64_t filled_ = -1; ///< the step before which ghosts were filled last
};

} // namespace

namespace lattice {

distributed::FieldLayout shared_layout(const LatticeProperties& p) {
  return [count = count_of(p.set), bytes = bytes_of(p.precision)](const std::array<std::int64_t, 3>& points) {
    const Layout layout = Layout::of(points, count, bytes);
    return distributed::FieldMemory{{1, layout.pitch, layout.count * layout.plane}, layout.size()};
  };
}

std::function<std::vector<std::int64_t>(const std::array<std::int64_t, 3>&)> fields_of(const LatticeProperties& p) {
  return [count = count_of(p.set), bytes = bytes_of(p.precision)](const std::array<std::int64_t, 3>& cells) {
    const Layout layout = Layout::of(cells, count, bytes);
    std::vector<std::int64_t> first;
    for (int q = 0; q < count; ++q) first.push_back(layout.row(q, 0, 0));
    return first;
  };
}

} // namespace lattice

std::unique_ptr<PlacedLatticeFlow<Cpu>> share_flow(const Domain& domain, std::unique_ptr<PlacedLatticeFlow<Cpu>> of) {
  domain.shared()->team().agree(fault_of(domain)); // one that a rank alone has would leave the others waiting
  return std::make_unique<SharedFlow>(domain, std::move(of));
}

} // namespace corral::fluid
