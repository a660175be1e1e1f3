#pragma once

#include "mppic/case/setup.hpp"
#include "mppic/parcels/parcels.hpp"
#include "run/driver.hpp"
#include "run/state/registry.hpp"

#include <corral/array.hpp>

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace corral::mppic {

/// Where the parcels of each of several solids are: of every solid, created = inside + left + rejected in every step, and the
/// mass that came is the mass that is there and the mass that left. Nothing where there is one solid, whose books are run::Books.
class SolidBooks {
public:
  SolidBooks(const Setup& setup, run::Registry& registry);

  bool several() const { return !accounts_.empty(); }
  /// Parcels of a solid, `mass` together [kg].
  void create(int solid, std::int64_t count, double mass) {
    if (!several()) return;
    accounts_[solid].created += count;
    accounts_[solid].mass_created += mass;
  }
  void reject(int solid, double mass) {
    if (!several()) return;
    ++accounts_[solid].rejected;
    accounts_[solid].mass_created -= mass;
  }
  /// Those that are marked as leaving, before they are taken out.
  template <Execution E> void leave(E, const Parcels& parcels, const Array<std::uint8_t>& gone);
  /// Throws Error with the figures of a solid whose books don't balance.
  template <Execution E> void check(E, const Parcels& parcels) const;

  /// Of each solid: parcels inside and left, mass inside and left, height of the centre of mass; none where there is one.
  static std::vector<run::LogColumn> columns(const Setup& setup);
  template <Execution E> std::vector<double> row(E, const Parcels& parcels) const;

  // Public, since nvcc takes the loops of no others.
  struct Account {
    std::string name;
    double rho; ///< [kg/m3]
    std::int64_t created = 0, left = 0, rejected = 0;
    double mass_created = 0, mass_left = 0; ///< without what was rejected [kg]
  };
  /// Of the parcels inside.
  struct Inside {
    std::int64_t parcels = 0;
    double mass = 0, moment = 0; ///< [kg], of height [kg m]

    CORRAL_HOST_DEVICE void operator+=(const Inside& b) {
      parcels += b.parcels;
      mass += b.mass;
      moment += b.moment;
    }
  };
  template <Execution E> std::vector<Inside> inside(E, const Parcels& parcels) const;

private:
  void check(const Account& account, const Inside& inside) const;

  std::deque<Account> accounts_; ///< whose members are bound
};

} // namespace corral::mppic
