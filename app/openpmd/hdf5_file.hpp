#pragma once

#include "app/system/checksum.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace corral::app {

/// An HDF5 file. Its bytes pass through the system's calls of `app/output`, so that what fails is the system's reason;
/// HDF5 itself hears of no failure, which it does not survive well. All members throw Error.
class Hdf5File {
public:
  enum class Sealed { no, yes };
  /// Begins a new file; what was there is lost. Where it is sealed (system/checksum.hpp) `finish` puts the seal on it.
  static Hdf5File create(const std::filesystem::path& path, Sealed sealed = Sealed::no);
  /// For reading. HDF5 trusts what it reads: only files whose checksums were found right may be opened.
  static Hdf5File open(const std::filesystem::path& path);
  Hdf5File(Hdf5File&&) noexcept;
  ~Hdf5File();

  using Extents = std::vector<std::uint64_t>; ///< as C has them, the last runs fastest

  /// With the groups above it, as far as they are missing.
  void make_group(const std::string& path);
  void write(const std::string& path, const double* values, const Extents& extents);
  void write(const std::string& path, const float* values, const Extents& extents);
  void write(const std::string& path, const std::uint64_t* values, const Extents& extents);
  void write(const std::string& path, const std::int64_t* values, const Extents& extents);
  void write(const std::string& path, const std::int32_t* values, const Extents& extents);

  /// A data set whose values somebody else writes before the file is finished. Returns the place of the first in the file [bytes];
  /// nothing where there are none. T is one of those above.
  template <class T> std::optional<std::int64_t> leave_room(const std::string& path, const Extents& extents);

  /// Of a group or data set; "/" is the file.
  void attribute(const std::string& path, const std::string& name, const std::string& text);
  void attribute(const std::string& path, const std::string& name, double value);
  void attribute(const std::string& path, const std::string& name, std::uint32_t value);
  void attribute(const std::string& path, const std::string& name, const std::vector<double>& values);
  void attribute(const std::string& path, const std::string& name, const std::vector<std::uint64_t>& values);
  void attribute(const std::string& path, const std::string& name, const std::vector<std::string>& texts);

  /// Writes values for which there is room, into the file of this name, which HDF5 has left by then.
  using Fill = std::function<void(const std::filesystem::path& file)>;
  /// Nothing more can be written.
  void finish(const Fill& fill = {}, const Checksums& by = checksums);
  /// The same, and all that this file wrote is on the disk when it returns.
  void finish_on_disk(const Fill& fill = {});

  /// An attribute; nothing where it is not there.
  std::optional<double> number(const std::string& path, const std::string& name) const;
  /// The name of the first group or data set in a group; "" where it has none.
  std::string first_in(const std::string& group) const;
  /// Nothing where there is no such data set.
  std::optional<Extents> extents(const std::string& path) const;
  /// Into as many values as the extents say. Throws Error where the data set holds another type.
  void read(const std::string& path, double* values) const;
  void read(const std::string& path, float* values) const;
  void read(const std::string& path, std::uint64_t* values) const;
  void read(const std::string& path, std::int64_t* values) const;
  void read(const std::string& path, std::int32_t* values) const;

  /// Where its values stand in the file [bytes], one behind the other; nothing where there are none. Throws Error where the data set
  /// holds another type than T, or not so.
  template <class T> std::optional<std::int64_t> place_of(const std::string& path) const;

  struct DataSet {
    std::string path, unit, meaning; ///< the last two as attributes say them
    Extents extents;
  };
  std::vector<DataSet> data_sets() const; ///< in order of their names

private:
  struct Open;
  explicit Hdf5File(std::unique_ptr<Open> open);

  std::unique_ptr<Open> open_;
};

} // namespace corral::app
