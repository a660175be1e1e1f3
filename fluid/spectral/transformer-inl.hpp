// The transformer of one instruction set.
#if defined(CORRAL_SPECTRAL_TRANSFORMER_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CORRAL_SPECTRAL_TRANSFORMER_INL
#undef CORRAL_SPECTRAL_TRANSFORMER_INL
#else
#define CORRAL_SPECTRAL_TRANSFORMER_INL
#endif

#include "fluid/spectral/lines-inl.hpp"
#include "fluid/spectral/transformer.hpp"

#include <corral/array.hpp>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace corral::fluid::spectral::HWY_NAMESPACE {

/// Sixteen rows at a time are transformed along x as eight complex lines: row r in the real parts, row r + 8 in the
/// imaginary ones of line r. The spectra of the two are what is even and odd in that of the line.
class TransformerOfSet final : public Transformer {
public:
  explicit TransformerOfSet(const SpectrumShape& shape)
      : shape_(shape), x_(shape.nx), rows_(shape.rows), planes_(shape.planes), row_stride_((shape.nx + 7) / 8 * 8 + 8),
        values_(row_stride_ * at_once, 0.0), in_(places(row_stride_), 0.0), out_(places(row_stride_), 0.0),
        plane_(places(shape.columns()), 0.0), column_(places(shape.planes), 0.0), tile_(4 * 64, 0.0) {}

  void forward_plane(const RowSource& source, std::int64_t plane, double* spectrum) override {
    for (std::int64_t row = 0; row < shape_.rows; row += at_once) {
      const std::int64_t count = std::min(at_once, shape_.rows - row);
      source.read(plane, row, count, values_.data(), row_stride_);
      if (count < at_once) std::fill(values_.data() + count * row_stride_, values_.end(), 0.0);
      rows_to_lines();
      x_.forward(complex(in_.data()), 1, complex(out_.data()));
      for (std::int64_t b = 0; b < shape_.blocks(); ++b) part_rows(b, row, count);
    }
    for (std::int64_t b = 0; b < shape_.blocks(); ++b) {
      const std::int64_t at = places(b * shape_.rows);
      rows_.forward(complex(plane_.data() + at), 1, complex(spectrum + at));
    }
  }

  void backward_plane(const double* spectrum, std::int64_t plane, const RowSink& sink) override {
    for (std::int64_t b = 0; b < shape_.blocks(); ++b) {
      const std::int64_t at = places(b * shape_.rows);
      rows_.backward(complex(spectrum + at), complex(plane_.data() + at));
    }
    for (std::int64_t row = 0; row < shape_.rows; row += at_once) {
      const std::int64_t count = std::min(at_once, shape_.rows - row);
      for (std::int64_t b = 0; b < shape_.blocks(); ++b) join_rows(b, row, count);
      x_.backward(complex(in_.data()), complex(out_.data()));
      lines_to_rows();
      sink.write(plane, row, count, values_.data(), row_stride_);
    }
  }

  void forward_column(const double* from, std::int64_t stride, double* to) override {
    planes_.forward(complex(from), stride / SpectrumShape::complex_size, complex(to));
  }

  void backward_column(const double* from, double* to, std::int64_t stride) override {
    planes_.backward(complex(from), complex(column_.data()));
    for (std::int64_t i = 0; i < shape_.planes; ++i)
      *complex(to + i * stride) = *complex(column_.data() + places(i));
  }

  std::int64_t bytes() const override {
    return values_.bytes() + in_.bytes() + out_.bytes() + plane_.bytes() + column_.bytes() +
           2 * static_cast<std::int64_t>(sizeof(Complex)) * (shape_.nx + shape_.rows + shape_.planes);
  }

private:
  static constexpr std::int64_t at_once = 16;

  static std::int64_t places(std::int64_t n) { return n * SpectrumShape::complex_size; }
  static Complex* complex(double* p) { return reinterpret_cast<Complex*>(p); }
  static const Complex* complex(const double* p) { return reinterpret_cast<const Complex*>(p); }

  void rows_to_lines() {
    for (std::int64_t x = 0; x < shape_.nx; x += 8)
      for (std::int64_t half = 0; half < 2; ++half)
        transpose_eight(values_.data() + half * 8 * row_stride_ + x, row_stride_, in_.data() + places(x) + 8 * half,
                        SpectrumShape::complex_size);
  }
  void lines_to_rows() {
    for (std::int64_t x = 0; x < shape_.nx; x += 8)
      for (std::int64_t half = 0; half < 2; ++half)
        transpose_eight(out_.data() + places(x) + 8 * half, SpectrumShape::complex_size,
                        values_.data() + half * 8 * row_stride_ + x, row_stride_);
  }

  /// The modes of a block, of both rows of each line: tiles of real and imaginary parts, [mode][line].
  void part_rows(std::int64_t block, std::int64_t row, std::int64_t count) {
    const Eight half(0.5);
    const std::int64_t first = 8 * block, modes = std::min<std::int64_t>(8, shape_.modes() - first);
    double* const tile = tile_.data();
    if (modes < 8) std::fill(tile_.begin(), tile_.end(), 0.0);
    for (std::int64_t m = 0; m < modes; ++m) {
      const std::int64_t k = first + m;
      const Complex a = *complex(out_.data() + places(k));
      const Complex b = *complex(out_.data() + places(k == 0 ? 0 : shape_.nx - k));
      (half * (a.re + b.re)).store(tile + 8 * m);
      (half * (a.im - b.im)).store(tile + 64 + 8 * m);
      (half * (a.im + b.im)).store(tile + 128 + 8 * m);
      (half * (b.re - a.re)).store(tile + 192 + 8 * m);
    }
    for (std::int64_t r = 0; r < count; r += 4) // rows come in fours, the last of which may be beyond the plane
      for (std::int64_t part = 0; part < 2; ++part)
        for (std::int64_t m = 0; m < 8; m += 4)
          to_rows(tile + 64 * (r / 8 * 2 + part) + 8 * m + r % 8, block, row + r, std::min<std::int64_t>(4, count - r),
                  8 * part + m);
  }

  /// Four modes of four lines, to the rows of a block.
  void to_rows(const double* tile, std::int64_t block, std::int64_t row, std::int64_t count, std::int64_t place) {
    double* const to = plane_.data() + places(block * shape_.rows + row) + place;
    if (count == 4) return transpose_four(tile, 8, to, SpectrumShape::complex_size);
    alignas(64) double few[16];
    transpose_four(tile, 8, few, 4);
    for (std::int64_t i = 0; i < count; ++i) std::copy_n(few + 4 * i, 4, to + places(i));
  }

  /// The reverse of part_rows.
  void join_rows(std::int64_t block, std::int64_t row, std::int64_t count) {
    const std::int64_t first = 8 * block, modes = std::min<std::int64_t>(8, shape_.modes() - first);
    double* const tile = tile_.data();
    if (count < at_once) std::fill(tile_.begin(), tile_.end(), 0.0);
    for (std::int64_t r = 0; r < count; r += 4)
      for (std::int64_t part = 0; part < 2; ++part)
        for (std::int64_t m = 0; m < 8; m += 4)
          from_rows(block, row + r, std::min<std::int64_t>(4, count - r), 8 * part + m,
                    tile + 64 * (r / 8 * 2 + part) + 8 * m + r % 8);
    for (std::int64_t m = 0; m < modes; ++m) {
      const std::int64_t k = first + m;
      const Eight a_re = Eight::load(tile + 8 * m), b_re = Eight::load(tile + 128 + 8 * m);
      if (k == 0 || 2 * k == shape_.nx) {
        *complex(in_.data() + places(k)) = {a_re, b_re};
        continue;
      }
      const Eight a_im = Eight::load(tile + 64 + 8 * m), b_im = Eight::load(tile + 192 + 8 * m);
      *complex(in_.data() + places(k)) = {a_re - b_im, a_im + b_re};
      *complex(in_.data() + places(shape_.nx - k)) = {a_re + b_im, b_re - a_im};
    }
  }

  void from_rows(std::int64_t block, std::int64_t row, std::int64_t count, std::int64_t place, double* tile) const {
    const double* const from = plane_.data() + places(block * shape_.rows + row) + place;
    if (count == 4) return transpose_four(from, SpectrumShape::complex_size, tile, 8);
    for (std::int64_t i = 0; i < count; ++i)
      for (std::int64_t j = 0; j < 4; ++j) tile[8 * j + i] = from[places(i) + j];
  }

  SpectrumShape shape_;
  Lines x_, rows_, planes_;
  std::int64_t row_stride_;
  Array<double> values_, in_, out_, plane_, column_, tile_;
};

} // namespace corral::fluid::spectral::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
