#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace corral::app {

/// A .pvd file that lists numbered files with their times. Rewritten whole by each `add`, so that it is complete at
/// any moment.
class Series {
public:
  /// The list is directory/name.pvd; its members are called name_000000.extension and so on.
  Series(std::filesystem::path directory, std::string name, std::string extension);

  /// The next member, to be written before it is added.
  std::filesystem::path next() const { return directory_ / member(times_.size()); }
  void add(double time);

private:
  std::string member(std::size_t number) const;

  std::filesystem::path directory_;
  std::string name_;
  std::string extension_;
  std::vector<double> times_; // [s] of each member
};

} // namespace corral::app
