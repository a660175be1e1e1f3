#pragma once

/// The loops of solid_books.hpp, for either processor.

#include "mppic/parcels/solid_books.hpp"

#include <corral/for_each.hpp>

namespace corral::mppic {

template <Execution E>
void SolidBooks::leave(E execution, const Parcels& parcels, const Array<std::uint8_t>& gone) {
  for (std::size_t s = 0; s < accounts_.size(); ++s) {
    const std::uint8_t* marks = gone.data();
    const std::int32_t* solid = parcels.solid->data();
    const double* volume = parcels.volume.data();
    const auto number = static_cast<std::int32_t>(s);
    const auto of_it = [=] CORRAL_BODY(std::int64_t i) { return marks[i] != 0 && solid[i] == number; };
    accounts_[s].left += static_cast<std::int64_t>(parcels.ranks.total(
        sum(execution, parcels.size(), [=] CORRAL_BODY(std::int64_t i) { return of_it(i) ? 1.0 : 0.0; })));
    accounts_[s].mass_left +=
        accounts_[s].rho *
        parcels.ranks.total(sum(execution, parcels.size(), [=] CORRAL_BODY(std::int64_t i) { return of_it(i) ? volume[i] : 0.0; }));
  }
}

template <Execution E> std::vector<SolidBooks::Inside> SolidBooks::inside(E execution, const Parcels& p) const {
  std::vector<Inside> all;
  for (std::size_t s = 0; s < accounts_.size(); ++s) {
    const std::int32_t* solid = p.solid->data();
    const double *volume = p.volume.data(), *z = p.position[2]->data(), rho = accounts_[s].rho;
    const auto number = static_cast<std::int32_t>(s);
    const auto add = [=] CORRAL_BODY(std::int64_t i, Inside& in) {
      const bool of_it = solid[i] == number; // no branch: solids lie side by side
      const double mass = of_it ? rho * volume[i] : 0;
      in.parcels += of_it;
      in.mass += mass;
      in.moment += mass * z[i];
    };
    all.push_back(p.ranks.total(accumulate(execution, p.size(), Inside{}, add, AddInPlace{})));
  }
  return all;
}

template <Execution E> void SolidBooks::check(E execution, const Parcels& parcels) const {
  if (!several()) return;
  const std::vector<Inside> in = inside(execution, parcels);
  for (std::size_t s = 0; s < accounts_.size(); ++s) check(accounts_[s], in[s]);
}

template <Execution E> std::vector<double> SolidBooks::row(E execution, const Parcels& parcels) const {
  std::vector<double> row;
  const std::vector<Inside> in = inside(execution, parcels);
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
