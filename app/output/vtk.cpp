#include "app/output/state_files.hpp"

#include "app/system/files.hpp"
#include "app/system/text.hpp"
#include "run/state/file_values.hpp"

#include <corral/array.hpp>
#include <corral/error.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace corral::app {

namespace {

using run::Entry;
using run::FileValues;
using run::Form;
using run::Kind;
using run::ParticleSet;
using run::Registry;

/// A VTK XML file whose arrays stand as raw bytes at its end, each behind its length. All arrays have 8 bytes a
/// value, so that each is a row of 64-bit words: a double is written as its bits.
class VtkAppended {
public:
  /// `type` is "ImageData" or "PolyData", `attributes` those of its element, `time` [s] what viewers show. The registry has what is
  /// shown.
  VtkAppended(const Registry& registry, const std::string& type, const std::string& attributes, double time);

  void xml(const std::string& text) { xml_ += text; }
  /// An array element at this place, of values of such an entry; `vtk_type` is Float64, Int64 or UInt64.
  void array(const std::string& name, const std::string& vtk_type, const Entry& entry, Form form);
  /// Of few numbers: first, first + step, ...
  void array(const std::string& name, std::int64_t count, std::int64_t first, std::int64_t step);
  /// Throws Error where the disk is full, and leaves no part of a file then.
  void write(const std::filesystem::path& path) const;

private:
  struct Words {
    const Entry* entry;
    Form form;
    std::int64_t bytes;
    std::int64_t first = 0, step = 0; ///< where there is no entry
  };

  void element(const std::string& name, const std::string& vtk_type, int components, const Words& words);
  void write_here(OutputFile& file, const Words& words) const;

  const Registry& registry_;
  std::string type_;
  std::string xml_;
  std::vector<Words> arrays_;
  std::int64_t appended_bytes_ = 0;
};

VtkAppended::VtkAppended(const Registry& registry, const std::string& type, const std::string& attributes, double time)
    : registry_(registry), type_(type) {
  const std::string order = std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";
  xml("<?xml version=\"1.0\"?>\n<VTKFile type=\"" + type + "\" version=\"1.0\" byte_order=\"" + order +
      "\" header_type=\"UInt64\">\n<" + type + attributes + ">\n<FieldData><DataArray type=\"Float64\" " +
      "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">" + number_text(time) + "</DataArray></FieldData>\n");
}

void VtkAppended::array(const std::string& name, const std::string& vtk_type, const Entry& entry, Form form) {
  const FileValues values(registry_, entry, form);
  element(name, vtk_type, form == Form::values || form == Form::numbers ? 1 : entry.components, {&entry, form, values.bytes()});
}

void VtkAppended::array(const std::string& name, std::int64_t count, std::int64_t first, std::int64_t step) {
  element(name, "Int64", 1, {nullptr, Form::numbers, 8 * count, first, step});
}

void VtkAppended::element(const std::string& name, const std::string& vtk_type, int components, const Words& words) {
  xml("<DataArray type=\"" + vtk_type + "\" Name=\"" + name + "\" NumberOfComponents=\"" +
      std::to_string(components) + "\" format=\"appended\" offset=\"" + std::to_string(appended_bytes_) + "\"/>\n");
  appended_bytes_ += 8 + words.bytes;
  arrays_.push_back(words);
}

/// A row of words at a time.
void VtkAppended::write_here(OutputFile& file, const Words& words) const {
  constexpr std::int64_t at_once = std::int64_t{1} << 18; // bytes
  Array<std::byte> buffer(at_once);
  if (words.entry) {
    const FileValues values(registry_, *words.entry, words.form);
    const std::int64_t count = at_once / values.each();
    for (std::int64_t begin = 0, end = 0; begin < values.size(); begin = end) {
      end = std::min(begin + count, values.size());
      values.make({begin, end}, buffer.data());
      file.write(buffer.data(), static_cast<std::size_t>((end - begin) * values.each()));
    }
    return;
  }
  for (std::int64_t i = 0; i < words.bytes / 8; ++i) {
    const std::int64_t value = words.first + i * words.step;
    std::memcpy(buffer.data() + 8 * (i % (at_once / 8)), &value, 8);
    if (const std::int64_t full = i % (at_once / 8) + 1; 8 * full == at_once || i + 1 == words.bytes / 8)
      file.write(buffer.data(), static_cast<std::size_t>(8 * full));
  }
}

void VtkAppended::write(const std::filesystem::path& path) const {
  PartFile part(path);
  OutputFile file(part.path());
  std::vector<run::FilePlace> elsewhere;
  file.write(xml_ + "</" + type_ + ">\n<AppendedData encoding=\"raw\">\n_");
  for (const Words& words : arrays_) {
    file.write(&words.bytes, sizeof words.bytes);
    if (!words.entry || !words.entry->elsewhere) {
      write_here(file, words);
      continue;
    }
    if (words.bytes > 0) elsewhere.push_back({words.entry, words.form, static_cast<std::int64_t>(file.size())});
    file.leave_room(static_cast<std::size_t>(words.bytes));
  }
  file.write("\n</AppendedData>\n</VTKFile>\n");
  file.close();
  registry_.fill(part.path(), elsewhere);
  part.commit();
}

std::string triple(double x, double y, double z) {
  return number_text(x) + " " + number_text(y) + " " + number_text(z);
}

} // namespace

void write_fields(const std::filesystem::path& path, const Registry& registry, double time) {
  const Grid& g = registry.grid();
  const Axis &x = g.axis(0), &y = g.axis(1), &z = g.axis(2);
  const std::string extent = "\"0 " + std::to_string(x.cells) + " 0 " + std::to_string(y.cells) + " 0 " +
                             std::to_string(z.cells) + "\"";
  VtkAppended file(registry, "ImageData",
                   " WholeExtent=" + extent + " Origin=\"" + triple(x.origin, y.origin, z.origin) + "\" Spacing=\"" +
                       triple(x.spacing, y.spacing, z.spacing) + "\"",
                   time);
  file.xml("<Piece Extent=" + extent + ">\n<CellData>\n");
  for (const Entry& e : registry.entries())
    if (has(e.use, run::Use::shown) && e.kind == Kind::field && e.component == 0) file.array(e.name, "Float64", e, Form::cell_means);
  file.xml("</CellData>\n</Piece>\n");
  file.write(path);
}

namespace {

void write_points(VtkAppended& file, const ParticleSet& set, const Entry& position) {
  for (const Entry* e : set.columns())
    if (has(e->use, run::Use::shown) && e->name != position.name && e->component == 0)
      file.array(e->name, e->ids() ? "UInt64" : e->integers() ? "Int64" : "Float64", *e, Form::rows);
  file.xml("</PointData>\n<Points>\n");
  file.array("Points", "Float64", position, Form::rows);
  file.xml("</Points>\n");
}

std::int64_t count_of(const Entry* elements) { return elements ? elements->size() / elements->corners : 0; }

void write_elements(VtkAppended& file, const std::string& element, const Entry& elements) {
  file.xml("<" + element + ">\n");
  file.array("connectivity", "Int64", elements, Form::words);
  file.array("offsets", count_of(&elements), elements.corners, elements.corners);
  file.xml("</" + element + ">\n");
}

} // namespace

void write_particles(const std::filesystem::path& path, const ParticleSet& set, double time) {
  const Entry* position = set.find("position", 0);
  if (!position)
    throw Error(set.name() + " have no vector column \"position\" (their files take their points from it)");
  const Entry *triangles = set.triangles(), *bonds = set.bonds();
  const std::int64_t n = set.size(), verts = n > 0 && !triangles ? 1 : 0, polys = count_of(triangles);

  VtkAppended file(set.registry(), "PolyData", "", time);
  file.xml("<Piece NumberOfPoints=\"" + std::to_string(n) + "\" NumberOfVerts=\"" + std::to_string(verts) +
           "\" NumberOfLines=\"" + std::to_string(count_of(bonds)) + "\" NumberOfStrips=\"0\" NumberOfPolys=\"" +
           std::to_string(polys) + "\">\n<PointData>\n");
  write_points(file, set, *position);
  if (!triangles) { // a single cell of all points
    file.xml("<Verts>\n");
    file.array("connectivity", "Int64", *position, Form::numbers);
    file.array("offsets", verts, n, 0);
    file.xml("</Verts>\n");
  }
  if (bonds) write_elements(file, "Lines", *bonds);
  if (triangles) write_elements(file, "Polys", *triangles);
  if (const auto values = set.on_triangles(); !values.empty()) {
    file.xml("<CellData>\n");
    for (const Entry* e : values)
      if (has(e->use, run::Use::shown)) file.array(e->name, "Float64", *e, Form::values);
    file.xml("</CellData>\n");
  }
  file.xml("</Piece>\n");
  file.write(path);
}

} // namespace corral::app
