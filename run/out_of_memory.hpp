#pragma once

#include <new>
#include <string>
#include <utility>

namespace corral::run {

/// Memory did not suffice for an array of the state; what() says for which and how much: "velocity_x of 3e9 parcels
/// takes 24 GB". Elsewhere it is a plain std::bad_alloc.
class OutOfMemory : public std::bad_alloc {
public:
  explicit OutOfMemory(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

private:
  std::string message_;
};

} // namespace corral::run
