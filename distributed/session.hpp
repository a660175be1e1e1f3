#pragma once

namespace corral::distributed {

/// MPI and PETSc for as long as this lives: starts those that the program has not started, and ends what it started.
/// One object, in `main`, before any other of this room and after all of them. PETSc reads no file of options, catches
/// no signals and prints nothing of errors; where the host has started it, all of that is the host's.
class Session {
public:
  /// Throws Error where MPI was already ended.
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

private:
  bool started_petsc_ = false;
};

} // namespace corral::distributed
