#pragma once

#include "app/openpmd/hdf5_file.hpp"
#include "run/clock.hpp"
#include "run/state/registry.hpp"

#include <string>

namespace corral::app::openpmd {

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

  void finish() { file_.finish(); }
  void finish_on_disk() { file_.finish_on_disk(); }

private:
  void write_values(const std::string& place, const run::Entry& entry);
  void describe_record(const run::Entry& entry);
  void describe(const std::string& place, const run::Entry& entry);

  Hdf5File file_;
  std::string iteration_;
};

} // namespace corral::app::openpmd
