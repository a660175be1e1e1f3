#pragma once

#include "fluid/faces.hpp"
#include "fluid/row_part.hpp"

#include <corral/execution.hpp>

#include <cstdint>
#include <memory>

namespace corral::fluid {

/// Brings values of parts of rows from a device's fields of cells to the host's, and back: what stands around bodies that the
/// host knows. They are packed, on the host by the caller's threads, so that one copy of 24 bytes a cell carries all. Calls are as
/// DeviceLatticeFlow's.
class RowExchange {
public:
  RowExchange();
  ~RowExchange();
  RowExchange(RowExchange&&) noexcept;
  RowExchange& operator=(RowExchange&&) noexcept;

  /// Of rows of so many cells. Costs nothing where the parts are those of before. Waits where more memory is needed.
  void set(Gpu, RowParts, std::int64_t cells_of_a_row);
  std::int64_t cells() const; ///< in these parts

  /// Other cells of the host's fields stay as they are. Waits for the stream.
  void to_host(Gpu, const ConstFacePointers& device, const FacePointers& host);
  /// What the host's fields hold now is what the device gets, in order on the stream.
  void to_device(Gpu, const ConstFacePointers& host, const FacePointers& device);
  /// The same where a value is other than 0; else nothing is sent, and it returns false.
  bool to_device_unless_zero(Gpu, const ConstFacePointers& host, const FacePointers& device);

private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace corral::fluid
