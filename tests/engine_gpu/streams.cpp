#include "tests/catch.hpp"
#include "tests/engine/backend.hpp"
#include "tests/engine_gpu/device_memory.cuh"
#include "tests/sanitized.hpp"

#include <cuda_on_host/configuration.hpp>

#include <corral/kernels/shipped.hpp>

#include <cstring>
#include <functional>

/// What a step costs besides its work, and what happens when a call fails: seen through the CPU's stand-in for CUDA.
namespace corral::test {
namespace {

struct Step {
  Grid grid{{Axis{6, 0.0, 1.0}, Axis{5, 0.0, 1.0, Boundary::wall, Boundary::wall}, Axis{4, 0.0, 1.0}}};
  Particles<double> particles;
  DeviceParticles<double> on_device;
  OnDevice<double> value, read, field;
  static constexpr std::array halves{Offset::half, Offset::half, Offset::half};
  CellOrder<double> order{grid, halves};

  [[gnu::noinline]] // else g++ 12 sees dangling pointers
  explicit Step(std::uint64_t seed, std::size_t n = 400, Placement placement = Placement::anywhere)
      : particles(draw(seed, n, placement)), on_device(particles), value(std::vector<double>(n, 2.0)),
        read(std::vector<double>(n, 0.0)), field(std::vector<double>(120, 0.0)) {}
  Particles<double> draw(std::uint64_t seed, std::size_t n, Placement placement) const {
    Random random(seed);
    return make_particles<double>(grid, static_cast<std::int64_t>(n), placement, random);
  }

  /// A sort, a reorder, and a map there and back.
  void run(Gpu gpu, const std::function<void(const Step&, Gpu)>& maps) {
    order.sort(gpu, on_device.positions());
    order.reorder(gpu, on_device.x.column(), on_device.y.column(), on_device.z.column());
    maps(*this, gpu);
  }
  template <class K> void map(Gpu gpu, const K& kernel, Method method = Method::automatic) const {
    const FieldView<double> view = field_view(grid, field.data(), Staggering::centre);
    spread(gpu, order, kernel, {Spread<double>{value.column(), view}}, spreading_method(method));
    interpolate(gpu, order, kernel, {Interpolate<double>{view, read.column()}}, reading_method(method));
  }
};

constexpr std::array wide_methods{Method::tiles, Method::hybrid, Method::tensor_core, Method::towers, Method::bricks};

void maps_by(const Step& step, Gpu gpu, bool reproducible) {
  for (const Method method : all_methods(Gpu{}))
    if (!reproducible || method != Method::atomic) step.map(gpu, kernels::Linear{}, method);
  for (const Method method : wide_methods) step.map(gpu, kernels::Peskin4{}, method);
}
void all_maps(const Step& step, Gpu gpu) { maps_by(step, gpu, false); }

/// Sorts, gathers, reorders and maps; what became of the columns and the field.
std::vector<std::vector<double>> run_all(Step& step, Gpu gpu) {
  OnDevice<double> gathered(std::vector<double>(static_cast<std::size_t>(step.value.size()), 0.0));
  step.order.sort(gpu, step.on_device.positions());
  step.order.gather(gpu, step.on_device.x.data(), gathered.data());
  step.order.reorder(gpu, step.on_device.x.column(), step.on_device.y.column(), step.on_device.z.column());
  maps_by(step, gpu, true);
  require_cuda(cudaStreamSynchronize(gpu.stream));
  const auto launched = cuda_on_host::statistics().launches;
  require_cuda(cudaDeviceSynchronize());
  CHECK(cuda_on_host::statistics().launches == launched); // nothing was left to others
  std::vector<std::vector<double>> all;
  for (const OnDevice<double>* a : std::array<const OnDevice<double>*, 6>{
           &gathered, &step.on_device.x, &step.on_device.y, &step.on_device.z, &step.field, &step.read})
    all.push_back(a->values());
  return all;
}

} // namespace

TEST_CASE("no call waits for the device, and all run in order on the caller's stream") {
  cudaStream_t stream = nullptr;
  require_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  {
    Step step(501);
    require_cuda(cudaDeviceSynchronize());
    const auto before = cuda_on_host::statistics().launches;
    step.run(Gpu{stream}, all_maps);
    CHECK(cuda_on_host::statistics().launches == before); // nothing has run: streams wait until somebody asks
    CHECK(step.order.counts().inside > 200);              // asks for the sort alone
    require_cuda(cudaStreamSynchronize(stream));
    CHECK(cuda_on_host::statistics().launches > before + 20);
    double total = 0;
    for (const double v : step.field.values()) total += v;
    const double calls = static_cast<double>(all_methods(Gpu{}).size() + wide_methods.size());
    const double expected = calls * 2.0 * static_cast<double>(step.order.counts().inside);
    CHECK(std::abs(total - expected) < 1e-9 * expected);
  }
  require_cuda(cudaStreamDestroy(stream));
  cuda_on_host::finish();
}

TEST_CASE("crowds, reordered columns and gathered ones are the caller's stream's, too") {
  cudaStream_t stream = nullptr;
  require_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  {
    Step here(507, 6'000, Placement::one_cell), there(507, 6'000, Placement::one_cell);
    const auto expected = run_all(here, Gpu{}), found = run_all(there, Gpu{stream});
    for (std::size_t i = 0; i < expected.size(); ++i) { // NaN equals NaN
      INFO("array " << i);
      CHECK(std::memcmp(found[i].data(), expected[i].data(), expected[i].size() * sizeof(double)) == 0);
    }
  }
  require_cuda(cudaStreamDestroy(stream));
  cuda_on_host::finish();
}

TEST_CASE("an order may go while what it was asked for is still to run") {
  cudaStream_t stream = nullptr;
  require_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (const Method method : all_methods(Gpu{})) {
    Step kept(505);
    kept.order.sort(Gpu{}, kept.on_device.positions());
    kept.map(Gpu{}, kernels::Linear{}, method);
    Step step(505);
    {
      CellOrder<double> order(step.grid, {Offset::half, Offset::half, Offset::half});
      order.sort(Gpu{stream}, step.on_device.positions());
      const FieldView<double> view = field_view(step.grid, step.field.data(), Staggering::centre);
      spread(Gpu{stream}, order, kernels::Linear{}, {Spread<double>{step.value.column(), view}}, spreading_method(method));
      interpolate(Gpu{stream}, order, kernels::Linear{}, {Interpolate<double>{view, step.read.column()}}, reading_method(method));
    }
    INFO(name(method));
    CHECK(step.field.values() == kept.field.values());
    CHECK(step.read.values() == kept.read.values());
  }
  require_cuda(cudaStreamDestroy(stream));
  cuda_on_host::finish();
}

TEST_CASE("a call on another stream waits for the calls before") {
  std::array<cudaStream_t, 2> streams{};
  for (cudaStream_t& stream : streams) require_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  {
    Step one(506), other(506);
    one.run(Gpu{streams[0]}, all_maps);
    other.order.sort(Gpu{streams[0]}, other.on_device.positions());
    other.order.reorder(Gpu{streams[1]}, other.on_device.x.column(), other.on_device.y.column(),
                        other.on_device.z.column());
    all_maps(other, Gpu{streams[1]});
    require_cuda(cudaStreamSynchronize(streams[1])); // and with it the first
    const auto differ = [](const std::vector<double>& a, const std::vector<double>& b) {
      double most = 0;
      for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
      return most;
    };
    CHECK(differ(one.field.values(), other.field.values()) < 1e-9); // atomic is among the methods
    CHECK(differ(one.read.values(), other.read.values()) < 1e-9);
  }
  for (const cudaStream_t stream : streams) require_cuda(cudaStreamDestroy(stream));
  cuda_on_host::finish();
}

TEST_CASE("from the second step on nothing is allocated") {
  Step step(502);
  step.run(Gpu{}, all_maps);
  const auto before = cuda_on_host::statistics().allocations;
  for (int repeat = 0; repeat < 2; ++repeat) step.run(Gpu{}, all_maps);
  CHECK(cuda_on_host::statistics().allocations == before);
  cuda_on_host::finish();
}

TEST_CASE("a call that fails throws, loses no memory, and the next sort starts afresh") {
  const std::size_t live = cuda_on_host::live_allocations().size();
  for (const auto fail : {&cuda_on_host::fail_call, &cuda_on_host::fail_allocation}) {
    bool failed = true;
    for (std::uint64_t successes = 0; failed; successes += thorough() ? 1 : 3) {
      Step step(503);
      require_cuda(cudaDeviceSynchronize());
      fail(successes);
      failed = false;
      try {
        step.run(Gpu{}, [](const Step& s, Gpu gpu) {
          s.map(gpu, kernels::Linear{});
          s.map(gpu, kernels::Peskin4{});
          s.map(gpu, kernels::Linear{}, Method::sort_reduce);
        });
      } catch (const std::bad_alloc&) {
        failed = true;
      } catch (const Error& e) {
        failed = true;
        CHECK(std::string(e.what()).find("on the device") != std::string::npos);
      }
      CHECK(cuda_on_host::stop_failing() == failed);
      CHECK(cudaGetLastError() == cudaSuccess); // not left to whoever calls next
      REQUIRE(successes < 1'000);
      step.run(Gpu{}, all_maps);
      require_cuda(cudaDeviceSynchronize());
      CHECK(step.order.counts().inside > 200);
    }
  }
  CHECK(cuda_on_host::live_allocations().size() == live);
  cuda_on_host::finish();
}

TEST_CASE("the same bits whoever goes first, but for atomic") {
  const auto values_of = [](Method method, cuda_on_host::Order order, std::uint64_t seed) {
    cuda_on_host::Configuration configuration = cuda_on_host::configuration();
    configuration.order = order;
    configuration.seed = seed;
    const cuda_on_host::ScopedConfiguration scope(configuration);
    Step step(504);
    step.run(Gpu{}, [=](const Step& s, Gpu gpu) {
      s.map(gpu, kernels::Linear{}, method);
      if (serves_any_kernel(method)) s.map(gpu, kernels::Peskin4{}, method);
    });
    return std::pair(step.field.values(), step.read.values());
  };
  for (const Method method : all_methods(Gpu{})) {
    if (method == Method::atomic) continue;
    const auto [field, read] = values_of(method, cuda_on_host::Order::forward, 1);
    for (const auto& [order, seed] : {std::pair(cuda_on_host::Order::reverse, 1), {cuda_on_host::Order::warps, 1},
                                      {cuda_on_host::Order::random, 1},
                                      {cuda_on_host::Order::random, 2}, {cuda_on_host::Order::random, 3}}) {
      const auto [other_field, other_read] = values_of(method, order, static_cast<std::uint64_t>(seed));
      const bool same_field = other_field == field, same_read = other_read == read;
      INFO(name(method) << ", order " << static_cast<int>(order) << ", seed " << seed);
      CHECK(same_field);
      CHECK(same_read);
    }
  }
}

} // namespace corral::test
