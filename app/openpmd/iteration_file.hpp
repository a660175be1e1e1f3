#pragma once

#include "app/openpmd/hdf5_file.hpp"
#include "run/driver.hpp"
#include "run/state/file_values.hpp"
#include "run/state/registry.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// Where things stand in a file by the base standard of openPMD, version 1.1.0, and beside it.
namespace corral::app::openpmd {

/// "/data/1200": the iteration of a file that holds one.
std::string iteration(std::int64_t step);

/// The record that a field or a column is of: "/data/1200/particles/parcels/position". The components of a vector field
/// that lie on faces are records of their own, "/data/1200/fields/gas_velocity_x": walls give them different extents, and
/// readers ask for one shape within a record.
std::string record(const std::string& iteration, const run::Entry& entry);
/// True where the entry is one component of a vector record.
bool is_component(const run::Entry& entry);
/// Where the values stand: the record itself, or its component, "/data/1200/particles/parcels/position/x".
std::string place(const std::string& iteration, const run::Entry& entry);

/// Of what the standard has no place for: "/corral/state/vertices.triangles" in the group "/corral/state".
std::string place_beside(const std::string& group, const run::Entry& entry);
inline constexpr const char* beside = "/corral/state"; ///< the group of a driver's state

/// Of fields z, y, x; of connectivity elements, corners; none of a number.
Hdf5File::Extents extents_of(const run::Entry& entry);

/// One moment of a run as it is written, laid out by the base standard of openPMD 1.1: fields as meshes with their
/// staggering, sets of particles as species, units as powers of SI's. Values are those of memory, bit for bit. Every data
/// set says unit and meaning. All members throw Error.
class IterationFile {
public:
  struct Head {
    bool fields = true, particles = true; ///< whether there are any
    std::string series{}; ///< how the files of its series are called, "openpmd_%T.h5"; "" where it stands alone
  };
  IterationFile(Hdf5File file, const run::Clock& clock, const Head& head);

  void add_field(const run::Entry& field, const Grid& grid);
  void add_column(const run::Entry& column);
  /// What the standard asks of a species beside its columns: positions count from the origin.
  void add_species(const run::ParticleSet& set);
  /// What it has no place for.
  void add_beside(const std::string& group, const run::Entry& entry);
  void make_group(const std::string& path) { file_.make_group(path); }

  /// With the registry whose entries were added: what is elsewhere comes from there.
  void finish(const run::Registry& of);
  void finish_on_disk(const run::Registry& of);

private:
  void write_values(const std::string& place, const run::Entry& entry);
  void leave_room(const std::string& place, const run::Entry& entry);
  void describe_record(const run::Entry& entry);
  void describe(const std::string& place, const run::Entry& entry);

  Hdf5File file_;
  std::string iteration_;
  std::vector<run::FilePlace> elsewhere_; ///< values that ranks have
};

} // namespace corral::app::openpmd
