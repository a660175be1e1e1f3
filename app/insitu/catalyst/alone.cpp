/// Where ParaView is without MPI, or MPI without headers.
#include "app/insitu/catalyst/communicator.hpp"

#include <vtkCPProcessor.h>

#include <stdexcept>

namespace corral::catalyst {

struct Processes::Communicator {};

Processes::Processes(const corral_insitu_processes& p) {
  if (p.count > 1)
    throw std::runtime_error("the plug-in knows no MPI (of several processes each would be shown by itself) build it where ParaView is with "
                             "MPI and MPI's headers are there, or start the run without mpirun");
}
Processes::~Processes() = default;
bool Processes::all(bool mine) const { return mine; }
bool Processes::start(vtkCPProcessor& processor) const { return processor.Initialize() != 0; }

} // namespace corral::catalyst
