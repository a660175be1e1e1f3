#pragma once

#include "app/command/descriptor.hpp"

#include <hdf5.h>

#include <string>

namespace corral::app {

/// What HDF5 reads and writes through, and the first error that the system gave.
struct CheckedBytes {
  Descriptor file;
  int error = 0;
  haddr_t size = 0; // [bytes]
};

/// Starts HDF5, once. It does not survive want of memory at its start, nor always later: throws std::bad_alloc, and leaves
/// it alone, where there is less than it takes for a file.
void require_hdf5();

/// Why HDF5 refused last, in its words: "memory allocation failed"; "" where it did not.
std::string take_hdf5_reason();

/// A list of properties by which H5Fcreate and H5Fopen use `bytes`, whatever name they are given. To be closed.
hid_t properties_through(CheckedBytes& bytes);

} // namespace corral::app
