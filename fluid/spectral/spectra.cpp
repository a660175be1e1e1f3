#include "fluid/spectral/spectra.hpp"

namespace corral::fluid::spectral {

Spectra::Spectra(const BoxLayout& layout)
    : shape_(layout.shape), begin_plane_(layout.begin_plane()), own_planes_(layout.end_plane() - layout.begin_plane()),
      plane_stride_(shape_.plane_stride()) {
  constexpr std::int64_t place = SpectrumShape::place_size;
  if (layout.shared)
    transposition_ = layout.shared->team().transposition(
        {.rows = own_planes_, .columns = shape_.columns(), .block = place, .row_stride = plane_stride_ / place});
}

void Spectra::need(std::int64_t fields) {
  if (fields <= fields_) return;
  fields_ = fields;
  planes_ = {}, columns_ = {};
  planes_ = large_array(fields * own_planes_ * plane_stride_);
  if (transposition_) columns_ = large_array(fields * shape_.planes * column_stride());
}

void Spectra::to_columns(std::int64_t fields) {
  if (transposition_) transposition_->by_columns(planes_.data(), columns_.data(), static_cast<int>(fields));
}

void Spectra::to_planes(std::int64_t fields) {
  if (transposition_) transposition_->by_rows(columns_.data(), planes_.data(), static_cast<int>(fields));
}

} // namespace corral::fluid::spectral
