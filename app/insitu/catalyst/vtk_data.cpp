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

vtkSmartPointer<vtkDataArray> cell_means(const corral_insitu_field& f, const std::int64_t (&cells)[3]) {
  auto a = vtkSmartPointer<vtkDoubleArray>::New();
  a->SetName(f.name);
  a->SetNumberOfComponents(f.components);
  a->SetNumberOfTuples(cells[0] * cells[1] * cells[2]);
  insitu::cell_means(f, cells, a->GetPointer(0));
  return a;
}

} // namespace

vtkSmartPointer<vtkImageData> image_of(const corral_insitu_mesh& m) {
  auto image = vtkSmartPointer<vtkImageData>::New();
  image->SetDimensions(static_cast<int>(m.cells[0] + 1), static_cast<int>(m.cells[1] + 1),
                       static_cast<int>(m.cells[2] + 1));
  image->SetOrigin(m.origin);
  image->SetSpacing(m.spacing);
  for (std::int64_t i = 0; i < m.field_count; ++i) {
    const corral_insitu_field& f = m.fields[i];
    if (insitu::at_centres(f)) {
      image->GetCellData()->AddArray(array_of<double>(f.name, f.components, insitu::points_of(f, 0), 1,
                                                      reinterpret_cast<const void* const*>(f.data)));
      continue;
    }
    image->GetCellData()->AddArray(cell_means(f, m.cells));
    for (int c = 0; c < f.components; ++c) {
      const void* values[] = {f.data[c]};
      const std::string name = f.components == 1 ? std::string(f.name) + "_raw" : f.name + std::string("_") + "xyz"[c];
      image->GetFieldData()->AddArray(array_of<double>(name.c_str(), 1, insitu::points_of(f, c), 1, values));
    }
  }
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
