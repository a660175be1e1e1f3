#include "mppic/laws/drag.hpp"
#include "tests/catch.hpp"
#include "tests/tolerance.hpp"

#include <array>
#include <cmath>
#include <vector>

namespace corral::mppic {
namespace {

// A law is a chain of some ten operations and powers, each within a few units of round-off.
const double chain = test::round_off(60);

struct State {
  double eps, slip, d;
};

struct Expected {
  DragLaw law;
  std::array<double, 3> k; // [kg/(m3 s)] at the three states of the test
};

TEST_CASE("drag laws agree with their published formulas in 40 digits", "[drag]") {
  // Computed with mpmath from the formulas as printed, in SI units, gas 1.2 kg/m3 and 1.8e-5 Pa s, for instance
  // Wen-Yu: Re = eps rho u d/mu; Cd = 24/Re (1 + .15 Re^.687) if Re < 1000 else .44; K = 3/4 Cd rho eps u eps^-2.65/d
  // Plessis-Masliyah: c = theta^(1/3); A = 26.8 eps^3/(c^2 (1-c) (1-c^2)^2); B = eps^2/(1-c^2)^2;
  //   K = mu/d^2 (A theta/eps + B rho u d/mu)
  const std::array<State, 3> states{{{0.45, 0.5, 1e-3}, {0.82, 2.0, 2.5e-3}, {0.97, 50.0, 4e-3}}};
  const std::vector<Expected> table{
      {DragLaw::stokes, {324.0, 51.84, 20.25}},
      {DragLaw::stokes_hindered, {2688.6350051257707, 87.711852603775554, 21.95229507733282}},
      {DragLaw::constant, {198.0, 316.8, 4950.0}},
      {DragLaw::constant_hindered, {1643.0547253546376, 536.01687702307283, 5366.1165744591339}},
      {DragLaw::single_sphere, {864.57252336418497, 472.54139290104887, 4950.0}},
      {DragLaw::single_sphere_hindered, {7174.4442925520554, 799.52702552699827, 5366.1165744591339}},
      {DragLaw::wen_yu, {5280.4130268571971, 708.80588675172391, 5205.1330772253599}},
      {DragLaw::ergun, {4350.0, 1774.8292682926829, 26255.219072164948}},
      {DragLaw::gidaspow, {4350.0, 708.80588675172391, 5205.1330772253599}},
      {DragLaw::gidaspow_blended, {4353.2233792680512, 772.67429608685744, 5355.2581023292065}},
      {DragLaw::beetstra, {4758.3677936404294, 996.18773415846722, 6701.4929820026783}},
      {DragLaw::beetstra_polydisperse, {4895.4087860972737, 1048.4676664471035, 7117.5216663254045}},
      {DragLaw::tang, {5406.6564233408148, 791.41392951889352, 133542.21089206907}},
      {DragLaw::tang_polydisperse, {5562.3681283330302859, 832.94733254004505649, 141832.51134424871603}},
      {DragLaw::syamlal_obrien, {3346.5317695655296, 1090.9618470560121, 5756.1146779679688}},
      {DragLaw::plessis_masliyah, {5224.1075257309168, 1536.1040624959184, 17306.880646386188}},
  };
  REQUIRE(table.size() == drag_laws().size());
  for (const Expected& row : table) {
    const DragModel gas{.law = row.law, .rho = 1.2, .mu = 1.8e-5, .cd = 0.44};
    for (std::size_t i = 0; i < states.size(); ++i) {
      State s = states[i];
      if ((row.law == DragLaw::tang || row.law == DragLaw::tang_polydisperse) && i == 2) s.d = 2e-4; // within its fit, Re < 1000
      INFO(name(row.law) << " at gas fraction " << s.eps);
      CHECK(std::abs(drag_per_volume(gas, s.eps, s.slip, s.d) - row.k[i]) <= chain * row.k[i]);
    }
  }
}

TEST_CASE("in a mixture each size has its share of the mean drag", "[drag]") {
  // Computed from the formula as printed: eps .6, slip .5 m/s, d 1 mm, d32 1.5 mm: y = 2/3 and the mean's Re.
  const DragModel gas{.law = DragLaw::beetstra_polydisperse, .rho = 1.2, .mu = 1.8e-5};
  const double y = 2.0 / 3.0, share = 0.6 * y + 0.4 * y * y + 0.064 * 0.6 * y * y * y;
  const double mean = drag_per_volume<DragLaw::beetstra>(gas, 0.6, 0.5, 1.5e-3);
  CHECK(std::abs(drag_per_volume(gas, 0.6, 0.5, 1e-3, 1.5e-3) / (share * mean * 2.25) - 1.0) <= chain);
  CHECK(drag_per_volume(gas, 0.6, 0.5, 1e-3) == drag_per_volume(gas, 0.6, 0.5, 1e-3, 1e-3));
}

TEST_CASE("drag is finite and not negative, and its force rises with the slip", "[drag]") {
  for (const DragLawEntry& entry : drag_laws()) {
    for (const auto& [rho, mu] : {std::pair{1.2, 1.8e-5}, std::pair{1000.0, 1e-3}}) {
      const DragModel gas{.law = entry.law, .rho = rho, .mu = mu, .cd = 1.0};
      for (double d = 1e-7; d < 0.11; d *= 10.0) {
        for (int step = 0; step <= 190; ++step) {
          const double eps = step == 190 ? 1.0 : 0.05 + 0.005 * step;
          const double at_rest = drag_per_volume(gas, eps, 0.0, d);
          REQUIRE(std::isfinite(at_rest));
          REQUIRE(at_rest >= 0.0);
          double force = 0;
          for (double slip = 1e-12; slip < 1.01e3; slip *= 10.0) {
            INFO(entry.name << ", eps " << eps << ", slip " << slip << ", d " << d);
            const double k = drag_per_volume(gas, eps, slip, d);
            REQUIRE(std::isfinite(k));
            REQUIRE(k * slip > force);
            force = k * slip;
          }
        }
      }
    }
  }
}

/// Largest relative jump of a law along a path of small steps in s from 0 to 1, less the steps' own change.
template <class Path> double largest_jump(DragLaw law, Path path) {
  const DragModel gas{.law = law, .rho = 1.2, .mu = 1.8e-5, .cd = 1.0};
  constexpr int steps = 20000;
  std::vector<double> k;
  for (int i = 0; i <= steps; ++i) {
    const State s = path(static_cast<double>(i) / steps);
    k.push_back(std::log(drag_per_volume(gas, s.eps, s.slip, s.d)));
  }
  double jump = 0;
  for (std::size_t i = 2; i + 1 < k.size(); ++i) {
    const double beside = std::max(std::abs(k[i - 1] - k[i - 2]), std::abs(k[i + 1] - k[i]));
    jump = std::max(jump, std::abs(k[i] - k[i - 1]) - 2.0 * beside);
  }
  return jump;
}

TEST_CASE("drag laws are continuous but where their authors switch", "[drag]") {
  const double kink = 1e-6;       // where only the slope changes; a path's step is 5e-5
  const double at_re_1000 = 5e-3; // Schiller-Naumann ends at Cd = .4383, Newton's range begins with .44
  const double at_eps_085 = 1e-3; // .8 * .85^1.28 = .6498, .85^2.65 = .6501
  for (const DragLawEntry& entry : drag_laws()) {
    const DragLaw law = entry.law;
    const double over_eps = largest_jump(law, [](double s) { return State{0.3 + 0.69 * s, 1.0, 1e-3}; });
    const double over_slip =
        largest_jump(law, [](double s) { return State{0.6, std::pow(10.0, 5.0 * s - 3.0), 1e-3}; });
    INFO(entry.name << ": " << over_eps << " over eps, " << over_slip << " over slip");
    if (law == DragLaw::gidaspow) {
      CHECK(over_eps > 0.1);
    } else {
      CHECK(over_eps <= (law == DragLaw::syamlal_obrien ? at_eps_085 : kink));
    }
    const bool fits_spheres = law == DragLaw::single_sphere || law == DragLaw::single_sphere_hindered ||
                              law == DragLaw::wen_yu || law == DragLaw::gidaspow_blended;
    CHECK(over_slip <= (fits_spheres ? at_re_1000 : kink));
  }
}

TEST_CASE("alone in the gas a parcel feels the drag of one sphere", "[drag]") {
  const DragModel gas{.rho = 1.2, .mu = 1.8e-5, .cd = 0.44};
  const double d = 4e-4;
  const double slip = 1.5;
  const double stokes = drag_per_volume<DragLaw::stokes>(gas, 1.0, slip, d);
  const double sphere = drag_per_volume<DragLaw::single_sphere>(gas, 1.0, slip, d);
  CHECK(drag_per_volume<DragLaw::wen_yu>(gas, 1.0, slip, d) == sphere);
  CHECK(drag_per_volume<DragLaw::gidaspow>(gas, 1.0, slip, d) == sphere);
  CHECK(drag_per_volume<DragLaw::single_sphere_hindered>(gas, 1.0, slip, d) == sphere);
  CHECK(drag_per_volume<DragLaw::stokes_hindered>(gas, 1.0, slip, d) == stokes);
  for (const DragLaw law : {DragLaw::beetstra, DragLaw::tang, DragLaw::wen_yu, DragLaw::single_sphere}) {
    INFO(name(law));
    const DragModel creeping{.law = law, .rho = 1.2, .mu = 1.8e-5};
    const double inertia = 1e-4; // Re^.657 = 8e-7 and its factors
    CHECK(std::abs(drag_per_volume(creeping, 1.0, 1e-8 * slip, d) / stokes - 1.0) <= inertia);
  }
  // Dalla Valle's sphere, which Syamlal and O'Brien take, ends at .75 * 4.8^2 = 17.28 instead of 18.
  CHECK(std::abs(drag_per_volume<DragLaw::syamlal_obrien>(gas, 1.0, 0.0, d) / stokes - 17.28 / 18.0) <= chain);
  // A voidage that interpolation left a round-off above 1 is no NaN.
  for (const DragLawEntry& entry : drag_laws()) {
    const DragModel any{.law = entry.law, .rho = 1.2, .mu = 1.8e-5};
    INFO(entry.name);
    CHECK(std::isfinite(drag_per_volume(any, std::nextafter(1.0, 2.0), slip, d)));
  }
}

/// Speed [m/s] at which the drag of one sphere carries its buoyed weight, by bisection.
double terminal_speed(const DragModel& gas, double rho_p, double d) {
  double low = 0;
  double high = 100;
  for (int i = 0; i < 100; ++i) {
    const double v = 0.5 * (low + high);
    (drag_per_volume(gas, 1.0, v, d) * v < (rho_p - gas.rho) * 9.81 ? low : high) = v;
  }
  return low;
}

TEST_CASE("terminal speeds in air are those of Schiller and Naumann", "[drag]") {
  const DragModel air{.law = DragLaw::single_sphere, .rho = 1.2, .mu = 1.8e-5};
  const double digits_given = 5e-4; // four digits are published
  CHECK(std::abs(terminal_speed(air, 2500, 50e-6) / 0.1716 - 1.0) <= digits_given);
  CHECK(std::abs(terminal_speed(air, 2500, 200e-6) / 1.420 - 1.0) <= digits_given);
  CHECK(std::abs(terminal_speed(air, 2500, 1e-3) / 6.839 - 1.0) <= digits_given);
}

TEST_CASE("a frozen bed's pressure drop is the published one", "[drag]") {
  // dp = L theta K u/eps of Model A with u = U/eps; eps .4, L .1 m, d 1 mm, air.
  const auto drop = [](DragLaw law, double superficial) {
    const DragModel air{.law = law, .rho = 1.2, .mu = 1.8e-5};
    const double slip = superficial / 0.4;
    return 0.1 * 0.6 * drag_per_volume(air, 0.4, slip, 1e-3) * slip / 0.4;
  };
  const double digits_given = 7e-4; // 80.9 Pa: half a unit of the last digit
  CHECK(std::abs(drop(DragLaw::ergun, 0.05) / 80.9 - 1.0) <= digits_given);
  CHECK(std::abs(drop(DragLaw::ergun, 0.2) / 382.5 - 1.0) <= digits_given);
  CHECK(std::abs(drop(DragLaw::beetstra, 0.05) / 92.8 - 1.0) <= digits_given);
  CHECK(std::abs(drop(DragLaw::beetstra, 0.2) / 420.4 - 1.0) <= digits_given);
}

TEST_CASE("every drag law has a name, and a wrong one is answered with all of them", "[drag]") {
  const std::vector<std::string> names = drag_law_names();
  REQUIRE(names.size() == drag_laws().size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const DragLawEntry& entry = drag_laws()[i];
    CHECK(static_cast<std::size_t>(entry.law) == i);
    CHECK(drag_law(names[i]) == entry.law);
    CHECK(name(entry.law) == names[i]);
    CHECK_FALSE(entry.meaning.empty());
    CHECK_FALSE(entry.source.empty());
  }
  try {
    drag_law("gidaspov");
    FAIL("accepted");
  } catch (const Error& error) {
    const std::string what = error.what();
    CHECK(what.find("gidaspov") != std::string::npos);
    CHECK(what.find("gidaspow_blended") != std::string::npos);
  }
}

} // namespace
} // namespace corral::mppic
