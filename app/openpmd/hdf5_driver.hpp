#pragma once

#include "app/system/system_calls.hpp"

#include <hdf5.h>

#include <memory>
#include <string>

namespace corral::app {

/// What HDF5 hands out, closed with its scope.
class Hdf5Handle {
public:
  Hdf5Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }

private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// What HDF5 reads and writes through, and the first error that the system gave.
struct CheckedBytes {
  Descriptor file;
  int error = 0;
  haddr_t size = 0; // [bytes]
};

/// Sets memory aside for a file that HDF5 reads or writes, and starts HDF5 where it was not: it does not survive want of
/// memory. The process keeps what is set aside for whatever it asks for next; to be held until the file is closed.
class MemoryForHdf5 {
public:
  /// Throws std::bad_alloc, HDF5 left alone, where there is too little.
  MemoryForHdf5();

private:
  std::unique_ptr<char[]> end_;
};

/// Why HDF5 refused last, in its words: "memory allocation failed"; "" where it did not.
std::string take_hdf5_reason();

/// A list of properties by which H5Fcreate and H5Fopen use `bytes`, whatever name they are given. To be closed.
hid_t properties_through(CheckedBytes& bytes);

} // namespace corral::app
