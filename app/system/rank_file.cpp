#include "app/system/rank_file.hpp"

#include "app/system/checksum.hpp"
#include "app/system/files.hpp"
#include "app/system/system_calls.hpp"

#include <fcntl.h>

#include <cstddef>
#include <string>

namespace corral::app {

namespace {

class OpenedRankFile final : public run::RankFile {
public:
  OpenedRankFile(const std::filesystem::path& path, run::Access access) : path_(path) {
    const bool writes = access == run::Access::write;
    const int code = system_calls::open_plain(file_, path, writes ? O_WRONLY : O_RDONLY);
    if (code != 0) writes ? cannot_write(path, code) : cannot_read(path, code);
  }

  void write(std::int64_t offset, std::span<const std::byte> bytes) override {
    if (const int code = system_calls::write_at(file_.number(), static_cast<std::size_t>(offset),
                                                {reinterpret_cast<const char*>(bytes.data()), bytes.size()}))
      cannot_write(path_, code);
  }
  void read(std::int64_t offset, std::span<std::byte> bytes) override {
    if (const int code = system_calls::read_at(file_.number(), static_cast<std::size_t>(offset), reinterpret_cast<char*>(bytes.data()), bytes.size()))
      cannot_read(path_, code);
  }
  std::int64_t size() const override { return static_cast<std::int64_t>(size_of(path_)); }
  std::string checksum(std::int64_t offset, std::int64_t bytes) override {
    std::string buffer(static_cast<std::size_t>(bytes), '\0');
    read(offset, std::as_writable_bytes(std::span(buffer)));
    return app::checksum(buffer);
  }
  void close(bool on_disk) override {
    int code = on_disk ? system_calls::sync(file_.number()) : 0;
    if (const int closed = system_calls::close(file_); code == 0) code = closed;
    if (code != 0) cannot_write(path_, code);
  }

private:
  std::filesystem::path path_;
  Descriptor file_;
};

} // namespace

std::unique_ptr<run::RankFile> open_rank_file(const std::filesystem::path& path, run::Access access) {
  return std::make_unique<OpenedRankFile>(path, access);
}

Checksums checksums_by(run::Registry::Source* ranks) {
  if (!ranks) return checksums;
  return [ranks](const std::filesystem::path& file, std::size_t bytes, std::size_t block, std::size_t from) {
    return ranks->checksums(file, bytes, block, from);
  };
}

} // namespace corral::app
