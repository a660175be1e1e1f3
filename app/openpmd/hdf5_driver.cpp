#include "app/openpmd/hdf5_driver.hpp"

#include "app/system/system_calls.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

namespace corral::app {

namespace {

/// An open file as HDF5 hands it to its drivers: its own part comes first.
struct DriverFile {
  H5FD_t of_hdf5;
  CheckedBytes* bytes;
  haddr_t allocated; // what HDF5 calls the end of the address space
};

DriverFile& as_driver_file(H5FD_t* file) { return *reinterpret_cast<DriverFile*>(file); }
const DriverFile& as_driver_file(const H5FD_t* file) { return *reinterpret_cast<const DriverFile*>(file); }

H5FD_t* open(const char*, unsigned, hid_t properties, haddr_t) {
  CheckedBytes* bytes = nullptr;
  std::memcpy(&bytes, H5Pget_driver_info(properties), sizeof bytes);
  auto* file = new (std::nothrow) DriverFile{{}, bytes, 0}; // no exception passes through HDF5
  return file ? &file->of_hdf5 : nullptr;
}

herr_t close(H5FD_t* file) {
  delete &as_driver_file(file);
  return 0;
}

herr_t query(const H5FD_t*, unsigned long* features) {
  *features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
              H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

haddr_t allocated(const H5FD_t* file, H5FD_mem_t) { return as_driver_file(file).allocated; }

herr_t set_allocated(H5FD_t* file, H5FD_mem_t, haddr_t to) {
  as_driver_file(file).allocated = to;
  return 0;
}

haddr_t size(const H5FD_t* file, H5FD_mem_t) { return as_driver_file(file).bytes->size; }

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t n, void* data) {
  CheckedBytes& bytes = *as_driver_file(file).bytes;
  std::memset(data, 0, n); // beyond the end there are zeros, as HDF5 has it
  const std::size_t there = at < bytes.size ? std::min<std::size_t>(n, bytes.size - at) : 0;
  if (bytes.error == 0) bytes.error = system_calls::read_at(bytes.file.number(), at, static_cast<char*>(data), there);
  return 0;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t n, const void* data) {
  CheckedBytes& bytes = *as_driver_file(file).bytes;
  if (bytes.error == 0)
    bytes.error = system_calls::write_at(bytes.file.number(), at, {static_cast<const char*>(data), n});
  bytes.size = std::max<haddr_t>(bytes.size, at + n);
  return 0;
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  const DriverFile& f = as_driver_file(file);
  if (f.bytes->error == 0 && f.allocated != f.bytes->size)
    f.bytes->error = system_calls::cut(f.bytes->file.number(), f.allocated);
  f.bytes->size = f.allocated;
  return 0;
}

/// Of the failure that came first; those above it follow from it. Without memory of its own.
std::array<char, 200> reason{};

herr_t remember_first(unsigned n, const H5E_error2_t* error, void*) {
  const bool memory = error->min_num == H5E_NOSPACE || error->min_num == H5E_CANTALLOC;
  if (n == 0) std::snprintf(reason.data(), reason.size(), "%s%s", memory ? "out of memory: " : "", error->desc);
  return 0;
}

herr_t remember_reason(hid_t stack, void*) { return H5Ewalk2(stack, H5E_WALK_UPWARD, remember_first, nullptr); }

hid_t registered() {
  static const hid_t id = [] {
    H5FD_class_t driver{};
#if H5_VERSION_GE(1, 14, 0)
    driver.version = H5FD_CLASS_VERSION;
    driver.value = static_cast<H5FD_class_value_t>(600); // of those that are left to applications
#endif
    driver.name = "corral";
    driver.maxaddr = (haddr_t{1} << 62) - 1;
    driver.fc_degree = H5F_CLOSE_STRONG;
    driver.fapl_size = sizeof(CheckedBytes*);
    driver.open = open;
    driver.close = close;
    driver.query = query;
    driver.get_eoa = allocated;
    driver.set_eoa = set_allocated;
    driver.get_eof = size;
    driver.read = read;
    driver.write = write;
    driver.truncate = truncate;
    constexpr H5FD_mem_t map[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(map), std::end(map), std::begin(driver.fl_map));
    return H5FDregister(&driver);
  }();
  return id;
}

} // namespace

MemoryForHdf5::MemoryForHdf5() {
  constexpr std::size_t pieces = 128, bytes = std::size_t{64} << 10; // 8 MiB; HDF5 takes some 2 for tables and buffers
  std::vector<std::unique_ptr<char[]>> aside(pieces);
  for (auto& piece : aside) piece = std::make_unique_for_overwrite<char[]>(bytes);
  // Behind the others, which therefore do not go back to the system when they are given back.
  end_ = std::move(aside.back());
  static const bool started = [] {
    H5dont_atexit(); // it would write on files that could not be closed
    if (H5open() < 0) throw std::bad_alloc();
    H5Eset_auto2(H5E_DEFAULT, remember_reason, nullptr);
    return true;
  }();
  static_cast<void>(started);
}

std::string take_hdf5_reason() {
  std::string text(reason.data());
  reason[0] = '\0';
  return text;
}

hid_t properties_through(CheckedBytes& bytes) {
  const hid_t properties = H5Pcreate(H5P_FILE_ACCESS);
  const CheckedBytes* address = &bytes;
  H5Pset_driver(properties, registered(), &address);
  H5Pset_fclose_degree(properties, H5F_CLOSE_STRONG);
  return properties;
}

} // namespace corral::app
