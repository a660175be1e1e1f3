#pragma once

#include "mppic/case/setup.hpp"

#include <string>
#include <vector>

namespace corral::mppic {

/// The rows of the key table that heat adds to each section, and those of [heat].
void declare_heat_keys(run::KeyTable&);
void declare_heat_of_gas(run::KeyTable&);
void declare_heat_of_solids(run::KeyTable&);
void declare_heat_of_solid(run::KeyTable&);
void declare_heat_of_seeds(run::KeyTable&);
void declare_heat_of_inlets(run::KeyTable&);
run::Key temperature_of_start();

/// Reads how the gas's density, viscosity and conductivity follow its temperature, into `gas`, whose constant ones are known.
void read_gas_laws(const run::Settings&, GasModel& gas);

/// Reads them into `setup`, whose gas, sides, seeds and inlets are known; adds to `problems` what cannot be.
void read_heat(const run::Settings&, run::Problems&, Setup& setup);

/// What is allowed but rarely meant: particles that are not of one temperature inside, laws beyond their range.
void warn_of_heat(const Setup&, std::vector<std::string>& warnings);

/// A line for `describe`: the law, and how fast particles take on the gas's temperature.
std::string describe_heat(const Setup&);

} // namespace corral::mppic
