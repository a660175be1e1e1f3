#include "mppic/case/heat.hpp"
#include "run/case/keys.hpp"

namespace corral::mppic {
namespace {

using namespace run; // a table of keys

/// What is far beyond any of them is a unit that was forgotten, degrees Celsius, or leaves the range of arithmetic.
constexpr double coldest = 1, hottest = 1e5; // [K]

Key temperature(std::string section, std::string name, std::optional<std::string> fallback, std::string meaning) {
  Key key{.section = std::move(section), .name = std::move(name), .unit = "K"};
  key.fallback = std::move(fallback);
  key.meaning = std::move(meaning);
  return within(key, coldest, hottest);
}

/// By what fills a volume, for whatever reason: reactions, decay, current.
Key power(std::string section, std::string name, std::optional<std::string> fallback, std::string meaning) {
  Key key{.section = std::move(section), .name = std::move(name), .unit = "W/m3"};
  key.fallback = std::move(fallback);
  key.meaning = std::move(meaning);
  return within(key, -1e15, 1e15);
}

/// The key that is read where there is heat.
Key warm(Key key) {
  std::vector<std::string> models = nusselt_law_names();
  std::erase(models, "off");
  return where("heat.model", std::move(models), std::move(key));
}

} // namespace

void declare_heat_of_gas(KeyTable& t) {
  t.add(warm(within(positive("gas", "heat_capacity", "J/(kg K)", "1005", "heat: of the gas, per mass"), 1e-3, 1e9)));
  t.add(warm(within(positive("gas", "conductivity", "W/(m K)", "0.026", "heat: of the gas"), 1e-12, 1e6)));
  t.add(warm(power("gas", "heat_source", "0 W/m3", "heat: that the gas gives off, per volume of gas; below 0 takes up")));
  t.add(warm(temperature("gas", "temperature", "300 K", "heat: of the gas at the start")));
  t.add(warm(choice("gas", "density_law", {"constant", "ideal_gas"}, "constant",
                    "heat: ideal_gas: pressure/(gas_constant temperature) instead of `density`, at low Mach number: with the "
                    "pressure of the whole box, which is given where there is an outlet and follows the gas's heat where there "
                    "is none")));
  const auto ideal = [&](Key key) { t.add(where("density_law", {"ideal_gas"}, std::move(key))); };
  ideal(within(optional_positive("gas", "gas_constant", "J/(kg K)",
                                 "ideal_gas: 8.31446 J/(mol K) over the molar mass (287.05 J/(kg K), air)"), 1, 1e5));
  ideal(within(optional_positive("gas", "pressure", "Pa",
                                 "ideal_gas: absolute pressure at outlets, in a box without any that at the start (101325 Pa)"),
               1, 1e9));
  t.add(warm(choice("gas", "viscosity_law", {"constant", "sutherland"}, "constant",
                    "heat: sutherland: that of a gas, `viscosity` at reference_temperature, by Sutherland's law")));
  const auto sutherland = [&](Key key) { t.add(where("viscosity_law", {"sutherland"}, std::move(key))); };
  sutherland(temperature("gas", "reference_temperature", std::nullopt, "sutherland: at which `viscosity` is what it is (290 K)"));
  sutherland(within(optional_positive("gas", "sutherland_temperature", "K", "sutherland: the constant of its law (110.4 K, air)"),
                    1e-3, hottest));
  t.add(warm(within(optional_positive("gas", "prandtl", "",
                                      "heat: Prandtl number from which conductivity follows, viscosity heat_capacity/prandtl, "
                                      "instead of `conductivity`"), 1e-6, 1e9)));
}

void declare_heat_of_solids(KeyTable& t) {
  t.add(warm(within(optional_positive("solids", "heat_capacity", "J/(kg K)", "heat: of the particles, per mass"), 1e-3, 1e9)));
  t.add(warm(within(optional_positive("solids", "conductivity", "W/(m K)",
                                      "heat: within the particles; they are warned about where it is too small for them to be "
                                      "of one temperature"), 1e-12, 1e6)));
  t.add(warm(power("solids", "heat_source", "0 W/m3", "heat: that the particles give off, per volume of theirs; below 0 "
                                                       "take up")));
}

void declare_heat_of_solid(KeyTable& t) {
  t.add(warm(within(optional_positive("solid.*", "heat_capacity", "J/(kg K)",
                                      "heat: of its particles, per mass (that of [solids])"), 1e-3, 1e9)));
  t.add(warm(within(optional_positive("solid.*", "conductivity", "W/(m K)", "heat: within its particles (that of [solids])"),
                    1e-12, 1e6)));
  t.add(warm(power("solid.*", "heat_source", std::nullopt,
                   "heat: that its particles give off, per volume of theirs (that of [solids])")));
}

void declare_heat_of_seeds(KeyTable& t) {
  t.add(warm(temperature("seed.*", "temperature", std::nullopt, "heat: of the parcels (gas.temperature)")));
}

Key temperature_of_start() {
  return warm(temperature("start", "temperature", std::nullopt,
                          "heat: of these parcels, where they had none (gas.temperature)"));
}

void declare_heat_of_inlets(KeyTable& t) {
  t.add(warm(temperature("inlet.*", "temperature", std::nullopt, "heat: of the gas that enters (gas.temperature)")));
  t.add(where_given("solids_rate", warm(temperature("inlet.*", "solids_temperature", std::nullopt,
                                                    "heat: of the solids that enter (the inlet's temperature)"))));
}

void declare_heat_keys(KeyTable& t) {
  t.add(choice("heat", "model", nusselt_law_names(), "off",
               "how gas and particles exchange heat; off: nothing is warm (docs/models/heat.md)"));
  t.add(warm(choice("heat", "advection", {"upwind", "van_leer"}, "upwind",
                    "scheme by which the gas carries its heat: upwind, of first order; van_leer, of second where it is smooth, "
                    "in twice as many sub-steps")));
  t.add(where("model", {"constant"},
              within(optional_positive("heat", "nusselt", "", "Nusselt number of the law `constant`"), 1e-6, 1e6)));
  t.add(warm(temperature("heat", "outside_temperature", std::nullopt,
                         "of gas that flows in through outlets (gas.temperature)")));
  for (const std::string_view name : fluid::side_names) {
    const std::string side(name);
    t.add(warm(temperature("heat", side + "_temperature", std::nullopt, "of that wall; without it the wall is adiabatic")));
    t.add(warm(within(optional_positive("heat", side + "_coefficient", "W/(m2 K)",
                                        "between that wall and the gas beside it; without it gas conducts over half a cell"),
                      1e-9, 1e9)));
  }
}

} // namespace corral::mppic
