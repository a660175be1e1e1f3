#pragma once

/// Parcels that enter on a device.

#include "mppic/parcels/inflow.hpp"

#include <corral/for_each.cuh>
#include <corral/staged.cuh>

#include <algorithm>

namespace corral::mppic {

/// Which newcomers' cells have room.
struct RoomForNewcomers {
  const std::int64_t* cells;
  const double* solids_fraction;
  double theta_cp;
  std::uint8_t* has_room;
  CORRAL_HOST_DEVICE void operator()(std::int64_t k) const { has_room[k] = !(solids_fraction[cells[k]] >= theta_cp); }
};

/// They follow those that are there.
struct LetIn {
  const Newcomer* newcomers;
  ColumnsOfNewcomers columns;
  std::int64_t first;
  CORRAL_HOST_DEVICE void operator()(std::int64_t k) const { columns.write(first + k, newcomers[k]); }
};

inline void Inflow::add_parcels(Gpu gpu, double dt, std::int64_t step, const Flow& flow, Parcels& parcels, run::Books& books,
                                SolidBooks& solid_books) {
  draw(dt, step, books);
  const auto drawn = static_cast<std::int64_t>(newcomers_.size());
  cells_.resize(drawn);
  has_room_.resize(drawn);
  for (std::int64_t k = 0; k < drawn; ++k) cells_.here[k] = newcomers_[static_cast<std::size_t>(k)].cell;
  send(gpu, cells_);
  for_each(gpu, drawn,
           RoomForNewcomers{cells_.there.data(), flow.solids_fraction.data(), setup_.solids.stress.theta_cp,
                            has_room_.there.data()});
  fetch(gpu, has_room_);
  count(has_room_.here.data(), parcels.temperature != nullptr, solid_books);
  if (newcomers_.empty()) return;
  const std::int64_t first = parcels.size(), n = static_cast<std::int64_t>(newcomers_.size());
  parcels.set.resize(first + n);
  accepted_.resize(n);
  std::copy(newcomers_.begin(), newcomers_.end(), accepted_.here.begin());
  send(gpu, accepted_);
  for_each(gpu, n, LetIn{accepted_.there.data(), ColumnsOfNewcomers(parcels), first});
}

} // namespace corral::mppic
