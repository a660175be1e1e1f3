#pragma once

#include "app/command/descriptor.hpp"

#include <filesystem>
#include <string>

namespace corral::app {

/// The right to write into a directory, held by one run at a time: DIRECTORY/corral.lock, which names its process and
/// host. A lock of the system on that file tells a run that goes on from one that was killed; what was left on another
/// host is not judged from here. The destructor removes the file.
class DirectoryLock {
public:
  /// Looks, and changes nothing. Throws UsageError where a run holds the directory, or may hold it on another host.
  static void require_free(const std::filesystem::path& directory);

  /// Takes the directory, which must exist. Throws UsageError as above, Error where the file cannot be written.
  explicit DirectoryLock(const std::filesystem::path& directory);
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

  /// What was found and taken over, as a message; "" where there was nothing.
  const std::string& found() const { return found_; }

private:
  bool take_new();
  bool take_left(bool finally);
  void hold(Descriptor file);

  std::filesystem::path path_;
  Descriptor file_;
  std::string found_;
};

} // namespace corral::app
