#include "mppic/case/setup.hpp"

#include "fluid/inlet_profile.hpp"
#include "mppic/case/setup_checks.hpp"
#include "mppic/case/size_table.hpp"
#include "run/case/values.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace corral::mppic {
namespace {

using run::Problems;
using run::Settings;

/// Reads one case; every complaint carries the place of the value that it is about.
class Reader {
public:
  Reader(const Settings& settings, Problems& problems) : s_(settings), problems_(problems) {}

  Setup read() {
    box();
    gas();
    solids();
    sizes();
    if (!boxless_)
      for (const std::string& block : s_.blocks("inlet")) inlet(block);
    outflow();
    if (!complained_)
      for (const std::string& block : s_.blocks("seed")) seed(block);
    time();
    if (!complained_ && problems_.empty()) check_setup(setup_, s_, problems_);
    if (problems_.empty()) setup_.warnings = warnings(setup_);
    return std::move(setup_);
  }

private:
  void complain(std::string_view section, std::string_view key, std::string message) {
    problems_.add(s_.where(section, key), std::move(message));
    complained_ = true;
  }

  void box() {
    setup_.cells = s_.integers3("grid", "cells");
    setup_.size = s_.reals3("grid", "size");
    setup_.origin = s_.reals3("grid", "origin");
    setup_.gravity = s_.reals3("forces", "gravity");
    for (std::size_t i = 0; i < 6; ++i) {
      const std::string kind = s_.choice("sides", fluid::side_names[i]);
      for (int k = 0; k < 5; ++k)
        if (kind == name(static_cast<fluid::SideKind>(k))) setup_.sides[i] = static_cast<fluid::SideKind>(k);
    }
    for (std::size_t d = 0; d < 3; ++d) {
      const bool low = setup_.sides[2 * d] == fluid::SideKind::periodic;
      const bool high = setup_.sides[2 * d + 1] == fluid::SideKind::periodic;
      if (low != high)
        complain("sides", fluid::side_names[2 * d + (low ? 1 : 0)],
                 "only one side of " + std::string(1, "xyz"[d]) +
                     " is periodic (a periodic axis wraps) make both sides periodic");
    }
    spacing();
  }

  /// What is far from any bed is a unit that was forgotten, and numbers that leave the range of arithmetic.
  void spacing() {
    boxless_ = true;
    constexpr double least = 1e-9, most = 1e6; // [m]
    for (std::size_t d = 0; d < 3; ++d) {
      const double h = setup_.size[d] / static_cast<double>(setup_.cells[d]);
      if (h < least || setup_.size[d] > most)
        return complain("grid", "size", "the cells are " + run::brief(h) + " m long along " + "xyz"[d] + ", the box " +
                                            run::brief(setup_.size[d]) + " m (from 1e-9 m to 1e6 m is possible)");
      if (std::abs(setup_.origin[d]) > 1e6 * setup_.size[d])
        return complain("grid", "origin", std::string("the box lies more than a million times its size away from 0 "
                                                      "along ") + "xyz"[d] + " (places in it would have few digits)");
    }
    boxless_ = false;
  }

  void gas() {
    GasModel& gas = setup_.gas;
    gas.rho = s_.real("gas", "density");
    gas.mu = s_.real("gas", "viscosity");
    gas.solved = s_.choice("gas", "motion") == "solved";
    gas.counterflow = s_.choice("gas", "start") == "counterflow";
    gas.velocity = s_.reals3("gas", "velocity");
    gas.advection =
        s_.choice("gas", "advection") == "upwind" ? fluid::Advection::upwind : fluid::Advection::van_leer;
    gas.tolerance = s_.real("gas", "tolerance");
    if (!gas.solved && gas.counterflow)
      complain("gas", "start", "a counterflow that is prescribed (it follows the parcels) choose motion = solved");
  }

  void solids() {
    SolidsModel& solids = setup_.solids;
    solids.rho = s_.real("solids", "density");
    solids.drag = {drag_law(s_.choice("solids", "drag")), setup_.gas.rho, setup_.gas.mu,
                   s_.real("solids", "drag_coefficient")};
    solids.packing = s_.choice("contact", "model") != "off";
    solids.stress = {s_.real("contact", "pressure"), s_.real("contact", "exponent"),
                     s_.real("solids", "close_packing")};
    solids.friction = s_.real("contact", "friction");
    solids.restitution = s_.choice("contact", "collisions") == "off" ? 1.0 : s_.real("contact", "restitution");
    setup_.audit = s_.flag("output", "audit");
    solids.two_way = s_.choice("solids", "coupling") == "two_way";
    solids.frozen = s_.flag("solids", "frozen");
    solids.normal_restitution = s_.real("walls", "normal_restitution");
    solids.tangential_restitution = s_.real("walls", "tangential_restitution");
    if (!setup_.gas.solved && solids.two_way)
      complain("solids", "coupling", "a prescribed gas that feels the particles (its velocity cannot change) choose "
                                     "coupling = one_way, or motion = solved");
  }

  void sizes() {
    for (const std::string& block : s_.blocks("size")) {
      try {
        if (auto read = size(block))
          sizes_.emplace(block, *read);
        else
          unreadable_sizes_ = true; // the reader has said why
      } catch (const CaseSaid&) {
      } catch (const Error& e) {
        complain(block, "distribution", e.what());
      }
    }
  }

  struct CaseSaid {}; // a complaint has been made; go on with the next block

  double need(const std::string& block, const char* key, const std::string& why) {
    if (s_.given(block, key)) return s_.real(block, key);
    complain(block, key, "[" + block + "] has no `" + key + "` (" + why + ")");
    throw CaseSaid{};
  }

  std::optional<SizeDistribution> size(const std::string& block) {
    const std::string kind = s_.choice(block, "distribution");
    const Weighting weighting = s_.choice(block, "weighting") == "mass" ? Weighting::mass : Weighting::number;
    SizeLimits limits;
    if (s_.given(block, "minimum")) limits.minimum = s_.real(block, "minimum");
    if (s_.given(block, "maximum")) limits.maximum = s_.real(block, "maximum");
    if (kind == "table") {
      if (s_.given(block, "file")) return read_size_table(s_.file(block, "file"), weighting, problems_);
      complain(block, "file", "[" + block + "] has no `file` (distribution = table reads one)");
      return std::nullopt;
    }
    const double d = need(block, "diameter", "distribution = " + kind + " needs it");
    if (kind == "one") return SizeDistribution::one_size(d);
    if (kind == "normal")
      return SizeDistribution::normal(d, need(block, "deviation", "distribution = normal needs it"), limits,
                                      weighting);
    return SizeDistribution::log_normal(d, need(block, "ratio", "distribution = log_normal needs it"), limits,
                                        weighting);
  }

  const SizeDistribution* sizes_of(const std::string& block) {
    if (s_.given(block, "size")) {
      const auto found = sizes_.find("size." + s_.text(block, "size"));
      if (found != sizes_.end()) return &found->second;
      complain(block, "size", "there is no [size." + s_.text(block, "size") + "] (size names such a block)");
      return nullptr;
    }
    if (sizes_.size() == 1) return &sizes_.begin()->second;
    if (unreadable_sizes_) return nullptr;
    complain(block, "size",
             sizes_.empty() ? "[" + block + "] has particles but no block [size.NAME] says how large they are"
                            : "[" + block + "] does not say which [size.NAME] it means (there are " +
                                  std::to_string(sizes_.size()) + ") add `size = NAME`");
    return nullptr;
  }

  /// The region of a block, the box's where it gives none; complains where it is empty or leaves the box.
  bool region(const std::string& block, int normal, Box& out) {
    for (std::size_t d = 0; d < 3; ++d) out.low[d] = setup_.origin[d], out.high[d] = setup_.origin[d] + setup_.size[d];
    const Box box = out;
    if (s_.given(block, "low")) out.low = s_.reals3(block, "low");
    if (s_.given(block, "high")) out.high = s_.reals3(block, "high");
    for (std::size_t d = 0; d < 3; ++d) {
      if (static_cast<int>(d) == normal) {
        out.low[d] = box.low[d], out.high[d] = box.high[d];
        continue; // `on_side` has looked at them
      }
      const double slack = 1e-9 * setup_.size[d];
      const char* key = s_.given(block, "high") ? "high" : "low";
      if (!(out.low[d] < out.high[d])) {
        complain(block, key, "[" + block + "] has no extent along " + "xyz"[d] + " (low must lie below high)");
        return false;
      }
      if (out.low[d] < box.low[d] - slack || out.high[d] > box.high[d] + slack) {
        complain(block, out.low[d] < box.low[d] - slack ? "low" : "high",
                 "[" + block + "] lies outside the box along " + "xyz"[d] + " (the box goes from " +
                     run::write_number(box.low[d]) + " to " + run::write_number(box.high[d]) + " m) move it inside");
        return false;
      }
    }
    return true;
  }

  /// Complains about a rectangle whose bounds along the side's normal leave the side out.
  bool on_side(const std::string& block, int side) {
    const auto d = static_cast<std::size_t>(side / 2);
    const double plane = setup_.origin[d] + (side % 2 == 1 ? setup_.size[d] : 0), slack = 1e-9 * setup_.size[d];
    const bool above = s_.given(block, "low") && s_.reals3(block, "low")[d] > plane + slack;
    const bool below = s_.given(block, "high") && s_.reals3(block, "high")[d] < plane - slack;
    if (!above && !below) return true;
    complain(block, above ? "low" : "high",
             "[" + block + "] does not touch its side (" + std::string(fluid::side_names[static_cast<std::size_t>(side)]) +
                 " lies at " + "xyz"[d] + " = " + run::write_number(plane) + " m) is it the side that is meant?");
    return false;
  }

  void inlet(const std::string& block) {
    fluid::Inlet inlet{};
    inlet.name = block.substr(6);
    const std::string side = s_.choice(block, "side");
    for (int i = 0; i < 6; ++i)
      if (side == fluid::side_names[static_cast<std::size_t>(i)]) inlet.side = i;
    const fluid::SideKind kind = setup_.sides[static_cast<std::size_t>(inlet.side)];
    if (kind == fluid::SideKind::outlet || kind == fluid::SideKind::periodic)
      return complain(block, "side", "[" + block + "] lies on " + side + ", which is " + std::string(name(kind)) +
                                         " (an inlet is part of a wall) make that side a wall");
    Box box;
    if (!on_side(block, inlet.side) || !region(block, inlet.side / 2, box)) return;
    inlet.region = {box.low, box.high};
    const double velocity = s_.real(block, "velocity");
    if (s_.choice(block, "profile") == "uniform")
      inlet.velocity = [velocity](const std::array<double, 3>&) { return velocity; };
    else
      inlet.velocity = fluid::parabolic_profile(setup_.make_grid(), inlet.side / 2, box.low, box.high, velocity);
    schedule(block, inlet);
    setup_.inlets.push_back(inlet);
    solids_inlet(block, inlet);
  }

  void schedule(const std::string& block, fluid::Inlet& inlet) {
    const bool times = s_.given(block, "times"), factors = s_.given(block, "factors");
    if (times != factors)
      return complain(block, times ? "times" : "factors", "[" + block + "] has " + (times ? "times" : "factors") +
                                                              " alone (a schedule needs both) give " +
                                                              (times ? "factors" : "times"));
    if (!times) return;
    try {
      inlet.schedule = {s_.list(block, "times"), s_.list(block, "factors")};
    } catch (const Error& e) {
      complain(block, "times", e.what());
    }
  }

  void outflow() {
    if (setup_.inlets.empty() || !setup_.gas.solved) return;
    for (const fluid::SideKind kind : setup_.sides)
      if (kind == fluid::SideKind::outlet) return;
    complain(s_.blocks("inlet").front(), "side",
             "gas enters but cannot leave (no side is an outlet) make one, for instance `z_high = outlet` in [sides]");
  }

  void solids_inlet(const std::string& block, const fluid::Inlet& inlet) {
    if (!s_.given(block, "solids_rate")) {
      for (const char* key : {"solids_velocity", "particles_per_parcel"})
        if (s_.given(block, key))
          complain(block, key, "[" + block + "] has " + key + " but no solids_rate (no solids would enter) add it");
      return;
    }
    try {
      const double velocity = need(block, "solids_velocity", "solids_rate needs it");
      const double weight = need(block, "particles_per_parcel", "solids_rate needs it");
      const SizeDistribution* sizes = sizes_of(block);
      if (sizes) setup_.solids_inlets.push_back({inlet, s_.real(block, "solids_rate"), velocity, weight, *sizes});
    } catch (const CaseSaid&) {
    }
  }

  void seed(const std::string& block) {
    static const std::map<std::string, Arrangement> arrangements{{"random", Arrangement::random},
                                                                 {"stratified", Arrangement::stratified},
                                                                 {"cells", Arrangement::cells},
                                                                 {"lattice", Arrangement::lattice},
                                                                 {"cell_lattice", Arrangement::cell_lattice}};
    Seeding seeding;
    if (!region(block, -1, seeding.region)) return;
    const SizeDistribution* sizes = sizes_of(block);
    if (!sizes) return;
    const Grid grid = setup_.make_grid();
    seeding.arrangement = arrangements.at(s_.choice(block, "arrangement"));
    seeding.jitter = s_.real(block, "jitter");
    if (s_.given(block, "solids_fraction")) seeding.solids_fraction = s_.real(block, "solids_fraction");
    if (s_.given(block, "particles_per_parcel"))
      seeding.particles_per_parcel = s_.real(block, "particles_per_parcel");
    if (seeding.solids_fraction.has_value() == seeding.particles_per_parcel.has_value())
      return complain(block, "solids_fraction",
                      "[" + block + "] needs either solids_fraction or particles_per_parcel (it gives " +
                          (seeding.solids_fraction ? "both)" : "neither)"));
    if (seeding.solids_fraction && setup_.solids.packing && !setup_.solids.frozen &&
        *seeding.solids_fraction > setup_.solids.stress.theta_cp)
      return complain(block, "solids_fraction",
                      "[" + block + "] starts denser than close packing (solids.close_packing is " +
                          run::write_number(setup_.solids.stress.theta_cp) + ") contact would throw it apart");
    if (!parcel_count(block, grid, seeding)) return;
    try {
      seed_count(grid, seeding);
      setup_.seeds.push_back({block.substr(5), seeding, *sizes, s_.reals3(block, "velocity")});
    } catch (const Error& e) {
      complain(block, "arrangement", e.what());
    }
  }

  /// Complains where the number of parcels is said never, twice, or in a way that the arrangement does not take.
  bool one_count(const std::string& block, bool regular) {
    std::vector<std::string> given, fitting;
    for (const char* key : {"parcels", "parcels_per_cell", "parcels_at_packing", "lattice"}) {
      if (!s_.given(block, key)) continue;
      given.emplace_back(key);
      if ((given.back() == "lattice") == regular) fitting.push_back(given.back());
    }
    if (given.size() == 1 && fitting.size() == 1) return true;
    const std::string needs = "arrangement = " + s_.choice(block, "arrangement") + " needs " +
                              (regular ? "`lattice`" : "one of parcels, parcels_per_cell and parcels_at_packing");
    if (given.empty())
      complain(block, "arrangement", "[" + block + "] does not say how many parcels (" + needs + ")");
    else if (given.size() > 1)
      complain(block, given[1],
               "[" + block + "] says more than once how many parcels (by " + given[0] + " and " + given[1] + "; " +
                   needs + ") keep " + (fitting.size() == 1 ? fitting[0] : "one of those that it needs"));
    else
      complain(block, given[0],
               "[" + block + "] counts its parcels by " + given[0] + " (" + needs + ") choose " +
                   (regular ? "`lattice`, or another arrangement" : "one of them, or arrangement = lattice"));
    return false;
  }

  bool parcel_count(const std::string& block, const Grid& grid, Seeding& seeding) {
    const bool regular =
        seeding.arrangement == Arrangement::lattice || seeding.arrangement == Arrangement::cell_lattice;
    if (!one_count(block, regular)) return false;
    if (regular) seeding.lattice = s_.integers3(block, "lattice");
    if (s_.given(block, "parcels")) seeding.parcels = s_.integer(block, "parcels");
    if (s_.given(block, "parcels_per_cell"))
      seeding.parcels = parcels_by_cell(grid, seeding.region, s_.real(block, "parcels_per_cell"));
    if (s_.given(block, "parcels_at_packing")) {
      if (!seeding.solids_fraction) {
        complain(block, "parcels_at_packing", "parcels_at_packing without solids_fraction (the number of parcels "
                                              "follows from both) give solids_fraction");
        return false;
      }
      seeding.parcels = parcels_at_packing(grid, seeding.region, s_.real(block, "parcels_at_packing"),
                                           *seeding.solids_fraction, setup_.solids.stress.theta_cp);
    }
    return true;
  }

  void time() {
    setup_.time = read_time_step(s_, problems_);
    setup_.random_seed = static_cast<std::uint64_t>(s_.integer("random", "seed"));
  }

  const Settings& s_;
  Problems& problems_;
  bool complained_ = false, unreadable_sizes_ = false;
  bool boxless_ = false; ///< there is no box that regions could lie in
  std::map<std::string, SizeDistribution> sizes_;
  Setup setup_;
};

} // namespace

double SolidsInlet::area() const {
  double area = 1;
  for (std::size_t d = 0; d < 3; ++d)
    if (static_cast<int>(d) != inlet.side / 2) area *= inlet.region.high[d] - inlet.region.low[d];
  return area;
}

double Setup::most_solids() const {
  constexpr double least_gas = 0.05; // see step 2 of docs/models.md
  return solids.packing && !solids.frozen ? solids.stress.theta_cp : 1 - least_gas;
}

std::optional<Setup> read_setup(const Settings& settings, Problems& problems) {
  Setup setup = Reader(settings, problems).read();
  if (!problems.empty()) return std::nullopt;
  return setup;
}

} // namespace corral::mppic
