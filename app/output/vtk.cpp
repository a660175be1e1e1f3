#include "app/output/state_files.hpp"

#include "app/system/files.hpp"
#include "app/system/text.hpp"
#include "run/state/entry.hpp"

#include <corral/array.hpp>
#include <corral/error.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace corral::app {

namespace {

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

VtkAppended::VtkAppended(const std::string& type, const std::string& attributes, double time) : type_(type) {
  const std::string order = std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";
  xml("<?xml version=\"1.0\"?>\n<VTKFile type=\"" + type + "\" version=\"1.0\" byte_order=\"" + order +
      "\" header_type=\"UInt64\">\n<" + type + attributes + ">\n<FieldData><DataArray type=\"Float64\" " +
      "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">" + number_text(time) + "</DataArray></FieldData>\n");
}

void VtkAppended::array(const std::string& name, const std::string& vtk_type, std::int64_t tuples, int components,
                        Fill fill) {
  xml("<DataArray type=\"" + vtk_type + "\" Name=\"" + name + "\" NumberOfComponents=\"" +
      std::to_string(components) + "\" format=\"appended\" offset=\"" + std::to_string(appended_bytes_) + "\"/>\n");
  const std::int64_t words = tuples * components;
  appended_bytes_ += 8 * (1 + words);
  arrays_.push_back({words, std::move(fill)});
}

void VtkAppended::write(const std::filesystem::path& path) const {
  constexpr std::int64_t piece = 3 * 4096;
  Array<std::uint64_t> buffer(piece);
  AtomicFile file(path);
  file.write(xml_ + "</" + type_ + ">\n<AppendedData encoding=\"raw\">\n_");
  for (const Words& words : arrays_) {
    const std::int64_t bytes = 8 * words.count;
    file.write(&bytes, sizeof bytes);
    for (std::int64_t begin = 0; begin < words.count; begin += piece) {
      const auto part = buffer.span().first(static_cast<std::size_t>(std::min(piece, words.count - begin)));
      words.fill(begin, part);
      file.write(part.data(), part.size_bytes());
    }
  }
  file.write("\n</AppendedData>\n</VTKFile>\n");
  file.commit();
}

using run::Entry;
using run::Kind;
using run::ParticleSet;
using run::Registry;

constexpr std::uint64_t word(double value) { return std::bit_cast<std::uint64_t>(value); }

template <std::integral T> VtkAppended::Fill values_of(const Array<T>& values) {
  return [&values](std::int64_t begin, std::span<std::uint64_t> words) {
    for (std::size_t i = 0; i < words.size(); ++i)
      words[i] = static_cast<std::uint64_t>(values[begin + static_cast<std::int64_t>(i)]);
  };
}

VtkAppended::Fill tuples_of(std::vector<const Array<double>*> components) {
  return [components = std::move(components)](std::int64_t begin, std::span<std::uint64_t> words) {
    const auto n = static_cast<std::int64_t>(components.size());
    std::int64_t tuple = begin / n;
    auto c = static_cast<std::size_t>(begin % n);
    for (std::uint64_t& w : words) {
      w = word((*components[c])[tuple]);
      if (++c == components.size()) c = 0, ++tuple;
    }
  };
}

// A field or the components of a vector field, at the cells.
VtkAppended::Fill cell_means_of(std::vector<run::CellMeans> components, const std::array<std::int64_t, 3>& cells) {
  return [components = std::move(components), cells](std::int64_t begin, std::span<std::uint64_t> words) {
    const auto n = static_cast<std::int64_t>(components.size());
    for (std::size_t w = 0; w < words.size(); ++w) {
      const std::int64_t value = begin + static_cast<std::int64_t>(w), cell = value / n;
      words[w] = word(components[value % n](cell % cells[0], cell / cells[0] % cells[1], cell / cells[0] / cells[1]));
    }
  };
}

// All components of what `first` is the first component of, in the registry or a set.
template <class Owner> std::vector<const Entry*> components_of(const Owner& owner, const Entry& first) {
  std::vector<const Entry*> all{&first};
  for (int c = 1; c < first.components; ++c) all.push_back(owner.find(first.name, c));
  return all;
}

std::string triple(double x, double y, double z) {
  return number_text(x) + " " + number_text(y) + " " + number_text(z);
}

} // namespace

void write_fields(const std::filesystem::path& path, const Registry& registry, double time) {
  const Grid& g = registry.grid();
  const Axis &x = g.axis(0), &y = g.axis(1), &z = g.axis(2);
  const std::array<std::int64_t, 3> cells{x.cells, y.cells, z.cells};
  const std::string extent = "\"0 " + std::to_string(cells[0]) + " 0 " + std::to_string(cells[1]) + " 0 " +
                             std::to_string(cells[2]) + "\"";
  VtkAppended file("ImageData",
                   " WholeExtent=" + extent + " Origin=\"" + triple(x.origin, y.origin, z.origin) + "\" Spacing=\"" +
                       triple(x.spacing, y.spacing, z.spacing) + "\"",
                   time);
  file.xml("<Piece Extent=" + extent + ">\n<CellData>\n");
  for (const Entry& e : registry.entries()) {
    if (!has(e.use, run::Use::shown) || e.kind != Kind::field || e.component > 0) continue;
    std::vector<run::CellMeans> components;
    for (const Entry* component : components_of(registry, e)) components.emplace_back(*component);
    const auto n = static_cast<int>(components.size());
    file.array(e.name, "Float64", g.cells(), n, cell_means_of(std::move(components), cells));
  }
  file.xml("</CellData>\n</Piece>\n");
  file.write(path);
}

namespace {

void write_points(VtkAppended& file, const ParticleSet& set, const Entry& position) {
  const std::int64_t n = set.size();
  const auto array = [&](const std::string& name, const Entry& first) {
    std::vector<const Array<double>*> arrays;
    for (const Entry* component : components_of(set, first)) arrays.push_back(component->reals());
    file.array(name, "Float64", n, first.components, tuples_of(std::move(arrays)));
  };
  for (const Entry* e : set.columns()) {
    if (!has(e->use, run::Use::shown) || e->name == position.name || e->component > 0) continue;
    if (e->ids()) file.array(e->name, "UInt64", n, 1, values_of(*e->ids()));
    else if (e->integers()) file.array(e->name, "Int64", n, 1, values_of(*e->integers()));
    else array(e->name, *e);
  }
  file.xml("</PointData>\n<Points>\n");
  array("Points", position);
  file.xml("</Points>\n");
}

// `cells` cells of as many corners each: a single cell of all points, bonds or triangles.
void write_cells(VtkAppended& file, const std::string& element, std::int64_t cells, std::int64_t corners,
                 const VtkAppended::Fill& places) {
  file.xml("<" + element + ">\n");
  file.array("connectivity", "Int64", cells * corners, 1, places);
  file.array("offsets", "Int64", cells, 1, [corners](std::int64_t begin, std::span<std::uint64_t> words) {
    for (std::size_t i = 0; i < words.size(); ++i)
      words[i] = (static_cast<std::uint64_t>(begin) + i + 1) * static_cast<std::uint64_t>(corners);
  });
  file.xml("</" + element + ">\n");
}

std::int64_t count_of(const Entry* elements) { return elements ? elements->size() / elements->corners : 0; }

void write_elements(VtkAppended& file, const std::string& element, const Entry& elements) {
  write_cells(file, element, count_of(&elements), elements.corners,
              [&places = *elements.integers()](std::int64_t begin, std::span<std::uint64_t> words) {
                for (std::size_t i = 0; i < words.size(); ++i)
                  words[i] = static_cast<std::uint64_t>(places[begin + static_cast<std::int64_t>(i)]);
              });
}

} // namespace

void write_particles(const std::filesystem::path& path, const ParticleSet& set, double time) {
  const Entry* position = set.find("position", 0);
  if (!position)
    throw Error(set.name() + " have no vector column \"position\" (their files take their points from it)");
  const Entry *triangles = set.triangles(), *bonds = set.bonds();
  const std::int64_t n = set.size(), verts = n > 0 && !triangles ? 1 : 0, polys = count_of(triangles);

  VtkAppended file("PolyData", "", time);
  file.xml("<Piece NumberOfPoints=\"" + std::to_string(n) + "\" NumberOfVerts=\"" + std::to_string(verts) +
           "\" NumberOfLines=\"" + std::to_string(count_of(bonds)) + "\" NumberOfStrips=\"0\" NumberOfPolys=\"" +
           std::to_string(polys) + "\">\n<PointData>\n");
  write_points(file, set, *position);
  if (!triangles)
    write_cells(file, "Verts", verts, n, [](std::int64_t begin, std::span<std::uint64_t> words) {
      for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<std::uint64_t>(begin) + i;
    });
  if (bonds) write_elements(file, "Lines", *bonds);
  if (triangles) write_elements(file, "Polys", *triangles);
  if (const auto values = set.on_triangles(); !values.empty()) {
    file.xml("<CellData>\n");
    for (const Entry* e : values)
      if (has(e->use, run::Use::shown)) file.array(e->name, "Float64", polys, 1, tuples_of({e->reals()}));
    file.xml("</CellData>\n");
  }
  file.xml("</Piece>\n");
  file.write(path);
}

} // namespace corral::app
