#include "fluid/spectral/real_transform.hpp"

#include <corral/array.hpp>
#include <corral/for_each.hpp>


namespace corral::fluid::spectral {

namespace {

constexpr std::int64_t columns_per_task = 32;

} // namespace

RealTransform::RealTransform(const SpectrumShape& shape)
    : shape_(shape), transformers_([shape] { return make_transformer(shape); }) {
  transformers_.take(); // what is wrong with the shape is said now
}

void RealTransform::forward(Cpu cpu, const RowSource& source, double* spectrum) {
  const std::int64_t stride = shape_.plane_stride();
  for_each_chunk(cpu, shape_.planes, 1, [&](std::int64_t begin, std::int64_t end) {
    const auto transformer = transformers_.take();
    for (std::int64_t p = begin; p < end; ++p) transformer->forward_plane(source, p, spectrum + p * stride);
  });
  transform_columns(cpu, spectrum, false);
}

void RealTransform::backward(Cpu cpu, double* spectrum, const RowSink& sink) {
  transform_columns(cpu, spectrum, true);
  const std::int64_t stride = shape_.plane_stride();
  for_each_chunk(cpu, shape_.planes, 1, [&](std::int64_t begin, std::int64_t end) {
    const auto transformer = transformers_.take();
    for (std::int64_t p = begin; p < end; ++p) transformer->backward_plane(spectrum + p * stride, p, sink);
  });
}

void RealTransform::transform_columns(Cpu cpu, double* spectrum, bool back) {
  for_each_chunk(cpu, shape_.columns(), columns_per_task, [&](std::int64_t begin, std::int64_t end) {
    transformers_.take()->transform_columns(spectrum + SpectrumShape::place_size * begin, shape_.plane_stride(),
                                            end - begin, back);
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
  const double* const real = spectrum + plane * shape.plane_stride() + shape.place_of(k, row);
  return {*real, real[SpectrumShape::lanes]};
}

} // namespace corral::fluid::spectral
