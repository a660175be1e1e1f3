#pragma once

#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <utility>

namespace corral::app {

/// A descriptor of the system that is closed with its scope; negative: none, as ::open gives where it fails.
class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  int number() const { return number_; }
  /// For whoever wants to know how closing went.
  [[nodiscard]] int release() { return std::exchange(number_, -1); }

private:
  int number_ = -1;
};

} // namespace corral::app

/// The seam between corral and the file system: all that app/ does to files goes through these calls (tests/house), and
/// tests make each of them fail. Carried out whole: interrupted ones again, short ones to their end. Each returns the
/// system's error, 0 where there was none.
namespace corral::app::system_calls {

/// `flags` as open(2) has them; no file that is opened here is handed to other programs.
[[nodiscard]] int open(Descriptor& file, const std::filesystem::path& path, int flags, unsigned mode = 0666);
/// A new file to write and read. What has its name is removed before, also a link or a pipe that somebody put there:
/// nothing is written through it. A directory stays (EISDIR); a device, which only root can put there, is written to.
[[nodiscard]] int create(Descriptor& file, const std::filesystem::path& path);
/// A plain file that is there, to read (O_RDONLY), or to write without following a link (ELOOP). ENODEV for all else:
/// nobody waits at a pipe.
[[nodiscard]] int open_plain(Descriptor& file, const std::filesystem::path& path, int flags);
/// Of a file that was written: what a file system has put off fails here at the latest.
[[nodiscard]] int close(Descriptor& file);

[[nodiscard]] int write_at(int descriptor, std::size_t offset, std::string_view bytes);
/// At the end of a stream: a pipe, a terminal.
[[nodiscard]] int write(int descriptor, std::string_view bytes);
/// EIO where the file ends before.
[[nodiscard]] int read_at(int descriptor, std::size_t offset, char* data, std::size_t bytes);
[[nodiscard]] int cut(int descriptor, std::size_t size);

/// What was written is on the disk when it returns. File systems that cannot say so are believed.
[[nodiscard]] int sync(int descriptor);
/// The same for the names in a directory.
[[nodiscard]] int sync_directory(const std::filesystem::path& directory);
/// The same for what a file holds.
[[nodiscard]] int sync_file(const std::filesystem::path& file);

/// One that is there already is no error.
[[nodiscard]] int make_directory(const std::filesystem::path& directory);
/// The same with those above it, as far as they are missing; their names are on the disk when it returns.
[[nodiscard]] int make_directories(const std::filesystem::path& directory);
[[nodiscard]] int rename(const std::filesystem::path& from, const std::filesystem::path& to);
/// A file, a link (not what it leads to) or an empty directory; one that is not there is no error.
[[nodiscard]] int remove(const std::filesystem::path& path);
/// The same, where what stays harms nobody.
void try_to_remove(const std::filesystem::path& path);

} // namespace corral::app::system_calls
