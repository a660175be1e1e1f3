#include "app/system/files.hpp"

#include "app/system/process.hpp"
#include "app/system/system_calls.hpp"

#include <corral/error.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <string>

namespace corral::app {

namespace {

namespace fs = std::filesystem;

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
  case ELOOP: return "put the file itself there, not a link to it";
  case EIO: return "look after the disk (dmesg), or choose another place with --output";
  default: return "choose another place with --output";
  }
}

void cannot_write(const fs::path& path, int code) {
  throw Error("cannot write " + path.string() + " (" + std::strerror(code) + ") " + remedy(code));
}

void cannot_read(const fs::path& path, int code) {
  if (code == ENOMEM) throw std::bad_alloc();
  if (code == ENODEV) throw UsageError(path.string() + " is not a file (but a directory, a pipe or a device)");
  const std::string text = path.string() + " cannot be read (" + std::strerror(code) + ")";
  if (code == EACCES || code == EPERM)
    throw UsageError(text + " run as the user whose it is, or have the permission changed (chmod)");
  throw Error(code == EMFILE || code == ENFILE ? text + " " + remedy(code) : text);
}

void refuse_place(const std::string& text, int code) {
  for (const int passing : {ENOSPC, EDQUOT, EIO, EMFILE, ENFILE, ENOMEM})
    if (code == passing) throw Error(text);
  throw UsageError(text);
}

OutputFile::OutputFile(const fs::path& path) : path_(path) {
  if (const int code = system_calls::create(file_, path)) cannot_write(path_, code);
}

OutputFile::OutputFile(const fs::path& path, std::size_t keep) : path_(path), size_(keep) {
  if (const int code = system_calls::open_plain(file_, path, O_WRONLY)) cannot_write(path_, code);
  struct stat status {};
  if (::fstat(file_.number(), &status) != 0) cannot_write(path_, errno);
  if (static_cast<std::size_t>(status.st_size) < keep)
    throw Error(path_.string() + " has lost its end (it holds " + std::to_string(status.st_size) + " bytes of " +
                std::to_string(keep) + ")");
  if (const int code = system_calls::cut(file_.number(), keep)) cannot_write(path_, code);
}

void OutputFile::write(const void* data, std::size_t bytes) {
  if (const int code = system_calls::write_at(file_.number(), size_, {static_cast<const char*>(data), bytes})) {
    cut_back(file_.number(), size_);
    cannot_write(path_, code);
  }
  size_ += bytes;
}

void OutputFile::sync() {
  if (const int code = system_calls::sync(file_.number())) cannot_write(path_, code);
}

void OutputFile::close() {
  if (const int code = system_calls::close(file_)) cannot_write(path_, code);
}

PartFile::~PartFile() {
  if (!committed_) system_calls::try_to_remove(part_);
}

void PartFile::commit() {
  if (const int code = system_calls::rename(part_, whole_)) cannot_write(whole_, code);
  committed_ = true;
}

void AtomicFile::commit() {
  file_.close();
  part_.commit();
}

void AtomicFile::commit_on_disk() {
  file_.sync();
  commit();
  if (const int code = system_calls::sync_directory(part_.whole().parent_path())) cannot_write(part_.whole(), code);
}

void write_whole_file(const fs::path& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

std::vector<fs::path> paths_in(const fs::path& directory) {
  // Not by std::filesystem's iterator, which ends the process where memory fails.
  const auto close = [](DIR* open) { ::closedir(open); };
  const std::unique_ptr<DIR, decltype(close)> open(::opendir(directory.c_str()), close);
  if (!open && errno != ENOENT && errno != ENOTDIR) cannot_read(directory, errno);
  std::vector<fs::path> found;
  errno = 0;
  while (const dirent* entry = open ? ::readdir(open.get()) : nullptr) {
    if (const std::string_view name = entry->d_name; name != "." && name != "..") found.push_back(directory / name);
    errno = 0;
  }
  if (errno != 0) cannot_read(directory, errno);
  return found;
}

std::string read_whole_file(const fs::path& path, std::size_t most) {
  Descriptor file;
  struct stat status {};
  int code = system_calls::open_plain(file, path, O_RDONLY);
  if (code == 0 && ::fstat(file.number(), &status) != 0) code = errno;
  const auto size = static_cast<std::size_t>(status.st_size);
  if (code == 0 && size > most)
    throw Error(path.string() + " is too large (" + std::to_string(size) + " bytes, " + std::to_string(most) +
                " are allowed)");
  std::string text(size, '\0');
  if (code == 0) code = system_calls::read_at(file.number(), 0, text.data(), size);
  if (code != 0) cannot_read(path, code);
  return text;
}

bool replace_end(const fs::path& path, std::string_view end, std::string_view text) {
  Descriptor file;
  const int opened = system_calls::open_plain(file, path, O_RDWR);
  if (opened == ENOENT) return false;
  if (opened != 0) cannot_write(path, opened);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) cannot_write(path, errno);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (!ends_in(file.number(), size, end)) return false;
  if (const int code = system_calls::write_at(file.number(), size - end.size(), text)) {
    // Into blocks that the file has already: a full disk takes it.
    [[maybe_unused]] const int ignored = system_calls::write_at(file.number(), size - end.size(), end);
    cut_back(file.number(), size);
    cannot_write(path, code);
  }
  if (const int code = system_calls::close(file)) cannot_write(path, code);
  return true;
}

} // namespace corral::app
