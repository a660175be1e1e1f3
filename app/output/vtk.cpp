#include "app/output/vtk.hpp"

#include "app/output/number.hpp"
#include "app/output/vtk_appended.hpp"

#include <corral/error.hpp>

#include <array>
#include <bit>
#include <span>

namespace corral::app {

namespace {

using run::Entry;
using run::Kind;
using run::Registry;
using Vector = std::array<const Entry*, 3>;

constexpr std::uint64_t word(double value) { return std::bit_cast<std::uint64_t>(value); }

VtkAppended::Fill values_of(const Array<double>& values) {
  return [&values](std::int64_t begin, std::span<std::uint64_t> words) {
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = word(values[begin + static_cast<std::int64_t>(i)]);
  };
}

VtkAppended::Fill values_of(const Array<std::uint64_t>& values) {
  return [&values](std::int64_t begin, std::span<std::uint64_t> words) {
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = values[begin + static_cast<std::int64_t>(i)];
  };
}

VtkAppended::Fill vectors_of(const std::array<const Array<double>*, 3>& components) {
  return [components](std::int64_t begin, std::span<std::uint64_t> words) {
    const std::int64_t first = begin / 3;
    for (std::size_t i = 0; i < words.size(); ++i)
      words[i] = word((*components[i % 3])[first + static_cast<std::int64_t>(i / 3)]);
  };
}

// Component d of a cell is the mean of the cell's two faces along d; the upper one wraps on a periodic axis.
VtkAppended::Fill cell_means_of(const Vector& faces, const std::array<std::int64_t, 3>& cells) {
  return [faces, cells](std::int64_t begin, std::span<std::uint64_t> words) {
    for (std::size_t w = 0; w < words.size(); ++w) {
      const std::size_t d = w % 3;
      const std::int64_t cell = begin / 3 + static_cast<std::int64_t>(w / 3);
      std::array<std::int64_t, 3> index{cell % cells[0], cell / cells[0] % cells[1], cell / cells[0] / cells[1]};
      const auto& points = faces[d]->extents;
      const auto value = [&] {
        return (*faces[d]->reals())[index[0] + points[0] * (index[1] + points[1] * index[2])];
      };
      const double low = value();
      index[d] = (index[d] + 1) % points[d];
      words[w] = word(0.5 * (low + value()));
    }
  };
}

// The three components of the vector whose x component is `x`.
Vector vector_of(const Registry& registry, const Entry& x) {
  return {&x, registry.find(x.name, 1), registry.find(x.name, 2)};
}

std::array<const Array<double>*, 3> arrays_of(const Vector& v) {
  return {v[0]->reals(), v[1]->reals(), v[2]->reals()};
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
    if (!has(e.use, run::Use::shown)) continue;
    if (e.kind == Kind::cell_field) file.array(e.name, "Float64", g.cells(), 1, values_of(*e.reals()));
    if (e.kind == Kind::face_field && e.axis == 0)
      file.array(e.name, "Float64", g.cells(), 3, cell_means_of(vector_of(registry, e), cells));
  }
  file.xml("</CellData>\n</Piece>\n");
  file.write(path);
}

void write_parcels(const std::filesystem::path& path, const Registry& registry, double time) {
  const Entry* position = registry.find("position", 0);
  if (!position || position->kind != Kind::parcel_column)
    throw Error("parcels have no vector column \"position\" (parcel files take their points from it)");
  const std::int64_t n = registry.parcel_count();
  const std::int64_t verts = n > 0 ? 1 : 0;

  VtkAppended file("PolyData", "", time);
  file.xml("<Piece NumberOfPoints=\"" + std::to_string(n) + "\" NumberOfVerts=\"" + std::to_string(verts) +
           "\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<PointData>\n");
  for (const Entry& e : registry.entries()) {
    if (!has(e.use, run::Use::shown) || e.kind != Kind::parcel_column || e.name == position->name) continue;
    if (e.ids()) file.array(e.name, "UInt64", n, 1, values_of(*e.ids()));
    else if (e.axis < 0) file.array(e.name, "Float64", n, 1, values_of(*e.reals()));
    else if (e.axis == 0) file.array(e.name, "Float64", n, 3, vectors_of(arrays_of(vector_of(registry, e))));
  }
  file.xml("</PointData>\n<Points>\n");
  file.array("Points", "Float64", n, 3, vectors_of(arrays_of(vector_of(registry, *position))));
  file.xml("</Points>\n<Verts>\n");
  file.array("connectivity", "Int64", n, 1, [](std::int64_t begin, std::span<std::uint64_t> words) {
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<std::uint64_t>(begin) + i;
  });
  file.array("offsets", "Int64", verts, 1, [n](std::int64_t, std::span<std::uint64_t> words) {
    for (std::uint64_t& w : words) w = static_cast<std::uint64_t>(n);
  });
  file.xml("</Verts>\n</Piece>\n");
  file.write(path);
}

} // namespace corral::app
