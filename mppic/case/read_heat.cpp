#include "mppic/case/heat.hpp"
#include "run/case/reader.hpp"
#include "run/case/values.hpp"

#include <cmath>
#include <string>

namespace corral::mppic {
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
