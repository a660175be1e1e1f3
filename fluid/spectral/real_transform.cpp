#include "fluid/spectral/real_transform.hpp"

#include <corral/array.hpp>
#include <corral/for_each.hpp>

#include <algorithm>

namespace corral::fluid::spectral {

struct RealTransform::Worker {
  explicit Worker(const SpectrumShape& shape)
      : transformer(make_transformer(shape)), column(SpectrumShape::complex_size * shape.planes) {}
  std::unique_ptr<Transformer> transformer;
  Array<double> column;
};

namespace {

constexpr std::int64_t columns_per_task = 16;

class RowsOfArray final : public RowSource, public RowSink {
public:
  RowsOfArray(const SpectrumShape& shape, const double* from, double* to) : shape_(shape), from_(from), to_(to) {}
  void read(std::int64_t plane, std::int64_t row, std::int64_t count, double* to, std::int64_t stride) const override {
    for (std::int64_t r = 0; r < count; ++r) std::copy_n(from_ + place(plane, row + r), shape_.nx, to + r * stride);
  }
  void write(std::int64_t plane, std::int64_t row, std::int64_t count, const double* from,
             std::int64_t stride) const override {
    for (std::int64_t r = 0; r < count; ++r) std::copy_n(from + r * stride, shape_.nx, to_ + place(plane, row + r));
  }

private:
  std::int64_t place(std::int64_t plane, std::int64_t row) const { return shape_.nx * (row + shape_.rows * plane); }
  SpectrumShape shape_;
  const double* from_;
  double* to_;
};

} // namespace

RealTransform::RealTransform(const SpectrumShape& shape)
    : shape_(shape), workers_([shape] { return std::make_unique<Worker>(shape); }) {
  const auto first = workers_.take(); // what is wrong with the shape is said now
}

RealTransform::~RealTransform() = default;

void RealTransform::forward(Cpu cpu, const RowSource& source, double* spectrum) {
  const std::int64_t stride = shape_.plane_stride();
  for_each_chunk(cpu, shape_.planes, 1, [&](std::int64_t begin, std::int64_t end) {
    const auto worker = workers_.take();
    for (std::int64_t p = begin; p < end; ++p) worker->transformer->forward_plane(source, p, spectrum + p * stride);
  });
  for_each_chunk(cpu, shape_.columns(), columns_per_task, [&](std::int64_t begin, std::int64_t end) {
    const auto worker = workers_.take();
    for (std::int64_t c = begin; c < end; ++c) {
      double* const at = spectrum + SpectrumShape::complex_size * c;
      worker->transformer->forward_column(at, stride, worker->column.data());
      for (std::int64_t p = 0; p < shape_.planes; ++p)
        std::copy_n(worker->column.data() + p * SpectrumShape::complex_size, SpectrumShape::complex_size,
                    at + p * stride);
    }
  });
}

void RealTransform::backward(Cpu cpu, double* spectrum, const RowSink& sink) {
  const std::int64_t stride = shape_.plane_stride();
  for_each_chunk(cpu, shape_.columns(), columns_per_task, [&](std::int64_t begin, std::int64_t end) {
    const auto worker = workers_.take();
    for (std::int64_t c = begin; c < end; ++c) {
      double* const at = spectrum + SpectrumShape::complex_size * c;
      for (std::int64_t p = 0; p < shape_.planes; ++p)
        std::copy_n(at + p * stride, SpectrumShape::complex_size,
                    worker->column.data() + p * SpectrumShape::complex_size);
      worker->transformer->backward_column(worker->column.data(), at, stride);
    }
  });
  for_each_chunk(cpu, shape_.planes, 1, [&](std::int64_t begin, std::int64_t end) {
    const auto worker = workers_.take();
    for (std::int64_t p = begin; p < end; ++p) worker->transformer->backward_plane(spectrum + p * stride, p, sink);
  });
}

void RealTransform::forward(Cpu cpu, const double* values, double* spectrum) {
  forward(cpu, RowsOfArray(shape_, values, nullptr), spectrum);
}

void RealTransform::backward(Cpu cpu, double* spectrum, double* values) {
  backward(cpu, spectrum, RowsOfArray(shape_, nullptr, values));
}

std::complex<double> mode(const SpectrumShape& shape, const double* spectrum, std::int64_t k, std::int64_t row,
                          std::int64_t plane) {
  constexpr std::int64_t lanes = SpectrumShape::lanes;
  const double* const place =
      spectrum + plane * shape.plane_stride() + SpectrumShape::complex_size * (k / lanes * shape.rows + row);
  return {place[k % lanes], place[lanes + k % lanes]};
}

} // namespace corral::fluid::spectral
