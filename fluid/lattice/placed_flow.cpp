#include "fluid/lattice/placed_flow.hpp"

namespace corral::fluid {

std::string_view lattice::name(Processor processor) { return processor == Processor::host ? "host" : "device"; }

namespace {

class FlowOnHost final : public PlacedLatticeFlow<Cpu> {
public:
  FlowOnHost(const Domain& domain, const LatticeProperties& p) : flow_(domain, p) {}

  void start(Cpu cpu, const ConstFacePointers& velocity, const double* pressure) override { flow_.start(cpu, velocity, pressure); }
  void step(Cpu cpu, const ConstFacePointers& force, const FacePointers& velocity) override { flow_.step(cpu, force, velocity); }
  void step_forced_in(Cpu cpu, RowParts parts, const ConstFacePointers& force, const FacePointers& velocity) override {
    flow_.step_forced_in(cpu, parts, force, velocity);
  }
  void begin_step(RowParts parts) override { flow_.begin_step(parts); }
  void step_elsewhere(Cpu cpu, const FacePointers& velocity) override { flow_.step_elsewhere(cpu, velocity); }
  void find(Cpu cpu, const ConstFacePointers& force, const FacePointers& velocity, double* pressure) override {
    flow_.find(cpu, force, velocity, pressure);
  }
  void find_in(Cpu cpu, RowParts parts, const ConstFacePointers& force, const FacePointers& velocity) override {
    flow_.find_in(cpu, parts, force, velocity, nullptr);
  }
  bool knows_bands() const override { return true; }
  void step_in_band(Cpu cpu, const ConstBandField& force, const FacePointers& velocity) override {
    flow_.step_forced_in(cpu, force, velocity);
  }
  void find_in_band(Cpu cpu, const double* forces, const BandField& velocity) override { flow_.find_in(cpu, forces, velocity); }
  std::array<double, 3> fastest() const override { return flow_.fastest(); }
  std::array<double, 3> momentum(Cpu cpu) const override { return flow_.momentum(cpu); }
  std::array<double, 3> force_of_sides(Cpu cpu) const override { return flow_.force_of_sides(cpu); }
  const LatticeProperties& properties() const override { return flow_.properties(); }
  LatticeFlow::State state() override { return flow_.state(); }

private:
  LatticeFlow flow_;
};

} // namespace

std::unique_ptr<PlacedLatticeFlow<Cpu>> make_placed_flow(const Domain& domain, const LatticeProperties& p, lattice::Processor processor) {
  if (processor == lattice::Processor::device) return lattice::make_flow_on_device(domain, p);
  return std::make_unique<FlowOnHost>(domain, p);
}

} // namespace corral::fluid
