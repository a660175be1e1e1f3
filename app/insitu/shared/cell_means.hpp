#pragma once

#include "app/insitu/corral_insitu.h"

#include <cstdint>

namespace corral::insitu {

/// Whether all components lie at the cells' centres: then the field is cell data as it is.
bool at_centres(const corral_insitu_field& field);

/// How many values component c has.
std::int64_t points_of(const corral_insitu_field& field, int c);

/// Means over the cells of a field that lies on faces or nodes, into out[cells * components]: x fastest, the components
/// of a cell side by side. The upper face of a periodic axis' last cell is the first cell's lower one.
void cell_means(const corral_insitu_field& field, const std::int64_t (&cells)[3], double* out);

} // namespace corral::insitu
