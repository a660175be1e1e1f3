#include "app/run.hpp"

#include "app/command/commands.hpp"
#include "app/system/process.hpp"

#include <corral/error.hpp>

#include <iostream>
#include <new>

namespace corral::app {

int run(int argc, char** argv, std::vector<run::DriverKind> (*drivers)(), std::shared_ptr<const distributed::Team> (*team)()) {
  if (!reserve_standard_streams()) return 1; // and nowhere to say why
  speak_without_memory();
  try {
    const auto processes = team ? team() : nullptr;
    return execute({argv + (argc > 0 ? 1 : 0), argv + argc}, drivers(), std::cout, std::cerr, processes.get());
  } catch (const Error& e) { // of the processes
    std::cerr << "corral: " << e.what() << "\n";
    return 2;
  } catch (const std::bad_alloc&) { // of the arguments, or of the drivers
    std::cerr << no_memory_at_all;
    return 1;
  }
}

} // namespace corral::app
