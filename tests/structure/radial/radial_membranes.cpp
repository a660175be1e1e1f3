#include "structure/radial/radial_membranes.hpp"

#include "tests/catch.hpp"
#include "tests/structure/radial/body.hpp"
#include "tests/structure/shares.hpp"
#include "tests/tolerance.hpp"

#include <corral/error.hpp>

#include <chrono>
#include <iostream>
#include <limits>

namespace corral::test {
namespace {

using namespace structure;

std::shared_ptr<const radial::SphereSites> few_sites() { return shared_sites(100, 301); }

void make(const Map3& rest, const Material& material) { Body(few_sites(), rest, material); }

} // namespace

TEST_CASE("radial membranes tell their numbers") {
  const Body body(few_sites(), rest_red_cell, skalak(2), RadialForces::collocated, 5);
  const Membranes<Cpu>& membranes = *body.membranes;
  CHECK(membranes.count() == 5);
  CHECK(membranes.markers_per_membrane() == 100);
  CHECK(membranes.force_points_per_membrane() == 301);
  CHECK(!membranes.forces_at_markers());
  for (const auto& [data, samples] : {std::pair{100, 301}, std::pair{217, 881}}) {
    const std::int64_t before = memory_use(Memory::host).held;
    const radial::SphereSites sites(Cpu{}, data, samples);
    const auto held = static_cast<double>(memory_use(Memory::host).held - before);
    CHECK(static_cast<double>(radial::SphereSites::bytes_to_hold(data, samples)) == Approx(held).epsilon(0.01));
  }
  const Body none(few_sites(), rest_red_cell, skalak(2), RadialForces::collocated, 0);
  none.membranes->forces(Cpu{}, const_points(none.markers), {});
  none.membranes->measure(Cpu{}, const_points(none.markers), nullptr);
}

TEST_CASE("shapes and materials that cannot be are refused") {
  Material edges = skalak();
  edges.bending_law = BendingLaw::dihedral;
  CHECK_THROWS_WITH(make(rest_red_cell, edges), Catch::Matchers::ContainsSubstring("it has no edges"));
  Material negative = skalak();
  negative.volume_stiffness = -1;
  CHECK_THROWS_WITH(make(rest_red_cell, negative), Catch::Matchers::ContainsSubstring("negative"));
  const auto mirrored = [](const Point3& site) { return Point3{-1e-6 * site[0], 1e-6 * site[1], 1e-6 * site[2]}; };
  CHECK_THROWS_WITH(make(mirrored, skalak()), Catch::Matchers::ContainsSubstring("turned inside out"));
  const auto lost = [](const Point3&) { return Point3{std::numeric_limits<double>::quiet_NaN(), 0, 0}; };
  CHECK_THROWS_AS(make(lost, skalak()), Error);
  const auto folded = [](const Point3& site) { return Point3{1e-6 * std::pow(site[0], 3), 1e-6 * site[1], 1e-6 * site[2]}; };
  CHECK_NOTHROW(make(folded, skalak())); // flat along a line that no site lies on
  const auto pinched = [](const Point3& site) { return Point3{1e-6 * site[0], 1e-12 * site[1], 1e-6 * site[2]}; };
  CHECK_THROWS_WITH(make(pinched, skalak()), Catch::Matchers::ContainsSubstring("degenerate"));
}

TEST_CASE("variational forces ask for as many sample sites as data sites, collocated ones do not") {
  const auto made = [](std::int64_t sample_sites, RadialForces rule) {
    Body(shared_sites(100, sample_sites), rest_ellipsoid, skalak(), rule);
  };
  CHECK_THROWS_WITH(made(99, RadialForces::variational),
                    Catch::Matchers::ContainsSubstring("99 sample sites for 100 data sites") && Catch::Matchers::ContainsSubstring("ask for more"));
  CHECK_NOTHROW(made(100, RadialForces::variational));
  CHECK_NOTHROW(made(99, RadialForces::collocated));
}

TEST_CASE("a share of radial membranes has the bits that it has among all") {
  constexpr std::int64_t count = 39;
  for (const MembraneShare share : {MembraneShare{0, 13}, MembraneShare{13, 39}, MembraneShare{38, 39}, MembraneShare{20, 20}}) {
    Body body(few_sites(), rest_red_cell, skalak(2), RadialForces::collocated, count);
    for (std::int64_t c = 0; c < count; ++c)
      body.place([=](const Point3& site) { return deformed(ellipsoid(site, {(3 + 0.02 * static_cast<double>(c)) * 1e-6, 2.5e-6, 2e-6})); }, c);
    check_share(*body.membranes, const_points(body.markers), share);
  }
}

TEST_CASE("tethers ask for anchors, and pull towards them") {
  Material material;
  material.law = ElasticLaw::none;
  material.tether_stiffness = 1e6;
  for (const RadialForces rule : {RadialForces::collocated, RadialForces::variational}) {
    Body body(few_sites(), rest_ellipsoid, material, rule);
    CHECK_THROWS_WITH(body.find_forces(), Catch::Matchers::ContainsSubstring("set_anchors"));
    CHECK_THROWS_WITH(body.measured(), Catch::Matchers::ContainsSubstring("set_anchors"));
    body.membranes->set_anchors(Cpu{}, const_points(body.markers));
    body.find_forces();
    CHECK(body.measured().tether_energy == 0);
    for (std::int64_t i = 0; i < 301; ++i) REQUIRE(body.force(i) == Point3{});
    const double moved = 1e-7;
    body.strain([&](const Point3& x) { return Point3{x[0] + moved, x[1], x[2]}; });
    body.find_forces();
    double total = 0;
    for (std::int64_t i = 0; i < 301; ++i) total += body.force(i)[0];
    CHECK(total == Approx(-1e6 * moved * body.membranes->rest_area()).epsilon(1e-9));
    CHECK(body.measured().tether_energy == Approx(5e5 * moved * moved * body.membranes->rest_area()).epsilon(1e-9));
  }
}

TEST_CASE("the cost of a red cell at the paper's numbers of sites", "[.][long]") {
  const auto milliseconds = [](auto&& work) {
    double least = std::numeric_limits<double>::infinity();
    for (int repeat = 0; repeat < 7; ++repeat) {
      const auto start = std::chrono::steady_clock::now();
      work();
      least = std::min(least, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    return least;
  };
  const auto sites = shared_sites(864, 8832);
  const double product = 864.0 * 8832 * 3; // multiplications and additions of one operator, halved twice
  for (const int threads : {1, 2})
    for (const std::int64_t count : {1, 16})
      for (const RadialForces rule : {RadialForces::collocated, RadialForces::variational})
        for (const bool bends : {false, true}) {
          Material material = skalak();
          if (bends) {
            material.bending_law = BendingLaw::helfrich;
            material.bending_modulus = 2e-19;
          }
          Body body(sites, rest_red_cell, material, rule, count);
          double forces = 0, places = 0, measures = 0;
          std::vector<MembraneMeasures> found(static_cast<std::size_t>(count));
          run_with_threads(threads, [&] {
            const ConstPoints markers = const_points(body.markers);
            forces = milliseconds([&] { body.membranes->forces(Cpu{}, markers, points(body.forces)); });
            places = milliseconds([&] { body.membranes->place_force_points(Cpu{}, markers, points(body.force_points)); });
            measures = milliseconds([&] { body.membranes->measure(Cpu{}, markers, found.data()); });
          });
          const auto each = [&](double time) { return time / static_cast<double>(count); };
          std::cout << threads << " threads, " << count << " membranes, "
                    << (rule == RadialForces::collocated ? "collocated" : "variational") << (bends ? ", bending" : "")
                    << ": ms per membrane, forces " << each(forces) << ", force points " << each(places) << " ("
                    << product / each(places) * 1e-6 << " Gflop/s), measures " << each(measures) << "\n";
          CHECK(forces > 0);
        }
}

} // namespace corral::test
