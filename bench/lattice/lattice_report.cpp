#include "bench/lattice/lattice_report.hpp"

#include "bench/lattice/row_parts.hpp"

namespace corral::bench {

namespace {

std::string bodies_text(const LatticeRow& row) {
  if (!row.bodies) return "none";
  return formatted("%.1f %% %s, %lld of %g%s", 100 * row.bodies->share, row.bodies->moving ? "moving" : "fixed",
                   static_cast<long long>(row.body_count), row.work.diameter, row.bodies->at_once ? ", at once" : "");
}

std::string target_text(const LatticeRow& row) {
  if (!row.has_target()) return "";
  const std::string verdict = row.met() ? "met: " : "missed: ";
  return verdict + (row.bodies ? "at most " + shortest(LatticeRow::most_cost) + " over the fluid"
                               : shortest(*row.work.least_of_copy) + " of copy");
}

std::string row_json(const LatticeRow& row, int repeats) {
  JsonObject object;
  add_work(object, row.work);
  object.add("threads", std::int64_t{row.threads});
  object.add("solid_share", row.bodies ? row.bodies->share : 0);
  object.raw("moving", row.bodies && row.bodies->moving ? "true" : "false");
  object.raw("at_once", row.bodies && row.bodies->at_once ? "true" : "false");
  object.add("bodies", row.body_count);
  object.add("diameter", row.bodies ? row.work.diameter : 0);
  object.add("points", row.points);
  add_rates(object, row, repeats);
  object.raw("cost_of_bodies", row.bodies ? shortest(row.cost) : "null");
  JsonObject phases;
  for (const auto& [phase, seconds] : row.phases) phases.add(phase, seconds);
  object.raw("phases", phases.text());
  std::string targets;
  if (row.has_target()) {
    JsonObject target;
    target.add("figure", row.bodies ? "cost_of_bodies" : "fraction_of_copy");
    target.add("required", row.bodies ? LatticeRow::most_cost : *row.work.least_of_copy);
    target.raw("met", row.met() ? "true" : "false");
    targets = target.text();
  }
  object.raw("targets", "[" + targets + "]");
  return object.text();
}

} // namespace

std::string lattice_header() {
  return formatted("%-6s %-15s %-12s %7s %-32s %7s %9s %8s %8s %8s  %s\n", "set", "type", "scheme", "threads", "bodies", "points", "ms",
                   "MLUPS", "of copy", "cost", "target");
}

std::string lattice_line(const LatticeRow& row) {
  std::string line = formatted("%-6s %-15s %-12s %7d %-32s %7lld %9.2f %8.1f %8.2f %8s  ", name(row.work.set).data(),
                               name(row.work.precision).data(), name(row.work.scheme).data(), row.threads, bodies_text(row).c_str(),
                               static_cast<long long>(row.points), 1e3 * row.seconds, 1e-6 * row.updates_per_second(), row.of_copy(),
                               row.bodies ? formatted("%.1f %%", 100 * row.cost).c_str() : "");
  line += target_text(row);
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string count_lattice_targets(const std::vector<LatticeRow>& rows) {
  int met = 0, all = 0;
  for (const LatticeRow& row : rows)
    if (row.has_target()) ++all, met += row.met() ? 1 : 0;
  return formatted("%d of %d targets met, %d missed\n", met, all, all - met);
}

std::string lattice_json(const std::vector<LatticeRow>& rows, int repeats) {
  std::string text;
  for (const LatticeRow& row : rows) text += (text.empty() ? "  " : ",\n  ") + row_json(row, repeats);
  return "[\n" + text + "\n]\n";
}

} // namespace corral::bench
