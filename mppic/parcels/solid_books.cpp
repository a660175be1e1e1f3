#include "mppic/parcels/solid_books.t.hpp"

#include "run/case/values.hpp"

#include <corral/error.hpp>

#include <cmath>

namespace corral::mppic {

SolidBooks::SolidBooks(const Setup& setup, run::Registry& registry) {
  for (const SolidMaterial& solid : setup.solids.several) {
    Account& a = accounts_.emplace_back();
    a.name = solid.name;
    a.rho = solid.rho;
    registry.bind("parcels_created_of_" + a.name, "parcels of " + a.name + " created so far", a.created);
    registry.bind("parcels_left_of_" + a.name, "parcels of " + a.name + " that left", a.left);
    registry.bind("parcels_rejected_of_" + a.name, "parcels of " + a.name + " that found no room", a.rejected);
    registry.bind("mass_created_of_" + a.name, "kg", "of " + a.name + " that came in", a.mass_created);
    registry.bind("mass_left_of_" + a.name, "kg", "of " + a.name + " that left", a.mass_left);
  }
}

void SolidBooks::check(const Account& a, const Inside& in) const {
  constexpr double round_off = 1e-11; // of masses that are added up step by step
  if (a.created == in.parcels + a.left + a.rejected &&
      std::abs(a.mass_created - in.mass - a.mass_left) <= round_off * a.mass_created)
    return;
  throw Error(run::formatted(
      "the books of the solid %s do not balance (parcels: created %lld, inside %lld, left %lld, rejected %lld; "
      "kg: came %.16g, inside %.16g, left %.16g) this is an error of corral, not of the case",
      a.name.c_str(), static_cast<long long>(a.created), static_cast<long long>(in.parcels),
      static_cast<long long>(a.left), static_cast<long long>(a.rejected), a.mass_created, in.mass, a.mass_left));
}

std::vector<run::LogColumn> SolidBooks::columns(const Setup& setup) {
  std::vector<run::LogColumn> columns;
  for (const SolidMaterial& a : setup.solids.several) {
    columns.push_back({"parcels_" + a.name, "", "of the solid " + a.name + " inside the box"});
    columns.push_back({"left_" + a.name, "", "parcels of " + a.name + " that left through an outlet since the start"});
    columns.push_back({"mass_" + a.name, "kg", "of " + a.name + " inside the box"});
    columns.push_back({"mass_left_" + a.name, "kg", "of " + a.name + " that left since the start"});
    columns.push_back({"centre_z_" + a.name, "m", "height of its centre of mass"});
  }
  return columns;
}

template void SolidBooks::leave(Cpu, const Parcels&, const Array<std::uint8_t>&);
template void SolidBooks::check(Cpu, const Parcels&) const;
template std::vector<double> SolidBooks::row(Cpu, const Parcels&) const;

} // namespace corral::mppic
