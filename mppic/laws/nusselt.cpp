#include "mppic/laws/nusselt.hpp"

#include <array>

namespace corral::mppic {
namespace {

constexpr std::array<NusseltLawEntry, 4> nusselt_table{{
    {NusseltLaw::off, "off", "nothing is warm", ""},
    {NusseltLaw::constant, "constant", "the given Nusselt number", ""},
    {NusseltLaw::ranz_marshall, "ranz_marshall", "one sphere: 2 + 0.6 Re^(1/2) Pr^(1/3)", "Ranz and Marshall 1952"},
    {NusseltLaw::gunn, "gunn", "beds of gas fractions from 0.35 to 1, Re up to 1e5", "Gunn 1978"},
}};

} // namespace

std::span<const NusseltLawEntry> nusselt_laws() { return nusselt_table; }

std::vector<std::string> nusselt_law_names() {
  std::vector<std::string> names;
  for (const NusseltLawEntry& entry : nusselt_table) names.emplace_back(entry.name);
  return names;
}

NusseltLaw nusselt_law(std::string_view name) {
  for (const NusseltLawEntry& entry : nusselt_table)
    if (entry.name == name) return entry.law;
  throw Error("heat transfer law " + std::string(name) + " (unknown)");
}

} // namespace corral::mppic
