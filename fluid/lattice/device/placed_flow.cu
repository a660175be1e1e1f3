#include "fluid/lattice/placed_flow.hpp"

#include "fluid/lattice/device/flow.hpp"
#include "fluid/lattice/device/row_exchange.hpp"

#include <corral/array.hpp>
#include <corral/device.hpp>
#include <corral/device_code.cuh>
#include <corral/error.hpp>

#include <cstddef>
#include <new>
#include <string>

namespace corral::fluid {

namespace {

using corral::detail::check_cuda;

/// What f makes in the device's memory.
template <class F> auto taken(F f) {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    throw Error("a lattice on a device whose memory does not suffice (others may use it, too) take fewer cells, populations as "
                "float, or the host");
  }
}

class FlowOnDevice final : public PlacedLatticeFlow<Cpu> {
public:
  FlowOnDevice(const Domain& domain, const LatticeProperties& p)
      : host_(domain, p), flow_(taken([&] { return DeviceLatticeFlow(domain, p); })), cells_of_a_row_(domain.grid().axis(0).cells),
        cells_(domain.grid().cells()) {
    taken([&] {
      for (auto* field : {&force_, &velocity_})
        for (auto& component : *field) component = Array<double>(cells_, Memory::device);
      pressure_.resize(cells_);
    });
  }

  void start(Cpu cpu, const ConstFacePointers& velocity, const double* pressure) override {
    host_.start(cpu, velocity, pressure);
    send_state();
  }

  void step(Cpu, const ConstFacePointers& force, const FacePointers& velocity) override {
    send(force);
    flow_.step(gpu_, pushed_by(force), wanted(velocity));
    fetch(velocity);
  }
  void step_forced_in(Cpu, RowParts parts, const ConstFacePointers& force, const FacePointers& velocity) override {
    const bool pushed = exchange_.to_device_unless_zero(gpu_, force, writable_pointers(force_));
    flow_.step_forced_in(gpu_, parts, pushed ? pointers(force_) : ConstFacePointers{}, wanted(velocity));
    fetch(velocity);
  }
  void begin_step(RowParts parts) override {
    exchange_.set(gpu_, parts, cells_of_a_row_);
    flow_.begin_step(parts);
  }
  void step_elsewhere(Cpu, const FacePointers& velocity) override { flow_.step_elsewhere(gpu_, wanted(velocity)); }

  void find(Cpu, const ConstFacePointers& force, const FacePointers& velocity, double* pressure) override {
    send(force);
    flow_.find(gpu_, pushed_by(force), writable_pointers(velocity_), pressure ? pressure_.data() : nullptr);
    if (pressure) copy(pressure, pressure_.data());
    fetch(velocity);
  }
  void find_in(Cpu, RowParts parts, const ConstFacePointers& force, const FacePointers& velocity) override {
    const bool pushed = exchange_.to_device_unless_zero(gpu_, force, writable_pointers(force_)); // at first there is none
    flow_.find_in(gpu_, parts, pushed ? pointers(force_) : ConstFacePointers{}, writable_pointers(velocity_), nullptr);
    exchange_.to_host(gpu_, pointers(velocity_), velocity);
  }

  std::array<double, 3> fastest() const override { return flow_.fastest(gpu_); }
  std::array<double, 3> momentum(Cpu) const override { return flow_.momentum(gpu_); }
  std::array<double, 3> force_of_sides(Cpu) const override { return flow_.force_of_sides(gpu_); }
  const LatticeProperties& properties() const override { return flow_.properties(); }

  LatticeFlow::State state() override { return host_.state(); }
  void fetch_state() override { copy_state(flow_.state(), host_.state()); }
  void send_state() override { copy_state(host_.state(), flow_.state()); }

private:
  static bool given(const ConstFacePointers& field) { return field[0] != nullptr; }
  ConstFacePointers pushed_by(const ConstFacePointers& force) const { return given(force) ? pointers(force_) : ConstFacePointers{}; }
  FacePointers wanted(const FacePointers& velocity) {
    return given(as_const(velocity)) ? writable_pointers(velocity_) : FacePointers{};
  }

  void copy(double* to, const double* from) {
    check_cuda(cudaMemcpyAsync(to, from, static_cast<std::size_t>(cells_) * sizeof(double), cudaMemcpyDefault, gpu_.stream),
               "a copy of a field");
  }
  void wait() { check_cuda(cudaStreamSynchronize(gpu_.stream), "a copy of a field"); }
  /// What the host holds may change when it returns: pinned memory is copied later than others.
  void send(const ConstFacePointers& force) {
    if (!given(force)) return;
    for (std::size_t d = 0; d < 3; ++d) copy(force_[d].data(), force[d]);
    wait();
  }
  void fetch(const FacePointers& velocity) {
    if (!given(as_const(velocity))) return;
    for (std::size_t d = 0; d < 3; ++d) copy(velocity[d], velocity_[d].data());
    wait();
  }

  static constexpr Gpu gpu_{};
  LatticeFlow host_; ///< which starts, and whose arrays are the state that others see
  DeviceLatticeFlow flow_;
  RowExchange exchange_;
  std::int64_t cells_of_a_row_, cells_;
  std::array<Array<double>, 3> force_, velocity_; ///< on the device
  Array<double> pressure_{Memory::device};        ///< likewise
};

/// Of fields that lie there, too.
class FlowOfDevice final : public PlacedLatticeFlow<Gpu> {
public:
  FlowOfDevice(const Domain& domain, const LatticeProperties& p) : flow_(taken([&] { return DeviceLatticeFlow(domain, p); })) {}

  void start(Cpu, const ConstFacePointers& velocity, const double* pressure) override { flow_.start(velocity, pressure); }
  void step(Gpu gpu, const ConstFacePointers& force, const FacePointers& velocity) override { flow_.step(gpu, force, velocity); }
  void begin_step(RowParts parts) override { flow_.begin_step(parts); }
  void step_forced_in(Gpu gpu, RowParts parts, const ConstFacePointers& force, const FacePointers& velocity) override {
    flow_.step_forced_in(gpu, parts, force, velocity);
  }
  void step_elsewhere(Gpu gpu, const FacePointers& velocity) override { flow_.step_elsewhere(gpu, velocity); }
  void find(Gpu gpu, const ConstFacePointers& force, const FacePointers& velocity, double* pressure) override {
    flow_.find(gpu, force, velocity, pressure);
  }
  void find_in(Gpu gpu, RowParts parts, const ConstFacePointers& force, const FacePointers& velocity) override {
    flow_.find_in(gpu, parts, force, velocity, nullptr);
  }
  std::array<double, 3> fastest() const override { return flow_.fastest(Gpu{}); }
  std::array<double, 3> momentum(Gpu gpu) const override { return flow_.momentum(gpu); }
  std::array<double, 3> force_of_sides(Gpu gpu) const override { return flow_.force_of_sides(gpu); }
  const LatticeProperties& properties() const override { return flow_.properties(); }
  LatticeFlow::State state() override { return flow_.state(); }

private:
  DeviceLatticeFlow flow_;
};

void require_device() {
  if (const std::string why = find_device().why_none; !why.empty())
    throw Error("a lattice on a device (" + why + ") take the host's, or run where a device is");
}

} // namespace

std::unique_ptr<PlacedLatticeFlow<Cpu>> lattice::make_flow_on_device(const Domain& domain, const LatticeProperties& p) {
  require_device();
  return std::make_unique<FlowOnDevice>(domain, p);
}

std::unique_ptr<PlacedLatticeFlow<Gpu>> lattice::make_flow_of_device(const Domain& domain, const LatticeProperties& p) {
  require_device();
  return std::make_unique<FlowOfDevice>(domain, p);
}

} // namespace corral::fluid
