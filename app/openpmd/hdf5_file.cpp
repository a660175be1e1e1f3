#include "app/openpmd/hdf5_file.hpp"

#include "app/openpmd/hdf5_driver.hpp"
#include "app/system/checksum.hpp"
#include "app/system/files.hpp"
#include "app/system/system_calls.hpp"

#include <corral/error.hpp>

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <utility>

namespace corral::app {

namespace fs = std::filesystem;

struct Hdf5File::Open {
  MemoryForHdf5 memory{};
  fs::path path{};
  CheckedBytes bytes{};
  hid_t file = -1;
  bool sealed = false;

  ~Open() {
    if (file >= 0) H5Fclose(file);
  }

  [[noreturn]] void fail(const std::string& doing) const {
    if (bytes.error != 0)
      throw Error("cannot " + doing + " " + path.string() + " (" + std::strerror(bytes.error) + ") " +
                  remedy(bytes.error));
    const std::string why = take_hdf5_reason();
    throw Error("cannot " + doing + " " + path.string() + " (HDF5 refuses" + (why.empty() ? "" : ": " + why) + ")");
  }
  void require(bool well, const char* doing) const {
    if (!well || bytes.error != 0) fail(doing);
  }
  /// What HDF5 still held back is written now.
  void end(const Fill& fill, const Checksums& by = checksums) {
    require(H5Fclose(std::exchange(file, -1)) >= 0, "write");
    if (fill) fill(path);
    if (!sealed) return;
    bytes.error = system_calls::write_at(bytes.file.number(), 0, seal::of(path, by));
    require(true, "write");
  }
  void close() {
    bytes.error = system_calls::close(bytes.file);
    require(true, "write");
  }
};

namespace {

using Handle = Hdf5Handle;

template <class T> hid_t type_of();
template <> hid_t type_of<double>() { return H5T_NATIVE_DOUBLE; }
template <> hid_t type_of<float>() { return H5T_NATIVE_FLOAT; }
template <> hid_t type_of<std::uint64_t>() { return H5T_NATIVE_UINT64; }
template <> hid_t type_of<std::int64_t>() { return H5T_NATIVE_INT64; }
template <> hid_t type_of<std::int32_t>() { return H5T_NATIVE_INT32; }
template <> hid_t type_of<std::uint32_t>() { return H5T_NATIVE_UINT32; }

Handle space_of(const Hdf5File::Extents& extents) {
  if (extents.empty()) return {H5Screate(H5S_SCALAR), H5Sclose};
  const std::vector<hsize_t> sizes(extents.begin(), extents.end());
  return {H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), H5Sclose};
}

bool is_empty(const Hdf5File::Extents& extents) { return std::find(extents.begin(), extents.end(), 0) != extents.end(); }

/// Its values have their place from now on.
template <class T> Handle make_set(hid_t file, const std::string& path, const Hdf5File::Extents& extents) {
  const Handle above(H5Pcreate(H5P_LINK_CREATE), H5Pclose), made(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(above, 1);
  H5Pset_obj_track_times(made, false); // the same state is the same bytes
  H5Pset_alloc_time(made, H5D_ALLOC_TIME_EARLY);
  const Handle space = space_of(extents);
  return {H5Dcreate2(file, path.c_str(), type_of<T>(), space, above, made, H5P_DEFAULT), H5Dclose};
}

template <class T>
bool write_values(hid_t file, const std::string& path, const T* values, const Hdf5File::Extents& extents) {
  const Handle set = make_set<T>(file, path, extents);
  return set >= 0 && (is_empty(extents) || H5Dwrite(set, type_of<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
}

/// Nothing where values do not stand one behind the other.
std::optional<std::int64_t> place_of(hid_t set) {
  const haddr_t at = H5Dget_offset(set);
  return at == HADDR_UNDEF ? std::nullopt : std::optional(static_cast<std::int64_t>(at));
}

template <class T> bool read_values(hid_t file, const std::string& path, T* values) {
  const Handle set(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
  if (set < 0) return false;
  const Handle type(H5Dget_type(set), H5Tclose), space(H5Dget_space(set), H5Sclose);
  if (H5Tequal(type, type_of<T>()) <= 0) return false;
  return H5Sget_simple_extent_npoints(space) == 0 ||
         H5Dread(set, type_of<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
}

bool write_attribute(hid_t file, const std::string& path, const std::string& name, hid_t type, const void* values,
                     const Hdf5File::Extents& extents) {
  const Handle object(H5Oopen(file, path.c_str(), H5P_DEFAULT), H5Oclose);
  const Handle space = space_of(extents);
  const Handle made(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return made >= 0 && H5Awrite(made, type, values) >= 0;
}

Handle text_type(std::size_t bytes) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, std::max<std::size_t>(bytes, 1));
  H5Tset_cset(type, H5T_CSET_UTF8);
  return {type, H5Tclose};
}

/// "" where there is no such text, nothing where it cannot be read.
std::optional<std::string> text_attribute(hid_t object, const char* name) {
  if (const htri_t there = H5Aexists(object, name); there <= 0) return there == 0 ? std::optional("") : std::nullopt;
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
  if (type < 0 || space < 0) return std::nullopt;
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0 || H5Sget_simple_extent_npoints(space) != 1)
    return "";
  std::string text(H5Tget_size(type), '\0');
  if (H5Aread(attribute, type, text.data()) < 0) return std::nullopt;
  text.resize(std::strlen(text.c_str()));
  return text;
}

std::optional<Hdf5File::Extents> extents_of(hid_t set) {
  const Handle space(H5Dget_space(set), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 0 || rank > 4) return std::nullopt;
  std::array<hsize_t, 4> sizes{};
  H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  return Hdf5File::Extents(sizes.begin(), sizes.begin() + rank);
}

struct Visit {
  std::vector<Hdf5File::DataSet> found{};
  std::exception_ptr failure{}; // none passes through HDF5
};

herr_t visit(hid_t object, const char* name, const H5O_info_t* info, void* into) {
  auto& visited = *static_cast<Visit*>(into);
  if (info->type != H5O_TYPE_DATASET) return 0;
  try {
    const Handle set(H5Dopen2(object, name, H5P_DEFAULT), H5Dclose);
    if (set < 0) return -1;
    const auto unit = text_attribute(set, "unit"), meaning = text_attribute(set, "meaning");
    if (!unit || !meaning) return -1;
    if (const auto extents = extents_of(set))
      visited.found.push_back({"/" + std::string(name), *unit, *meaning, *extents});
  } catch (...) {
    visited.failure = std::current_exception();
    return -1;
  }
  return 0;
}

} // namespace

Hdf5File::Hdf5File(std::unique_ptr<Open> open) : open_(std::move(open)) {}
Hdf5File::Hdf5File(Hdf5File&&) noexcept = default;
Hdf5File::~Hdf5File() = default;

Hdf5File Hdf5File::create(const fs::path& path, Sealed sealed) {
  auto open = std::make_unique<Open>();
  open->path = path;
  open->bytes.error = system_calls::create(open->bytes.file, path);
  open->require(true, "write");
  const Handle properties(properties_through(open->bytes), H5Pclose);
  const Handle made(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  open->sealed = sealed == Sealed::yes;
  if (open->sealed) H5Pset_userblock(made, seal::bytes);
  open->file = H5Fcreate("corral", H5F_ACC_TRUNC, made, properties);
  open->require(open->file >= 0, "write");
  return Hdf5File(std::move(open));
}

Hdf5File Hdf5File::open(const fs::path& path) {
  auto open = std::make_unique<Open>();
  open->path = path;
  struct stat status {};
  open->bytes.error = system_calls::open_plain(open->bytes.file, path, O_RDONLY);
  if (open->bytes.error == 0 && ::fstat(open->bytes.file.number(), &status) != 0) open->bytes.error = errno;
  open->require(true, "read");
  open->bytes.size = static_cast<haddr_t>(status.st_size);
  const Handle properties(properties_through(open->bytes), H5Pclose);
  open->file = H5Fopen("corral", H5F_ACC_RDONLY, properties);
  open->require(open->file >= 0, "read");
  return Hdf5File(std::move(open));
}

void Hdf5File::make_group(const std::string& path) {
  const Handle above(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(above, 1);
  const Handle group(H5Gcreate2(open_->file, path.c_str(), above, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  open_->require(group >= 0, "write");
}

void Hdf5File::write(const std::string& path, const double* values, const Extents& extents) {
  open_->require(write_values(open_->file, path, values, extents), "write");
}
void Hdf5File::write(const std::string& path, const float* values, const Extents& extents) {
  open_->require(write_values(open_->file, path, values, extents), "write");
}
void Hdf5File::write(const std::string& path, const std::uint64_t* values, const Extents& extents) {
  open_->require(write_values(open_->file, path, values, extents), "write");
}
void Hdf5File::write(const std::string& path, const std::int64_t* values, const Extents& extents) {
  open_->require(write_values(open_->file, path, values, extents), "write");
}
void Hdf5File::write(const std::string& path, const std::int32_t* values, const Extents& extents) {
  open_->require(write_values(open_->file, path, values, extents), "write");
}

template <class T> std::optional<std::int64_t> Hdf5File::leave_room(const std::string& path, const Extents& extents) {
  const Handle set = make_set<T>(open_->file, path, extents);
  open_->require(set >= 0, "write");
  if (is_empty(extents)) return std::nullopt;
  const std::optional<std::int64_t> at = app::place_of(set);
  open_->require(at.has_value(), "write");
  return at;
}

template <class T> std::optional<std::int64_t> Hdf5File::place_of(const std::string& path) const {
  const Handle set(H5Dopen2(open_->file, path.c_str(), H5P_DEFAULT), H5Dclose);
  open_->require(set >= 0, "read");
  const Handle type(H5Dget_type(set), H5Tclose), space(H5Dget_space(set), H5Sclose);
  open_->require(H5Tequal(type, type_of<T>()) > 0, "read");
  if (H5Sget_simple_extent_npoints(space) == 0) return std::nullopt;
  const std::optional<std::int64_t> at = app::place_of(set);
  open_->require(at.has_value(), "read");
  return at;
}

#define CORRAL_PLACES(T)                                                                                            \
  template std::optional<std::int64_t> Hdf5File::leave_room<T>(const std::string&, const Extents&);                  \
  template std::optional<std::int64_t> Hdf5File::place_of<T>(const std::string&) const;
CORRAL_PLACES(double)
CORRAL_PLACES(float)
CORRAL_PLACES(std::uint64_t)
CORRAL_PLACES(std::int32_t)
#undef CORRAL_PLACES

void Hdf5File::attribute(const std::string& path, const std::string& name, const std::string& text) {
  open_->require(write_attribute(open_->file, path, name, text_type(text.size()), text.c_str(), {}), "write");
}
void Hdf5File::attribute(const std::string& path, const std::string& name, double value) {
  open_->require(write_attribute(open_->file, path, name, type_of<double>(), &value, {}), "write");
}
void Hdf5File::attribute(const std::string& path, const std::string& name, std::uint32_t value) {
  open_->require(write_attribute(open_->file, path, name, type_of<std::uint32_t>(), &value, {}), "write");
}
void Hdf5File::attribute(const std::string& path, const std::string& name, const std::vector<double>& values) {
  open_->require(write_attribute(open_->file, path, name, type_of<double>(), values.data(), {values.size()}), "write");
}
void Hdf5File::attribute(const std::string& path, const std::string& name, const std::vector<std::uint64_t>& values) {
  open_->require(write_attribute(open_->file, path, name, type_of<std::uint64_t>(), values.data(), {values.size()}),
                 "write");
}
void Hdf5File::attribute(const std::string& path, const std::string& name, const std::vector<std::string>& texts) {
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  std::string all;
  for (const std::string& text : texts) all += text + std::string(longest - text.size(), '\0');
  open_->require(write_attribute(open_->file, path, name, text_type(longest), all.data(), {texts.size()}), "write");
}

void Hdf5File::finish(const Fill& fill, const Checksums& by) {
  open_->end(fill, by);
  open_->close();
}

void Hdf5File::finish_on_disk(const Fill& fill) {
  open_->end(fill);
  open_->bytes.error = system_calls::sync(open_->bytes.file.number());
  open_->close();
}

std::optional<double> Hdf5File::number(const std::string& path, const std::string& name) const {
  const Handle attribute(H5Aopen_by_name(open_->file, path.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  open_->require(true, "read");
  if (attribute < 0) return std::nullopt;
  const Handle space(H5Aget_space(attribute), H5Sclose);
  double value = 0;
  if (H5Sget_simple_extent_npoints(space) != 1 || H5Aread(attribute, type_of<double>(), &value) < 0) return std::nullopt;
  return value;
}

std::string Hdf5File::first_in(const std::string& group) const {
  std::string name(64, '\0');
  const ssize_t length = H5Lget_name_by_idx(open_->file, group.c_str(), H5_INDEX_NAME, H5_ITER_INC, 0, name.data(),
                                            name.size(), H5P_DEFAULT);
  open_->require(true, "read");
  name.resize(std::min<std::size_t>(length > 0 ? static_cast<std::size_t>(length) : 0, name.size() - 1));
  return name;
}

std::optional<Hdf5File::Extents> Hdf5File::extents(const std::string& path) const {
  // What cannot be opened is not what isn't there.
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const htri_t there = H5Lexists(open_->file, path.substr(0, end).c_str(), H5P_DEFAULT);
    open_->require(there >= 0, "read");
    if (there == 0) return std::nullopt;
    if (end == path.npos) break;
  }
  const Handle set(H5Dopen2(open_->file, path.c_str(), H5P_DEFAULT), H5Dclose);
  open_->require(set >= 0, "read");
  return extents_of(set);
}

void Hdf5File::read(const std::string& path, double* values) const {
  open_->require(read_values(open_->file, path, values), "read");
}
void Hdf5File::read(const std::string& path, float* values) const {
  open_->require(read_values(open_->file, path, values), "read");
}
void Hdf5File::read(const std::string& path, std::uint64_t* values) const {
  open_->require(read_values(open_->file, path, values), "read");
}
void Hdf5File::read(const std::string& path, std::int64_t* values) const {
  open_->require(read_values(open_->file, path, values), "read");
}
void Hdf5File::read(const std::string& path, std::int32_t* values) const {
  open_->require(read_values(open_->file, path, values), "read");
}

std::vector<Hdf5File::DataSet> Hdf5File::data_sets() const {
  Visit visited;
  const herr_t answer = H5Ovisit2(open_->file, H5_INDEX_NAME, H5_ITER_INC, visit, &visited, H5O_INFO_BASIC);
  if (visited.failure) std::rethrow_exception(visited.failure);
  open_->require(answer >= 0, "read");
  return visited.found;
}

} // namespace corral::app
