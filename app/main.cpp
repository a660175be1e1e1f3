#include "app/commands.hpp"
#include "app/drivers.hpp"

#include <iostream>

int main(int argc, char** argv) {
  return corral::app::execute({argv + (argc > 0 ? 1 : 0), argv + argc}, corral::app::drivers(), std::cout, std::cerr);
}
