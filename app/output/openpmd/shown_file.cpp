#include "app/output/openpmd/shown_file.hpp"

#include "app/openpmd/iteration_file.hpp"
#include "app/openpmd/layout.hpp"
#include "app/output/output_file.hpp"

#include <corral/error.hpp>

namespace corral::app {

namespace {

using openpmd::IterationFile;
using run::Entry;
using run::ParticleSet;

bool is_shown(const Entry& e) { return run::has(e.use, run::Use::shown); }

void add_fields(IterationFile& file, const run::Registry& registry) {
  for (const Entry& e : registry.entries())
    if (is_shown(e) && e.kind == run::Kind::field) file.add_field(e, registry.grid());
}

void add_set(IterationFile& file, const ParticleSet& set) {
  if (!set.find("position", 0))
    throw Error(set.name() + " have no vector column \"position\" (their files take their points from it)");
  for (const Entry* e : set.columns())
    if (is_shown(*e) || e->name == "position") file.add_column(*e);
  file.add_species(set);
  if (const Entry* triangles = set.triangles()) file.add_beside(openpmd::beside, *triangles);
  for (const Entry* e : set.on_triangles())
    if (is_shown(*e)) file.add_beside(openpmd::beside, *e);
}

} // namespace

void write_shown(const std::filesystem::path& path, const run::Registry& registry, const Shown& shown,
                 const run::Clock& clock, const std::string& series) {
  PartFile part(path);
  IterationFile file(Hdf5File::create(part.path(), Hdf5File::Sealed::yes), clock,
                     {.fields = shown.fields, .particles = !shown.sets.empty(), .series = series});
  file.make_group(openpmd::beside);
  if (shown.fields) add_fields(file, registry);
  for (const ParticleSet* set : shown.sets) add_set(file, *set);
  file.finish();
  part.commit();
}

} // namespace corral::app
