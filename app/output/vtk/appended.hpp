#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace corral::app {

/// A VTK XML file whose arrays stand as raw bytes at its end, each behind its length. All arrays have 8 bytes a
/// value, so that each is a row of 64-bit words: a double is written as its bits.
class VtkAppended {
public:
  /// Fills `words` with those of the array from number `begin` on; the component is the fastest index.
  using Fill = std::function<void(std::int64_t begin, std::span<std::uint64_t> words)>;

  /// `type` is "ImageData" or "PolyData", `attributes` those of its element, `time` [s] what viewers show.
  VtkAppended(const std::string& type, const std::string& attributes, double time);

  void xml(const std::string& text) { xml_ += text; }
  /// An array element at this place; `vtk_type` is Float64, Int64 or UInt64.
  void array(const std::string& name, const std::string& vtk_type, std::int64_t tuples, int components, Fill fill);
  /// Throws Error where the disk is full, and leaves no part of a file then.
  void write(const std::filesystem::path& path) const;

private:
  struct Words {
    std::int64_t count;
    Fill fill;
  };

  std::string type_;
  std::string xml_;
  std::vector<Words> arrays_;
  std::int64_t appended_bytes_ = 0;
};

} // namespace corral::app
