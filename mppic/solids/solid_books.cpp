#include "mppic/solids/solid_books.hpp"

#include "run/formatted.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <cmath>

namespace corral::mppic {

SolidBooks::SolidBooks(const Setup& setup, run::Registry& registry) {
  for (const SolidMaterial& solid : setup.solids.several) {
    Account& a = accounts_.emplace_back();
    a.name = solid.name;
    a.rho = solid.rho;
    registry.lend("parcels_created_of_" + a.name, "parcels of " + a.name + " created so far", a.created);
    registry.lend("parcels_left_of_" + a.name, "parcels of " + a.name + " that left", a.left);
    registry.lend("parcels_rejected_of_" + a.name, "parcels of " + a.name + " that found no room", a.rejected);
    registry.lend("mass_created_of_" + a.name, "kg", "of " + a.name + " that came in", a.mass_created);
    registry.lend("mass_left_of_" + a.name, "kg", "of " + a.name + " that left", a.mass_left);
  }
}

void SolidBooks::leave(const Parcels& parcels, const Array<std::uint8_t>& gone) {
  for (std::size_t s = 0; s < accounts_.size(); ++s) {
    const auto of_it = [&](std::int64_t i) { return gone[i] != 0 && (*parcels.solid)[i] == static_cast<double>(s); };
    accounts_[s].left += static_cast<std::int64_t>(
        sum(Cpu{}, parcels.size(), [&](std::int64_t i) { return of_it(i) ? 1.0 : 0.0; }));
    accounts_[s].mass_left +=
        accounts_[s].rho * sum(Cpu{}, parcels.size(), [&](std::int64_t i) { return of_it(i) ? parcels.volume[i] : 0.0; });
  }
}

std::vector<SolidBooks::Inside> SolidBooks::inside(const Parcels& p) const {
  std::vector<Inside> all;
  for (std::size_t s = 0; s < accounts_.size(); ++s) {
    const double *solid = p.solid->data(), *volume = p.volume.data(), *z = p.position[2]->data(), rho = accounts_[s].rho;
    const auto add = [=, number = static_cast<double>(s)](std::int64_t i, Inside& in) {
      const bool of_it = solid[i] == number; // no branch: solids lie side by side
      const double mass = of_it ? rho * volume[i] : 0;
      in.parcels += of_it;
      in.mass += mass;
      in.moment += mass * z[i];
    };
    all.push_back(accumulate(Cpu{}, p.size(), Inside{}, add, [](Inside& a, const Inside& b) {
      a.parcels += b.parcels;
      a.mass += b.mass;
      a.moment += b.moment;
    }));
  }
  return all;
}

void SolidBooks::check(const Parcels& parcels) const {
  if (!several()) return;
  constexpr double round_off = 1e-11; // of masses that are added up step by step
  const std::vector<Inside> in = inside(parcels);
  for (std::size_t s = 0; s < accounts_.size(); ++s) {
    const Account& a = accounts_[s];
    if (a.created == in[s].parcels + a.left + a.rejected &&
        std::abs(a.mass_created - in[s].mass - a.mass_left) <= round_off * a.mass_created)
      continue;
    throw Error(run::formatted(
        "the books of the solid %s do not balance (parcels: created %lld, inside %lld, left %lld, rejected %lld; "
        "kg: came %.16g, inside %.16g, left %.16g) this is an error of corral, not of the case",
        a.name.c_str(), static_cast<long long>(a.created), static_cast<long long>(in[s].parcels),
        static_cast<long long>(a.left), static_cast<long long>(a.rejected), a.mass_created, in[s].mass, a.mass_left));
  }
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

std::vector<double> SolidBooks::row(const Parcels& parcels) const {
  std::vector<double> row;
  const std::vector<Inside> in = inside(parcels);
  for (std::size_t s = 0; s < accounts_.size(); ++s) {
    row.push_back(static_cast<double>(in[s].parcels));
    row.push_back(static_cast<double>(accounts_[s].left));
    row.push_back(in[s].mass);
    row.push_back(accounts_[s].mass_left);
    row.push_back(in[s].mass > 0 ? in[s].moment / in[s].mass : 0);
  }
  return row;
}

} // namespace corral::mppic
