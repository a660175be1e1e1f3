#pragma once

#include "app/points/point_table.hpp"

namespace corral::app {

/// Reads what a .vtp file holds, `bytes`: raw Float64 arrays at its end, as corral writes them. See read_points.
PointTable read_vtp_points(const std::filesystem::path& file, std::string_view bytes, std::span<const std::string_view> known);

} // namespace corral::app
