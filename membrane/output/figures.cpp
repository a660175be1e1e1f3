#include "membrane/output/figures.hpp"

#include "run/case/values.hpp"

#include <algorithm>
#include <cmath>

namespace corral::membrane {

using namespace structure;

namespace {

/// What a row is made of.
struct LoggedMoment {
  const MembraneSetup& setup;
  const StepFigures& step;
  const MembraneFigures::Interval& interval;
  const Array<double>& volumes;
  const Array<double>& areas;
  double turned;

  const std::vector<MembraneMeasures>& all() const { return step.measures; }
  double sum(double MembraneMeasures::* what) const {
    double total = 0;
    for (const MembraneMeasures& m : all()) total += m.*what;
    return total;
  }
  double worst(double MembraneMeasures::* what, const Array<double>& start) const {
    double drift = 0;
    for (std::size_t i = 0; i < all().size(); ++i) {
      const double d = drift_of(all()[i].*what, start[static_cast<std::int64_t>(i)]);
      if (std::abs(d) > std::abs(drift)) drift = d;
    }
    return drift;
  }
  static double drift_of(double now, double start) { return start != 0 ? now / start - 1 : 0; }
  ShearEllipse first() const { return all().empty() ? ShearEllipse{} : shear_ellipse(all()[0], setup.drive.along); }
  /// Of all membranes, over the box.
  double stress(std::size_t k) const {
    double total = step.viscous_stresslet[k];
    for (const Stresslet& one : step.stresslets) total += one[k];
    return total / (setup.size[0] * setup.size[1] * setup.size[2]);
  }
  double centre(std::size_t d) const { return all().empty() ? 0 : all()[0].centroid[d]; }
  double of_step(double MembraneFigures::Interval::* total) const { return interval.*total / std::max(interval.steps, 1.0); }
};

struct LoggedFigure {
  run::LogColumn column;
  double (*value)(const LoggedMoment&);
};

const std::vector<LoggedFigure> figures{
    {{"membranes", "", "how many there are"}, [](const LoggedMoment& m) { return double(m.all().size()); }},
    {{"volume", "m3", "that all membranes enclose"}, [](const LoggedMoment& m) { return m.sum(&MembraneMeasures::volume); }},
    {{"area", "m2", "of all membranes"}, [](const LoggedMoment& m) { return m.sum(&MembraneMeasures::area); }},
    {{"volume_drift", "", "largest relative change of a membrane's volume since the start"},
     [](const LoggedMoment& m) { return m.worst(&MembraneMeasures::volume, m.volumes); }},
    {{"area_drift", "", "largest relative change of a membrane's area since the start"},
     [](const LoggedMoment& m) { return m.worst(&MembraneMeasures::area, m.areas); }},
    {{"centre_x", "m", "of the first membrane's volume"}, [](const LoggedMoment& m) { return m.centre(0); }},
    {{"centre_y", "m", "likewise"}, [](const LoggedMoment& m) { return m.centre(1); }},
    {{"centre_z", "m", "likewise"}, [](const LoggedMoment& m) { return m.centre(2); }},
    {{"deformation", "", "Taylor's (L - B)/(L + B) of the first membrane in the plane of the shear, by the ellipsoid of "
                         "the same second moments"},
     [](const LoggedMoment& m) { return m.all().empty() ? 0 : m.first().deformation(); }},
    {{"inclination", "rad", "of its long axis from the direction of the flow towards y"},
     [](const LoggedMoment& m) { return m.first().inclination; }},
    {{"tank_treading", "rad", "angle through which a marker of the first membrane has turned about its centre in "
                              "the plane of the shear since the start"}, [](const LoggedMoment& m) { return m.turned; }},
    {{"longest_stretch", "", "longest edge over its own in the shape without stress"},
     [](const LoggedMoment& m) {
       double most = 0;
       for (const MembraneMeasures& one : m.all()) most = std::max(most, one.longest_stretch);
       return most;
     }},
    {{"fluid_speed_max", "m/s", "largest part of the fluid's velocity along an axis since the last row"},
     [](const LoggedMoment& m) { return m.interval.speed; }},
    {{"courant", "", "cells that the fluid crossed in a step, summed over the axes; largest since the last row"},
     [](const LoggedMoment& m) { return m.interval.courant; }},
    {{"kinetic_energy", "J", "of the fluid; 0 in Stokes flow"},
     [](const LoggedMoment& m) { return m.step.kinetic_energy; }},
    {{"elastic_energy", "J", "of the membranes' elastic law"},
     [](const LoggedMoment& m) { return m.sum(&MembraneMeasures::elastic_energy); }},
    {{"bending_energy", "J", "of bending"}, [](const LoggedMoment& m) { return m.sum(&MembraneMeasures::bending_energy); }},
    {{"constraint_energy", "J", "of the constraints of volume and area"},
     [](const LoggedMoment& m) { return m.sum(&MembraneMeasures::constraint_energy); }},
    {{"tether_energy", "J", "of tethers"}, [](const LoggedMoment& m) { return m.sum(&MembraneMeasures::tether_energy); }},
    {{"repulsion_energy", "J", "of repulsion, midway in the last step"},
     [](const LoggedMoment& m) { return m.step.repulsion_energy; }},
    {{"work", "J", "of body forces, sliding walls, what keeps a mean flow, pulls and moving anchors since the start"},
     [](const LoggedMoment& m) { return m.step.work.done; }},
    {{"dissipated", "J", "by the fluid's viscosity since the start"}, [](const LoggedMoment& m) { return m.step.work.dissipated; }},
    {{"membrane_dissipated", "J", "by the membranes' own viscosity since the start"},
     [](const LoggedMoment& m) { return m.step.work.in_membranes; }},
    {{"energy_residual", "J", "energies now - at the start - work + both dissipated: what the balance misses"},
     [](const LoggedMoment& m) { return m.step.work.residual(m.step.energy); }},
    {{"momentum_x", "kg m/s", "of the fluid"}, [](const LoggedMoment& m) { return m.step.momentum[0]; }},
    {{"momentum_y", "kg m/s", "likewise"}, [](const LoggedMoment& m) { return m.step.momentum[1]; }},
    {{"momentum_z", "kg m/s", "likewise"}, [](const LoggedMoment& m) { return m.step.momentum[2]; }},
    {{"force_x", "N", "of all membranes on the fluid in the last step"},
     [](const LoggedMoment& m) { return m.step.net_force[0]; }},
    {{"force_y", "N", "likewise"}, [](const LoggedMoment& m) { return m.step.net_force[1]; }},
    {{"force_z", "N", "likewise"}, [](const LoggedMoment& m) { return m.step.net_force[2]; }},
    {{"stress_xx", "Pa", "that membranes add to the suspension's, over the box, in the last step: their stresslets about "
                         "their centres"}, [](const LoggedMoment& m) { return m.stress(0); }},
    {{"stress_yy", "Pa", "likewise"}, [](const LoggedMoment& m) { return m.stress(1); }},
    {{"stress_zz", "Pa", "likewise"}, [](const LoggedMoment& m) { return m.stress(2); }},
    {{"stress_xy", "Pa", "likewise"}, [](const LoggedMoment& m) { return m.stress(3); }},
    {{"stress_xz", "Pa", "likewise"}, [](const LoggedMoment& m) { return m.stress(4); }},
    {{"stress_yz", "Pa", "likewise"}, [](const LoggedMoment& m) { return m.stress(5); }},
    {{"maps", "", "fields that a step maps, to markers or from them; mean since the last row"},
     [](const LoggedMoment& m) { return m.of_step(&MembraneFigures::Interval::maps); }},
    {{"sorts", "", "of a step; mean since the last row"},
     [](const LoggedMoment& m) { return m.of_step(&MembraneFigures::Interval::sorts); }},
};

} // namespace

void MembraneFigures::bind_state(run::Registry& registry) {
  registry.bind("interval_steps", "", "since the last row", interval_.steps);
  registry.bind("interval_maps", "", "since the last row", interval_.maps);
  registry.bind("interval_sorts", "", "since the last row", interval_.sorts);
  registry.bind("interval_speed", "m/s", "largest since the last row", interval_.speed);
  registry.bind("interval_courant", "", "largest since the last row", interval_.courant);
  registry.bind("volumes_at_start", "m3", "of each membrane", volumes_);
  registry.bind("areas_at_start", "m2", "of each membrane", areas_);
  registry.bind("marked", "", "marker of the first membrane whose turning is told", marked_);
  registry.bind("marker_angle", "rad", "of that marker", angle_);
  registry.bind("marker_turned", "rad", "since the start", turned_);
  notices_.bind(volume_, registry, "drift_of_volume", "a membrane lost or gained volume", "of it");
  notices_.bind(energy_, registry, "energy_missed", "the books of energy did not close", "of what went through them");
}

void MembraneFigures::look_at_volumes(const std::vector<MembraneMeasures>& measures) {
  constexpr double far = 0.02; // membranes that keep their volume stay a tenth of that away
  for (std::int64_t i = 0; i < volumes_.size(); ++i) {
    const double ratio = measures[static_cast<std::size_t>(i)].volume / volumes_[i], drift = std::abs(ratio - 1);
    if (drift <= far) continue;
    notices_.warn(volume_, drift, time_, [&] {
      return "membrane " + std::to_string(i) + " encloses " + run::brief(ratio) + " of its volume at the start at " +
             run::brief(time_) + " s: a kernel that is composite, a finer grid or volume_stiffness keep more of it";
    });
  }
}

/// Of what went through the books since the start, which was `least` [J] or more.
void MembraneFigures::look_at_energy(const StepFigures& step, double least) {
  constexpr double much = 0.05; // shipped cases miss a thousandth of that
  const EnergyBooks& books = step.work;
  const double through = std::abs(books.start) + std::abs(books.done) + books.dissipated + books.in_membranes;
  const double missed = through > least ? books.residual(step.energy) / through : 0;
  if (std::abs(missed) <= much) return;
  notices_.warn(energy_, std::abs(missed), time_, [&] {
    return std::string("the books of energy ") + (missed > 0 ? "have too much" : "lack") + " " +
           run::brief(std::abs(missed)) +
           " of what went through them (energy_residual in log.csv): a shorter time step or a finer grid follow the "
           "membranes better";
  });
}

/// What the books of energy have too much, over what went through them: work, dissipation, and what there was at the
/// start; 0 while that is round-off beside the energy of a membrane stretched by a part in ten thousand.
std::vector<run::LogColumn> MembraneFigures::columns() {
  std::vector<run::LogColumn> all;
  for (const LoggedFigure& f : figures) all.push_back(f.column);
  return all;
}

std::vector<double> MembraneFigures::row(const StepFigures& step, double least_energy) {
  const LoggedMoment moment{setup_, step, interval_, volumes_, areas_, turned_};
  std::vector<double> values;
  for (const LoggedFigure& f : figures) values.push_back(f.value(moment));
  interval_ = {};
  look_at_energy(step, least_energy);
  return values;
}

std::vector<run::LogColumn> MembraneFigures::cell_columns() {
  return {{"membrane", "", "its number"},
          {"surface", "", "place of its [surface.NAME] block in the case, from 0"},
          {"centre_x", "m", "of the enclosed volume"},
          {"centre_y", "m", "likewise"},
          {"centre_z", "m", "likewise"},
          {"velocity_x", "m/s", "mean of its markers"},
          {"velocity_y", "m/s", "likewise"},
          {"velocity_z", "m/s", "likewise"},
          {"volume", "m3", "enclosed"},
          {"area", "m2", "of the surface"},
          {"volume_drift", "", "relative change since the start"},
          {"area_drift", "", "likewise"},
          {"deformation", "", "Taylor's (L - B)/(L + B) in the plane of the shear"},
          {"inclination", "rad", "of its long axis from the direction of the flow towards y"},
          {"length_x", "m", "from its lowest to its highest marker"},
          {"length_y", "m", "likewise"},
          {"length_z", "m", "likewise"},
          {"elastic_energy", "J", "of its elastic law"},
          {"bending_energy", "J", "of bending"},
          {"longest_stretch", "", "longest edge over its own in the shape without stress"}};
}

std::vector<double> MembraneFigures::cell_row(std::int64_t number, std::size_t surface, const MembraneMeasures& m,
                                              const std::array<double, 3>& velocity, const std::array<double, 3>& length) const {
  const ShearEllipse ellipse = shear_ellipse(m, setup_.drive.along);
  return {double(number), double(surface), m.centroid[0], m.centroid[1], m.centroid[2], velocity[0], velocity[1], velocity[2],
          m.volume, m.area, LoggedMoment::drift_of(m.volume, volumes_[number]), LoggedMoment::drift_of(m.area, areas_[number]),
          ellipse.deformation(), ellipse.inclination, length[0], length[1], length[2], m.elastic_energy, m.bending_energy,
          m.longest_stretch};
}

} // namespace corral::membrane
