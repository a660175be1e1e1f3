#include "app/drivers.hpp"
#include "app/run.hpp"

int main(int argc, char** argv) {
  return corral::app::run(argc, argv, [] { return corral::app::drivers(); });
}
