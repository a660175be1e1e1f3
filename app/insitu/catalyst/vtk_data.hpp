#pragma once

#include "app/insitu/corral_insitu.h"

#include <vtkIdTypeArray.h>
#include <vtkImageData.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

namespace corral::catalyst {

/// The process's cells with its fields as cell data, and one layer of others' around them, marked as duplicates (vtkGhostType). Fields
/// at the cells' centres are the run's own memory where values stand there one behind the other. Of fields on faces the means over the
/// cells are cell data; where one process has all cells the values themselves, too, as NAME_x, NAME_y, NAME_z, are field data: the
/// run's own memory.
vtkSmartPointer<vtkImageData> image_of(const corral_insitu_mesh& mesh);

/// Particles as points, their columns as point data, in the run's own memory. With triangles where the set has any,
/// otherwise with one cell of all points, as in corral's files.
class PolyDataView {
public:
  vtkSmartPointer<vtkPolyData> of(const corral_insitu_set& set);

private:
  void add_triangles(const corral_insitu_set& set, vtkPolyData& poly);
  void add_points(std::int64_t count, vtkPolyData& poly);

  vtkSmartPointer<vtkIdTypeArray> places_; ///< 0, 1, 2, ...: kept, for it is the same in every call
};

} // namespace corral::catalyst
