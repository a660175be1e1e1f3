#pragma once

#include "run/state/registry.hpp"

#include <corral/array.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace corral::app {

/// A .pvd file that lists numbered files with their times. Each `add` replaces the closing tags by a line and the
/// closing tags, in one write: the list is complete at any moment, and a run of many files writes each line once.
class Series {
public:
  /// The list is directory/name.pvd; its members are called name_000000.extension and so on.
  Series(std::filesystem::path directory, std::string name, std::string extension);

  void bind_state(run::Registry& registry) { registry.bind(name_ + "_times", "s", "of the files written", times_); }

  /// The next member, to be written before it is added.
  std::filesystem::path next() const { return directory_ / member(times_.size()); }
  void add(double time);
  /// All members are on the disk when it returns, but for those that somebody removed. Throws Error.
  void sync();
  /// Where the times have been assigned, those of a run that goes on: lists them anew, and removes members that are later.
  void restore();

private:
  std::string line(std::int64_t number) const;
  std::string member(std::int64_t number) const;
  void write_list() const;
  std::optional<std::int64_t> number_of(std::string_view file) const; ///< of a member, by its name

  std::filesystem::path directory_;
  std::string name_;
  std::string extension_;
  Array<double> times_; // [s] of each member
  std::int64_t on_disk_ = 0; // members, the first ones
};

} // namespace corral::app
