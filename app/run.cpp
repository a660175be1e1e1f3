#include "app/run.hpp"

#include "app/command/commands.hpp"
#include "app/system/process.hpp"

#include <iostream>
#include <new>

namespace corral::app {

int run(int argc, char** argv, std::vector<run::DriverKind> (*drivers)()) {
  if (!reserve_standard_streams()) return 1; // and nowhere to say why
  speak_without_memory();
  try {
    return execute({argv + (argc > 0 ? 1 : 0), argv + argc}, drivers(), std::cout, std::cerr);
  } catch (const std::bad_alloc&) { // of the arguments, or of the drivers
    std::cerr << no_memory_at_all;
    return 1;
  }
}

} // namespace corral::app
