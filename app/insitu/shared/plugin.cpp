#include "app/insitu/shared/plugin.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace corral::insitu {

namespace {

// Of the library that this is a part of.
std::string own_folder() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<const void*>(&own_folder), &info) || !info.dli_fname) return "";
  return std::filesystem::absolute(info.dli_fname).parent_path().string();
}

} // namespace

void tell_script(const corral_insitu_request& request) {
  ::setenv("CORRAL_INSITU_DIR", request.directory, 1);
  ::setenv("CORRAL_INSITU_TITLE", request.title, 1);
  static const bool once = [] {
    const char* others = std::getenv("PYTHONPATH");
    const std::string folder = own_folder(); // last: nothing of the user's is hidden by it
    ::setenv("PYTHONPATH", (others && *others ? others + (":" + folder) : folder).c_str(), 1);
    return true;
  }();
  static_cast<void>(once);
}

namespace {

bool between_centres(int staggering, int axis) {
  return staggering == CORRAL_INSITU_NODE || staggering == CORRAL_INSITU_FACE_X + axis;
}

// Component c over the cell: the mean of its points along the axes on which they lie on faces.
double cell_mean(const corral_insitu_field& f, int c, std::int64_t (&index)[3], int axis = 0) {
  const std::int64_t* n = f.points[c];
  if (axis == 3) return f.data[c][index[0] + n[0] * (index[1] + n[1] * index[2])];
  if (!between_centres(f.staggering[c], axis)) return cell_mean(f, c, index, axis + 1);
  const double low = cell_mean(f, c, index, axis + 1);
  const std::int64_t here = index[axis];
  index[axis] = (here + 1) % n[axis];
  const double mean = 0.5 * (low + cell_mean(f, c, index, axis + 1));
  index[axis] = here;
  return mean;
}

} // namespace

bool at_centres(const corral_insitu_field& f) {
  return std::all_of(f.staggering, f.staggering + f.components, [](int s) { return s == CORRAL_INSITU_CENTRE; });
}

std::int64_t points_of(const corral_insitu_field& f, int c) { return f.points[c][0] * f.points[c][1] * f.points[c][2]; }

Cells own_cells(const corral_insitu_mesh& m) {
  Cells own{};
  for (int d = 0; d < 3; ++d) own.begin[d] = m.own_begin[d], own.end[d] = m.own_end[d];
  return own;
}

Cells cells_with_neighbours(const corral_insitu_mesh& m) {
  Cells cells = own_cells(m);
  if (cells.count() == 0) return cells;
  for (int d = 0; d < 3; ++d) {
    cells.begin[d] = std::max({cells.begin[d] - 1, std::int64_t{0}, -m.first[d]});
    cells.end[d] = std::min({cells.end[d] + 1, m.cells[d], m.whole[d] - m.first[d]});
  }
  return cells;
}

const double* in_place(const corral_insitu_field& f, int c, const Cells& cells) {
  const std::int64_t* n = f.points[c];
  const bool whole_rows = cells.along(0) == n[0] || cells.along(1) * cells.along(2) == 1;
  const bool whole_planes = cells.along(1) == n[1] || cells.along(2) == 1;
  return whole_rows && whole_planes ? f.data[c] + cells.begin[0] + n[0] * (cells.begin[1] + n[1] * cells.begin[2]) : nullptr;
}

void cell_values(const corral_insitu_field& f, const Cells& cells, double* out) {
  for (std::int64_t k = cells.begin[2]; k < cells.end[2]; ++k)
    for (std::int64_t j = cells.begin[1]; j < cells.end[1]; ++j)
      for (std::int64_t i = cells.begin[0]; i < cells.end[0]; ++i)
        for (int c = 0; c < f.components; ++c) {
          std::int64_t index[3] = {i, j, k};
          *out++ = cell_mean(f, c, index);
        }
}

} // namespace corral::insitu
