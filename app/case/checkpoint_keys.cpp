#include "app/case/checkpoint_keys.hpp"

#include <utility>

namespace corral::app {

void declare_checkpoint_keys(run::KeyTable& table) {
  using run::KeyType;
  const auto add = [&](run::Key key) {
    key.section = "checkpoint";
    key.when_resumed = true;
    table.add(std::move(key));
  };
  add({.name = "wall_clock",
       .unit = "s",
       .fallback = "1800",
       .minimum = 0,
       .meaning = "time of the machine's clock between checkpoints, 0: none for that"});
  add({.name = "interval",
       .unit = "s",
       .fallback = "0",
       .minimum = 0,
       .meaning = "simulated time between checkpoints, 0: none for that"});
  add({.name = "steps",
       .type = KeyType::integer,
       .fallback = "0",
       .minimum = 0,
       .meaning = "steps between checkpoints, 0: none for that"});
  add({.name = "at_end",
       .type = KeyType::boolean,
       .fallback = "true",
       .meaning = "one in the end, too, from which a run with a later end can go on"});
  add({.name = "keep",
       .type = KeyType::integer,
       .fallback = "2",
       .minimum = 1,
       .maximum = 1e6,
       .meaning = "how many of the last ones stay"});
}

} // namespace corral::app
