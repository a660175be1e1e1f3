#pragma once

#include "app/system/system_calls.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace corral::app {

/// What helps where results cannot be written, by the system's error: "make room, or choose another place with
/// --output".
std::string remedy(int code);
/// Throws Error: "cannot write PATH (No space left on device) make room, or ...".
[[noreturn]] void cannot_write(const std::filesystem::path& path, int code);

/// Throws Error: "PATH cannot be read (Input/output error)"; UsageError where it is a matter of permission, std::bad_alloc
/// of memory.
[[noreturn]] void cannot_read(const std::filesystem::path& path, int code);
/// `text`, as UsageError where the place that was chosen is at fault, as Error where a disk, or the machine, is full or broken.
[[noreturn]] void refuse_place(const std::string& text, int code);

/// A file that is written from its beginning, where what was there is lost, or from where it was left. Every operation
/// is checked and throws Error with the path and the system's reason. Nothing is buffered, and a write that fails leaves
/// the file as it was before it: no part of a row, and nothing that a later write or `close` would add.
class OutputFile {
public:
  explicit OutputFile(const std::filesystem::path& path);
  /// Goes on with a file that is there, after its first `keep` bytes; what stands behind them is lost.
  OutputFile(const std::filesystem::path& path, std::size_t keep);

  void write(const void* data, std::size_t bytes);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// So many bytes that somebody else writes; something is written behind them.
  void leave_room(std::size_t bytes) { size_ += bytes; }
  /// All that was written is on the disk when it returns.
  void sync();
  std::size_t size() const { return size_; } ///< [bytes]
  /// Without it the destructor closes the file, and what then fails goes unnoticed.
  void close();

private:
  std::filesystem::path path_;
  Descriptor file_;
  std::size_t size_ = 0; // [bytes]
};

/// The name under which a file is written that is to appear whole or not at all: PATH.part, renamed by `commit`, removed
/// if that never comes.
class PartFile {
public:
  explicit PartFile(const std::filesystem::path& path) : whole_(path), part_(path.string() + ".part") {}
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  const std::filesystem::path& path() const { return part_; }
  const std::filesystem::path& whole() const { return whole_; }
  /// Once the file is written and closed.
  void commit();

private:
  std::filesystem::path whole_, part_;
  bool committed_ = false;
};

/// A file of bytes that appears whole or not at all.
class AtomicFile {
public:
  explicit AtomicFile(const std::filesystem::path& path) : part_(path), file_(part_.path()) {}

  void write(const void* data, std::size_t bytes) { file_.write(data, bytes); }
  void write(std::string_view text) { file_.write(text); }
  void commit();
  /// The same, so that a machine that goes down after it has the file.
  void commit_on_disk();

private:
  PartFile part_;
  OutputFile file_;
};

void write_whole_file(const std::filesystem::path& path, std::string_view text);
/// What is in a directory; nothing where it is none. Throws as `cannot_read`.
std::vector<std::filesystem::path> paths_in(const std::filesystem::path& directory);
/// Throws Error where the file cannot be read, or holds more than `most` bytes.
std::string read_whole_file(const std::filesystem::path& path, std::size_t most);

/// Replaces the last bytes of a file, which must be `end`, by `text`, at least as long, in a single write: whoever
/// reads the file, or ends this process, finds the old end or the new one. Where the write fails the old end stays,
/// and Error is thrown. False, and nothing done, where the file does not end so or is not there.
bool replace_end(const std::filesystem::path& path, std::string_view end, std::string_view text);

} // namespace corral::app
