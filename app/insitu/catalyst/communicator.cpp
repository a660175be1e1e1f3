#include "app/insitu/catalyst/communicator.hpp"

#include <vtkCPProcessor.h>
#include <vtkMPI.h>

#include <array>
#include <stdexcept>
#include <string>

namespace corral::catalyst {

struct Processes::Communicator {
  MPI_Comm comm;
};

Processes::Processes(const corral_insitu_processes& p) {
  if (p.count == 1) return;
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> name{};
  int length = 0;
  MPI_Get_library_version(name.data(), &length);
  if (std::string(name.data()) != p.mpi)
    throw std::runtime_error(std::string("ParaView speaks over ") + name.data() + ", and the run over " + p.mpi + " (they cannot be told of each other)");
  communicator_ = std::make_unique<Communicator>(Communicator{MPI_Comm_f2c(p.communicator)});
}

Processes::~Processes() = default;

bool Processes::all(bool mine) const {
  if (!communicator_) return mine;
  int least = mine ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, communicator_->comm);
  return least == 1;
}

bool Processes::start(vtkCPProcessor& processor) const {
  if (!communicator_) return processor.Initialize() != 0;
  vtkMPICommunicatorOpaqueComm comm(&communicator_->comm);
  return processor.Initialize(comm) != 0;
}

} // namespace corral::catalyst
