#pragma once

#include "tests/app/run/run_into.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

namespace corral::test {

/// A run of 10 steps, watched by a script that begins with this order for the plug-in, which writes seen.txt.
struct Watched {
  explicit Watched(const std::string& order, double interval = 0.05, const std::string& plugin = FAKE_PLUGIN) {
    ::setenv("CORRAL_INSITU_PLUGIN", plugin.c_str(), 1);
    put(elsewhere / "script", order + "\n");
    app::RunPlan watched = plan;
    watched.title = "case";
    watched.in_situ = {{"view", elsewhere / "script", interval}};
    CHECK(run_into(out.path(), driver, watched) == 0);
    ::unsetenv("CORRAL_INSITU_PLUGIN");
  }

  std::string seen() const { return contents(out / "insitu/view/seen.txt"); }
  std::string summary() const { return contents(out / "summary.json"); }
  std::int64_t calls() {
    for (const auto& phase : driver.phases().all())
      if (phase.name == "in situ") return phase.calls;
    return 0;
  }

  TemporaryDirectory out, elsewhere;
  FakeDriver driver;
};

inline std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

inline std::string address(const void* data) {
  std::ostringstream text;
  text << data;
  return text.str();
}

/// All that a run wrote but summary.json.
inline std::map<std::string, std::string> results(const TemporaryDirectory& out) {
  auto files = files_in(out.path());
  files.erase("summary.json");
  files.erase("insitu");
  return files;
}

} // namespace corral::test
