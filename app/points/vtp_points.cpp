#include "app/points/vtp_points.hpp"

#include "app/system/text.hpp"
#include "run/case/problems.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

namespace corral::app {

namespace {

constexpr std::string_view vtp_data = "<AppendedData encoding=\"raw\">\n_";

[[noreturn]] void refuse_vtp(const std::filesystem::path& file, const std::string& message) {
  run::Problems problems;
  problems.add({file.string(), 1}, message);
  problems.throw_if_any();
  throw Error(message); // not reached
}

/// Columns that an array gives: none of one that is passed over.
std::vector<std::string> columns_of(const std::string& array, std::span<const std::string_view> known) {
  struct Vector {
    std::string_view array, before;
  };
  constexpr std::array<Vector, 5> vectors{{{"Points", ""}, {"force", "f"}, {"torque", "t"}, {"q", "q"}, {"n", "n"}}};
  for (const Vector& v : vectors)
    if (array == v.array) {
      const std::string before(v.before);
      return {before + "x", before + "y", before + "z"};
    }
  if (std::ranges::find(known, array) != known.end()) return {array};
  return {};
}

std::optional<std::size_t> whole_number(const std::string& text) {
  std::size_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class VtpReader {
public:
  VtpReader(const std::filesystem::path& file, std::string_view bytes, std::span<const std::string_view> known)
      : known_(known), head_(bytes.substr(0, bytes.find(vtp_data))), table_{.file = file} {
    data_ = bytes.substr(std::min(head_.size() + vtp_data.size(), bytes.size()));
  }

  PointTable read();

private:
  [[noreturn]] void refuse(const std::string& message) const { refuse_vtp(table_.file, message); }
  void read_tag(std::string_view tag);
  void read_array(std::string_view tag, const std::vector<std::string>& columns);
  /// The values of an array, `count` of them at `offset`. Throws where the file is shorter.
  std::string_view bytes_of(const std::string& name, std::size_t offset, std::size_t count) const;

  std::span<const std::string_view> known_;
  std::string_view head_, data_;
  PointTable table_;
};

std::string_view VtpReader::bytes_of(const std::string& name, std::size_t offset, std::size_t count) const {
  std::uint64_t bytes = 0;
  const bool there = offset <= data_.size() && data_.size() - offset >= sizeof bytes;
  if (there) std::memcpy(&bytes, data_.data() + offset, sizeof bytes);
  if (!there || bytes / sizeof(double) != count || data_.size() - offset - sizeof bytes < bytes)
    refuse("array " + run::cited(name) + " is not whole (the file is cut, or another program wrote it) write it again");
  return data_.substr(offset + sizeof bytes, bytes);
}

void VtpReader::read_array(std::string_view tag, const std::vector<std::string>& columns) {
  const std::string name = xml_attribute(tag, "Name");
  const std::size_t n = columns.size(), points = static_cast<std::size_t>(table_.points);
  const auto offset = whole_number(xml_attribute(tag, "offset"));
  if (xml_attribute(tag, "type") != "Float64" || whole_number(xml_attribute(tag, "NumberOfComponents")) != n || !offset)
    refuse("array " + run::cited(name) + " has other values than " + std::to_string(n) + " raw Float64 a point (as corral writes "
           "them) write it so, or a table as .csv");
  const std::string_view bytes = bytes_of(name, *offset, n * points);
  for (std::size_t c = 0; c < n; ++c) {
    std::vector<double>& values = table_.columns[columns[c]];
    if (!values.empty()) refuse("column '" + columns[c] + "' is there twice (each is read once) take one of them out");
    values.resize(points);
    for (std::size_t i = 0; i < points; ++i) {
      std::memcpy(&values[i], bytes.data() + sizeof(double) * (n * i + c), sizeof(double));
      if (!std::isfinite(values[i]))
        refuse(columns[c] + " of point " + std::to_string(i) + " is " + number_text(values[i]) +
               " (a finite number is expected)");
    }
  }
}

void VtpReader::read_tag(std::string_view tag) {
  if (tag.starts_with("<Piece ")) {
    const auto points = whole_number(xml_attribute(tag, "NumberOfPoints"));
    if (table_.points > 0) refuse("the file has several pieces (one is read) write them as one");
    if (!points || *points == 0) refuse("no points (sums need one at least)");
    if (*points > data_.size()) refuse("there are fewer bytes than points (the file is cut) write it again");
    table_.points = static_cast<std::int64_t>(*points);
  }
  if (!tag.starts_with("<DataArray ") || xml_attribute(tag, "format") != "appended" || table_.points == 0) return;
  if (const auto columns = columns_of(xml_attribute(tag, "Name"), known_); !columns.empty()) read_array(tag, columns);
}

PointTable VtpReader::read() {
  const std::string order = std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";
  const std::string_view first = head_.substr(0, head_.find('>', std::min(head_.find("<VTKFile"), head_.size())));
  const std::string_view file_tag = first.substr(std::min(first.find("<VTKFile"), first.size()));
  if (xml_attribute(file_tag, "type") != "PolyData" || xml_attribute(file_tag, "header_type") != "UInt64" ||
      xml_attribute(file_tag, "byte_order") != order || !xml_attribute(file_tag, "compressor").empty() || data_.empty())
    refuse("no file of points as corral writes it (PolyData, raw values behind the XML, UInt64 lengths, " + order +
           ") write it so, or a table as .csv");
  for (std::size_t at = head_.find('<'); at != head_.npos; at = head_.find('<', at + 1))
    if (head_.substr(at).starts_with("<CellData")) at = std::min(head_.find("</CellData", at), head_.size() - 1); // not of points
    else read_tag(head_.substr(at, head_.find('>', at) - at));
  if (!table_.has("x")) refuse("the file has no array 'Points' (places are read from it)");
  return std::move(table_);
}

} // namespace

PointTable read_vtp_points(const std::filesystem::path& file, std::string_view bytes, std::span<const std::string_view> known) {
  return VtpReader(file, bytes, known).read();
}

} // namespace corral::app
