#include "app/output/vtk/contents.hpp"

#include "app/command/descriptor.hpp"
#include "app/output/output_file.hpp"
#include "app/output/system_calls.hpp"

#include <corral/error.hpp>

#include <fcntl.h>

#include <algorithm>
#include <string_view>

namespace corral::app {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_head = std::size_t{1} << 16; // [bytes] of XML
constexpr std::string_view begin = "<?xml version=\"1.0\"?>\n<VTKFile type=\"", data = "<AppendedData",
                           end_of_data = "</AppendedData>\n</VTKFile>\n";

std::string piece_of(const fs::path& path, std::size_t from, std::size_t bytes) {
  Descriptor file;
  std::string text(bytes, '\0');
  if (const int code = system_calls::open(file, path, O_RDONLY)) cannot_read(path, code);
  if (const int code = system_calls::read_at(file.number(), from, text.data(), bytes)) cannot_read(path, code);
  return text;
}

/// Of a tag such as `<Piece Extent="0 4 0 3 0 2">`; "" where it has none of that name.
std::string attribute(std::string_view tag, const std::string& name) {
  const std::string key = " " + name + "=\"";
  const std::size_t at = tag.find(key);
  if (at == tag.npos) return "";
  tag.remove_prefix(at + key.size());
  return std::string(tag.substr(0, tag.find('"')));
}

/// "4 x 3 x 2 cells" of an extent "0 4 0 3 0 2".
std::string cells_of(const std::string& extent) {
  std::string text, word;
  int number = 0;
  for (std::size_t i = 0; i <= extent.size(); ++i) {
    if (i < extent.size() && extent[i] != ' ') {
      word += extent[i];
      continue;
    }
    if (++number % 2 == 0) text += (text.empty() ? "" : " x ") + word;
    word.clear();
  }
  return text + " cells";
}

/// What a tag adds to the listing.
std::string line_of(std::string_view tag) {
  if (tag.starts_with("<Piece Extent")) return ", " + cells_of(attribute(tag, "Extent")) + "\n";
  if (tag.starts_with("<Piece "))
    return ", " + attribute(tag, "NumberOfPoints") + " points, " + attribute(tag, "NumberOfPolys") + " triangles\n";
  if (!tag.starts_with("<DataArray ") || attribute(tag, "format") != "appended") return "";
  return "  " + attribute(tag, "Name") + "  " + attribute(tag, "type") + " x " + attribute(tag, "NumberOfComponents") + "\n";
}

} // namespace

std::string vtk_contents(const fs::path& path) {
  const std::size_t size = fs::file_size(path);
  const std::string all = piece_of(path, 0, std::min(size, longest_head));
  const std::string_view head = std::string_view(all).substr(0, all.find(data));
  if (!head.starts_with(begin) || head.size() == all.size())
    throw Error(path.string() + " is no file of fields or particles that corral wrote (its beginning is another)");
  if (piece_of(path, size - end_of_data.size(), end_of_data.size()) != end_of_data)
    throw Error(path.string() + " has lost its end");
  constexpr std::string_view before_time = "format=\"ascii\">";
  const std::size_t at_time = std::min(head.find(before_time), head.size() - before_time.size());
  const std::string_view time = head.substr(at_time + before_time.size());
  std::string text = "output file " + path.string() + ": " + std::string(time.substr(0, time.find('<'))) + " s, " +
                     std::to_string(size) + " bytes";
  for (std::size_t at = head.find('<'); at != head.npos; at = head.find('<', at + 1))
    text += line_of(head.substr(at, head.find('>', at) - at));
  return text;
}

} // namespace corral::app
