#include "geometry/files/ply_header.hpp"
#include "geometry/files/readers.hpp"

#include <bit>
#include <cmath>
#include <string>
#include <string_view>

namespace corral::geometry {

namespace {

/// The numbers behind the header, where each item has a line.
class PlyText {
public:
  PlyText(const FileBytes& file, const PlyHeader& header) : text_(file) {
    while (text_.line() < header.lines && text_.next_line()) {
    }
  }
  std::int64_t begin_item(const PlyElement& element, std::int64_t i) { ///< where it stands
    text_.need_line(element.name + " " + std::to_string(i) + " of " + std::to_string(element.count));
    return text_.line();
  }
  double real(PlyType, std::string_view what) { return text_.number(what); }
  std::int64_t whole(PlyType, std::string_view what) { return text_.whole_number(what); }
  void skip(PlyType, std::int64_t count, std::string_view what) {
    for (std::int64_t i = 0; i < count; ++i)
      if (text_.word().empty()) text_.refuse(std::string(what) + " is missing (a number is expected)");
  }
  void end_item() { text_.need_end_of_line("its last property"); }
  void need_end() {
    if (text_.next_line()) text_.refuse("the file goes on (what the header announces ends before) correct its numbers");
  }
  [[noreturn]] void refuse(const std::string& why) const { text_.refuse(why); }

private:
  TextReader text_;
};

/// The numbers behind the header, byte by byte.
class PlyBytes {
public:
  PlyBytes(const FileBytes& file, const PlyHeader& header)
      : bytes_(file, header.end, header.format == PlyFormat::big_endian ? std::endian::big : std::endian::little) {}

  std::int64_t begin_item(const PlyElement&, std::int64_t) { return item_ = bytes_.place(); }
  double real(PlyType type, std::string_view what) {
    const std::int64_t at = bytes_.place();
    const double value = read<double>(type, what);
    if (!std::isfinite(value)) bytes_.refuse(at, std::string(what) + " is not finite (coordinates are)");
    return value;
  }
  std::int64_t whole(PlyType type, std::string_view what) { return read<std::int64_t>(type, what); }
  void skip(PlyType type, std::int64_t count, std::string_view what) {
    const auto size = static_cast<std::int64_t>(size_of(type));
    if (count > bytes_.bytes_left() / size)
      refuse(std::string(what) + " lists " + std::to_string(count) +
             " numbers (the file ends before) it may have been cut off");
    bytes_.skip(static_cast<std::size_t>(count * size), what);
  }
  void end_item() {}
  void need_end() {
    if (const std::size_t i = bytes_.rest().find_first_not_of(" \t\r\n"); i != std::string_view::npos)
      bytes_.refuse(bytes_.place(), "the file goes on for " + std::to_string(bytes_.bytes_left()) +
                                        " bytes (what the header announces ends before) correct its numbers");
  }
  [[noreturn]] void refuse(const std::string& why) const { bytes_.refuse(item_, why); }

private:
  template <class Result> Result read(PlyType type, std::string_view what) {
    switch (type) {
    case PlyType::int8: return static_cast<Result>(bytes_.number<std::int8_t>(what));
    case PlyType::uint8: return static_cast<Result>(bytes_.number<std::uint8_t>(what));
    case PlyType::int16: return static_cast<Result>(bytes_.number<std::int16_t>(what));
    case PlyType::uint16: return static_cast<Result>(bytes_.number<std::uint16_t>(what));
    case PlyType::int32: return static_cast<Result>(bytes_.number<std::int32_t>(what));
    case PlyType::uint32: return static_cast<Result>(bytes_.number<std::uint32_t>(what));
    case PlyType::float32: return static_cast<Result>(bytes_.number<float>(what)); // corners are never asked of these
    case PlyType::float64: break;
    }
    return static_cast<Result>(bytes_.number<double>(what));
  }

  ByteReader bytes_;
  std::int64_t item_ = 0;
};

/// Reads the elements in the order of the header, from text or bytes.
template <class Numbers> class PlyBody {
public:
  PlyBody(Numbers numbers, const PlyHeader& header, const PlyPlaces& places, SurfaceBuilder& builder)
      : numbers_(std::move(numbers)), header_(header), places_(places), builder_(builder) {}

  void read() {
    builder_.expect(header_.elements[places_.points].count, header_.elements[places_.faces].count);
    for (std::size_t e = 0; e < header_.elements.size(); ++e) {
      const PlyElement& element = header_.elements[e];
      if (element.properties.empty()) continue; // nothing stands for them
      for (std::int64_t i = 0; i < element.count; ++i) {
        const std::int64_t place = numbers_.begin_item(element, i);
        if (e == places_.points) read_point(element, place);
        else if (e == places_.faces) read_face(element, place);
        else
          for (const PlyProperty& p : element.properties) skip(p);
        numbers_.end_item();
      }
    }
    numbers_.need_end();
  }

private:
  void read_point(const PlyElement& element, std::int64_t place) {
    Vector x{};
    for (std::size_t p = 0; p < element.properties.size(); ++p) {
      std::size_t d = 0;
      while (d < 3 && places_.coordinates[d] != p) ++d;
      if (d < 3) x[d] = numbers_.real(element.properties[p].type, element.properties[p].name);
      else skip(element.properties[p]);
    }
    builder_.add_point(x, place);
  }
  void read_face(const PlyElement& element, std::int64_t place) {
    for (std::size_t p = 0; p < element.properties.size(); ++p) {
      const PlyProperty& property = element.properties[p];
      if (p != places_.corners) {
        skip(property);
        continue;
      }
      builder_.begin_polygon(place);
      const std::int64_t corners = length_of(property);
      for (std::int64_t c = 0; c < corners; ++c) builder_.corner(numbers_.whole(property.type, "a corner"));
      builder_.end_polygon();
    }
  }
  std::int64_t length_of(const PlyProperty& list) {
    const std::int64_t length = numbers_.whole(list.count, list.name);
    if (length < 0)
      numbers_.refuse(list.name + " is a list of " + std::to_string(length) + " numbers (a length is never negative)");
    return length;
  }
  void skip(const PlyProperty& p) { numbers_.skip(p.type, p.is_list ? length_of(p) : 1, p.name); }

  Numbers numbers_;
  const PlyHeader& header_;
  const PlyPlaces& places_;
  SurfaceBuilder& builder_;
};

} // namespace

SurfaceFile read_ply(const FileBytes& file, double unit) {
  const PlyHeader header = read_ply_header(file);
  const PlyPlaces places = find_places(file, header);
  SurfaceBuilder builder(file, unit, header.format != PlyFormat::text);
  if (header.format == PlyFormat::text) PlyBody(PlyText(file, header), header, places, builder).read();
  else PlyBody(PlyBytes(file, header), header, places, builder).read();
  return builder.take();
}

} // namespace corral::geometry
