#include "tests/catch.hpp"
#include "tests/structure/radial/body.hpp"
#include "tests/tolerance.hpp"

#include <iostream>
#include <string>

namespace corral::test {
namespace {

using namespace structure;

struct Case {
  std::string name;
  Material material;
};

std::vector<Case> laws() {
  Material volume, area, tension, tether;
  for (Material* material : {&volume, &area, &tension, &tether}) material->law = ElasticLaw::none;
  volume.volume_stiffness = 100;
  area.area_stiffness = 1e-4;
  tension.tension = 2e-6;
  tether.tether_stiffness = 1e6;
  return {{"skalak", skalak()},
          {"neo-hookean", neo_hookean()},
          {"helfrich", helfrich(RestCurvature::reference)},
          {"helfrich, flat", helfrich(RestCurvature::flat)},
          {"volume", volume},
          {"area", area},
          {"tension", tension},
          {"tether", tether}};
}

struct Balance {
  double work;  ///< of the forces in a displacement, plus what the energy gains, over what it gains
  double terms; ///< the same over the sum of absolute terms of the work
  std::array<double, 2> resultants;
};

/// Moves the markers along `moves`, small numbers of the size of the shape, from a deformed shape.
Balance balance(Body& body, const PointArrays& moves) {
  const PointArrays reference = positions_at(body.sites->data(), body.rest);
  body.membranes->set_anchors(Cpu{}, const_points(reference));
  body.strain(deformed);
  body.find_forces();
  PointArrays moved = body.force_points;
  body.membranes->place_force_points(Cpu{}, const_points(moves), points(moved)); // displacements are interpolated alike
  double work = 0, terms = 0;
  for (std::size_t d = 0; d < 3; ++d)
    for (std::int64_t i = 0; i < moved[d].size(); ++i) {
      work += body.forces[d][i] * moved[d][i];
      terms += std::abs(body.forces[d][i] * moved[d][i]);
    }
  const Balance found{0, 0, resultants(body)};
  const PointArrays start = body.markers;
  const auto energy = [&](double step) {
    for (std::size_t d = 0; d < 3; ++d)
      for (std::int64_t j = 0; j < start[d].size(); ++j) body.markers[d][j] = start[d][j] + step * moves[d][j];
    const MembraneMeasures m = body.measured();
    return m.elastic_energy + m.bending_energy + m.constraint_energy + m.tether_energy;
  };
  const double h = 1e-3; // the difference is of fourth order
  const double gain = (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h);
  return {std::abs(work + gain) / std::abs(gain), std::abs(work + gain) / terms, found.resultants};
}

PointArrays smooth_moves(const Body& body) {
  return positions_at(body.sites->data(), [&](const Point3& site) { return displacement(deformed(body.rest(site))); });
}

/// Each marker for itself.
PointArrays rough_moves(const Body& body) {
  PointArrays moves = smooth_moves(body);
  for (std::size_t d = 0; d < 3; ++d)
    for (std::int64_t j = 0; j < moves[d].size(); ++j)
      moves[d][j] = 0.02 * red_cell_radius * std::sin(7 * static_cast<double>(j) * static_cast<double>(d + 1));
  return moves;
}

} // namespace

TEST_CASE("variational forces are minus the gradient of the energy, without net force or torque") {
  const auto sites = shared_sites(217, 881); // odd numbers: sites that are their own partners
  for (const Map3& rest : {Map3(rest_red_cell), Map3(rest_ellipsoid)})
    for (const Case& law : laws()) {
      INFO(law.name);
      Body body(sites, rest, law.material, RadialForces::variational);
      const Balance smooth = balance(body, smooth_moves(body));
      CHECK(smooth.work < truncation(4, 1e-3, 5000)); // of the difference, whose fifth derivative is some hundred times E
      CHECK(balance(body, rough_moves(body)).terms < truncation(4, 1e-3, 5000));
      if (law.name == "tether") continue; // it holds the membrane in space
      CHECK(smooth.resultants[0] < round_off(881));
      CHECK(smooth.resultants[1] < round_off(881));
    }
}

TEST_CASE("collocated forces are minus the gradient of the energy for what the sites resolve") {
  // At the paper's numbers of sites and for smooth displacements much less than 1e-6 of the energy's change is missed by
  // all laws on an ellipsoid, and by all but bending on a red cell. There the fourth derivatives of its rim are known to
  // 5e-6 of the work's terms, which cancel but for a hundredth.
  std::cout << "collocated forces, error of work, of its terms, net force, net torque:\n";
  for (const bool red : {true, false})
    for (const Case& law : laws()) {
      Body body(paper_sites(), red ? Map3(rest_red_cell) : Map3(rest_ellipsoid), law.material);
      const Balance found = balance(body, smooth_moves(body));
      std::cout << "  " << (red ? "red cell, " : "ellipsoid, ") << law.name << ": " << found.work << ' ' << found.terms << ' '
                << found.resultants[0] << ' ' << found.resultants[1] << '\n';
      const bool bends = law.material.bending_law != BendingLaw::none;
      const double coarser = sanitized ? (bends ? 500 : 10) : 1; // a quarter of the sites
      INFO(law.name << (red ? ", red cell" : ", ellipsoid"));
      if (!(red && bends)) CHECK(found.work < coarser * 1e-6);
      const double of_terms = coarser * (red && bends ? 1e-5 : 1e-6);
      CHECK(found.terms < of_terms);
      if (law.name == "tether") continue; // it holds the membrane in space
      CHECK(found.resultants[0] < of_terms);
      CHECK(found.resultants[1] < of_terms);
    }
}

TEST_CASE("both rules agree to the accuracy of the sites") {
  for (const Case& law : {laws()[0], laws()[3]}) {
    Body collocated(paper_sites(), rest_ellipsoid, law.material);
    Body variational(paper_sites(), rest_ellipsoid, law.material, RadialForces::variational);
    double difference = 0, size = 0;
    for (Body* body : {&collocated, &variational}) {
      body->strain(deformed);
      body->find_forces();
    }
    for (std::int64_t i = 0; i < collocated.sites->samples().count(); ++i)
      for (std::size_t d = 0; d < 3; ++d) {
        difference += std::pow(collocated.forces[d][i] - variational.forces[d][i], 2);
        size += std::pow(collocated.forces[d][i], 2);
      }
    std::cout << "variational against collocated, " << law.name << ": " << std::sqrt(difference / size) << '\n';
    INFO(law.name);
    // Four and ten sample sites per data site; H is interpolated in one and not in the other.
    CHECK(std::sqrt(difference / size) < (sanitized ? 0.2 : law.name == "skalak" ? 1e-5 : 3e-3));
  }
}

} // namespace corral::test
