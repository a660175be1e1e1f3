// corral-bench-pressure [--sizes 64,100,127,128] [--threads n] [--repeats n]
// Seconds for one coefficient update and one solve to a relative residual of 1e-8 from a zero guess, beside hypre's.

#include "bench/pressure/bubbling_bed.hpp"
#ifdef CORRAL_HYPRE
#include "bench/pressure/hypre_struct.hpp"
#endif
#include "fluid/pressure/pressure.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace corral;
using bench::BubblingBed;

constexpr double relative = 1e-8;

struct PressureArguments {
  std::vector<std::int64_t> sizes{64, 100, 127, 128};
  int threads = 1;
  int repeats = 3;
};

int positive(const std::string& text) {
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || value < 1 || value > 4096)
    throw Error("'" + text + "' is no number from 1 to 4096 (sizes, threads and repeats are)");
  return static_cast<int>(value);
}

PressureArguments parse(int argc, char** argv) {
  PressureArguments a;
  for (int i = 1; i < argc; i += 2) {
    const std::string key = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    if (key == "--threads") {
      a.threads = positive(value);
    } else if (key == "--repeats") {
      a.repeats = positive(value);
    } else if (key == "--sizes") {
      a.sizes.clear();
      std::istringstream list(value);
      for (std::string size; std::getline(list, size, ',');) a.sizes.push_back(positive(size));
    } else {
      throw Error("unknown option " + key + " (there are --sizes, --threads and --repeats)");
    }
  }
  return a;
}

struct Measurement {
  double seconds = 0; ///< median over the repeats
  int iterations = 0;
};

Measurement measure(int repeats, const std::function<int()>& run) {
  Measurement m;
  std::vector<double> seconds;
  run(); // the first call allocates
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    m.iterations = run();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(seconds.begin(), seconds.end());
  m.seconds = seconds[seconds.size() / 2];
  return m;
}

Measurement measure_corral(const BubblingBed& bed, int repeats) {
  fluid::PressureSolver solver(bed.cells(), {false, false, false});
  const auto [nx, ny, nz] = bed.cells();
  Array<double> x(nx * ny * nz);
  return measure(repeats, [&] {
    x.fill(0.0);
    solver.set_coefficients(Cpu{}, {bed.faces(), nullptr});
    const fluid::SolveResult result = solver.solve(Cpu{}, bed.rhs(), x.data(), {relative, 0, 200});
    if (!result.converged) throw Error("the pressure solver did not converge (a benchmark needs a solution)");
    return result.iterations;
  });
}

#ifdef CORRAL_HYPRE
Measurement measure_hypre(const BubblingBed& bed, bool closed, int repeats) {
  bench::HypreSolver solver(bed.cells(), {false, false, false});
  const auto [nx, ny, nz] = bed.cells();
  Array<double> x(nx * ny * nz), b(nx * ny * nz);
  double mean = 0;
  for (std::int64_t c = 0; c < b.size(); ++c) mean += bed.rhs()[c] / static_cast<double>(b.size());
  for (std::int64_t c = 0; c < b.size(); ++c) b[c] = bed.rhs()[c] - (closed ? mean : 0.0);
  return measure(repeats, [&] {
    x.fill(0.0);
    solver.set_coefficients({bed.faces(), nullptr}, closed ? 1e-8 : 0.0, relative, 400);
    return solver.solve(b.data(), x.data());
  });
}
#endif

void run(const PressureArguments& a) {
  std::printf("%-22s %5s %10s %4s %12s %10s %4s %7s\n", "problem", "n", "corral [s]", "it", "[ns/cell]", "hypre [s]",
              "it", "ratio");
  struct Problem {
    const char* name;
    BubblingBed::Top top;
    double dense;
  };
  const std::array problems{
      Problem{"closed", BubblingBed::Top::closed, 0}, Problem{"open top", BubblingBed::Top::open, 0},
      Problem{"closed, 1000:1", BubblingBed::Top::closed, 1e-3},
      Problem{"open top, 1000:1", BubblingBed::Top::open, 1e-3}};
  for (const Problem& p : problems)
    for (const std::int64_t n : a.sizes) {
      const BubblingBed bed(n, p.top, p.dense);
      const Measurement own = measure_corral(bed, a.repeats);
      const double cells = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
      std::printf("%-22s %5lld %10.4f %4d %12.1f", p.name, static_cast<long long>(n), own.seconds, own.iterations,
                  1e9 * own.seconds / cells);
#ifdef CORRAL_HYPRE
      const Measurement peer = measure_hypre(bed, p.top == BubblingBed::Top::closed, a.repeats);
      std::printf(" %10.4f %4d %7.2f", peer.seconds, peer.iterations, own.seconds / peer.seconds);
#endif
      std::printf("\n");
      std::fflush(stdout);
    }
}

} // namespace

int main(int argc, char** argv) {
  try {
    const PressureArguments arguments = parse(argc, argv);
#ifdef CORRAL_HYPRE
    const bench::HypreLibrary library;
#endif
    run_with_threads(arguments.threads, [&] { run(arguments); });
  } catch (const std::exception& error) {
    std::fprintf(stderr, "corral-bench-pressure: %s\n", error.what());
    return 2;
  }
  return 0;
}
