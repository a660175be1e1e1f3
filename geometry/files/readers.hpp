#pragma once

#include "geometry/soundness/faults.hpp"
#include "geometry/soundness/weld.hpp"
#include "geometry/surface.hpp"

#include <corral/array.hpp>
#include <corral/error.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

namespace corral::geometry {

/// A file's name and what it holds.
struct FileBytes {
  std::string name;
  std::string_view bytes;
};

/// The largest file that is read [bytes]: lines and bytes are counted in 32 bits. Also what tells STL's two kinds
/// apart, see `is_binary_stl`.
inline constexpr std::int64_t largest_file = (std::int64_t{1} << 32) - 2;

/// All of a plain file, as it is when it is opened. Throws Error where there is none, or it cannot be read or is too
/// large.
Array<char> read_bytes(const std::filesystem::path& file);

/// What a message may show of a file's bytes: at most 40 of them, in quotes, with \xNN for what is not printable ASCII.
std::string cited(std::string_view bytes);

/// Goes through a binary file number by number, and knows the byte. What lies beyond the end throws an Error that names
/// file and byte.
class ByteReader {
public:
  ByteReader(const FileBytes& file, std::size_t at, std::endian order = std::endian::little)
      : file_(file), at_(at), order_(order) {}

  template <class T> T number(std::string_view what) {
    need(sizeof(T), what);
    char bytes[sizeof(T)];
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bytes[i] = file_.bytes[at_ + (order_ == std::endian::native ? i : sizeof(T) - 1 - i)];
    at_ += sizeof(T);
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
  }
  void skip(std::size_t bytes, std::string_view what) {
    need(bytes, what);
    at_ += bytes;
  }

  std::int64_t place() const { return static_cast<std::int64_t>(at_); } ///< bytes before the next number
  std::int64_t bytes_left() const { return static_cast<std::int64_t>(file_.bytes.size() - at_); }
  std::string_view rest() const { return file_.bytes.substr(at_); }

  [[noreturn]] void refuse(std::int64_t place, const std::string& why) const {
    throw Error(file_.name + ":byte " + std::to_string(place) + ": " + why);
  }

private:
  void need(std::size_t bytes, std::string_view what) const {
    if (bytes > file_.bytes.size() - at_)
      refuse(place(), "the file ends here (" + std::string(what) + " is missing) it may have been cut off");
  }

  FileBytes file_;
  std::size_t at_; // at most the file's size
  std::endian order_;
};

/// Goes through a text word by word, and knows the line. Lines end with \n or \r\n, words are parted by blanks.
/// Whatever is not as expected throws an Error that names file and line.
class TextReader {
public:
  enum class Comments : std::uint8_t { none, hash }; ///< from a # to the end of the line

  explicit TextReader(const FileBytes& file, Comments comments = Comments::none)
      : file_(file), rest_(file.bytes), comments_(comments) {}

  /// Goes to the next line that is not blank; false at the end of the text.
  bool next_line();
  /// The same where there has to be one: `what` is missing at the end.
  void need_line(const std::string& what);
  /// The next word of this line; "" at its end.
  std::string_view word();
  /// The next word of this line or of those behind; "" at the end of the text.
  std::string_view word_anywhere();
  bool at_end_of_line() const;
  bool take_word(std::string_view expected); ///< reads the next word of this line if it is this one
  void leave_line() { now_ = {}; }           ///< skips what is left of this line

  /// The next word of this line as a number; `what` says of what it is.
  double number(std::string_view what);
  std::int64_t whole_number(std::string_view what);
  double number_anywhere(std::string_view what); ///< on this line or on those behind
  /// Nothing is left in this line but what was read.
  void need_end_of_line(std::string_view behind);

  std::int64_t line() const { return line_; } ///< from 1 on
  /// Bytes behind this line.
  std::int64_t bytes_left() const { return static_cast<std::int64_t>(rest_.size()); }
  /// Where the next line begins, from the beginning of the text.
  std::size_t next_begin() const { return file_.bytes.size() - rest_.size(); }
  [[noreturn]] void refuse(const std::string& why) const;

private:
  double to_number(std::string_view word, std::string_view what) const;

  FileBytes file_;
  std::string_view rest_, now_; // lines behind this one, and what is left of it
  Comments comments_;
  std::int64_t line_ = 0;
};

/// A surface and where its parts stand in the file.
struct SurfaceFile {
  Surface surface;
  SurfaceOrigin origin;
};

/// Collects what a reader finds, with the place of each: a line or a byte. Throws Error where it becomes too much.
class SurfaceBuilder {
public:
  /// `unit` [m] is what one of the file is; coordinates are multiplied by it.
  SurfaceBuilder(const FileBytes& file, double unit, bool binary);

  void number_from(std::int64_t first) { file_.origin.first = first; } ///< the file's points, for messages
  /// Room for what a file announces; the caller has compared the numbers with the file's size.
  void expect(std::int64_t points, std::int64_t triangles);
  void add_point(const Vector& x, std::int64_t place);
  /// For files whose triangles repeat their points: the number of a point, which is added where it is new.
  std::int32_t point(const Vector& x, std::int64_t place);

  /// A polygon, corner by corner, is cut into a fan of triangles from its first corner.
  void begin_polygon(std::int64_t place);
  void corner(std::int64_t point); ///< throws Error where it is no point
  void end_polygon();              ///< throws Error where it had less than three corners

  std::int64_t points() const { return file_.surface.points.size(); }
  std::int64_t polygons() const { return polygons_; } ///< begun so far
  SurfaceFile take() { return std::move(file_); }

private:
  [[noreturn]] void refuse(std::int64_t place, const std::string& why) const;
  void add_triangle(const Triangle& t);

  SurfaceFile file_;
  PointIndex index_;
  std::int64_t polygons_ = 0, place_ = 0, corners_ = 0, highest_ = 0;
  std::int32_t first_ = 0, previous_ = 0;
};

// Readers of one format each. They look at the file alone, not at whether the surface is sound, but corners are points
// of it. `unit` [m] is what one of the file is. Each throws an Error that names file, line or byte, and reason.
//
// None allocates more than a small multiple of the file's size, whatever it announces (README.md).

/// Object File Format: OFF with or without colours, normals and texture coordinates of points (C, N, ST), which are
/// skipped, as are colours of faces. Each point and each face has a line of its own; # begins a comment.
SurfaceFile read_off(const FileBytes& file, double unit);

/// Wavefront: points in lines `v`, triangles in lines `f`, by the numbers of points before them, from 1 on or backwards
/// from -1, alone or before the slashes of v/vt/vn. Polygons are refused; all other records, and what follows the
/// coordinates, are skipped; several objects are one surface.
SurfaceFile read_obj(const FileBytes& file, double unit);
/// By its first word that is no comment.
bool is_obj(const FileBytes& file);

/// Stereolithography, text or binary. Triangles repeat their points; those of equal coordinates become one. Normals,
/// attributes and names are skipped; several solids are one surface.
SurfaceFile read_stl(const FileBytes& file, double unit);
/// By its size, which no text can have, even if it begins with "solid" as many binary files do.
bool is_binary_stl(const FileBytes& file);

/// Polygon file format, as text or binary in either byte order. Of the element `vertex`, x y z are read, numbers of any
/// type; of `face`, the list vertex_indices or vertex_index, of whole numbers. All else is skipped. As text, each has a
/// line of its own.
SurfaceFile read_ply(const FileBytes& file, double unit);

} // namespace corral::geometry
