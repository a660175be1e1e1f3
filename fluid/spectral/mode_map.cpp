#include "fluid/spectral/mode_map.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cassert>
#include <string>

namespace corral::fluid::spectral {
namespace {

constexpr std::int64_t place = SpectrumShape::place_size;

} // namespace

ColumnOfModes column_of_modes(const SpectrumShape& shape, std::int64_t column) {
  ColumnOfModes modes{};
  const std::int64_t in_blocks = shape.blocks() * shape.rows;
  for (std::int64_t l = 0; l < SpectrumShape::lanes; ++l) {
    const bool lone = column >= in_blocks;
    const std::int64_t k = lone ? shape.modes() - 1 : column / shape.rows * SpectrumShape::lanes + l;
    const std::int64_t row = lone ? (column - in_blocks) * SpectrumShape::lanes + l : column % shape.rows;
    if (k >= shape.modes() || row >= shape.rows) continue;
    modes.x[l] = k;
    modes.row[l] = signed_mode(row, shape.rows);
  }
  return modes;
}

ModeMap::ModeMap(const SpectrumShape& shape, std::int64_t fields)
    : shape_(shape), fields_(fields), workers_([this] {
        auto worker = std::make_unique<Worker>();
        worker->transformer = make_transformer(shape_);
        worker->columns.resize(fields_ * worker->transformer->columns_at_once() * place * shape_.planes, 0.0);
        return worker;
      }) {
  if (fields < 1 || fields > most_fields)
    throw Error(std::to_string(fields) + " fields to be transformed together (1 to " + std::to_string(most_fields) +
                ")");
  workers_.take(); // what is wrong with the shape is said now
  for (std::int64_t f = 0; f < fields; ++f) spectra_.push_back(large_array(shape.size()));
}

std::int64_t ModeMap::bytes() const {
  std::int64_t sum = 0;
  for (const Array<double>& s : spectra_) sum += s.bytes();
  return sum;
}

void ModeMap::apply(Cpu cpu, std::span<const double* const> from, const ModeFunction& function,
                    std::span<double* const> to) {
  assert(static_cast<std::int64_t>(std::max(from.size(), to.size())) <= fields_);
  const std::int64_t stride = shape_.plane_stride(), column = place * shape_.planes;
  for_each_chunk(cpu, shape_.planes, 1, [&](std::int64_t begin, std::int64_t end) {
    const auto worker = workers_.take();
    for (std::int64_t p = begin; p < end; ++p)
      for (std::size_t f = 0; f < from.size(); ++f)
        worker->transformer->forward_plane(RowsOfArray(shape_, from[f], nullptr), p, spectra_[f].data() + p * stride);
  });

  const std::int64_t at_once = workers_.take()->transformer->columns_at_once();
  for_each_chunk(cpu, shape_.columns(), at_once, [&](std::int64_t begin, std::int64_t end) {
    const auto worker = workers_.take();
    std::array<double*, most_fields> fields{};
    for (std::int64_t first = begin; first < end; first += at_once) {
      const std::int64_t count = std::min(at_once, end - first);
      const auto of_field = [&](std::size_t f) {
        return worker->columns.data() + static_cast<std::int64_t>(f) * at_once * column;
      };
      for (std::size_t f = 0; f < from.size(); ++f)
        worker->transformer->forward_columns(spectra_[f].data() + place * first, stride, count, of_field(f));
      for (std::int64_t c = 0; c < count; ++c) {
        for (std::size_t f = 0; f < static_cast<std::size_t>(fields_); ++f) fields[f] = of_field(f) + c * column;
        function.apply(column_of_modes(shape_, first + c), {fields.data(), static_cast<std::size_t>(fields_)});
      }
      for (std::size_t f = 0; f < to.size(); ++f)
        worker->transformer->backward_columns(of_field(f), count, spectra_[f].data() + place * first, stride);
    }
  });

  for_each_chunk(cpu, shape_.planes, 1, [&](std::int64_t begin, std::int64_t end) {
    const auto worker = workers_.take();
    for (std::int64_t p = begin; p < end; ++p)
      for (std::size_t f = 0; f < to.size(); ++f)
        worker->transformer->backward_plane(spectra_[f].data() + p * stride, p, RowsOfArray(shape_, nullptr, to[f]));
  });
}

} // namespace corral::fluid::spectral
