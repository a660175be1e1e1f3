#pragma once

#include "app/insitu/corral_insitu.h"

#include <memory>

class vtkCPProcessor;

namespace corral::catalyst {

/// The processes that ParaView shows a run with, of which this is one.
class Processes {
public:
  /// Throws std::runtime_error of several where ParaView is without MPI, or with another one than the run.
  explicit Processes(const corral_insitu_processes&);
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;
  ~Processes();

  /// True where it is on all of them. Collective, as the next.
  bool all(bool mine) const;
  /// Starts ParaView; false where that fails.
  bool start(vtkCPProcessor& processor) const;

private:
  struct Communicator;
  std::unique_ptr<Communicator> communicator_; ///< null where one process is alone
};

} // namespace corral::catalyst
