#include "bench/report.hpp"

#include "bench/text.hpp"

#include <cstdio>

namespace corral::bench {

template <class T> T read_columns(const std::array<const T*, 6>& columns, std::int64_t begin, std::int64_t end) {
  // A cache line of each array in turn. So many sums stay in registers and are enough that no addition waits for
  // another; neither more of them nor software prefetch made it faster.
  constexpr std::int64_t lanes = 64 / sizeof(T);
  T sum[lanes] = {};
  std::int64_t i = begin;
  for (; i + lanes <= end; i += lanes)
    for (const T* column : columns)
      for (std::int64_t j = 0; j < lanes; ++j) sum[j] += column[i + j];
  T total = 0;
  for (; i < end; ++i)
    for (const T* column : columns) total += column[i];
  for (const T s : sum) total += s;
  return total;
}

template float read_columns(const std::array<const float*, 6>&, std::int64_t, std::int64_t);
template double read_columns(const std::array<const double*, 6>&, std::int64_t, std::int64_t);

double multiply_and_add() {
  constexpr int rounds = 2'000'000, lanes = 16; // registers on plain x86-64, too
  double value[lanes] = {};
  for (int r = 0; r < rounds; ++r)
    for (int i = 0; i < lanes; ++i) value[i] = value[i] * 0.999 + i;
  double sum = 0;
  for (const double v : value) sum += v;
  return sum;
}

namespace {

const std::vector<std::string> titles{"map",     "kernel",    "method",       "points", "fields", "type",
                                      "threads", "cells",     "particles",    "distribution", "order"};
const std::vector<std::string> figures{"ms", "M/s", "x plain", "of stream"};
constexpr std::size_t figure_width = 9;

std::string fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

/// Without the round-off of a change of unit.
std::string brief(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string cells_text(const Workload& w) {
  if (w.cells[0] == w.cells[1] && w.cells[1] == w.cells[2]) return std::to_string(w.cells[0]) + "^3";
  return std::to_string(w.cells[0]) + "x" + std::to_string(w.cells[1]) + "x" + std::to_string(w.cells[2]);
}

std::vector<std::string> description(const Workload& w, const Call& call) {
  return {std::string(word(call.task)) + (call.start == Start::warm ? "" : "_" + std::string(word(call.start))),
          w.kernel,
          std::string(name(call.method)),
          std::string(word(w.points)),
          std::to_string(w.fields) + (w.layout == Layout::interleaved ? "i" : ""),
          std::string(word(w.precision)),
          w.backend == Backend::gpu ? "gpu" : std::to_string(call.threads),
          cells_text(w),
          std::to_string(w.particles),
          std::string(word(w.distribution)),
          std::string(word(w.order))};
}

std::string right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string target_text(const Row& row, const Target& target) {
  const std::string figure = shortest(target.required);
  std::string text = row.meets(target) ? "met" : "missed";
  switch (target.figure) {
  case Figure::stream: text += ": " + figure + " of stream"; break;
  case Figure::plain: text += ": " + figure + " x plain"; break;
  case Figure::plain_maps: text += ": at most " + figure + " plain maps"; break;
  case Figure::one_thread:
    text += ": " + figure + " x one thread (is " + fixed(row.value(target.figure), 2) + "; the machine's arithmetic " +
            fixed(row.arithmetic_gain, 2) + ", its memory " + fixed(row.stream_gain, 2) + ")";
    break;
  case Figure::seconds: text += ": at most " + brief(1e3 * target.required) + " ms"; break;
  case Figure::rate: text += ": " + brief(1e-6 * target.required) + " M/s"; break;
  }
  return target.aim > 0 ? text + ", aim " + shortest(target.aim) : text;
}

bool in_plain_maps(Task task) { return task == Task::sort || task == Task::reorder; }

std::string targets_json(const Row& row) {
  std::string all;
  for (const Target& target : row.call.targets) {
    constexpr std::string_view members[] = {"fraction_of_stream", "ratio_to_plain", "in_plain_maps",
                                            "ratio_to_one_thread", "seconds_median", "particles_per_second"};
    JsonObject object;
    object.add("figure", members[static_cast<std::size_t>(target.figure)]);
    object.add("required", target.required);
    object.raw("aim", target.aim > 0 ? shortest(target.aim) : "null");
    object.raw("met", row.meets(target) ? "true" : "false");
    all += (all.empty() ? "" : ", ") + object.text();
  }
  return "[" + all + "]";
}

// No text here needs escapes: all of it is words that corral itself has, and device_name() leaves out what would.
std::string row_json(const Row& row) {
  const Workload& w = row.work;
  JsonObject object;
  object.add("backend", word(w.backend));
  object.add("instruction_set", row.instruction_set);
  object.add("map", word(row.call.task));
  object.add("start", word(row.call.start));
  object.add("kernel", w.kernel);
  object.add("method", name(row.call.method));
  object.add("staggering", word(w.points));
  object.add("fields", std::int64_t{w.fields});
  object.add("layout", word(w.layout));
  object.add("precision", word(w.precision));
  object.add("threads", std::int64_t{row.call.threads});
  object.raw("cells", "[" + std::to_string(w.cells[0]) + ", " + std::to_string(w.cells[1]) + ", " +
                          std::to_string(w.cells[2]) + "]");
  object.add("particles", w.particles);
  object.add("distribution", word(w.distribution));
  object.add("order", word(w.order));
  object.add("offset", word(w.offset));
  object.add("repeats", std::int64_t{w.repeats});
  object.add("seconds_median", row.seconds);
  object.add("particles_per_second", row.particles_per_second());
  object.add("ratio_to_plain", row.value(Figure::plain));
  object.add("in_plain_maps", row.value(Figure::plain_maps));
  object.add("fraction_of_stream", row.value(Figure::stream));
  object.raw("ratio_to_one_thread", row.one_thread_seconds > 0 ? shortest(row.value(Figure::one_thread)) : "null");
  object.add("arithmetic_gain", row.arithmetic_gain);
  object.add("stream_gain", row.stream_gain);
  object.add("plain_seconds", row.plain_seconds);
  object.add("stream_seconds", row.stream_seconds);
  object.raw("targets", targets_json(row));
  return object.text();
}

std::string ceiling_json(const Ceilings& ceilings, const Ceiling& ceiling) {
  JsonObject object;
  object.add("backend", word(Backend::gpu));
  object.add("instruction_set", ceilings.device);
  object.add("ceiling", ceiling.name);
  object.add("unit", ceiling.unit);
  object.add("rate", ceiling.rate);
  return object.text();
}

} // namespace

Table::Table(const std::vector<Workload>& works) {
  for (const std::string& title : titles) widths_.push_back(title.size());
  for (const Workload& w : works)
    for (const Call& call : w.calls) {
      const auto cells = description(w, call);
      for (std::size_t c = 0; c < cells.size(); ++c) widths_[c] = std::max(widths_[c], cells[c].size());
    }
}

std::string Table::aligned(const std::vector<std::string>& cells) const {
  std::string text;
  for (std::size_t c = 0; c < cells.size(); ++c) text += cells[c] + std::string(widths_[c] - cells[c].size() + 2, ' ');
  return text;
}

std::string Table::header() const {
  std::string text = aligned(titles);
  for (const std::string& figure : figures) text += right(figure, figure_width) + "  ";
  return text + "target\n";
}

std::string Table::line(const Row& row) const {
  std::string text = aligned(description(row.work, row.call));
  for (const std::string& figure :
       {fixed(1e3 * row.seconds, 3), fixed(1e-6 * row.particles_per_second(), 2), fixed(row.value(Figure::plain), 2),
        fixed(row.value(Figure::stream), 3)})
    text += right(figure, figure_width) + "  ";
  std::string notes;
  auto note = [&](const std::string& what) { notes += (notes.empty() ? "" : "; ") + what; };
  if (in_plain_maps(row.call.task)) note("takes " + fixed(row.value(Figure::plain_maps), 2) + " plain maps");
  for (const Target& target : row.call.targets) note(target_text(row, target));
  text += notes;
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string text(const Ceilings& ceilings) {
  std::string text = "ceilings of " + ceilings.device + "\n";
  for (const Ceiling& ceiling : ceilings.all) {
    std::string name(ceiling.name);
    name.resize(std::max<std::size_t>(28, name.size() + 1), ' ');
    text += "  " + name + right(fixed(1e-9 * ceiling.rate, 1), figure_width) + "  10^9 " + std::string(ceiling.unit) +
            "\n";
  }
  return text + "\n";
}

std::string json(const Ceilings& ceilings, const std::vector<Row>& rows) {
  std::string text;
  const auto add = [&](const std::string& object) { text += (text.empty() ? "  " : ",\n  ") + object; };
  for (const Ceiling& ceiling : ceilings.all) add(ceiling_json(ceilings, ceiling));
  for (const Row& row : rows) add(row_json(row));
  return "[\n" + text + "\n]\n";
}

} // namespace corral::bench
