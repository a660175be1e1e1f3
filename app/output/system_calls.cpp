#include "app/output/system_calls.hpp"

#include "app/command/descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace corral::app::system_calls {

namespace {

int sync_path(const std::filesystem::path& path, int flags) {
  const Descriptor file(::open(path.c_str(), flags | O_CLOEXEC));
  return file.number() < 0 ? errno : sync(file.number());
}

} // namespace

int write_at(int descriptor, std::size_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? errno : EIO;
    bytes.remove_prefix(static_cast<std::size_t>(n));
    offset += static_cast<std::size_t>(n);
  }
  return 0;
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

int cut(int descriptor, std::size_t size) { return ::ftruncate(descriptor, static_cast<off_t>(size)) == 0 ? 0 : errno; }

int sync(int descriptor) {
  if (::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP) return 0;
  return errno;
}

int sync_directory(const std::filesystem::path& directory) { return sync_path(directory, O_RDONLY | O_DIRECTORY); }

int sync_file(const std::filesystem::path& file) { return sync_path(file, O_RDONLY); }

} // namespace corral::app::system_calls
