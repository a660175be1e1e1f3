#include "app/system/system_calls.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

namespace corral::app::system_calls {

namespace {

namespace fs = std::filesystem;

int error_of(int answer) { return answer < 0 ? errno : 0; }

int sync_path(const fs::path& path, int flags) {
  Descriptor file;
  if (const int code = open(file, path, flags | O_NONBLOCK)) return code; // not to wait at a pipe
  return sync(file.number());
}

/// All of `bytes` by as many calls `put(bytes that are left, how many were put before)` as it takes.
template <class Put> int write_all(std::string_view bytes, Put put) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = put(bytes.substr(done), done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? errno : EIO;
    done += static_cast<std::size_t>(n);
  }
  return 0;
}

} // namespace

int open(Descriptor& file, const fs::path& path, int flags, unsigned mode) {
  Descriptor opened(::open(path.c_str(), flags | O_CLOEXEC, mode));
  const int code = error_of(opened.number());
  file = std::move(opened);
  return code;
}

int create(Descriptor& file, const fs::path& path) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) == 0) {
    if (S_ISDIR(found.st_mode)) return EISDIR;
    if (S_ISCHR(found.st_mode) || S_ISBLK(found.st_mode)) return open(file, path, O_RDWR);
    if (const int code = system_calls::remove(path)) return code;
  }
  return open(file, path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW);
}

int open_plain(Descriptor& file, const fs::path& path, int flags) {
  const bool read = (flags & O_ACCMODE) == O_RDONLY;
  Descriptor opened;
  if (const int code = open(opened, path, flags | O_NONBLOCK | (read ? 0 : O_NOFOLLOW)))
    return code == ENXIO ? ENODEV : code; // a pipe that nobody reads
  struct stat status {};
  if (::fstat(opened.number(), &status) != 0) return errno;
  if (!S_ISREG(status.st_mode)) return ENODEV;
  file = std::move(opened);
  return 0;
}

int close(Descriptor& file) { return error_of(::close(file.release())); }

int write_at(int descriptor, std::size_t offset, std::string_view bytes) {
  return write_all(bytes, [&](std::string_view left, std::size_t done) {
    return ::pwrite(descriptor, left.data(), left.size(), static_cast<off_t>(offset + done));
  });
}

int write(int descriptor, std::string_view bytes) {
  return write_all(bytes,
                   [&](std::string_view left, std::size_t) { return ::write(descriptor, left.data(), left.size()); });
}

int read_at(int descriptor, std::size_t offset, char* data, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t n = ::pread(descriptor, data, bytes, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? errno : EIO;
    data += n;
    bytes -= static_cast<std::size_t>(n);
    offset += static_cast<std::size_t>(n);
  }
  return 0;
}

int cut(int descriptor, std::size_t size) { return error_of(::ftruncate(descriptor, static_cast<off_t>(size))); }

int sync(int descriptor) {
  const int code = error_of(::fsync(descriptor));
  return code == EINVAL || code == ENOTSUP ? 0 : code;
}

int sync_directory(const fs::path& directory) {
  return sync_path(directory.empty() ? "." : directory, O_RDONLY | O_DIRECTORY);
}

int sync_file(const fs::path& file) { return sync_path(file, O_RDONLY); }

int make_directory(const fs::path& directory) {
  const int failed = error_of(::mkdir(directory.c_str(), 0777));
  std::error_code code;
  return failed != EEXIST ? failed : fs::is_directory(directory, code) ? 0 : ENOTDIR;
}

int make_directories(const fs::path& directory) {
  std::error_code code;
  if (directory.empty() || fs::is_directory(directory, code)) return 0;
  if (const fs::path above = directory.parent_path(); above != directory)
    if (const int failed = make_directories(above)) return failed;
  if (const int failed = make_directory(directory)) return failed;
  const int failed = sync_directory(directory.parent_path());
  return failed == EACCES ? 0 : failed; // where names may be made but not looked at
}

int rename(const fs::path& from, const fs::path& to) { return error_of(std::rename(from.c_str(), to.c_str())); }

int remove(const fs::path& path) {
  const int code = error_of(std::remove(path.c_str()));
  return code == ENOENT || code == ENOTDIR ? 0 : code;
}

void try_to_remove(const fs::path& path) { [[maybe_unused]] const int ignored = system_calls::remove(path); }

} // namespace corral::app::system_calls
