#pragma once

#include "app/checkpoint/hdf5_file.hpp"
#include "run/clock.hpp"
#include "run/state/registry.hpp"

#include <string>

/// The base standard of openPMD, version 1.1.0: what readers look for, and where.
namespace corral::app::openpmd {

/// "/data/1200": the iteration of a file that holds one.
std::string iteration(std::int64_t step);
/// Where the values of a field or of a column stand: "/data/1200/fields/gas_velocity/x".
std::string place(const std::string& iteration, const run::Entry& entry);

/// Attributes of the file and its iteration.
void describe_iteration(Hdf5File& file, const run::Clock& clock, bool particles);
/// Attributes of a mesh record and its component; of a vector the record with its first component.
void describe_field(Hdf5File& file, const std::string& iteration, const run::Entry& entry, const Grid& grid);
void describe_column(Hdf5File& file, const std::string& iteration, const run::Entry& entry);
/// A species' constant records: positions count from the origin.
void describe_species(Hdf5File& file, const std::string& iteration, const run::ParticleSet& set);

} // namespace corral::app::openpmd
