#include <corral/device_records.cuh>

#include <array>

namespace corral::detail {
namespace {

template <class... K> constexpr auto writers(kernels::List<K...>) {
  return std::array<WriteRecords, sizeof...(K)>{&write_records<K>...};
}

} // namespace

WriteRecords shipped_record_writer(int index) {
  static constexpr auto all = writers(kernels::ShippedKernels{});
  return all[index];
}

} // namespace corral::detail
