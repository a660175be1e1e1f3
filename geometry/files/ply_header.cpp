#include "geometry/files/ply_header.hpp"

#include "geometry/files/readers.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace corral::geometry {

namespace {

struct PlyTypeName {
  std::string_view name, other_name;
  std::size_t size;
};
constexpr std::array<PlyTypeName, 8> types{{{"char", "int8", 1},
                                            {"uchar", "uint8", 1},
                                            {"short", "int16", 2},
                                            {"ushort", "uint16", 2},
                                            {"int", "int32", 4},
                                            {"uint", "uint32", 4},
                                            {"float", "float32", 4},
                                            {"double", "float64", 8}}};

// More than any file has; names are compared with all before them.
constexpr std::size_t most_of_a_header = 1000;

PlyType read_type(TextReader& text) {
  const std::string_view word = text.word();
  for (std::size_t i = 0; i < types.size(); ++i)
    if (word == types[i].name || word == types[i].other_name) return static_cast<PlyType>(i);
  text.refuse(cited(word) + " is no type of numbers (char, uchar, short, ushort, int, uint, float and double are)");
}

PlyFormat read_format(TextReader& text) {
  text.need_line("the format");
  if (!text.take_word("format")) text.refuse(cited(text.word()) + " where format is expected (it follows ply)");
  const std::string_view word = text.word();
  constexpr std::array<std::string_view, 3> formats{"ascii", "binary_little_endian", "binary_big_endian"};
  const auto* const format = std::find(formats.begin(), formats.end(), word);
  if (format == formats.end())
    text.refuse(cited(word) + " is no format (ascii, binary_little_endian and binary_big_endian are)");
  if (const std::string_view version = text.word(); version != "1.0")
    text.refuse("version " + cited(version) + " (1.0 is read)");
  text.need_end_of_line("the version");
  return static_cast<PlyFormat>(format - formats.begin());
}

PlyElement read_element(TextReader& text, const std::vector<PlyElement>& before) {
  if (before.size() == most_of_a_header)
    text.refuse("more than " + std::to_string(most_of_a_header) + " elements (that is the limit)");
  PlyElement element;
  element.name = text.word();
  element.line = text.line();
  if (element.name.empty()) text.refuse("an element without a name (element NAME COUNT is expected)");
  for (const PlyElement& other : before)
    if (other.name == element.name)
      text.refuse("the element " + cited(element.name) + " stands twice (first in line " + std::to_string(other.line) +
                  ")");
  element.count = text.whole_number("how many there are of " + cited(element.name));
  if (element.count < 0)
    text.refuse(std::to_string(element.count) + " of " + cited(element.name) + " (a count is never negative)");
  text.need_end_of_line("the count");
  return element;
}

PlyProperty read_property(TextReader& text, const std::vector<PlyElement>& elements) {
  if (elements.empty()) text.refuse("a property of no element (a line with the element goes before)");
  if (elements.back().properties.size() == most_of_a_header)
    text.refuse("more than " + std::to_string(most_of_a_header) + " properties of an element (that is the limit)");
  PlyProperty property;
  property.is_list = text.take_word("list");
  if (property.is_list) {
    property.count = read_type(text);
    if (!is_whole(property.count)) text.refuse("a list whose length is no whole number (uchar, for instance, is one)");
  }
  property.type = read_type(text);
  property.name = text.word();
  if (property.name.empty()) text.refuse("a property without a name (it ends the line)");
  for (const PlyProperty& other : elements.back().properties)
    if (other.name == property.name)
      text.refuse("the property " + cited(property.name) + " of " + cited(elements.back().name) + " stands twice");
  text.need_end_of_line("the property's name");
  return property;
}

void compare_with_size(const FileBytes& file, const PlyHeader& header) {
  // The last line of a text need not end.
  std::int64_t left =
      static_cast<std::int64_t>(file.bytes.size() - header.end) + (header.format == PlyFormat::text ? 1 : 0);
  for (const PlyElement& element : header.elements) {
    const std::int64_t size = element.least_size(header.format);
    if (size == 0) continue;
    if (element.count > left / size)
      throw Error(file.name + ":" + std::to_string(element.line) + ": " + std::to_string(element.count) + " of " +
                  cited(element.name) + " are announced (the " + std::to_string(file.bytes.size() - header.end) +
                  " bytes behind the header have room for " + std::to_string(left / size) +
                  " at most) the file may have been cut off");
    left -= element.count * size;
  }
}

std::optional<std::size_t> find(const auto& named, std::string_view name) {
  const auto found = std::find_if(named.begin(), named.end(), [=](const auto& n) { return n.name == name; });
  if (found == named.end()) return std::nullopt;
  return static_cast<std::size_t>(found - named.begin());
}

} // namespace

std::size_t size_of(PlyType type) { return types[static_cast<std::size_t>(type)].size; }

std::int64_t PlyElement::least_size(PlyFormat format) const {
  std::size_t size = 0;
  for (const PlyProperty& p : properties) size += format == PlyFormat::text ? 2 : size_of(p.is_list ? p.count : p.type);
  return static_cast<std::int64_t>(size);
}

PlyHeader read_ply_header(const FileBytes& file) {
  TextReader text(file);
  PlyHeader header;
  text.need_line("the word ply");
  if (!text.take_word("ply")) text.refuse(cited(text.word()) + " where ply is expected (a PLY file begins with it)");
  header.format = read_format(text);
  while (true) {
    text.need_line("end_header");
    const std::string_view word = text.word();
    if (word == "end_header") break;
    if (word == "comment" || word == "obj_info") continue;
    if (word == "element") header.elements.push_back(read_element(text, header.elements));
    else if (word == "property") {
      PlyProperty property = read_property(text, header.elements);
      header.elements.back().properties.push_back(std::move(property));
    } else
      text.refuse(cited(word) + " in a header (lines begin with comment, obj_info, element, property or end_header)");
  }
  header.end = text.next_begin();
  header.lines = text.line();
  compare_with_size(file, header);
  return header;
}

PlyPlaces find_places(const FileBytes& file, const PlyHeader& header) {
  const auto refuse = [&](std::int64_t line, const std::string& why) {
    throw Error(file.name + ":" + std::to_string(line) + ": " + why);
  };
  PlyPlaces places;
  const auto points = find(header.elements, "vertex"), faces = find(header.elements, "face");
  if (!points) refuse(1, "no element is called vertex (a surface has vertices)");
  if (!faces)
    refuse(1, "no element is called face (a surface has faces) points alone and strips of triangles are not read");
  if (*faces < *points)
    refuse(header.elements[*faces].line, "faces before vertices (the element vertex goes before face)");
  places.points = *points;
  places.faces = *faces;
  const PlyElement& vertex = header.elements[places.points];
  for (std::size_t d = 0; d < 3; ++d) {
    const std::string name(1, "xyz"[d]);
    const auto at = find(vertex.properties, name);
    if (!at) refuse(vertex.line, "vertices without " + name + " (each has the properties x, y and z)");
    if (vertex.properties[*at].is_list) refuse(vertex.line, "the property " + name + " is a list (it is one number)");
    places.coordinates[d] = *at;
  }
  const PlyElement& face = header.elements[places.faces];
  auto corners = find(face.properties, "vertex_indices");
  if (!corners) corners = find(face.properties, "vertex_index");
  if (!corners) refuse(face.line, "faces without corners (the property vertex_indices, or vertex_index, lists them)");
  const PlyProperty& list = face.properties[*corners];
  if (!list.is_list || !is_whole(list.type))
    refuse(face.line,
           "the property " + list.name + " is not a list of whole numbers (it numbers the corners of a face)");
  places.corners = *corners;
  return places;
}

} // namespace corral::geometry
