#pragma once

#include <corral/error.hpp>

#include <petscdmda.h>
#include <petscdmswarm.h>
#include <petscsf.h>

#include <memory>
#include <string>
#include <type_traits>

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

/// MPI's word for a value.
template <class T> MPI_Datatype datatype() {
  if constexpr (std::is_same_v<T, double>)
    return MPI_DOUBLE;
  else
    return MPI_FLOAT;
}

} // namespace corral::distributed
