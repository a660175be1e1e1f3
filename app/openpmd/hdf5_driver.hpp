#pragma once

#include "app/command/descriptor.hpp"

#include <hdf5.h>

namespace corral::app {

/// What HDF5 reads and writes through, and the first error that the system gave.
struct CheckedBytes {
  Descriptor file;
  int error = 0;
  haddr_t size = 0; // [bytes]
};

/// A list of properties by which H5Fcreate and H5Fopen use `bytes`, whatever name they are given. To be closed.
hid_t properties_through(CheckedBytes& bytes);

} // namespace corral::app
