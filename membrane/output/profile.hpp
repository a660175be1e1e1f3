#pragma once

#include "membrane/step/step.hpp"
#include "run/driver.hpp"
#include "run/state/registry.hpp"
#include "structure/markers/inside.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace corral::membrane {

/// Of profile.csv.
std::vector<run::LogColumn> profile_columns();

/// What membranes enclose of the box: the field `inside` of files, and profile.csv across y, which has the local
/// haematocrit of blood and the fluid's mean velocity. Found when one of them is due, on the host,
/// and read by nobody else. Where ranks share the box calls are collective.
template <Execution E> class Profile {
public:
  /// Keeps references to all.
  Profile(const MembraneSetup& setup, const fluid::Domain& domain, run::Registry& registry);

  void update(const MembraneStep<E>& step);

  /// A row for each layer of cells along y, after `update`.
  run::Rows rows(const MembraneStep<E>& step) const;

private:
  void find_inside(const MembraneStep<E>& step, double* inside);
  void find_shared(const MembraneStep<E>& step);

  const MembraneSetup& setup_;
  const fluid::Domain& domain_;
  run::Registry& registry_;
  Array<double>& inside_;
  std::optional<structure::Inside> membranes_; ///< of the whole grid; there once it has been asked for
  std::unique_ptr<distributed::SharedFields> cells_; ///< likewise, over ranks
};

} // namespace corral::membrane
