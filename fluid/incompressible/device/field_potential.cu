#include "fluid/incompressible/field_potential.hpp"

#include "fluid/incompressible/device/axis_symbols.hpp"
#include "fluid/incompressible/device/momentum.hpp"

#include <corral/for_each.cuh>

#include <array>
#include <cstdint>

namespace corral::fluid {

using namespace spectral_flow;

namespace {

/// The divergence of a field, padded.
struct LoadDivergence {
  Box box;
  spectral::PaddedBox padded;
  ConstFacePointers field;
  std::array<double, 3> per; ///< 1/h [1/m]
  double* to;

  CORRAL_HOST_DEVICE void operator()(std::int64_t cell) const {
    const Place p = box.place(cell);
    double total = 0;
    for (int d = 0; d < 3; ++d)
      total += (field[d][box.face(d, box.beside(p, d, true))] - field[d][box.face(d, p)]) * per[d];
    to[padded.value(p.i, p.j + box.ny * p.k)] = total;
  }
};

struct StoreWithMean {
  Box box;
  spectral::PaddedBox padded;
  const double* from;
  double mean;
  double* to;

  CORRAL_HOST_DEVICE void operator()(std::int64_t cell) const {
    const Place p = box.place(cell);
    to[cell] = mean + from[padded.value(p.i, p.j + box.ny * p.k)];
  }
};

/// Of a box that wraps: a thread a mode. The mean goes.
struct PotentialOfModes {
  std::array<AxisSymbols, 3> symbols;
  std::int64_t modes, ny;
  double scale;
  Mode* values;

  CORRAL_HOST_DEVICE void operator()(std::int64_t index) const {
    const auto n = static_cast<std::uint32_t>(index), of_row = static_cast<std::uint32_t>(modes), rows = static_cast<std::uint32_t>(ny);
    const std::uint32_t row = n / of_row, x = n - row * of_row, y = row % rows, z = row / rows; // as PeriodicModes
    const double k2 = symbols[0].square[x] + symbols[1].square[y] + symbols[2].square[z];
    values[index] = index == 0 ? Mode{0, 0} : values[index] * (scale / k2);
  }
};

/// Between walls: a thread a mode of x and z, which eliminates upward and comes down. `pivots` has a number a mode and layer.
struct PotentialOfColumns {
  AxisSymbols x, z;
  std::int64_t modes, layers;
  double spacing, scale;
  Mode* values;
  double* pivots;

  CORRAL_HOST_DEVICE void operator()(std::int64_t mode) const {
    const std::int64_t mx = mode % modes, mz = mode / modes, first = mx + modes * layers * mz;
    if (mode == 0) means();
    else column(first, x.square[mx] + z.square[mz]);
  }

private:
  CORRAL_HOST_DEVICE void column(std::int64_t first, double k2) const {
    const double beside = 1 / (spacing * spacing);
    double pivot = 0; // 1/d of the layer below
    Mode below{0, 0};
    for (std::int64_t j = 0; j < layers; ++j) {
      const std::int64_t at = first + j * modes;
      const double diagonal = k2 + beside * ((j > 0 ? 1 : 0) + (j < layers - 1 ? 1 : 0)), factor = beside * pivot;
      below = values[at] + below * factor;
      pivot = 1 / (diagonal - beside * factor);
      values[at] = below, pivots[at] = pivot;
    }
    Mode above{0, 0};
    for (std::int64_t j = layers - 1; j >= 0; --j) {
      const std::int64_t at = first + j * modes;
      above = (values[at] + above * beside) * pivots[at];
      values[at] = above * scale;
    }
  }

  /// What flows up through a layer's lower face is what is below it; the mean goes.
  CORRAL_HOST_DEVICE void means() const {
    double total_source = 0, through = 0, here = 0, total = 0;
    for (std::int64_t j = 0; j < layers; ++j) total_source += values[j * modes].re;
    const double mean_source = total_source / static_cast<double>(layers);
    for (std::int64_t j = 0; j < layers; ++j) {
      here -= spacing * through;
      through += spacing * (values[j * modes].re - mean_source);
      values[j * modes] = {here, 0};
      total += here;
    }
    for (std::int64_t j = 0; j < layers; ++j)
      values[j * modes].re = scale * (values[j * modes].re - total / static_cast<double>(layers));
  }
};

} // namespace

class DeviceFieldPotential::Parts {
public:
  explicit Parts(const Domain& domain)
      : layout_(domain), box_(box_of(domain)), transform_(layout_), padded_(transform_.box()),
        symbols_{SymbolsOfAxis(domain.grid().axis(0), padded_.modes()), SymbolsOfAxis(domain.grid().axis(1), box_.ny),
                 SymbolsOfAxis(domain.grid().axis(2), box_.nz)} {
    field_.resize(padded_.size());
    if (box_.walled) pivots_.resize(padded_.size() / 2);
  }

  void find(Gpu gpu, const ConstFacePointers& field, double mean, double* potential) {
    const std::array<double, 3> per{1 / layout_.spacing(0), 1 / layout_.spacing(1), 1 / layout_.spacing(2)};
    for_each(gpu, box_.cells(), LoadDivergence{box_, padded_, field, per, field_.data()});
    transform_.forward(gpu, field_.data());
    auto* const modes = reinterpret_cast<Mode*>(field_.data());
    const double scale = 1 / layout_.transform_factor();
    if (box_.walled)
      for_each(gpu, padded_.modes() * box_.nz, PotentialOfColumns{symbols_[0].view(), symbols_[2].view(), padded_.modes(), box_.ny,
                                                                 layout_.spacing(1), scale, modes, pivots_.data()});
    else
      for_each(gpu, padded_.size() / 2, PotentialOfModes{{symbols_[0].view(), symbols_[1].view(), symbols_[2].view()},
                                                         padded_.modes(), box_.ny, scale, modes});
    transform_.backward(gpu, field_.data());
    for_each(gpu, box_.cells(), StoreWithMean{box_, padded_, field_.data(), mean, potential});
  }

private:
  spectral::BoxLayout layout_;
  Box box_;
  spectral::BoxTransform transform_;
  spectral::PaddedBox padded_;
  std::array<SymbolsOfAxis, 3> symbols_;
  Array<double> field_{Memory::device}, pivots_{Memory::device};
};

DeviceFieldPotential::DeviceFieldPotential(const Domain& domain) : parts_(std::make_unique<Parts>(domain)) {}
DeviceFieldPotential::~DeviceFieldPotential() = default;
void DeviceFieldPotential::find(Gpu gpu, const ConstFacePointers& field, double mean, double* potential) {
  parts_->find(gpu, field, mean, potential);
}

} // namespace corral::fluid
