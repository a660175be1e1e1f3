#include "bench/lattice/device/suite.hpp"

#include "bench/device/device.hpp"
#include "bench/lattice/row_parts.hpp"

namespace corral::bench {

namespace lattice = fluid::lattice;
using lattice::Scheme;
using lattice::VelocitySet;

namespace {

std::vector<DeviceLatticeWork> works() {
  std::vector<DeviceLatticeWork> all;
  const auto add = [&](VelocitySet set, lattice::Precision precision, Scheme scheme, bool with_fields) {
    DeviceLatticeWork work{.set = set, .precision = precision, .scheme = scheme, .with_fields = with_fields};
    if (set == VelocitySet::d2q9) work.cells = {4096, 4096, 1};
    if (set == VelocitySet::d3q19 && scheme == Scheme::in_place && precision != lattice::Precision::floats_in_double && !with_fields)
      work.least_of_copy = 0.75;
    all.push_back(work);
  };
  for (const VelocitySet set : {VelocitySet::d2q9, VelocitySet::d3q19, VelocitySet::d3q27})
    for (const lattice::Precision precision : {lattice::Precision::floats, lattice::Precision::floats_in_double, lattice::Precision::doubles}) {
      for (const Scheme scheme : {Scheme::in_place, Scheme::two_lattices}) add(set, precision, scheme, false);
      if (set == VelocitySet::d3q19) add(set, precision, Scheme::in_place, true);
    }
  return all;
}

std::string run(const SuiteCall& call, const std::function<void(const std::string&)>& tell) {
  require_device();
  const double copy_rate = measure_ceilings().front().rate;
  tell(formatted("%s copies %.2f TB/s\n", device_name().c_str(), 1e-12 * copy_rate) + device_lattice_header());
  std::vector<DeviceLatticeRow> all;
  for (const DeviceLatticeWork& work : works()) {
    all.push_back(measure_device_lattice(work, copy_rate, call.repeats));
    tell(device_lattice_line(all.back()));
  }
  return device_lattice_json(all, call.repeats);
}

} // namespace

std::string device_lattice_header() {
  return formatted("%-6s %-15s %-12s %-6s %9s %8s %8s  %s\n", "set", "type", "scheme", "fields", "ms", "MLUPS", "of copy", "target");
}

std::string device_lattice_line(const DeviceLatticeRow& row) {
  const DeviceLatticeWork& work = row.work;
  std::string line = formatted("%-6s %-15s %-12s %-6s %9.3f %8.0f %8.2f", name(work.set).data(), name(work.precision).data(),
                               name(work.scheme).data(), work.with_fields ? "yes" : "no", 1e3 * row.seconds,
                               1e-6 * row.updates_per_second(), row.of_copy());
  if (work.least_of_copy) line += std::string(row.met() ? "  met: " : "  missed: ") + shortest(*work.least_of_copy) + " of copy";
  return line + "\n";
}

std::string device_lattice_json(const std::vector<DeviceLatticeRow>& rows, int repeats) {
  std::string text;
  for (const DeviceLatticeRow& row : rows) {
    JsonObject object;
    add_work(object, row.work);
    object.raw("with_fields", row.work.with_fields ? "true" : "false");
    add_rates(object, row, repeats);
    text += (text.empty() ? "  " : ",\n  ") + object.text();
  }
  return "[\n" + text + "\n]\n";
}

OtherSuite device_lattice_suite() {
  return {"lattice_gpu", "the lattice Boltzmann fluid on a device beside a copy of its memory, a minute and 8 GB of it", run};
}

} // namespace corral::bench
