#pragma once

#include "distributed/domain.hpp"

#include <corral/views.hpp>

#include <cstdint>
#include <memory>
#include <span>

namespace corral::distributed {

/// The ghosts of fields of one staggering, and whose points they stand for. Made once; serves any number of fields.
/// Fields are those of `field_view_with_ghosts(domain.part(), ..., ghosts)`, whatever they begin with.
///
/// A ghost is a point of the field's memory that another rank owns, or this one beyond a periodic side: up to `ghosts`
/// points beyond a halo side of the part, and the points on a cut face that belong to the part above. Any number of
/// ghosts, and ranks of any thickness: a rank's ghosts may be owned by several ranks in a row, and stand for one point
/// more than once. Where ranks are so thin that ghosts pass a wall of the whole, they stand for its mirror image, times
/// the field's sign; past an open side for nothing, and are filled with 0. What lies beyond a side of the part that is
/// the whole's own is left alone: maps fold it.
///
/// PETSc's star forest (PetscSF) moves the values, one message to each rank around, and not a DMDA's own halos: these
/// refuse parts that are thinner than their ghosts, and fields with a point more than cells.
class Halo {
public:
  /// Collective. Throws Error for fewer than 0 ghosts, and where a rank's field has more points than PETSc counts.
  Halo(const Domain& domain, Staggering staggering, std::int64_t ghosts);
  ~Halo();
  Halo(Halo&&) noexcept;
  Halo& operator=(Halo&&) noexcept;

  /// Ghosts get the values of the points that they stand for. Collective, as all that follow, with as many fields on
  /// each rank. Throws Error for a field of other points, and has then sent nothing. T is float or double.
  template <class T> void fill(std::span<const FieldView<T>> fields) const;
  template <class T> void fill(const FieldView<T>& field) const { fill(std::span<const FieldView<T>>(&field, 1)); }
  /// What ghosts hold is added to the points that they stand for; ghosts keep it. A point gets them
  /// in an order that follows from the ranks alone: the same bits in every run on as many ranks.
  template <class T> void add(std::span<const FieldView<T>> fields) const;
  template <class T> void add(const FieldView<T>& field) const { add(std::span<const FieldView<T>>(&field, 1)); }
  /// Sets all that this rank does not own to 0, as a spread wants it before `add`.
  template <class T> void clear(const FieldView<T>& field) const;

  Staggering staggering() const;
  std::int64_t ghosts() const;

  /// What one fill of one field costs this rank; an `add` costs the same the other way round.
  struct Cost {
    int received_from = 0, sent_to = 0;                ///< [messages] to or from other ranks
    std::int64_t points_received = 0, points_sent = 0; ///< over the network
    std::int64_t points_within = 0;                    ///< ghosts of this rank that stand for its own points
  };
  Cost cost() const;

private:
  struct Data;
  std::unique_ptr<Data> data_;
};

} // namespace corral::distributed
