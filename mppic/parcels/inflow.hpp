#pragma once

#include "fluid/domain.hpp"
#include "mppic/case/setup.hpp"
#include "mppic/flow.hpp"
#include "mppic/parcels/parcels.hpp"
#include "mppic/parcels/solid_books.hpp"
#include "run/random.hpp"
#include "run/state/books.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace corral::mppic {

/// Parcels that enter through inlets: each inlet saves up mass at its rate and lets a parcel in whenever there is
/// enough for the next one, at a random place within the layer that its velocity crosses in a step. One that would
/// land in a packed cell is rejected and counted.
class Inflow {
public:
  Inflow(const fluid::Domain& domain, const Setup& setup, run::Registry& registry, run::Books& books);

  /// Volume that the solids carry through faces at the domain's time, 0 but at inlets, superficial along + [m/s].
  fluid::FaceArrays fluxes() const;
  bool varies() const; ///< with time
  /// As the feeds are at the domain's time, which is the end of the step.
  void add_parcels(double dt, std::int64_t step, const Flow& flow, Parcels& parcels, run::Books& books,
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

  /// A parcel on its way in.
  struct Newcomer {
    std::array<double, 3> position, velocity; ///< [m], [m/s]
    double diameter, volume;                  ///< [m], [m3]
    double temperature;                       ///< [K]
    std::uint64_t id;
    int solid;
  };

  /// Nothing where there is no room.
  std::optional<Newcomer> add(const Inlet& inlet, double diameter, double volume, double dt, std::int64_t step, const Flow& flow,
                              run::Books& books) const;

  const fluid::Domain& domain_;
  const Setup& setup_;
  run::Random random_;
  std::deque<Inlet> inlets_;
  std::vector<Newcomer> newcomers_; // of the step
  std::array<double, 6> heat_{};
};

} // namespace corral::mppic
