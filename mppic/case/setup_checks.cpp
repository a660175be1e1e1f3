#include "mppic/case/case_reader.hpp"
#include "mppic/case/estimates.hpp"
#include "mppic/seeds/occupancy.hpp"
#include "run/case/reader.hpp"
#include "run/case/values.hpp"
#include "run/limits.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

namespace corral::mppic {
namespace {

using run::brief;
using run::brief_below;

constexpr double round_off = 1e-6; // that a region filled to the limit may be beyond it

class Checks : run::Reader {
public:
  Checks(const Setup& setup, const run::Settings& settings, run::Problems& problems)
      : Reader(settings, problems), setup_(setup), grid_(setup.make_grid()) {}

  void all() { somewhere() && memory() && parcels() && seeds() && taken() && inlets() && steps(); }

private:
  static std::string block(const Seed& seed) { return "seed." + seed.name; }
  static std::string block(const SolidsInlet& inlet) { return "inlet." + inlet.inlet.name; }

  const char* given(const std::string& block, std::initializer_list<const char*> keys) const {
    for (const char* key : keys)
      if (s_.given(block, key)) return key;
    return *keys.begin();
  }
  const char* count_key(const std::string& block) const {
    return given(block, {"parcels", "parcels_per_cell", "parcels_at_packing", "lattice"});
  }
  const char* amount_key(const std::string& block) const {
    return given(block, {"particles_per_parcel", "solids_fraction"});
  }

  std::string most() const {
    const bool packs = setup_.most_solids() == setup_.solids.stress.theta_cp;
    return brief(setup_.most_solids()) + " at most" + (packs ? ", solids.close_packing" : ": the rest is the gas's");
  }

  /// What was rounded away is not what was asked for; `parcels = 0` is.
  bool somewhere() {
    for (const Seed& seed : setup_.seeds) {
      if (seed_count(grid_, seed.seeding) > 0 || s_.given(block(seed), "parcels")) continue;
      const double cells = clipped(seed.seeding.region, grid_).volume() / grid_.cell_volume();
      return refuse(block(seed), count_key(block(seed)),
                    "[" + block(seed) + "] comes to no parcels (" +
                        (is_lattice(seed.seeding) ? "no point of its lattice lies in its region, " : "its region is ") +
                        brief(cells) + " cells large) is a unit missing? `parcels = 0` would say that none are meant");
    }
    for (const fluid::Inlet& inlet : setup_.inlets)
      for (int d = 0; d < 3; ++d) {
        if (d == inlet.side / 2) continue;
        const double faces = (inlet.region.high[d] - inlet.region.low[d]) / grid_.axis(d).spacing;
        if (faces > 1e-3) continue;
        return refuse("inlet." + inlet.name, given("inlet." + inlet.name, {"high", "low"}),
                      "[inlet." + inlet.name + "] covers " + brief(faces) + " of a face along " + "xyz"[d] +
                          " (next to nothing would come through it) is a unit missing?");
      }
    return true;
  }

  bool memory() {
    const MemoryNeed needed = memory_needed(setup_);
    const std::string beyond = run::beyond_memory(needed.total());
    if (beyond.empty()) return true;
    double cells = 1, most_parcels = 0;
    for (const std::int64_t n : setup_.cells) cells *= static_cast<double>(n);
    const std::string counts = brief(cells) + " cells and " + brief(parcels_at_start(setup_)) +
                               " parcels " + beyond;
    if (needed.cells > needed.parcels) return refuse("grid", "cells", counts + "take fewer cells");
    const Seed* largest = nullptr;
    for (const Seed& seed : setup_.seeds) {
      const auto parcels = static_cast<double>(seed_count(grid_, seed.seeding));
      if (parcels > most_parcels) most_parcels = parcels, largest = &seed;
    }
    if (setup_.start && static_cast<double>(setup_.start->parcels()) > most_parcels)
      return refuse("start", "from", counts + "begin with a smaller run");
    return refuse(block(*largest), count_key(block(*largest)), counts + "take fewer in [" + block(*largest) + "]");
  }

  /// A parcel is a point: where one is larger than a cell, none that it comes to can hold it. One a little smaller is
  /// warned about: packed cells and empty ones take turns.
  bool parcels() {
    const auto fits = [&](const std::string& block, double volume, double largest, const char* key, const char* cure) {
      const double cells = volume / grid_.cell_volume();
      if (cells <= 1 && cells * largest <= 1) return true;
      if (cells > 1)
        return refuse(block, key, "the solids in a parcel of [" + block + "] would fill " + brief(cells) +
                                      " cells (a parcel lies in one) " + cure);
      return refuse(block, key, "the solids in the largest parcels of [" + block + "] would fill " +
                                    brief(cells * largest) + " cells (a parcel lies in one; sizes are drawn so that each "
                                    "stands for as many particles) choose weighting = mass for its sizes, which makes "
                                    "all parcels as heavy, or " + cure);
    };
    for (const Seed& seed : setup_.seeds) {
      const bool weighs = seed.seeding.particles_per_parcel.has_value();
      if (!fits(block(seed), parcel_volume(grid_, seed.seeding, seed.sizes), seed.sizes.largest_parcel(),
                weighs ? "particles_per_parcel" : count_key(block(seed)),
                weighs ? "lower particles_per_parcel" : "take more parcels"))
        return false;
    }
    for (const EarlierSolids& solids : setup_.taken())
      if (const double cells = solids.largest_parcel / grid_.cell_volume(); cells > 1)
        return refuse("start", "from", "the solids in the largest of the parcels that are taken would fill " + brief(cells) +
                                           " cells (a parcel lies in one) take larger cells");
    return std::all_of(setup_.solids_inlets.begin(), setup_.solids_inlets.end(), [&](const SolidsInlet& inlet) {
      return fits(block(inlet), inlet.parcel_volume(), inlet.sizes.largest_parcel(), "particles_per_parcel", "lower particles_per_parcel");
    });
  }

  bool seeds() {
    for (const Placing placing : {Placing::even, Placing::as_placed}) {
      const Fullest fullest = fullest_start(setup_, placing);
      const bool even = placing == Placing::even;
      if (fullest.total <= setup_.most_solids() * (1 + round_off) + (even ? 0 : unevenness())) continue;
      std::vector<std::string> blocks;
      for (const std::size_t i : fullest.layouts) blocks.push_back(block(setup_.seeds[i]));
      const std::string& last = blocks.back();
      return refuse(last, amount_key(last),
                    list(blocks) + (blocks.size() > 1 ? " together fill " : " fills ") + place(fullest.cell) +
                        " to a solids fraction of " + brief(fullest.total) + " (" + most() + ") " +
                        (blocks.size() > 1 ? "keep their regions apart, or thin them out"
                         : even            ? "lower " + std::string(amount_key(last))
                                           : "spread its lattice more evenly over the cells"));
    }
    return true;
  }

  /// Parcels that were taken with those of seeds. What has settled there is a little too dense in some cells, as random
  /// packings are, and on other cells by what single parcels are to them: it parts in the first steps.
  bool taken() {
    if (!setup_.start || !setup_.start->bed) return true;
    double largest = 0; // parcel, in cells
    for (const EarlierSolids& of : setup_.taken()) largest = std::max(largest, of.largest_parcel / grid_.cell_volume());
    const double uneven = std::max(2 * largest, unevenness() - 0.1 * setup_.most_solids());
    const double most_there = (setup_.start->same_cells ? 1.1 : 1.4) * setup_.most_solids() + uneven;
    std::vector<ProductLayout> layouts;
    for (const Seed& seed : setup_.seeds) layouts.push_back(layout(grid_, seed.seeding, seed.sizes, Placing::even));
    for (std::int64_t c = 0; c < grid_.cells(); ++c) {
      const std::int64_t nx = setup_.cells[0], ny = setup_.cells[1];
      const std::array<std::int64_t, 3> cell{c % nx, c / nx % ny, c / nx / ny};
      double total = setup_.start->bed->fraction[c];
      const Seed* beside = nullptr;
      for (std::size_t s = 0; s < layouts.size() && total > 0; ++s) {
        const auto& shares = layouts[s].shares;
        const double seeded = layouts[s].amount * shares[0].at(cell[0]) * shares[1].at(cell[1]) * shares[2].at(cell[2]);
        if (seeded > 0) beside = &setup_.seeds[s];
        total += seeded;
      }
      if (total <= most_there) continue;
      const std::string fills = " to a solids fraction of " + brief(total) + " (" + most() + ") ";
      if (beside)
        return refuse(block(*beside), amount_key(block(*beside)),
                      "[" + block(*beside) + "] and the parcels that [start] takes together fill " + place(cell) + fills +
                          "keep its region apart, or thin it out");
      return refuse("start", "from", "the parcels that are taken fill " + place(cell) + fills +
                                         "raise solids.close_packing, or begin with a looser bed");
    }
    return true;
  }

  /// What cells of a sound lattice may hold beyond their share of it [-]: its pitch seldom fits theirs, and a cell that
  /// has a parcel or two too many is short of them next door.
  double unevenness() const {
    double largest = 0; // parcel, in cells
    for (const Seed& seed : setup_.seeds)
      largest = std::max(largest, parcel_volume(grid_, seed.seeding, seed.sizes) * seed.sizes.largest_parcel() /
                                      grid_.cell_volume());
    return 0.1 * setup_.most_solids() + 2 * largest;
  }

  std::string place(const std::array<std::int64_t, 3>& cell) const {
    std::string indices, centre;
    for (int d = 0; d < 3; ++d) {
      const Axis& axis = grid_.axis(d);
      const std::int64_t i = cell[d];
      indices += (d > 0 ? ", " : "") + std::to_string(i);
      centre += (d > 0 ? ", " : "") + brief(axis.origin + (static_cast<double>(i) + 0.5) * axis.spacing);
    }
    return "cell (" + indices + ") at " + centre + " m";
  }

  static std::string list(const std::vector<std::string>& blocks) {
    constexpr std::size_t longest = 4;
    std::string all;
    for (std::size_t i = 0; i < std::min(blocks.size(), longest); ++i)
      all += (i == 0 ? "[" : i + 1 == blocks.size() ? " and [" : ", [") + blocks[i] + "]";
    return all + (blocks.size() > longest ? " and " + std::to_string(blocks.size() - longest) + " more" : "");
  }

  bool inlets() {
    constexpr double most_parcels = 1e6;
    for (const SolidsInlet& inlet : setup_.solids_inlets) {
      const double volume = inlet.rate * inlet.schedule.largest() / setup_.solids.density(inlet.solid) * setup_.time.dt;
      const double parcels = volume / inlet.parcel_volume();
      if (parcels > most_parcels)
        return refuse(block(inlet), "particles_per_parcel",
                      "[" + block(inlet) + "] would make " + brief(parcels) +
                          " parcels in a step (a million at most) raise particles_per_parcel");
    }
    return feeds();
  }

  /// Where several inlets cover one face, their solids add up.
  bool feeds() {
    for (int side = 0; side < 6; ++side) {
      std::vector<ProductLayout> layouts;
      std::vector<std::string> blocks;
      for (const SolidsInlet& inlet : setup_.solids_inlets) {
        if (inlet.inlet.side != side) continue;
        ProductLayout layout{inlet.solids_fraction(setup_.solids.density(inlet.solid)), {}};
        const fluid::Region& region = inlet.inlet.region;
        for (int d = 0; d < 3; ++d) {
          layout.shares[d] = d == side / 2 ? Shares{0, {1.0}} : covered(grid_.axis(d), region.low[d], region.high[d]);
        }
        layouts.push_back(layout);
        blocks.push_back(block(inlet));
      }
      const Fullest fullest = fullest_cell(layouts);
      if (fullest.total <= (1 + round_off) * setup_.solids.stress.theta_cp) continue;
      std::vector<std::string> together;
      for (const std::size_t i : fullest.layouts) together.push_back(blocks[i]);
      return refuse(together.back(), "solids_rate",
                    list(together) + (together.size() > 1 ? " overlap and" : "") +
                        " would let solids in at a fraction of " + brief(fullest.total) +
                        " (beyond close packing) lower solids_rate, or raise solids_velocity");
    }
    return true;
  }

  /// Adaptive steps are as short as an inlet asks for; a fixed one ends the run where it is far too long.
  bool steps() {
    for (const fluid::Inlet& inlet : setup_.inlets) {
      const Axis& axis = grid_.axis(inlet.side / 2);
      const double cells = fastest_gas(inlet) * setup_.time.dt / axis.spacing;
      if (setup_.time.adaptive || !setup_.gas.solved || axis.thin() || cells <= most_gas_cells) continue;
      return refuse("inlet." + inlet.name, "velocity",
                    "the gas of [inlet." + inlet.name + "] crosses " + brief(cells) + " cells in time.dt (" +
                        brief(most_gas_cells) + " at most) set time.step = adaptive, or a shorter time.dt");
    }
    return falls();
  }

  /// Nor does a fixed step get shorter when solids land: they would be packed beyond what there is room for.
  bool falls() {
    if (setup_.time.adaptive || setup_.time.unsafe || setup_.solids.frozen || !setup_.solids.packing) return true;
    for (const Seed& seed : setup_.seeds) {
      const Fall fall = fall_of(setup_, seed);
      const double h = grid_.axis(fall.axis).spacing, cells = fall.speed * setup_.time.dt / h;
      if (cells <= most_cells_fallen) continue;
      return refuse("time", "dt", "what [" + block(seed) + "] holds falls by " + brief(fall.height) + " m, comes to " +
                                      brief(fall.speed) + " m/s and crosses " + brief(cells) + " cells in time.dt (" +
                                      brief(most_cells_fallen) + " at most: where it lands there would be no room for it) "
                                      "set time.step = adaptive, or time.dt to " +
                                      brief_below(most_cells_fallen * h / fall.speed) +
                                      " s; time.unsafe = true goes on all the same");
    }
    return true;
  }

  const Setup& setup_;
  const Grid grid_;
};

} // namespace

void check_setup(const Setup& setup, const run::Settings& settings, run::Problems& problems) {
  Checks(setup, settings, problems).all();
}

} // namespace corral::mppic
