#include "fluid/incompressible/flow_rows.hpp"
#include "tests/fluid/incompressible/flow_case.hpp"
#include "tests/fluid/spectral/transform_case.hpp"

#include <corral/execution.hpp>

#ifdef CORRAL_FFTW
#include <fftw3.h>
#endif

#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>

/// Not tests: what docs/fft.md shows, by `test_fluid "[.timing]"`. Medians of runs in turn, so that what else the
/// machine does meets all of them alike.
namespace corral::test {
namespace {

using fluid::Projection;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
/// Of all threads of this process: what waits for a processor takes none.
double processor_time() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

struct Timed {
  double median, least, processor; ///< [ms]
};

/// Each in turn, `repeats` times, after one for warmth.
std::vector<Timed> in_turn(int repeats, const std::vector<std::function<void()>>& all) {
  std::vector<std::vector<double>> wall(all.size()), processor(all.size());
  for (int r = -1; r < repeats; ++r)
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double begin = now(), before = processor_time();
      all[i]();
      if (r < 0) continue;
      wall[i].push_back(1e3 * (now() - begin));
      processor[i].push_back(1e3 * (processor_time() - before));
    }
  std::vector<Timed> found;
  for (std::size_t i = 0; i < all.size(); ++i)
    found.push_back({median(wall[i]), *std::min_element(wall[i].begin(), wall[i].end()), median(processor[i])});
  return found;
}

int repeats(std::int64_t n) { return n >= 256 ? 7 : n >= 96 ? 21 : 101; }

} // namespace

TEST_CASE("time of transforms", "[.timing][long]") {
  for (const std::int64_t n : {32, 48, 64, 70, 96, 100, 128, 256}) {
    const SpectrumShape s{n, n, n};
    RealTransform transform(s);
    Array<double> values = random_values(values_of(s), 1), spectrum(s.size(), 0.0);
    std::vector<std::function<void()>> all{[&] { transform.forward(Cpu{}, values.data(), spectrum.data()); },
                                           [&] { transform.backward(Cpu{}, spectrum.data(), values.data()); }};
#ifdef CORRAL_FFTW
    Array<double> in = values;
    Array<double> out(2 * s.modes() * n * n, 0.0);
    const auto size = static_cast<int>(n);
    auto* const complex = reinterpret_cast<fftw_complex*>(out.data());
    const fftw_plan forward = fftw_plan_dft_r2c_3d(size, size, size, in.data(), complex, FFTW_MEASURE);
    const fftw_plan back = fftw_plan_dft_c2r_3d(size, size, size, complex, in.data(), FFTW_MEASURE);
    all.push_back([&] { fftw_execute(forward); });
    all.push_back([&] { fftw_execute(back); });
#endif
    // Values grow by n^3 with each pair: they begin anew before they are infinite.
    int round = 0;
    all.push_back([&] {
      if (++round % 20 == 0) values = random_values(values_of(s), 1);
#ifdef CORRAL_FFTW
      if (round % 20 == 0) std::copy_n(values.data(), values.size(), in.data());
#endif
    });
    run_with_threads(1, [&] {
      const std::vector<Timed> t = in_turn(repeats(n), all);
      std::printf("%3d^3 forward %8.3f ms (least %8.3f, processor %8.3f), back %8.3f (%8.3f, %8.3f)",
                  static_cast<int>(n), t[0].median, t[0].least, t[0].processor, t[1].median, t[1].least,
                  t[1].processor);
#ifdef CORRAL_FFTW
      std::printf("; FFTW measured %8.3f (%8.3f, %8.3f), %8.3f (%8.3f, %8.3f); ratio of processor times %.2f, %.2f",
                  t[2].median, t[2].least, t[2].processor, t[3].median, t[3].least, t[3].processor,
                  t[0].processor / t[2].processor, t[1].processor / t[3].processor);
#endif
      std::printf("\n");
    });
#ifdef CORRAL_FFTW
    fftw_destroy_plan(forward);
    fftw_destroy_plan(back);
#endif
  }
}

TEST_CASE("time of a right-hand side", "[.timing][long]") {
  for (const std::int64_t n : {64, 128}) {
    const fluid::Domain domain = flow_box({n, n, n}, false, 0.25e-6);
    const fluid::spectral::BoxLayout layout(domain);
    const fluid::FaceArrays u = random_velocity(domain, 1), force = random_velocity(domain, 2);
    fluid::FaceArrays sum = force;
    fluid::PaddedVelocity padded(domain);
    Array<double> rows(16 * n, 0.0);
    const auto by_rows = [&] {
      for (int d = 0; d < 3; ++d) {
        const fluid::MomentumRows source(layout, d, {fluid::pointers(u), fluid::pointers(u), force[0].data()}, {});
        for (std::int64_t p = 0; p < n; ++p)
          for (std::int64_t r = 0; r < n; r += 16) source.read(p, r, 16, rows.data(), n);
      }
    };
    const auto by_calls = [&] {
      padded.fill(Cpu{}, fluid::pointers(u));
      fluid::add_advection(Cpu{}, padded, fluid::Advection::central, 1, fluid::writable_pointers(sum));
      fluid::add_viscosity(Cpu{}, padded, 1, fluid::writable_pointers(sum));
    };
    run_with_threads(1, [&] {
      const std::vector<Timed> t = in_turn(repeats(n), {by_rows, by_calls});
      std::printf("%3d^3 right-hand side by rows %7.2f ms (least %7.2f, processor %7.2f), by calls of transport/ %7.2f "
                  "(%7.2f, %7.2f)\n",
                  static_cast<int>(n), t[0].median, t[0].least, t[0].processor, t[1].median, t[1].least,
                  t[1].processor);
    });
  }
}

TEST_CASE("time of a step of flow", "[.timing][long]") {
  struct Kind {
    bool walled;
    Projection projection;
  };
  for (const std::int64_t n : {64, 128})
    for (const Kind& kind : {Kind{false, Projection::exact}, Kind{true, Projection::exact}, Kind{true, Projection::pm2},
                             Kind{true, Projection::pm3}}) {
      const fluid::Domain domain = flow_box({n, n, n}, kind.walled, 0.25e-6);
      fluid::IncompressibleFlow flow(domain, {.density = 1e3, .viscosity = 1e-3, .projection = kind.projection});
      FlowFields f(domain.grid());
      f.u = random_velocity(domain, 1);
      for (auto& component : f.u)
        for (double& v : component) v *= 1e-3;
      flow.project(Cpu{}, fluid::writable_pointers(f.u));
      const fluid::FlowState state{.velocity = fluid::writable_pointers(f.u),
                                   .pressure = kind.projection == Projection::pm2 ? f.pressure.data() : nullptr,
                                   .potential = f.potential.data()};
      const auto step = [&](int threads) {
        return [&, threads] {
          run_with_threads(threads, [&] { flow.step(Cpu{}, state, fluid::pointers(f.force), 1e-7); });
        };
      };
      const std::vector<Timed> t = in_turn(repeats(n), {step(1), step(2)});
      std::printf(
          "%3d^3 %-8s %-5s one thread %7.2f ms (least %7.2f, processor %7.2f), two %7.2f (%7.2f, %7.2f): %.2fx\n",
          static_cast<int>(n), kind.walled ? "walls" : "wrapping", std::string(name(kind.projection)).c_str(),
          t[0].median, t[0].least, t[0].processor, t[1].median, t[1].least, t[1].processor, t[0].median / t[1].median);
    }
}

} // namespace corral::test
