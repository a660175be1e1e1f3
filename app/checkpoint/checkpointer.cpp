#include "app/checkpoint/checkpointer.hpp"

#include "app/openpmd/checksum.hpp"
#include "app/openpmd/hdf5_driver.hpp"

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
    : checkpoints_(output), context_{used_ini(c), inputs_of(c), {}},
      steps_(c.settings.integer("checkpoint", "steps")), keep_(c.settings.integer("checkpoint", "keep")),
      wall_clock_(c.settings.real("checkpoint", "wall_clock")), at_end_(c.settings.flag("checkpoint", "at_end")),
      times_(c.settings.real("checkpoint", "interval")) {
  const MemoryForHdf5 now_rather_than_after_an_hour;
}

void Checkpointer::begin(const run::Clock& clock) {
  last_ = WallClock::now();
  times_.due(clock);
}

bool Checkpointer::due(const run::Clock& clock) {
  const bool by_time = times_.due(clock);
  const bool by_steps = steps_ > 0 && clock.step() % steps_ == 0;
  const std::chrono::duration<double> since = WallClock::now() - last_;
  return by_time || by_steps || (wall_clock_ > 0 && since.count() >= wall_clock_);
}

void Checkpointer::write(const run::Registry& state, const run::Registry& loop, const run::Clock& clock,
                         const std::vector<Log*>& tables) {
  last_ = WallClock::now(); // one that fails is tried again when the next is due
  context_.tables.clear();
  for (Log* table : tables) {
    table->sync();
    context_.tables.push_back({table->name(), table->size(), checksum_of(table->path(), table->size())});
  }
  checkpoints_.sync_results();
  checkpoints_.add(state, loop, clock, context_, keep_);
}

} // namespace corral::app
