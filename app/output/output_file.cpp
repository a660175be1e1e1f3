#include "app/output/output_file.hpp"

#include <corral/error.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

namespace corral::app {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, int code) {
  throw Error("cannot write " + path.string() + " (" + std::strerror(code) + ") " + remedy(code));
}

// errno of the write that failed, 0 where all bytes are in the file at `offset`.
int write_at(int descriptor, std::size_t offset, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::pwrite(descriptor, text.data(), text.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? errno : EIO;
    text.remove_prefix(static_cast<std::size_t>(n));
    offset += static_cast<std::size_t>(n);
  }
  return 0;
}

void cut(int descriptor, std::size_t size) {
  // A device cannot be cut, and has no end that would tell.
  [[maybe_unused]] const int ignored = ::ftruncate(descriptor, static_cast<off_t>(size));
}

bool ends_in(int descriptor, std::size_t size, std::string_view end) {
  if (size < end.size()) return false;
  std::string found(end.size(), '\0');
  const ssize_t n = ::pread(descriptor, found.data(), found.size(), static_cast<off_t>(size - end.size()));
  return n == static_cast<ssize_t>(found.size()) && found == end;
}

} // namespace

std::string remedy(int code) {
  switch (code) {
  case EMFILE: return "allow this process more open files (ulimit -n)";
  case ENFILE: return "end programs that hold files open (the whole machine has run out of them)";
  case EFBIG: return "allow larger files (ulimit -f), or choose another place with --output";
  case ENOSPC:
  case EDQUOT: return "make room, or choose another place with --output";
  case EIO: return "look after the disk (dmesg), or choose another place with --output";
  default: return "choose another place with --output";
  }
}

OutputFile::OutputFile(const fs::path& path)
    : path_(path), file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (file_.number() < 0) fail(path_, errno);
}

void OutputFile::write(const void* data, std::size_t bytes) {
  if (const int code = write_at(file_.number(), size_, {static_cast<const char*>(data), bytes})) {
    cut(file_.number(), size_);
    fail(path_, code);
  }
  size_ += bytes;
}

void OutputFile::close() {
  if (::close(file_.release()) != 0) fail(path_, errno);
}

AtomicFile::AtomicFile(const fs::path& path) : path_(path), part_(path.string() + ".part"), file_(part_) {}

AtomicFile::~AtomicFile() {
  std::error_code ignored;
  if (!committed_) fs::remove(part_, ignored);
}

void AtomicFile::commit() {
  file_.close();
  std::error_code code;
  fs::rename(part_, path_, code);
  if (code) fail(path_, code.value());
  committed_ = true;
}

void write_whole_file(const fs::path& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

bool replace_end(const fs::path& path, std::string_view end, std::string_view text) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (file.number() < 0 && errno == ENOENT) return false;
  struct stat status {};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0) fail(path, errno);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (!ends_in(file.number(), size, end)) return false;
  if (const int code = write_at(file.number(), size - end.size(), text)) {
    write_at(file.number(), size - end.size(), end); // into blocks that the file has already: a full disk takes it
    cut(file.number(), size);
    fail(path, code);
  }
  if (::close(file.release()) != 0) fail(path, errno);
  return true;
}

} // namespace corral::app
