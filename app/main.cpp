#include "app/command/commands.hpp"
#include "app/command/standard_streams.hpp"
#include "app/drivers.hpp"

#include <iostream>

int main(int argc, char** argv) {
  if (!corral::app::reserve_standard_streams()) return 1; // and nowhere to say why
  return corral::app::execute({argv + (argc > 0 ? 1 : 0), argv + argc}, corral::app::drivers(), std::cout, std::cerr);
}
