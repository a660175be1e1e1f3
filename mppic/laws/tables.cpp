#include "mppic/laws/drag.hpp"
#include "mppic/laws/nusselt.hpp"

#include <array>

namespace corral::mppic {
namespace {

template <class Table> std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.emplace_back(entry.name);
  return names;
}

/// The entry of that name. Throws Error where there is none, with those that there are.
template <class Table> const auto& named(const Table& table, std::string_view name, const char* what) {
  std::string known;
  for (const auto& entry : table) {
    if (entry.name == name) return entry;
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw Error(what + (" " + std::string(name)) + " (unknown) use one of " + known);
}

using enum DragLaw;

constexpr std::array<DragLawEntry, 16> drag_table{{
    {stokes, "stokes", "one sphere in creeping flow", "Stokes 1851"},
    {stokes_hindered, "stokes_hindered", "creeping flow, hindered by neighbours as eps^-2.65",
     "Stokes 1851; exponent of Wen and Yu 1966"},
    {constant, "constant", "one sphere with the given drag coefficient", "Newton's law of resistance"},
    {constant_hindered, "constant_hindered", "the given drag coefficient, hindered by neighbours as eps^-2.65",
     "Newton's law of resistance; exponent of Wen and Yu 1966"},
    {single_sphere, "single_sphere", "one sphere: Cd = 24/Re (1 + 0.15 Re^0.687), 0.44 from Re = 1000",
     "Schiller and Naumann 1933"},
    {single_sphere_hindered, "single_sphere_hindered", "one sphere, hindered by neighbours as eps^-2.65",
     "Schiller and Naumann 1933; exponent of Wen and Yu 1966"},
    {wen_yu, "wen_yu", "dilute suspensions", "Wen and Yu 1966"},
    {ergun, "ergun", "packed beds", "Ergun 1952"},
    {gidaspow, "gidaspow", "Ergun below a gas fraction of 0.8, Wen-Yu from there on (jumps at 0.8)", "Gidaspow 1994"},
    {gidaspow_blended, "gidaspow_blended", "Ergun and Wen-Yu, blended smoothly at a gas fraction of 0.8",
     "Lu and Gidaspow 2003"},
    {beetstra, "beetstra", "fit to lattice-Boltzmann results, dilute to dense",
     "Beetstra, van der Hoef and Kuipers 2007"},
    {beetstra_polydisperse, "beetstra_polydisperse",
     "beetstra in a mixture of sizes: each has its own share of the mean drag, by its diameter over the Sauter mean around",
     "Beetstra, van der Hoef and Kuipers 2007"},
    {tang, "tang", "fit to immersed-boundary results for Re up to 1000, its inertial coefficient held beyond",
     "Tang, Peters, Kuipers, Kriebitzsch and van der Hoef 2015"},
    {tang_polydisperse, "tang_polydisperse", "tang in a mixture of sizes, each with its share as in beetstra_polydisperse",
     "Tang et al. 2015, with the shares of Beetstra et al. 2007"},
    {syamlal_obrien, "syamlal_obrien", "from terminal velocities in suspensions", "Syamlal and O'Brien 1987"},
    {plessis_masliyah, "plessis_masliyah", "porous-medium theory, for dense beds", "du Plessis and Masliyah 1988"},
}};

} // namespace

std::span<const DragLawEntry> drag_laws() { return drag_table; }
std::vector<std::string> drag_law_names() { return names_of(drag_table); }
std::string_view name(DragLaw law) { return drag_table.at(static_cast<std::size_t>(law)).name; }
DragLaw drag_law(std::string_view name) { return named(drag_table, name, "drag law").law; }

namespace {

constexpr std::array<NusseltLawEntry, 4> nusselt_table{{
    {NusseltLaw::off, "off", "nothing is warm", ""},
    {NusseltLaw::constant, "constant", "the given Nusselt number", ""},
    {NusseltLaw::ranz_marshall, "ranz_marshall", "one sphere: 2 + 0.6 Re^(1/2) Pr^(1/3)", "Ranz and Marshall 1952"},
    {NusseltLaw::gunn, "gunn", "beds of gas fractions from 0.35 to 1, Re up to 1e5", "Gunn 1978"},
}};

} // namespace

std::span<const NusseltLawEntry> nusselt_laws() { return nusselt_table; }
std::vector<std::string> nusselt_law_names() { return names_of(nusselt_table); }
NusseltLaw nusselt_law(std::string_view name) { return named(nusselt_table, name, "heat transfer law").law; }

} // namespace corral::mppic
