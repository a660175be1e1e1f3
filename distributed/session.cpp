#include "distributed/session.hpp"

#include "distributed/petsc.hpp"

namespace corral::distributed {

Session::Session() {
  int ended = 0;
  MPI_Finalized(&ended);
  if (ended != 0)
    throw Error("a session after MPI was ended (it starts once in a program) keep one for the whole of main");
  PetscBool there = PETSC_FALSE;
  check(PetscInitialized(&there), "asking whether it runs");
  if (there == PETSC_TRUE) return;
  // A host's handlers of signals stay, and a run depends on no file in somebody's home.
  char name[] = "corral", no_file[] = "-skip_petscrc", no_signals[] = "-no_signal_handler";
  char* words[] = {name, no_file, no_signals, nullptr};
  int count = 3;
  char** list = words;
  check(PetscInitialize(&count, &list, nullptr, nullptr), "its start");
  started_petsc_ = true;
  check(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr), "taking an error handler");
}

Session::~Session() {
  if (!started_petsc_) return;
  PetscPopErrorHandler();
  PetscFinalize(); // and MPI, where PETSc started it
}

} // namespace corral::distributed
