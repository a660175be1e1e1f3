#include "app/output/output_file.hpp"

#include "app/output/system_calls.hpp"

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

void cut_back(int descriptor, std::size_t size) {
  // A device cannot be cut, and has no end that would tell.
  [[maybe_unused]] const int ignored = system_calls::cut(descriptor, size);
}

bool ends_in(int descriptor, std::size_t size, std::string_view end) {
  if (size < end.size()) return false;
  std::string found(end.size(), '\0');
  return system_calls::read_at(descriptor, size - end.size(), found.data(), found.size()) == 0 && found == end;
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

OutputFile::OutputFile(const fs::path& path, std::size_t keep)
    : path_(path), file_(::open(path.c_str(), O_WRONLY | O_CLOEXEC)), size_(keep) {
  struct stat status {};
  if (file_.number() < 0 || ::fstat(file_.number(), &status) != 0) fail(path_, errno);
  if (static_cast<std::size_t>(status.st_size) < keep)
    throw Error(path_.string() + " has lost its end (it holds " + std::to_string(status.st_size) + " bytes of " +
                std::to_string(keep) + ")");
  if (const int code = system_calls::cut(file_.number(), keep)) fail(path_, code);
}

void OutputFile::write(const void* data, std::size_t bytes) {
  if (const int code = system_calls::write_at(file_.number(), size_, {static_cast<const char*>(data), bytes})) {
    cut_back(file_.number(), size_);
    fail(path_, code);
  }
  size_ += bytes;
}

void OutputFile::sync() {
  if (const int code = system_calls::sync(file_.number())) fail(path_, code);
}

void OutputFile::close() {
  if (::close(file_.release()) != 0) fail(path_, errno);
}

PartFile::~PartFile() {
  std::error_code ignored;
  if (!committed_) fs::remove(part_, ignored);
}

void PartFile::commit() {
  std::error_code code;
  fs::rename(part_, whole_, code);
  if (code) fail(whole_, code.value());
  committed_ = true;
}

void AtomicFile::commit() {
  file_.close();
  part_.commit();
}

void AtomicFile::commit_on_disk() {
  file_.sync();
  commit();
  if (const int code = system_calls::sync_directory(part_.whole().parent_path())) fail(part_.whole(), code);
}

void write_whole_file(const fs::path& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

std::string read_whole_file(const fs::path& path, std::size_t most) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  int code = file.number() < 0 || ::fstat(file.number(), &status) != 0 ? errno : 0;
  if (code == 0 && !S_ISREG(status.st_mode)) throw Error(path.string() + " is not a file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (code == 0 && size > most)
    throw Error(path.string() + " is too large (" + std::to_string(size) + " bytes, " + std::to_string(most) +
                " are allowed)");
  std::string text(size, '\0');
  if (code == 0) code = system_calls::read_at(file.number(), 0, text.data(), size);
  if (code != 0) throw Error(path.string() + " cannot be read (" + std::strerror(code) + ")");
  return text;
}

bool replace_end(const fs::path& path, std::string_view end, std::string_view text) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (file.number() < 0 && errno == ENOENT) return false;
  struct stat status {};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0) fail(path, errno);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (!ends_in(file.number(), size, end)) return false;
  if (const int code = system_calls::write_at(file.number(), size - end.size(), text)) {
    // Into blocks that the file has already: a full disk takes it.
    [[maybe_unused]] const int ignored = system_calls::write_at(file.number(), size - end.size(), end);
    cut_back(file.number(), size);
    fail(path, code);
  }
  if (::close(file.release()) != 0) fail(path, errno);
  return true;
}

} // namespace corral::app
