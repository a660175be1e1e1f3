#include "fluid/lattice/shared_flow.hpp"

#include "fluid/lattice/layout.hpp"
#include "fluid/lattice/velocities.hpp"

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
  for (int s = 0; s < 6; ++s)
    if (domain.side_kind_of_whole(s) == SideKind::outlet)
      return "a lattice fluid with an outlet over ranks (what an outlet remembers is not gathered) run it on one process";
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

class SharedFlow final : public PlacedLatticeFlow<Cpu> {
public:
  SharedFlow(const Domain& domain, std::unique_ptr<PlacedLatticeFlow<Cpu>> of)
      : domain_(domain), shared_(*domain.shared()), flow_(std::move(of)), first_(fields_of(flow_->properties())),
        populations_(shared_.fields(Staggering::centre, shared_layout(flow_->properties()))),
        cells_(shared_.fields(Staggering::centre)) {}

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
  LatticeFlow::State state() override { return flow_->state(); }
  void send_state() override { filled_ = -1; }

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
