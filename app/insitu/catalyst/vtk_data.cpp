#include "app/insitu/catalyst/vtk_data.hpp"

#include "app/insitu/shared/plugin.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkSOADataArrayTemplate.h>
#include <vtkTypeInt32Array.h>
#include <vtkTypeUInt64Array.h>

#include <algorithm>
#include <string>
#include <type_traits>

namespace corral::catalyst {

namespace {

constexpr int borrowed = 1; // VTK does not free it

template <class T>
using Interleaved = std::conditional_t<std::is_same_v<T, double>, vtkDoubleArray,
                                       std::conditional_t<std::is_same_v<T, vtkTypeInt32>, vtkTypeInt32Array, vtkTypeUInt64Array>>;

template <class T> T* writable(const void* data) { return const_cast<T*>(static_cast<const T*>(data)); }

// Component c of tuple i at data[c][i * stride], without a copy where VTK knows the layout.
template <class T>
vtkSmartPointer<vtkDataArray> array_of(const char* name, int components, std::int64_t count, std::int64_t stride,
                                       const void* const* data) {
  const auto first = static_cast<const T*>(data[0]);
  bool interleaved = stride == components;
  for (int c = 1; c < components; ++c) interleaved = interleaved && static_cast<const T*>(data[c]) == first + c;
  if (interleaved || stride != 1) {
    auto a = vtkSmartPointer<Interleaved<T>>::New();
    a->SetNumberOfComponents(components);
    a->SetName(name);
    if (interleaved) {
      a->SetArray(writable<T>(first), components * count, borrowed);
      return a;
    }
    a->SetNumberOfTuples(count);
    for (std::int64_t i = 0; i < count; ++i)
      for (int c = 0; c < components; ++c) a->SetTypedComponent(i, c, static_cast<const T*>(data[c])[i * stride]);
    return a;
  }
  auto a = vtkSmartPointer<vtkSOADataArrayTemplate<T>>::New();
  a->SetNumberOfComponents(components);
  a->SetName(name);
  for (int c = 0; c < components; ++c) a->SetArray(c, writable<T>(data[c]), count, c == components - 1, true);
  return a;
}

vtkSmartPointer<vtkDataArray> array_of(const corral_insitu_column& c) {
  switch (c.type) {
    case CORRAL_INSITU_ID: return array_of<vtkTypeUInt64>(c.name, c.components, c.count, c.stride, c.data);
    case CORRAL_INSITU_INTEGER: return array_of<vtkTypeInt32>(c.name, c.components, c.count, c.stride, c.data);
    default: return array_of<double>(c.name, c.components, c.count, c.stride, c.data);
  }
}

// The run's memory where values of these cells stand there one behind the other, otherwise a copy, or means.
vtkSmartPointer<vtkDataArray> values_of(const corral_insitu_field& f, const insitu::Cells& cells) {
  const void* data[3] = {};
  if (insitu::at_centres(f))
    for (int c = 0; c < f.components; ++c) data[c] = insitu::in_place(f, c, cells);
  if (data[0]) return array_of<double>(f.name, f.components, cells.count(), 1, data);
  auto a = vtkSmartPointer<vtkDoubleArray>::New();
  a->SetName(f.name);
  a->SetNumberOfComponents(f.components);
  a->SetNumberOfTuples(cells.count());
  insitu::cell_values(f, cells, a->GetPointer(0));
  return a;
}

// From the first to the last point of these cells along each axis, by their numbers in the whole.
void set_extent(int (&extent)[6], const corral_insitu_mesh& m, const insitu::Cells& cells) {
  for (int d = 0; d < 3; ++d) {
    extent[2 * d] = static_cast<int>(m.first[d] + cells.begin[d]);
    extent[2 * d + 1] = static_cast<int>(m.first[d] + cells.end[d]);
  }
}

void add_raw(const corral_insitu_field& f, vtkFieldData& to) {
  for (int c = 0; c < f.components; ++c) {
    const void* values[] = {f.data[c]};
    const std::string name = f.components == 1 ? std::string(f.name) + "_raw" : f.name + std::string("_") + "xyz"[c];
    to.AddArray(array_of<double>(name.c_str(), 1, insitu::points_of(f, c), 1, values));
  }
}

} // namespace

vtkSmartPointer<vtkImageData> image_of(const corral_insitu_mesh& m) {
  const insitu::Cells own = insitu::own_cells(m), cells = insitu::cells_with_neighbours(m);
  auto image = vtkSmartPointer<vtkImageData>::New();
  image->SetOrigin(m.origin);
  image->SetSpacing(m.spacing);
  int extent[6] = {0, -1, 0, -1, 0, -1}, own_extent[6];
  if (own.count() > 0) set_extent(extent, m, cells);
  image->SetExtent(extent);
  const bool all = std::equal(m.whole, m.whole + 3, m.own_end) && own.count() == m.whole[0] * m.whole[1] * m.whole[2];
  for (std::int64_t i = 0; i < m.field_count; ++i) {
    const corral_insitu_field& f = m.fields[i];
    image->GetCellData()->AddArray(values_of(f, cells));
    if (all && !insitu::at_centres(f)) add_raw(f, *image->GetFieldData());
  }
  set_extent(own_extent, m, own);
  if (own.count() > 0 && !(own == cells)) image->GenerateGhostArray(own_extent);
  return image;
}

vtkSmartPointer<vtkPolyData> PolyDataView::of(const corral_insitu_set& s) {
  auto poly = vtkSmartPointer<vtkPolyData>::New();
  auto points = vtkSmartPointer<vtkPoints>::New();
  points->SetDataTypeToDouble();
  points->SetData(array_of(s.position));
  poly->SetPoints(points);
  for (std::int64_t i = 0; i < s.column_count; ++i) poly->GetPointData()->AddArray(array_of(s.columns[i]));
  if (s.triangles) add_triangles(s, *poly);
  else add_points(s.count, *poly);
  return poly;
}

void PolyDataView::add_triangles(const corral_insitu_set& s, vtkPolyData& poly) {
  auto offsets = vtkSmartPointer<vtkTypeInt32Array>::New(), places = vtkSmartPointer<vtkTypeInt32Array>::New();
  offsets->SetNumberOfValues(s.triangle_count + 1);
  for (std::int64_t i = 0; i <= s.triangle_count; ++i) offsets->SetValue(i, static_cast<std::int32_t>(3 * i));
  places->SetArray(writable<std::int32_t>(s.triangles), 3 * s.triangle_count, borrowed);
  auto cells = vtkSmartPointer<vtkCellArray>::New();
  cells->SetData(offsets, places);
  poly.SetPolys(cells);
  for (std::int64_t i = 0; i < s.on_triangles_count; ++i) poly.GetCellData()->AddArray(array_of(s.on_triangles[i]));
}

void PolyDataView::add_points(std::int64_t count, vtkPolyData& poly) {
  if (count == 0) return;
  if (!places_ || places_->GetNumberOfValues() < count) {
    places_ = vtkSmartPointer<vtkIdTypeArray>::New();
    places_->SetNumberOfValues(count + count / 4);
    for (vtkIdType i = 0; i < places_->GetNumberOfValues(); ++i) places_->SetValue(i, i);
  }
  auto offsets = vtkSmartPointer<vtkIdTypeArray>::New(), places = vtkSmartPointer<vtkIdTypeArray>::New();
  offsets->SetNumberOfValues(2);
  offsets->SetValue(0, 0);
  offsets->SetValue(1, count);
  places->SetArray(places_->GetPointer(0), count, borrowed);
  auto cells = vtkSmartPointer<vtkCellArray>::New();
  cells->SetData(offsets, places);
  poly.SetVerts(cells);
}

} // namespace corral::catalyst
