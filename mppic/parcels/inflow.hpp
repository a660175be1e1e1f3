#pragma once

#include "fluid/domain.hpp"
#include "fluid/few_faces.hpp"
#include "mppic/case/setup.hpp"
#include "mppic/flow.hpp"
#include "mppic/parcels/parcels.hpp"
#include "mppic/parcels/solid_books.hpp"
#include "run/random.hpp"
#include "run/state/books.hpp"

#include <corral/staged.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

namespace corral::mppic {

/// A parcel on its way in.
struct Newcomer {
  double position[3], velocity[3]; ///< [m], [m/s]
  double diameter, volume;         ///< [m], [m3]
  double temperature;              ///< [K]
  std::uint64_t id;
  std::int64_t cell; ///< that it lands in
  std::int32_t solid, inlet;
};

/// Where loops write them to.
struct ColumnsOfNewcomers {
  double *position[3], *velocity[3], *diameter, *volume, *temperature; ///< temperature: null where nothing is warm
  std::uint64_t* id;
  std::int32_t* solid; ///< null where there is one

  explicit ColumnsOfNewcomers(Parcels& parcels);
  CORRAL_HOST_DEVICE void write(std::int64_t i, const Newcomer& n) const {
    for (int d = 0; d < 3; ++d) {
      position[d][i] = n.position[d];
      velocity[d][i] = n.velocity[d];
    }
    diameter[i] = n.diameter;
    volume[i] = n.volume;
    if (temperature) temperature[i] = n.temperature;
    id[i] = n.id;
    if (solid) solid[i] = n.solid;
  }
};

/// Parcels that enter through inlets: each inlet saves up mass at its rate and lets a parcel in whenever there is
/// enough for the next one, at a random place within the layer that its velocity crosses in a step. One that would
/// land in a packed cell is rejected and counted.
///
/// The host draws them, on a device, too: that takes a few numbers of each inlet and no field. Which cells have room is asked
/// where these lie.
class Inflow {
public:
  Inflow(const fluid::Domain& domain, const Setup& setup, run::Registry& registry, run::Books& books);

  /// Volume that the solids carry through the inlets' faces at the domain's time, superficial along + [m/s].
  std::vector<fluid::FaceValue> fluxes() const;
  bool varies() const; ///< with time
  /// As the feeds are at the domain's time, which is the end of the step.
  void add_parcels(Cpu, double dt, std::int64_t step, const Flow& flow, Parcels& parcels, run::Books& books,
                   SolidBooks& solid_books);
  /// Waits for the stream once, to know who has found room, where a parcel comes at all.
  void add_parcels(Gpu, double dt, std::int64_t step, const Flow& flow, Parcels& parcels, run::Books& books,
                   SolidBooks& solid_books);
  /// Heat that the last call's parcels brought with them through each side [J]; 0 where nothing is warm.
  const std::array<double, 6>& heat() const { return heat_; }

private:
  struct Inlet {
    SolidsInlet model;
    double* saved_up;        ///< mass that no parcel carries yet [kg]
    std::int64_t* rejected;
    double mean_volume;      ///< of the solids in a parcel [m3]

    double rate(double time) const { return model.rate * model.schedule.at(time); } ///< [kg/s]

    /// As seeds are weighed: one number of particles in all parcels where sizes count particles, one volume where they
    /// count mass. Diameter [m], volume [m3].
    double parcel_volume(double diameter) const;
  };

  void draw(double dt, std::int64_t step, run::Books& books);
  Newcomer place(const Inlet& inlet, double dt, std::int64_t step, std::uint64_t id) const;
  /// Writes into the books who came, and who found no room: those marked with 0. Keeps the others.
  void count(const std::uint8_t* has_room, bool warm, SolidBooks& solid_books);

  const fluid::Domain& domain_;
  const Setup& setup_;
  run::Random random_;
  std::deque<Inlet> inlets_;
  std::vector<Newcomer> newcomers_; // of the step
  std::vector<std::uint8_t> has_room_here_;
  std::array<double, 6> heat_{};
  // On a device, their cells, whether these have room, and who comes in.
  Staged<std::int64_t> cells_;
  Staged<std::uint8_t> has_room_;
  Staged<Newcomer> accepted_;
};

} // namespace corral::mppic
