#pragma once

#include <corral/error.hpp>

#include <petscdmda.h>
#include <petscdmswarm.h>
#include <petscsf.h>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

/// For the sources of this room alone: what PETSc says becomes an Error, and what it made is destroyed.
namespace corral::distributed {

/// Throws Error where a call of PETSc failed: `doing` says at what.
inline void check(PetscErrorCode code, const char* doing) {
  if (code == 0) return;
  const char* text = nullptr;
  char* specific = nullptr;
  PetscErrorMessage(code, &text, &specific);
  std::string why = text != nullptr ? text : "error " + std::to_string(code);
  if (specific != nullptr && *specific != '\0') why += std::string(": ") + specific;
  throw Error(std::string("PETSc failed at ") + doing + " (" + why + ")");
}

struct DestroySF {
  void operator()(PetscSF sf) const { PetscSFDestroy(&sf); }
};
using OwnedSF = std::unique_ptr<std::remove_pointer_t<PetscSF>, DestroySF>;

struct DestroyDM {
  void operator()(DM dm) const { DMDestroy(&dm); }
};
using OwnedDM = std::unique_ptr<std::remove_pointer_t<DM>, DestroyDM>;

/// Leaves, places in this rank's memory, get what roots have, of which this rank has so many. Collective.
inline OwnedSF made_forest(MPI_Comm comm, std::int64_t roots, const std::vector<PetscInt>& leaf, const std::vector<PetscSFNode>& root) {
  PetscSF made = nullptr;
  check(PetscSFCreate(comm, &made), "making a star forest");
  OwnedSF forest(made);
  check(PetscSFSetType(made, PETSCSFBASIC), "making a star forest");
  check(PetscSFSetGraph(made, static_cast<PetscInt>(roots), static_cast<PetscInt>(leaf.size()), const_cast<PetscInt*>(leaf.data()),
                        PETSC_COPY_VALUES, const_cast<PetscSFNode*>(root.data()), PETSC_COPY_VALUES),
        "making a star forest");
  check(PetscSFSetUp(made), "making a star forest");
  return forest;
}

/// MPI's word for a value.
template <class T> MPI_Datatype datatype() {
  if constexpr (std::is_same_v<T, double>)
    return MPI_DOUBLE;
  else
    return MPI_FLOAT;
}

} // namespace corral::distributed
