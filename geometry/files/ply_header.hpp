#pragma once

#include "geometry/files/readers.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace corral::geometry {

enum class PlyFormat : std::uint8_t { text, little_endian, big_endian };
enum class PlyType : std::uint8_t { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

std::size_t size_of(PlyType type); ///< [bytes]
inline bool is_whole(PlyType type) { return type < PlyType::float32; }

/// A number, or a list of numbers that its count precedes.
struct PlyProperty {
  std::string name;
  PlyType type = PlyType::int8;
  bool is_list = false;
  PlyType count = PlyType::uint8; ///< of a list
};

struct PlyElement {
  std::string name;
  std::int64_t count = 0;
  std::int64_t line = 0; ///< that announces it
  std::vector<PlyProperty> properties;

  /// What one of them takes at least, lists being empty: bytes, or characters of a text with what parts them.
  std::int64_t least_size(PlyFormat format) const;
};

struct PlyHeader {
  PlyFormat format = PlyFormat::text;
  std::vector<PlyElement> elements; ///< in the order of the file; names differ, as do those of an element's properties
  std::size_t end = 0;              ///< first byte behind it
  std::int64_t lines = 0;
};

/// Reads the header, and compares what it announces with the file's size. Throws Error with file and line.
PlyHeader read_ply_header(const FileBytes& file);

/// Places of what a surface is made of, among elements and their properties.
struct PlyPlaces {
  std::size_t points = 0, faces = 0;        ///< elements
  std::array<std::size_t, 3> coordinates{}; ///< properties of points
  std::size_t corners = 0;                  ///< property of faces
};

/// Throws Error where something is missing, or is no number that it can be.
PlyPlaces find_places(const FileBytes& file, const PlyHeader& header);

} // namespace corral::geometry
