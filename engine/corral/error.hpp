#pragma once

#include <corral/export.h>
#include <corral/host_device.hpp> // which asks for C++20, before anything else does

#include <stdexcept>
#include <string>

namespace corral {

/// The one exception type of the engine: bad input, a bad file, a failing device.
/// what() reads "problem (why) suggestion", for instance
/// "solid_volume has 32768 values (the grid has 33792 points for face_z)".
class CORRAL_PUBLIC Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

} // namespace corral
