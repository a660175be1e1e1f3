#include "app/checkpoint/checkpointer.hpp"

#include "app/checkpoint/checksum.hpp"

#include <cmath>

namespace corral::app {

std::vector<Manifest::Input> inputs_of(const Case& c) {
  std::vector<Manifest::Input> inputs;
  for (const std::string& section : c.settings.sections())
    for (const run::Key* key : c.keys.keys(section))
      if (key->type == run::KeyType::file && !key->when_resumed && c.settings.given(section, key->name)) {
        const std::filesystem::path file = c.settings.file(section, key->name);
        inputs.push_back({section + "." + key->name, checksum_of(file, size_of(file))});
      }
  return inputs;
}

Checkpointer::Checkpointer(const Case& c, const std::filesystem::path& output)
    : checkpoints_(output), belongings_{used_ini(c), inputs_of(c), {}}, steps_(c.settings.integer("checkpoint", "steps")),
      keep_(c.settings.integer("checkpoint", "keep")), interval_(c.settings.real("checkpoint", "interval")),
      wall_clock_(c.settings.real("checkpoint", "wall_clock")), at_end_(c.settings.flag("checkpoint", "at_end")) {}

bool Checkpointer::due(const run::Clock& clock) {
  bool is_due = steps_ > 0 && clock.step() % steps_ == 0;
  if (interval_ > 0) {
    // As for output, a time that rounding left a hair before the due time is that time.
    const double reached = std::floor((clock.time() + 1e-6 * clock.dt()) / interval_);
    const double before = std::floor((clock.time() - clock.dt() + 1e-6 * clock.dt()) / interval_);
    if (next_ < 0) next_ = before + 1;
    is_due = is_due || reached >= next_;
    next_ = std::max(next_, reached + 1);
  }
  if (wall_clock_ > 0) is_due = is_due || std::chrono::duration<double>(WallClock::now() - last_).count() >= wall_clock_;
  return is_due;
}

void Checkpointer::write(const run::Registry& state, const run::Registry& loop, const run::Clock& clock,
                         const std::vector<Log*>& tables) {
  last_ = WallClock::now(); // one that fails is tried again when the next is due
  belongings_.tables.clear();
  for (Log* table : tables) {
    table->sync();
    belongings_.tables.push_back({table->path().filename().string(), table->size(), checksum_of(table->path(), table->size())});
  }
  checkpoints_.add(state, loop, clock, belongings_, keep_);
}

} // namespace corral::app
