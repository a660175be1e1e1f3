// The transformer of one instruction set.
#if defined(CORRAL_SPECTRAL_TRANSFORMER_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_SPECTRAL_TRANSFORMER_INL
#undef CORRAL_SPECTRAL_TRANSFORMER_INL
#else
#define CORRAL_SPECTRAL_TRANSFORMER_INL
#endif

#include "fluid/spectral/lanes/lines-inl.hpp"
#include "fluid/spectral/transformer.hpp"

#include <corral/array.hpp>

#include <hwy/cache_control.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace corral::fluid::spectral::HWY_NAMESPACE {

/// Sixteen rows at a time are transformed along x as eight complex lines: row r in the real parts, row r + 8 in the
/// imaginary ones of line r. The spectra of the two are what is even and odd in that of the line.
class TransformerOfSet final : public Transformer {
public:
  TransformerOfSet(const SpectrumShape& shape, AlongPlanes columns)
      : shape_(shape), kept_(columns == AlongPlanes::kept), x_(shape.nx), rows_(shape.rows),
        planes_(kept_ ? 1 : shape.planes), row_stride_((shape.nx + 7) / 8 * 8 + 8), values_(row_stride_ * at_once, 0.0),
        in_(places(row_stride_), 0.0), out_(places(row_stride_), 0.0), plane_(places(shape.blocks() * shape.rows), 0.0),
        lone_(places(2 * shape.rows), 0.0), column_(places(shape.planes), 0.0) {}

  void forward_plane(const RowSource& source, std::int64_t plane, double* spectrum) override {
    for (std::int64_t row = 0; row < shape_.rows; row += at_once) {
      const std::int64_t count = std::min(at_once, shape_.rows - row);
      source.read(plane, row, count, values_.data(), row_stride_);
      if (count < at_once) std::fill(values_.data() + count * row_stride_, values_.end(), 0.0);
      rows_to_lines();
      x_.forward(complex(in_.data()), 1, complex(out_.data()));
      for (std::int64_t b = 0; b < shape_.blocks(); ++b) part_rows(b, row, count);
      if (shape_.has_lone_mode()) part_lone(row, count);
    }
    for (std::int64_t b = 0; b < shape_.blocks(); ++b) {
      const std::int64_t at = places(b * shape_.rows);
      rows_.forward(complex(plane_.data() + at), 1, complex(spectrum + at));
    }
    if (shape_.has_lone_mode()) {
      rows_.forward(complex(lone_.data()), 1, complex(lone_.data() + places(shape_.rows)));
      for (std::int64_t r = 0; r < shape_.rows; ++r)
        for (std::int64_t part = 0; part < 2; ++part)
          spectrum[lone_place(r) + 8 * part] = lone_[places(shape_.rows + r) + 8 * part];
      for (std::int64_t r = shape_.rows; r % 8 != 0; ++r) spectrum[lone_place(r)] = spectrum[lone_place(r) + 8] = 0;
    }
  }

  void backward_plane(const double* spectrum, std::int64_t plane, const RowSink& sink) override {
    for (std::int64_t b = 0; b < shape_.blocks(); ++b) {
      const std::int64_t at = places(b * shape_.rows);
      rows_.backward(complex(spectrum + at), 1, complex(plane_.data() + at));
    }
    if (shape_.has_lone_mode()) {
      for (std::int64_t r = 0; r < shape_.rows; ++r)
        for (std::int64_t part = 0; part < 2; ++part)
          lone_[places(shape_.rows + r) + 8 * part] = spectrum[lone_place(r) + 8 * part];
      rows_.backward(complex(lone_.data() + places(shape_.rows)), 1, complex(lone_.data()));
    }
    for (std::int64_t row = 0; row < shape_.rows; row += at_once) {
      const std::int64_t count = std::min(at_once, shape_.rows - row);
      for (std::int64_t b = 0; b < shape_.blocks(); ++b) join_rows(b, row, count);
      if (shape_.has_lone_mode()) join_lone(row, count);
      x_.backward(complex(in_.data()), 1, complex(out_.data()));
      lines_to_rows();
      sink.write(plane, row, count, values_.data(), row_stride_);
    }
  }

  std::int64_t columns_at_once() const override {
    return std::clamp<std::int64_t>(places_of_a_group / shape_.planes, 1, 8);
  }

  void forward_columns(const double* from, std::int64_t stride, std::int64_t count, double* to) override {
    for (std::int64_t c = 0; c < count; ++c) {
      double* const column = to + places(c * shape_.planes);
      prefetch_column(from + places(c + 1), stride);
      if (kept_)
        copy_column(from + places(c), stride, column, SpectrumShape::place_size);
      else
        planes_.forward(complex(from + places(c)), stride / SpectrumShape::place_size, complex(column));
    }
  }

  void backward_columns(const double* from, std::int64_t count, double* to, std::int64_t stride) override {
    for (std::int64_t c = 0; c < count; ++c) {
      const double* column = from + places(c * shape_.planes);
      if (!kept_) {
        planes_.backward(complex(column), 1, complex(column_.data()));
        column = column_.data();
      }
      copy_column(column, SpectrumShape::place_size, to + places(c), stride);
    }
  }

  void transform_columns(double* columns, std::int64_t stride, std::int64_t count, bool back) override {
    if (kept_) return;
    for (std::int64_t c = 0; c < count; ++c) {
      prefetch_column(columns + places(c + 1), stride);
      const ComplexEight* const from = complex(columns + places(c));
      const std::int64_t step = stride / SpectrumShape::place_size;
      back ? planes_.backward(from, step, complex(column_.data()))
           : planes_.forward(from, step, complex(column_.data()));
      copy_column(column_.data(), SpectrumShape::place_size, columns + places(c), stride);
    }
  }

private:
  static constexpr std::int64_t at_once = 16;
  static constexpr std::int64_t places_of_a_group = 512; ///< 128 KiB: with what is made of them they fit into a cache

  static std::int64_t places(std::int64_t n) { return n * SpectrumShape::place_size; }
  static ComplexEight* complex(double* p) { return reinterpret_cast<ComplexEight*>(p); }
  static const ComplexEight* complex(const double* p) { return reinterpret_cast<const ComplexEight*>(p); }

  /// Eight rows of eight values, `from_stride` apart, to columns, `to_stride` apart.
  static void transpose_tile(const double* from, std::int64_t from_stride, double* to, std::int64_t to_stride) {
    Eight tile[8];
    for (std::int64_t i = 0; i < 8; ++i) tile[i] = Eight::load(from + i * from_stride);
    transpose(tile);
    for (std::int64_t i = 0; i < 8; ++i) tile[i].store(to + i * to_stride);
  }
  /// While one column is transformed, which takes arithmetic, the next is fetched.
  void prefetch_column(const double* column, std::int64_t stride) const {
    for (std::int64_t p = 0; p < shape_.planes; ++p) {
      hwy::Prefetch(column + p * stride);
      hwy::Prefetch(column + p * stride + 8);
    }
  }
  void copy_column(const double* from, std::int64_t from_stride, double* to, std::int64_t to_stride) const {
    for (std::int64_t p = 0; p < shape_.planes; ++p) *complex(to + p * to_stride) = *complex(from + p * from_stride);
  }

  void rows_to_lines() {
    for (std::int64_t x = 0; x < shape_.nx; x += 8)
      for (std::int64_t half = 0; half < 2; ++half)
        transpose_tile(values_.data() + half * 8 * row_stride_ + x, row_stride_, in_.data() + places(x) + 8 * half,
                       SpectrumShape::place_size);
  }
  void lines_to_rows() {
    for (std::int64_t x = 0; x < shape_.nx; x += 8)
      for (std::int64_t half = 0; half < 2; ++half)
        transpose_tile(out_.data() + places(x) + 8 * half, SpectrumShape::place_size,
                       values_.data() + half * 8 * row_stride_ + x, row_stride_);
  }

  /// The modes of a block, from the lines to the rows of both of their parts.
  void part_rows(std::int64_t block, std::int64_t row, std::int64_t count) {
    const Eight half(0.5);
    const std::int64_t first = 8 * block, modes = std::min<std::int64_t>(8, shape_.modes() - first);
    const auto part = [&](std::int64_t from_row, std::int64_t imaginary, auto&& value) {
      Eight tile[8];
      for (std::int64_t m = 0; m < 8; ++m) {
        if (m >= modes) {
          tile[m] = Eight(0.0);
          continue;
        }
        const std::int64_t k = first + m;
        tile[m] =
            half * value(complex(out_.data() + places(k)), complex(out_.data() + places(k == 0 ? 0 : shape_.nx - k)));
      }
      transpose(tile);
      double* const to = plane_.data() + places(block * shape_.rows + row + from_row) + 8 * imaginary;
      for (std::int64_t r = 0; r < std::min<std::int64_t>(8, count - from_row); ++r) tile[r].store(to + places(r));
    };
    part(0, 0, [](const ComplexEight* a, const ComplexEight* b) HWY_ATTR { return a->re + b->re; });
    part(0, 1, [](const ComplexEight* a, const ComplexEight* b) HWY_ATTR { return a->im - b->im; });
    part(8, 0, [](const ComplexEight* a, const ComplexEight* b) HWY_ATTR { return a->im + b->im; });
    part(8, 1, [](const ComplexEight* a, const ComplexEight* b) HWY_ATTR { return b->re - a->re; });
  }

  /// The last mode, which is real where nx is even, of both rows of each line: to the first lane of `lone_`.
  void part_lone(std::int64_t row, std::int64_t count) {
    const std::int64_t k = shape_.modes() - 1, mirror = k == 0 ? 0 : shape_.nx - k;
    const double *const a = out_.data() + places(k), *const b = out_.data() + places(mirror);
    for (std::int64_t r = 0; r < count; ++r) {
      const std::int64_t line = r % 8;
      double* const to = lone_.data() + places(row + r);
      to[0] = 0.5 * (r < 8 ? a[line] + b[line] : a[8 + line] + b[8 + line]);
      to[8] = 0.5 * (r < 8 ? a[8 + line] - b[8 + line] : b[line] - a[line]);
    }
  }
  void join_lone(std::int64_t row, std::int64_t count) {
    const std::int64_t k = shape_.modes() - 1, mirror = k == 0 ? 0 : shape_.nx - k;
    double *const a = in_.data() + places(k), *const b = in_.data() + places(mirror);
    for (std::int64_t line = 0; line < 8; ++line) {
      const auto value = [&](std::int64_t r, std::int64_t part) {
        return r < count ? lone_[places(row + r) + 8 * part] : 0.0;
      };
      const bool real = k == mirror;
      const double re = value(line, 0), im = real ? 0.0 : value(line, 1);
      const double other_re = value(8 + line, 0), other_im = real ? 0.0 : value(8 + line, 1);
      b[line] = re + other_im;
      b[8 + line] = other_re - im;
      a[line] = re - other_im;
      a[8 + line] = im + other_re;
    }
  }
  /// Where row r of the lone mode stands in a plane's spectrum.
  std::int64_t lone_place(std::int64_t r) const { return places(shape_.blocks() * shape_.rows + r / 8) + r % 8; }

  /// The reverse of part_rows.
  void join_rows(std::int64_t block, std::int64_t row, std::int64_t count) {
    const std::int64_t first = 8 * block, modes = std::min<std::int64_t>(8, shape_.modes() - first);
    const auto load = [&](Eight(&tile)[8], std::int64_t from_row, std::int64_t imaginary) {
      const double* const from = plane_.data() + places(block * shape_.rows + row + from_row) + 8 * imaginary;
      for (std::int64_t r = 0; r < 8; ++r) tile[r] = r < count - from_row ? Eight::load(from + places(r)) : Eight(0.0);
      transpose(tile);
    };
    Eight a[8], b[8];
    load(a, 0, 0);
    load(b, 8, 1);
    for (std::int64_t m = 0; m < modes; ++m) {
      const std::int64_t k = first + m;
      if (k == 0 || 2 * k == shape_.nx) {
        a[m].store(in_.data() + places(k));
        continue;
      }
      (a[m] - b[m]).store(in_.data() + places(k));
      (a[m] + b[m]).store(in_.data() + places(shape_.nx - k));
    }
    load(a, 0, 1);
    load(b, 8, 0);
    for (std::int64_t m = 0; m < modes; ++m) {
      const std::int64_t k = first + m;
      if (k == 0 || 2 * k == shape_.nx) {
        b[m].store(in_.data() + places(k) + 8);
        continue;
      }
      (a[m] + b[m]).store(in_.data() + places(k) + 8);
      (b[m] - a[m]).store(in_.data() + places(shape_.nx - k) + 8);
    }
  }

  SpectrumShape shape_;
  bool kept_;
  EightLines x_, rows_, planes_;
  std::int64_t row_stride_;
  Array<double> values_, in_, out_, plane_, lone_, column_;
};

} // namespace corral::fluid::spectral::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
