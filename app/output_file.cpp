#include "app/output_file.hpp"

#include <corral/error.hpp>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

namespace corral::app {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int code) {
  const bool full = code == ENOSPC || code == EDQUOT || code == EFBIG;
  throw Error("cannot write " + path.string() + " (" + std::strerror(code) + ") " +
              (full ? "make room, or choose another place with --output" : "choose another place with --output"));
}

} // namespace

OutputFile::OutputFile(const std::filesystem::path& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
  if (!file_) fail(path_, errno);
}

void OutputFile::write(const void* data, std::size_t bytes) {
  if (std::fwrite(data, 1, bytes, file_.get()) != bytes) fail(path_, errno);
}

void OutputFile::flush() {
  if (std::fflush(file_.get()) != 0) fail(path_, errno);
}

void OutputFile::close() {
  if (std::fclose(file_.release()) != 0) fail(path_, errno);
}

AtomicFile::AtomicFile(const std::filesystem::path& path)
    : path_(path), part_(path.string() + ".part"), file_(part_) {}

AtomicFile::~AtomicFile() {
  std::error_code ignored;
  if (!committed_) std::filesystem::remove(part_, ignored);
}

void AtomicFile::commit() {
  file_.close();
  std::error_code code;
  std::filesystem::rename(part_, path_, code);
  if (code) fail(path_, code.value());
  committed_ = true;
}

void write_whole_file(const std::filesystem::path& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

} // namespace corral::app
