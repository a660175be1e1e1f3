#pragma once

#include "distributed/team.hpp"
#include "fluid/spectral/box_layout.hpp"

#include <corral/array.hpp>

#include <cstdint>
#include <memory>

namespace corral::fluid::spectral {

/// Half spectra of fields while they are transformed: by planes, of which planes are made whole, and by columns, of which columns are.
/// In one process both are one memory. Where ranks share the box each has its planes, and some of the columns; then calls that bring
/// one to the other are collective.
class Spectra {
public:
  explicit Spectra(const BoxLayout&);

  /// Makes room for so many fields; where there was less, what they hold is lost.
  void need(std::int64_t fields);

  /// A plane of this rank's, by its number in the layout's grid: shape.columns() places.
  double* plane(std::int64_t field, std::int64_t p) { return planes_.data() + (field * own_planes_ + p - begin_plane_) * plane_stride_; }

  /// This rank's columns are first_column() to first_column() + columns() - 1 of all.
  std::int64_t first_column() const { return transposition_ ? transposition_->first_column() : 0; }
  std::int64_t columns() const { return transposition_ ? transposition_->columns() : shape_.columns(); }
  /// Where the column of that number among this rank's begins, whose planes are column_stride() doubles apart.
  double* column(std::int64_t field, std::int64_t c) {
    return (transposition_ ? columns_ : planes_).data() + field * shape_.planes * column_stride() + SpectrumShape::place_size * c;
  }
  std::int64_t column_stride() const {
    return transposition_ ? SpectrumShape::place_size * transposition_->row_stride() : plane_stride_;
  }

  void to_columns(std::int64_t fields); ///< what planes hold
  void to_planes(std::int64_t fields);  ///< the reverse

private:
  SpectrumShape shape_; ///< of the whole
  std::int64_t begin_plane_, own_planes_, plane_stride_, fields_ = 0;
  std::unique_ptr<distributed::Transposition> transposition_; ///< null where one process has all
  Array<double> planes_, columns_;
};

} // namespace corral::fluid::spectral
