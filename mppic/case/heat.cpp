#include "mppic/case/heat.hpp"

#include "run/case/keys.hpp"
#include "run/case/reader.hpp"
#include "run/case/values.hpp"

#include <cmath>
#include <string>

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

namespace {

class HeatReader : run::Reader {
public:
  HeatReader(const run::Settings& settings, run::Problems& problems, Setup& setup)
      : Reader(settings, problems), setup_(setup), heat_(setup.heat) {}

  void read() {
    heat_.nusselt.law = nusselt_law(s_.choice("heat", "model"));
    if (!heat_.on()) return;
    heat_.van_leer = s_.choice("heat", "advection") == "van_leer";
    materials();
    sides();
    for (std::size_t i = 0; i < setup_.inlets.size(); ++i)
      heat_.inlet_temperatures.push_back(
          temperature("inlet." + setup_.inlets[i].name, "temperature", heat_.gas_temperature));
    for (Seed& seed : setup_.seeds) seed.temperature = temperature("seed." + seed.name, "temperature", heat_.gas_temperature);
    if (setup_.start) start(*setup_.start);
    for (SolidsInlet& inlet : setup_.solids_inlets) {
      const std::string block = "inlet." + inlet.inlet.name;
      inlet.temperature =
          temperature(block, "solids_temperature", temperature(block, "temperature", heat_.gas_temperature));
    }
  }

private:
  double temperature(const std::string& block, const char* key, double otherwise) const {
    return s_.given(block, key) ? s_.real(block, key) : otherwise;
  }

  void start(Start& start) {
    start.temperature = temperature("start", "temperature", heat_.gas_temperature);
    if (start.bed && start.bed->temperature && s_.given("start", "temperature"))
      complain("start", "temperature", "start.temperature, and the parcels that are taken have temperatures (they keep them) "
                                       "leave it out");
  }

  void materials() {
    const std::string model = s_.choice("heat", "model");
    if (heat_.nusselt.law == NusseltLaw::constant && !s_.given("heat", "nusselt"))
      complain("heat", "nusselt", "heat.model is constant and there is no heat.nusselt (its value) give it, for instance 2");
    solids(model);
    if (!setup_.gas.solved)
      complain("gas", "motion", "heat in a prescribed gas (its mass is not that which parcels leave room for) choose "
                                "motion = solved");
    if (!setup_.solids.two_way)
      complain("solids", "coupling", "heat with coupling = one_way (gas and parcels give each other what they get) choose "
                                     "two_way");
    heat_.gas_capacity = s_.real("gas", "heat_capacity");
    heat_.gas_conductivity = s_.real("gas", "conductivity");
    heat_.gas_source = s_.real("gas", "heat_source");
    const GasLaws& laws = setup_.gas.laws;
    if (laws.prandtl > 0) {
      heat_.gas_conductivity = setup_.gas.mu * heat_.gas_capacity / laws.prandtl;
      if (s_.changed("gas", "conductivity"))
        complain("gas", "conductivity", "gas.conductivity beside gas.prandtl (it follows from that) leave it out");
    }
    if (laws.ideal && !(heat_.gas_capacity > laws.gas_constant))
      complain("gas", "heat_capacity", "gas.heat_capacity is " + run::brief(heat_.gas_capacity) + " and gas_constant " +
                                           run::brief(laws.gas_constant) + " J/(kg K) (an ideal gas's heat capacity at constant "
                                           "pressure is larger) give those of one gas");
    heat_.gas_temperature = s_.real("gas", "temperature");
    heat_.outside_temperature = temperature("heat", "outside_temperature", heat_.gas_temperature);
    if (s_.given("heat", "nusselt")) heat_.nusselt.constant = s_.real("heat", "nusselt");
    heat_.nusselt.prandtl_third = std::cbrt(setup_.gas.mu * heat_.gas_capacity / heat_.gas_conductivity);
  }

  /// Of each solid, by its block or by [solids].
  void solids(const std::string& model) {
    std::vector<std::string> blocks = s_.blocks("solid");
    if (blocks.empty()) blocks.push_back("solids");
    heat_.capacities.clear(), heat_.conductivities.clear(), heat_.sources.clear();
    for (const std::string& block : blocks) {
      const auto value = [&](const char* key) {
        return s_.given(block, key) ? s_.real(block, key) : s_.given("solids", key) ? s_.real("solids", key) : 0;
      };
      if (value("heat_capacity") <= 0)
        complain(block, "heat_capacity", "[" + block + "] has no heat_capacity (heat.model = " + model + " needs it)");
      heat_.capacities.push_back(setup_.solids.density(static_cast<int>(heat_.capacities.size())) * value("heat_capacity"));
      heat_.conductivities.push_back(value("conductivity"));
      heat_.sources.push_back(value("heat_source"));
    }
  }

  void sides() {
    for (std::size_t i = 0; i < 6; ++i) {
      const std::string name(fluid::side_names[i]), key = name + "_temperature", coefficient = name + "_coefficient";
      HeatSide& side = heat_.sides[i];
      const bool wall = setup_.sides[i] == fluid::SideKind::no_slip || setup_.sides[i] == fluid::SideKind::free_slip;
      for (const std::string& given : {key, coefficient})
        if (s_.given("heat", given) && !wall)
          complain("heat", given, name + " is " + std::string(fluid::name(setup_.sides[i])) +
                                      " (a wall exchanges heat) make it no_slip or free_slip");
      if (s_.given("heat", coefficient) && !s_.given("heat", key))
        complain("heat", coefficient, "heat." + coefficient + " without a temperature of the wall (heat flows by the "
                                      "difference) give heat." + key);
      if (!s_.given("heat", key)) continue;
      side.temperature = s_.real("heat", key);
      side.kind = HeatSide::Kind::conducting;
      if (!s_.given("heat", coefficient)) continue;
      side.coefficient = s_.real("heat", coefficient);
      side.kind = HeatSide::Kind::transferring;
    }
  }

  Setup& setup_;
  HeatModel& heat_;
};

} // namespace

void read_gas_laws(const run::Settings& s, GasModel& gas) {
  GasLaws& laws = gas.laws;
  laws.ideal = s.choice("gas", "density_law") == "ideal_gas";
  laws.sutherland = s.choice("gas", "viscosity_law") == "sutherland";
  const auto take = [&](const char* key, double& value) {
    if (s.given("gas", key)) value = s.real("gas", key);
  };
  take("gas_constant", laws.gas_constant);
  take("pressure", laws.pressure);
  take("reference_temperature", laws.reference_temperature);
  take("sutherland_temperature", laws.sutherland_temperature);
  take("prandtl", laws.prandtl);
  laws.reference_viscosity = gas.mu;
  const double T = s.real("gas", "temperature");
  if (laws.ideal) gas.rho = laws.density(laws.pressure, T);
  if (laws.sutherland) gas.mu = laws.viscosity(T);
}

void read_heat(const run::Settings& settings, run::Problems& problems, Setup& setup) {
  HeatReader(settings, problems, setup).read();
}

} // namespace corral::mppic
