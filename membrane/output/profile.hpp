#pragma once

#include "membrane/step/step.hpp"
#include "run/driver.hpp"
#include "run/state/registry.hpp"
#include "structure/markers/inside.hpp"

#include <optional>
#include <vector>

namespace corral::membrane {

/// What membranes enclose of the box: the field `inside` of files, and profile.csv across y, which has the local
/// haematocrit of blood and the fluid's mean velocity. Found when one of them is due, and read by nobody else.
class Profile {
public:
  /// Keeps references to all.
  Profile(const MembraneSetup& setup, const fluid::Domain& domain, run::Registry& registry);

  void update(const MembraneStep& step);

  static std::vector<run::LogColumn> columns();
  /// A row for each layer of cells along y, after `update`.
  run::Rows rows(const MembraneStep& step) const;

private:
  const MembraneSetup& setup_;
  const fluid::Domain& domain_;
  Array<double>& inside_;
  std::optional<structure::Inside> membranes_; ///< there once it has been asked for
};

} // namespace corral::membrane
