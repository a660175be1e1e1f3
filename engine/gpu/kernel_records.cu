#include <corral/device_records.cuh>

#include <array>

namespace corral::detail {
namespace {

template <class T, class... K> constexpr auto writers(kernels::List<K...>) {
  return std::array<WriteRecords<T>, sizeof...(K)>{&write_records<K, T>...};
}

} // namespace

template <> WriteRecords<float> shipped_record_writer(int index) {
  static constexpr auto all = writers<float>(kernels::ShippedKernels{});
  return all[index];
}
template <> WriteRecords<double> shipped_record_writer(int index) {
  static constexpr auto all = writers<double>(kernels::ShippedKernels{});
  return all[index];
}

} // namespace corral::detail
