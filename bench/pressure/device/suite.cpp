#include "bench/pressure/device/suite.hpp"

#include "bench/device/device.hpp"
#include "bench/text.hpp"

namespace corral::bench {
namespace {

using Top = BubblingBed::Top;

const char* name(Top top) { return top == Top::open ? "open" : "closed"; }

std::vector<DevicePressureWork> works() {
  std::vector<DevicePressureWork> all;
  for (const std::int64_t n : {69, 128}) // a bed of 330,000 cells, and the size that solvers are compared at
    for (const double dense : {0.0, 1e-3})
      for (const Top top : {Top::closed, Top::open}) {
        DevicePressureWork work{.n = n, .top = top, .dense = dense};
        if (n == 128) work.most_seconds = 0.010;
        all.push_back(work);
      }
  return all;
}

std::string run(const SuiteCall& call, const std::function<void(const std::string&)>& tell) {
  require_device();
  const double copy_rate = measure_ceilings().front().rate;
  tell(formatted("%s copies %.2f TB/s\n", device_name().c_str(), 1e-12 * copy_rate) + device_pressure_header());
  std::vector<DevicePressureRow> all;
  for (const DevicePressureWork& work : works()) {
    all.push_back(measure_device_pressure(work, copy_rate, call.repeats));
    tell(device_pressure_line(all.back()));
  }
  return device_pressure_json(all, call.repeats);
}

} // namespace

std::string device_pressure_header() {
  return formatted("%-7s %8s %5s %13s %9s %11s %8s %9s %11s  %s\n", "top", "contrast", "n", "coefficients", "solve ms",
                   "iterations", "of copy", "host ms", "iterations", "target");
}

std::string device_pressure_line(const DevicePressureRow& row) {
  const DevicePressureWork& work = row.work;
  std::string line = formatted("%-7s %8s %5lld %13.3f %9.3f %11d %8.2f %9.1f %11d", name(work.top),
                               work.dense > 0 ? shortest(1 / work.dense).c_str() : "noise", static_cast<long long>(work.n),
                               1e3 * row.coefficients, 1e3 * row.solve, row.iterations, row.of_copy(), 1e3 * row.host,
                               row.host_iterations);
  if (work.most_seconds) line += std::string(row.met() ? "  met: " : "  missed: ") + shortest(1e3 * *work.most_seconds) + " ms";
  return line + "\n";
}

std::string device_pressure_json(const std::vector<DevicePressureRow>& rows, int repeats) {
  std::string text;
  for (const DevicePressureRow& row : rows) {
    JsonObject object;
    object.add("top", name(row.work.top));
    object.add("dense", row.work.dense);
    object.add("n", row.work.n);
    object.add("repeats", std::int64_t{repeats});
    object.add("seconds_coefficients", row.coefficients);
    object.add("seconds_solve", row.solve);
    object.add("iterations", std::int64_t{row.iterations});
    object.add("fraction_of_copy", row.of_copy());
    object.add("seconds_host", row.host);
    object.add("iterations_host", std::int64_t{row.host_iterations});
    object.raw("most_seconds", row.work.most_seconds ? shortest(*row.work.most_seconds) : "null");
    text += (text.empty() ? "  " : ",\n  ") + object.text();
  }
  return "[\n" + text + "\n]\n";
}

OtherSuite device_pressure_suite() {
  return {"pressure_gpu", "pressure solves on a device beside the host's, half a minute and 1 GB of it", run};
}

} // namespace corral::bench
