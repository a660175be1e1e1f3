#include "bench/maps.hpp"

#include "bench/device/device.hpp"

#include <corral/kernels/shipped.hpp>

#include <corral/error.hpp>

#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <sstream>

namespace corral::bench {

namespace {

/// What the options say, before they are put together.
struct Asked {
  Workload work;
  std::optional<Offset> offset;
  std::string map = "all";
  std::string method = "automatic";
  std::optional<Backend> backend;
  int threads = 1;
  std::string suite, json_file;
};

template <class Names> std::string listed(const Names& all) {
  std::string text;
  for (const auto& one : all) text += (text.empty() ? "" : ", ") + std::string(one);
  return text;
}

/// One of the words of an enumeration.
template <class E> E choice(const std::string& text) {
  for (std::size_t i = 0; i < names<E>.size(); ++i)
    if (names<E>[i] == text) return static_cast<E>(i);
  throw Error("'" + text + "' is none of " + listed(names<E>));
}

Method method_of(const std::string& text, Backend backend) {
  std::vector<std::string_view> all;
  for (const Method method : methods_of(backend)) {
    if (name(method) == text) return method;
    all.push_back(name(method));
  }
  throw Error("--method: '" + text + "' is none of " + listed(all) + " (those of the " +
              (backend == Backend::gpu ? "GPU)" : "CPU)"));
}

std::string kernel_of(const std::string& text) {
  if (!kernels::with_kernel(text, [](const auto&) {})) throw Error("no kernel '" + text + "' (such as linear or peskin4)");
  return text;
}

std::string map_of(const std::string& text) {
  const std::vector<std::string> all{"spread", "interpolate", "both", "direct", "sort", "all"};
  if (std::find(all.begin(), all.end(), text) == all.end()) throw Error("'" + text + "' is none of " + listed(all));
  return text;
}

/// A whole number, with k or M for thousands or millions: "3.8M".
std::int64_t whole(const std::string& text, std::int64_t least, std::int64_t most) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  const std::string unit(read.ptr, end);
  const double scale = unit == "k" ? 1e3 : unit == "M" ? 1e6 : 1;
  const double number = std::round(value * scale);
  const bool is_whole = std::abs(value * scale - number) <= 1e-9 * number;
  if (read.ec != std::errc() || (scale == 1 && !unit.empty()) || !is_whole || !(number >= static_cast<double>(least)) ||
      !(number <= static_cast<double>(most)))
    throw Error("'" + text + "' is no whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return static_cast<std::int64_t>(number);
}

/// "N" or "NX,NY,NZ".
std::array<std::int64_t, 3> cells_of(const std::string& text) {
  constexpr std::int64_t least = 2, most = 4096;
  std::vector<std::int64_t> n;
  std::istringstream words(text + ",");
  for (std::string one; std::getline(words, one, ',');) n.push_back(whole(one, least, most));
  if (n.size() == 1) return {n[0], n[0], n[0]};
  if (n.size() == 3) return {n[0], n[1], n[2]};
  throw Error("'" + text + "' is neither N nor NX,NY,NZ");
}

struct Option {
  std::string name, value, meaning;
  void (*apply)(Asked&, const std::string&);
};

const std::vector<Option>& options() {
  static const std::vector<Option> all{
      {"backend", "WHERE", "cpu (the default) or gpu, the current CUDA device",
       [](Asked& a, const std::string& v) { a.backend = choice<Backend>(v); }},
      {"kernel", "NAME", "interpolation kernel; default linear",
       [](Asked& a, const std::string& v) { a.work.kernel = kernel_of(v); }},
      {"method", "NAME", "how the maps are carried out, in the words of docs/methods.md; default automatic",
       [](Asked& a, const std::string& v) { a.method = v; }},
      {"staggering", "POINTS", "centre (the default), node, face_x, face_y, face_z; faces: a field on each of these",
       [](Asked& a, const std::string& v) { a.work.points = choice<Points>(v); }},
      {"fields", "N", "fields in one call, 1 to 12; default 3",
       [](Asked& a, const std::string& v) { a.work.fields = static_cast<int>(whole(v, 1, max_fields)); }},
      {"layout", "HOW", "fields, and columns: separate (the default) or interleaved, as complex numbers are",
       [](Asked& a, const std::string& v) { a.work.layout = choice<Layout>(v); }},
      {"precision", "TYPE", "float or double, the default",
       [](Asked& a, const std::string& v) { a.work.precision = choice<Precision>(v); }},
      {"threads", "N", "CPU threads; default 1. Both references have one in any case",
       [](Asked& a, const std::string& v) { a.threads = static_cast<int>(whole(v, 1, 4096)); }},
      {"cells", "N", "cells along each axis, or NX,NY,NZ; default 69",
       [](Asked& a, const std::string& v) { a.work.cells = cells_of(v); }},
      {"particles", "N", "such as 65536 or 11.7M; default 3.8M",
       [](Asked& a, const std::string& v) { a.work.particles = whole(v, 1, 10'000'000'000); }},
      {"distribution", "NAME", "uniform (the default), clustered (9/10 in 1/10 of the cells), sphere, one_cell",
       [](Asked& a, const std::string& v) { a.work.distribution = choice<Distribution>(v); }},
      {"order", "HOW", "random, sorted (the default: in cell order), or moved: sorted, then 5 % changed cell"
       "; direct maps take particles as drawn",
       [](Asked& a, const std::string& v) { a.work.order = choice<ParticleOrder>(v); }},
      {"offset", "WHERE", "of the order's groups, zero or half a cell; default: half for linear, zero for others",
       [](Asked& a, const std::string& v) { a.offset = choice<Offset>(v); }},
      {"map", "WHICH", "spread, interpolate, both, direct (without an order, particles as drawn), sort (and reorder), "
       "or all of these but direct (the default), as far as the method has them",
       [](Asked& a, const std::string& v) { a.map = map_of(v); }},
      {"repeats", "N", "timed calls, of which the median counts; default 7",
       [](Asked& a, const std::string& v) { a.work.repeats = static_cast<int>(whole(v, 1, 1000)); }},
      {"suite", "NAME", "several workloads that answer a question, see below",
       [](Asked& a, const std::string& v) { a.suite = v; }},
      {"json-file", "FILE", "gets what --json prints, beside the table",
       [](Asked& a, const std::string& v) { a.json_file = v; }}};
  return all;
}

Suite suite_named(const std::string& name, std::optional<Backend> asked) {
  std::vector<std::string_view> all;
  for (const SuiteKind& kind : suites()) {
    all.push_back(kind.name);
    if (kind.name != name) continue;
    const Backend backend = asked.value_or(kind.backends.front());
    if (std::find(kind.backends.begin(), kind.backends.end(), backend) != kind.backends.end())
      return kind.make(backend);
    throw Error("--backend " + std::string(word(backend)) + " (the suite " + name + " is one of the " +
                (backend == Backend::gpu ? "CPU" : "GPU") + ") leave it out, or take another suite");
  }
  for (const OtherSuite& other : other_suites()) all.push_back(other.name);
  throw Error("--suite: '" + name + "' is none of " + listed(all));
}

/// null: it is none.
const OtherSuite* other_suite_named(const std::string& name, std::optional<Backend> asked) {
  for (const OtherSuite& other : other_suites()) {
    if (other.name != name) continue;
    if (asked == Backend::gpu)
      throw Error("--backend gpu (the suite " + name + " is one of the CPU) leave it out, or take another suite");
    return &other;
  }
  return nullptr;
}

/// Throws Error where the method has no such map, before the others are measured.
void require_maps(const std::string& map, const Workload& work, Method method) {
  const std::string named(name(method));
  if (!serves_any_kernel(method) && work.kernel != kernels::Linear::name && map != "sort")
    throw Error("--method " + named + " (it maps by linear alone, not by " + work.kernel + ") take stencils, or automatic");
  if ((map == "both" || map == word(Task::interpolate)) && !interpolates_on(work.backend, method))
    throw Error("--method " + named + " (it is a way to spread, and --map " + map + " interpolates) take --map spread, or "
                "automatic");
  if ((map == "both" || map == "all" || map == word(Task::spread)) && !spreads(method))
    throw Error("--method " + named + " (it is a way to interpolate, and --map " + map + " spreads) take --map interpolate, or "
                "automatic");
  if (map == "direct" && !direct_on(work.backend, method, false) && !direct_on(work.backend, method, true))
    throw Error("--method " + named + " (it maps sorted particles, and direct maps have no order) take automatic, or another map");
}

/// The workload asked for, and beside it the sorts: of unsorted particles, of those that are in order, and of those
/// that are but for a few.
Suite suite_of(const Asked& asked) {
  Workload work = asked.work;
  if (work.points == Points::faces && work.fields != 3)
    throw Error("--fields " + std::to_string(work.fields) + " (faces takes three fields, one on each)");
  work.offset = asked.offset.value_or(work.kernel == kernels::Linear::name ? Offset::half : Offset::zero);
  work.backend = asked.backend.value_or(Backend::cpu);
  const Method method = method_of(asked.method, work.backend);
  require_maps(asked.map, work, method);
  auto call = [&](Task task) { return Call{task, method, asked.threads, {}}; };

  Suite suite;
  for (const Task task : {Task::spread, Task::interpolate}) {
    if (task == Task::interpolate && asked.map == "all" && !interpolates_on(work.backend, method)) continue;
    if (asked.map == word(task) || asked.map == "both" || asked.map == "all") work.calls.push_back(call(task));
  }
  if (asked.map == "direct") {
    work.order = ParticleOrder::random;
    for (const Task task : {Task::direct_spread, Task::direct_interpolate})
      if (direct_on(work.backend, method, interpolates(task))) work.calls.push_back(call(task));
  }
  if (!work.calls.empty()) suite.works.push_back(work);
  if (asked.map == "sort" || asked.map == "all") {
    work.order = ParticleOrder::random;
    work.calls = {call(Task::sort), call(Task::reorder)};
    suite.works.push_back(work);
    work.order = ParticleOrder::sorted;
    work.calls = {call(Task::sort)};
    suite.works.push_back(work);
    work.order = ParticleOrder::moved;
    suite.works.push_back(work);
  }
  return suite;
}

} // namespace

MapOptions read_map_options(const std::vector<std::string>& words) {
  MapOptions read;
  Asked asked;
  std::set<std::string> given;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--help" || word == "-h") read.help = true;
    if (word == "--json") read.json = true;
    if (word == "--fit") read.call.fit = given.insert("fit").second;
    if (word == "--help" || word == "-h" || word == "--json" || word == "--fit") continue;
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const Option* option = nullptr;
    for (const Option& o : options())
      if (name == "--" + o.name) option = &o;
    if (option == nullptr) throw Error("corral bench has no option '" + name + "' (see corral bench --help)");
    if (equals == word.npos && i + 1 == words.size()) throw Error(name + " needs a value (" + option->meaning + ")");
    if (!given.insert(option->name).second) throw Error(name + " is given twice");
    try {
      option->apply(asked, equals == word.npos ? words[++i] : word.substr(equals + 1));
    } catch (const Error& e) {
      throw Error(name + ": " + e.what());
    }
  }
  if (read.help) return read;
  if (asked.suite.empty()) {
    if (read.call.fit) throw Error("--fit (maps have no model of costs) leave it out, or name a suite that has one");
    if (asked.backend == Backend::gpu && given.count("threads") != 0)
      throw Error("--threads (the GPU has none to choose) leave it out, or --backend gpu");
    read.suite = suite_of(asked);
  } else {
    read.other = other_suite_named(asked.suite, asked.backend);
    if (!read.other) read.suite = suite_named(asked.suite, asked.backend);
    std::vector<std::string_view> taken{"suite", "repeats", "backend", "json-file"};
    if (read.other) taken.insert(taken.end(), read.other->takes.begin(), read.other->takes.end());
    for (const std::string& name : given)
      if (std::find(taken.begin(), taken.end(), name) == taken.end())
        throw Error("--" + name + " (a suite says itself what it measures) leave it out, or --suite");
    if (given.count("repeats") != 0)
      for (Workload& work : read.suite.works) work.repeats = asked.work.repeats;
    read.call.repeats = asked.work.repeats;
    if (given.count("particles") != 0) read.call.particles = asked.work.particles;
  }
  read.json_file = asked.json_file;
  if (!read.suite.works.empty() && read.suite.works.front().backend == Backend::gpu) require_device();
  return read;
}

std::string map_options_help() {
  constexpr std::size_t column = 24;
  std::string text = "corral bench [options]: the maps on synthetic particles, a line per measurement\n\nOptions:\n";
  auto add = [&](std::string what, std::string_view meaning) {
    what.resize(std::max(column, what.size() + 1), ' ');
    text += "  " + what + std::string(meaning) + "\n";
  };
  add("-h [ --help ]", "say this");
  for (const Option& option : options()) add("--" + option.name + " " + option.value, option.meaning);
  add("--fit", "of a suite that has a model of costs: its constants");
  add("--json", "an array of objects, for programs");
  text += "\nSuites:\n";
  for (const SuiteKind& kind : suites()) add(std::string(kind.name), kind.meaning);
  for (const OtherSuite& other : other_suites()) add(std::string(other.name), other.meaning);
  return text;
}

} // namespace corral::bench
