#pragma once

#include <corral/export.h>

#include <string>

namespace corral {

/// A CUDA device as it is found.
struct DeviceFound {
  std::string why_none;  ///< "no CUDA device is found here"; "" where one is
  std::string name;
  double free_bytes = 0; ///< of its memory
};

/// The current one. Throws Error where it does not answer.
CORRAL_PUBLIC DeviceFound find_device();

/// How many there are; 0 where corral was built without CUDA.
CORRAL_PUBLIC int device_count();

/// Makes that one, counted from 0, the current one of the calling thread. Throws Error where it cannot be had.
CORRAL_PUBLIC void use_device(int number);

} // namespace corral
