#pragma once

#include "distributed/mpi.hpp"

#include <cstdint>

namespace corral::distributed {

/// Rows of so many bytes, as MPI counts them: by one each.
class RowType {
public:
  explicit RowType(std::int64_t bytes) {
    MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
  }
  ~RowType() { MPI_Type_free(&type_); }
  RowType(const RowType&) = delete;
  RowType& operator=(const RowType&) = delete;

  MPI_Datatype get() const { return type_; }

private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

} // namespace corral::distributed
