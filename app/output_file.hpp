#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

namespace corral::app {

/// A file that is written from its beginning; what was there is lost. Every operation is checked and throws Error
/// with the path and the system's reason.
class OutputFile {
public:
  explicit OutputFile(const std::filesystem::path& path);

  void write(const void* data, std::size_t bytes);
  void write(std::string_view text) { write(text.data(), text.size()); }
  void flush();
  /// Without it the destructor closes the file, and what then fails goes unnoticed.
  void close();

private:
  struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, Close> file_;
};

/// A file that appears whole or not at all: written as PATH.part, renamed by `commit`, removed if that never comes.
class AtomicFile {
public:
  explicit AtomicFile(const std::filesystem::path& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, std::size_t bytes) { file_.write(data, bytes); }
  void write(std::string_view text) { file_.write(text); }
  void commit();

private:
  std::filesystem::path path_;
  std::filesystem::path part_;
  OutputFile file_;
  bool committed_ = false;
};

void write_whole_file(const std::filesystem::path& path, std::string_view text);

} // namespace corral::app
