#include "mppic/collisions/blending.hpp"

#include "mppic/contact/blending.hpp"
#include "tests/catch.hpp"
#include "tests/mppic/collisions/scene.hpp"
#include "tests/tolerance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace corral::test {
namespace {

using fluid::SideKind;
using mppic::Setup;
using Columns = std::array<std::vector<double>, 3>;

/// Parcels of any sizes and velocities on which any forces act, with their solids fractions multiplied by `factor`.
struct Packed {
  Setup setup;
  StirredBox scene;

  Packed(std::array<std::int64_t, 3> cells, SideKind side, double factor)
      : setup(blended(cells, side)), scene(setup, 20 * cells[0] * cells[1] * cells[2], [](std::int64_t, Random&) {}) {
    Random random(17);
    for (auto* u : scene.parcels.velocity)
      for (double& v : *u) v = random.uniform(-1, 1);
    for (double& rate : scene.parcels.drag) rate = std::pow(10, random.uniform(0, 4));
    for (double& v : scene.parcels.volume) v *= factor;
    scene.spread(1e-3);
  }
  static Setup blended(std::array<std::int64_t, 3> cells, SideKind side) {
    Setup s = alone(cells, 0.05, side);
    s.collisions.blended = true;
    return s;
  }

  /// Velocities after a step.
  Columns after(bool blend) {
    mppic::MoveColumns columns = scene.columns();
    mppic::MoveModel model = mppic::move_model(setup, scene.domain, 1e-3);
    Columns before, out;
    for (std::size_t d = 0; d < 3; ++d) before[d] = scene.parcels.velocity[d]->values();
    const std::vector<double> drag = scene.parcels.drag.values();
    if (blend)
      scene.collisions.blend(Cpu{}, scene.order, scene.parcels, scene.sums, model, scene.flow, columns);
    mppic::advance_velocities(Cpu{}, model, columns, scene.parcels.size());
    for (std::size_t d = 0; d < 3; ++d) {
      out[d] = scene.parcels.velocity[d]->values();
      std::copy(before[d].begin(), before[d].end(), scene.parcels.velocity[d]->data());
    }
    std::copy(drag.begin(), drag.end(), scene.parcels.drag.data());
    return out;
  }
};

} // namespace

TEST_CASE("the share of accelerations in common is nothing where particles are loose and all where they are packed") {
  CHECK(mppic::common_share(0.3, 0.6) == 0);
  CHECK(mppic::common_share(0.85 * 0.6, 0.6) < 1e-12);
  CHECK(mppic::common_share(0.9 * 0.6, 0.6) == Approx(0.5));
  CHECK(mppic::common_share(0.96 * 0.6, 0.6) == 1);
  CHECK(mppic::common_share(0.7, 0.6) == 1);
  for (double theta = 0.5; theta < 0.6; theta += 0.01)
    CHECK(mppic::common_share(theta + 0.01, 0.6) >= mppic::common_share(theta, 0.6));
}

TEST_CASE("blended accelerations keep momentum, of any parcels, and are none's where all are loose") {
  for (const auto& cells : {std::array<std::int64_t, 3>{4, 5, 3}, {1, 1, 6}, {1, 1, 1}})
    for (const SideKind side : {SideKind::no_slip, SideKind::periodic})
      for (const double factor : {0.5, 1.8, 3.}) {
        Packed packed(cells, side, factor);
        const mppic::Parcels& p = packed.scene.parcels;
        const Columns own = packed.after(false), blended = packed.after(true);
        for (std::size_t d = 0; d < 3; ++d) {
          double change = 0, carried = 0, most = 0;
          for (std::size_t i = 0; i < own[d].size(); ++i) {
            const double v = p.volume[static_cast<std::int64_t>(i)], given = blended[d][i] - own[d][i];
            change += v * given;
            carried += v * (std::abs(own[d][i]) + std::abs((*p.velocity[d])[static_cast<std::int64_t>(i)]));
            most = std::max(most, std::abs(given));
          }
          CHECK(std::abs(change) <= round_off(p.size() + packed.scene.domain.grid().cells()) * carried);
          if (factor > 1) CHECK(most > 0.05);
          if (factor < 1) CHECK(most == 0);
        }
      }
}

TEST_CASE("packed parcels all take what they take in the mean, and contact's push beside") {
  Packed packed({1, 1, 1}, SideKind::periodic, 3);
  REQUIRE(packed.scene.flow.solids_fraction[0] > 0.6);
  const mppic::Parcels& p = packed.scene.parcels;
  const Columns own = packed.after(false), blended = packed.after(true);
  const mppic::MoveColumns columns = packed.scene.columns();
  for (std::size_t d = 0; d < 3; ++d) {
    double mass = 0, mean = 0;
    for (std::int64_t i = 0; i < p.size(); ++i) {
      const double given = own[d][static_cast<std::size_t>(i)] - (*p.velocity[d])[i] - columns.push[d][i];
      mass += p.volume[i];
      mean += p.volume[i] * given;
    }
    for (std::int64_t i = 0; i < p.size(); ++i) {
      const double given = blended[d][static_cast<std::size_t>(i)] - (*p.velocity[d])[i] - columns.push[d][i];
      CHECK(std::abs(given - mean / mass) <= 1e-12);
    }
  }
}

} // namespace corral::test
