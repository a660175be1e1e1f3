#pragma once

#include "geometry/files/file_bytes.hpp"
#include "geometry/soundness/faults.hpp"
#include "geometry/surface.hpp"

namespace corral::geometry {

/// A surface and where its parts stand in the file.
struct SurfaceFile {
  Surface surface;
  SurfaceOrigin origin;
};

/// Readers of one format each. They look at the file alone, not at whether the surface is sound, but corners are points
/// of it. `unit` [m] is what one of the file is. Each throws an Error that names file, line or byte, and reason.
///
/// None allocates more than a small multiple of the file's size, whatever it announces (README.md).

/// Object File Format: OFF with or without colours, normals and texture coordinates of points (C, N, ST), which are
/// skipped, as are colours of faces. Each point and each face has a line of its own; # begins a comment.
SurfaceFile read_off(const FileBytes& file, double unit);

/// Stereolithography, text or binary. Triangles repeat their points; those of equal coordinates become one. Normals,
/// attributes and names are skipped; several solids are one surface.
SurfaceFile read_stl(const FileBytes& file, double unit);
/// By its size, which no text can have, even if it begins with "solid" as many binary files do.
bool is_binary_stl(const FileBytes& file);

/// Polygon file format, as text or binary in either byte order. Of the element `vertex`, x y z are read, numbers of any
/// type; of `face`, the list vertex_indices or vertex_index, of whole numbers. All else is skipped. As text, each has a
/// line of its own.
SurfaceFile read_ply(const FileBytes& file, double unit);

} // namespace corral::geometry
