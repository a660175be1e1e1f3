#include "app/command/commands.hpp"
#include "app/command/memory.hpp"
#include "app/command/standard_streams.hpp"
#include "app/drivers.hpp"

#include <iostream>
#include <new>

int main(int argc, char** argv) {
  if (!corral::app::reserve_standard_streams()) return 1; // and nowhere to say why
  corral::app::speak_without_memory();
  try {
    return corral::app::execute({argv + (argc > 0 ? 1 : 0), argv + argc}, corral::app::drivers(), std::cout, std::cerr);
  } catch (const std::bad_alloc&) { // of the arguments
    std::cerr << corral::app::no_memory_at_all;
    return 1;
  }
}
