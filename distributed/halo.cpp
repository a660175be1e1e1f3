#include "distributed/halo.hpp"

#include "distributed/mpi.hpp"
#include "distributed/petsc.hpp"

#include "engine/shared/support.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace corral::distributed {

struct Halo::Data {
  Domain domain;
  Staggering staggering;
  std::int64_t ghosts;
  std::array<std::int64_t, 3> points{}, owned{}; ///< of the part's fields, without ghosts
  std::array<std::int64_t, 3> stride{};
  std::int64_t memory = 0; ///< values of a field, with ghosts
  OwnedSF forest{};
  /// Places of ghosts by the axes along which walls reflect them an odd number of times: a bit for each axis.
  std::array<std::vector<PetscInt>, 8> mirrored{};
  std::vector<PetscInt> dropped{}; ///< those beyond an open side
  Cost cost{};

  /// Turns the ghosts that walls reflect with the field's signs.
  template <class T> void reflect(T* memory_of_field, const std::array<Sign, 3>& wall_sign) const {
    for (std::size_t axes = 1; axes < mirrored.size(); ++axes) {
      int sign = 1;
      for (std::size_t d = 0; d < 3; ++d) sign *= (axes >> d & 1) != 0 ? static_cast<int>(wall_sign[d]) : 1;
      if (sign < 0)
        for (const PetscInt place : mirrored[axes]) memory_of_field[place] = -memory_of_field[place];
    }
  }
};

namespace {

/// What a place along an axis stands for: whose point, and where it lies there.
struct Owner {
  enum { nobody, itself, ghost, dropped } kind = nobody;
  int place = 0;          ///< of the ranks along the axis
  std::int64_t local = 0; ///< point of theirs
  bool mirrored = false;  ///< by an odd number of walls
};

/// Of the points [-ghosts, points + ghosts) of a rank's field along one axis. What lies beyond a side of the part that
/// is the whole's is nobody's: maps fold it. What lies beyond the whole by way of a halo side, where ranks are thinner
/// than ghosts, is folded here.
std::vector<Owner> owners_along(const Domain& domain, Staggering s, int d, std::int64_t ghosts) {
  const Axis &whole = domain.whole().axis(d), &part = domain.part().axis(d);
  const std::int64_t begin = domain.begin(d), owned = domain.owned_points(s, d), points = domain.part().points(s, d);
  std::vector<Owner> owners;
  for (std::int64_t i = -ghosts; i < points + ghosts; ++i) {
    Owner& o = owners.emplace_back();
    if ((i < 0 && part.low != Boundary::halo) || (i >= points && part.high != Boundary::halo)) continue;
    const shared::FoldedPoint point = shared::fold(whole, on_face(s, d), -1, begin + i);
    if (point.sign == 0) {
      o.kind = Owner::dropped;
      continue;
    }
    o.kind = i >= 0 && i < owned ? Owner::itself : Owner::ghost;
    o.place = domain.place_of(d, std::min(point.index, whole.cells - 1)); // the last face belongs to the last cell
    o.local = point.index - domain.begin(d, o.place);
    o.mirrored = point.sign < 0;
  }
  return owners;
}

/// Distances between points and rows of the fields of a rank at such a place.
std::array<std::int64_t, 3> strides(const Domain& domain, Staggering s, std::int64_t ghosts,
                                    const std::array<int, 3>& place) {
  std::array<std::int64_t, 3> n{};
  for (int d = 0; d < 3; ++d) {
    const auto e = static_cast<std::size_t>(d);
    n[e] =
        domain.part_of_axis(d, domain.begin(d, place[e]), domain.end(d, place[e])).points(on_face(s, d)) + 2 * ghosts;
  }
  return {1, n[0], n[0] * n[1]};
}

struct Forest {
  std::vector<PetscInt> ghost;     ///< places in this rank's memory
  std::vector<PetscSFNode> stands; ///< the rank, and the place in its memory, of what each stands for
};

/// Of the field that `data` describes, whose ghosts it also sets apart.
template <class Data> Forest make_forest(Data& data) {
  const Domain& domain = data.domain;
  const std::int64_t ghosts = data.ghosts;
  std::array<std::vector<Owner>, 3> along;
  for (int d = 0; d < 3; ++d) along[static_cast<std::size_t>(d)] = owners_along(domain, data.staggering, d, ghosts);
  std::vector<std::array<std::int64_t, 3>> stride_of;
  for (int r = 0; r < domain.ranks().size(); ++r)
    stride_of.push_back(strides(domain, data.staggering, ghosts, domain.place(r)));
  Forest f;
  for (std::size_t k = 0; k < along[2].size(); ++k)
    for (std::size_t j = 0; j < along[1].size(); ++j)
      for (std::size_t i = 0; i < along[0].size(); ++i) {
        const std::array<const Owner*, 3> o{&along[0][i], &along[1][j], &along[2][k]};
        const auto any = [&](auto kind) { return o[0]->kind == kind || o[1]->kind == kind || o[2]->kind == kind; };
        if (any(Owner::nobody) || !(any(Owner::ghost) || any(Owner::dropped))) continue;
        const auto here =
            static_cast<PetscInt>(static_cast<std::int64_t>(i) + static_cast<std::int64_t>(j) * data.stride[1] +
                                  static_cast<std::int64_t>(k) * data.stride[2]);
        if (any(Owner::dropped)) {
          data.dropped.push_back(here);
          continue;
        }
        const int rank = domain.rank_at({o[0]->place, o[1]->place, o[2]->place});
        const auto& far = stride_of[static_cast<std::size_t>(rank)];
        const std::int64_t there =
            (o[0]->local + ghosts) + (o[1]->local + ghosts) * far[1] + (o[2]->local + ghosts) * far[2];
        f.ghost.push_back(here);
        f.stands.push_back({rank, static_cast<PetscInt>(there)});
        data.mirrored[(o[0]->mirrored ? 1u : 0u) + (o[1]->mirrored ? 2u : 0u) + (o[2]->mirrored ? 4u : 0u)].push_back(
            here);
      }
  data.mirrored[0].clear(); // plain ones
  return f;
}

Halo::Cost cost_of(PetscSF forest, int mine) {
  Halo::Cost cost;
  PetscInt count = 0;
  const PetscMPIInt* rank = nullptr;
  const PetscInt* start = nullptr;
  check(PetscSFGetRootRanks(forest, &count, &rank, &start, nullptr, nullptr), "asking a star forest");
  for (PetscInt i = 0; i < count; ++i) {
    const std::int64_t points = start[i + 1] - start[i];
    if (rank[i] == mine)
      cost.points_within = points;
    else if (points > 0)
      ++cost.received_from, cost.points_received += points;
  }
  check(PetscSFGetLeafRanks(forest, &count, &rank, &start, nullptr), "asking a star forest");
  for (PetscInt i = 0; i < count; ++i)
    if (const std::int64_t points = start[i + 1] - start[i]; rank[i] != mine && points > 0)
      ++cost.sent_to, cost.points_sent += points;
  return cost;
}

} // namespace

Halo::Halo(const Domain& domain, Staggering staggering, std::int64_t ghosts)
    : data_(std::make_unique<Data>(Data{domain, staggering, ghosts})) {
  Data& d = *data_;
  domain.ranks().together([&] {
    if (ghosts < 0) throw Error("a halo of " + std::to_string(ghosts) + " ghosts (0 at least)");
    double memory = 1;
    for (int e = 0; e < 3; ++e) {
      const auto i = static_cast<std::size_t>(e);
      d.points[i] = domain.part().points(staggering, e);
      d.owned[i] = domain.owned_points(staggering, e);
      memory *= static_cast<double>(d.points[i]) + 2 * static_cast<double>(ghosts);
    }
    if (memory > static_cast<double>(std::numeric_limits<PetscInt>::max()))
      throw Error("a halo of " + std::to_string(ghosts) + " ghosts around " + std::to_string(d.points[0]) + " x " +
                  std::to_string(d.points[1]) + " x " + std::to_string(d.points[2]) +
                  " points (PETSc counts a rank's to " + std::to_string(std::numeric_limits<PetscInt>::max()) +
                  ") take more ranks");
    d.memory = static_cast<std::int64_t>(memory);
  });
  d.stride = strides(domain, staggering, ghosts, domain.place(domain.ranks().rank()));
  const Forest f = make_forest(d);
  d.forest = made_forest(communicator_of(domain.ranks()), d.memory, f.ghost, f.stands);
  d.cost = cost_of(d.forest.get(), domain.ranks().rank());
}

Halo::~Halo() = default;
Halo::Halo(Halo&&) noexcept = default;
Halo& Halo::operator=(Halo&&) noexcept = default;

Staggering Halo::staggering() const { return data_->staggering; }
std::int64_t Halo::ghosts() const { return data_->ghosts; }
Halo::Cost Halo::cost() const { return data_->cost; }

namespace {

/// Throws Error unless the field has the points and ghosts of the halo.
template <class Data, class T> void require_alike(const Data& d, const FieldView<T>& field) {
  const auto text = [](const std::array<std::int64_t, 3>& n) {
    return std::to_string(n[0]) + ", " + std::to_string(n[1]) + " and " + std::to_string(n[2]);
  };
  const std::string name_of_field = "a " + std::string(name(field.staggering)) + " field ";
  if (field.staggering != d.staggering)
    throw Error(name_of_field + "for a halo of " + std::string(name(d.staggering)) +
                " fields (each staggering has its own)");
  if (field.ghosts != d.ghosts)
    throw Error(name_of_field + "with " + std::to_string(field.ghosts) + " ghosts (its halo has " +
                std::to_string(d.ghosts) + ")");
  if (field.stride != d.stride)
    throw Error(name_of_field + "with strides " + text(field.stride) + " (its halo has " + text(d.stride) +
                ") make it by field_view_with_ghosts of the domain's part");
  if (field.data == nullptr) throw Error(name_of_field + "without memory (its pointer is null)");
}

/// The first value of the field's memory.
template <class Data, class T> T* memory_of(const Data& d, const FieldView<T>& field) {
  return field.data - d.ghosts * (d.stride[0] + d.stride[1] + d.stride[2]);
}

} // namespace

// A field is its own roots and leaves: the two have no point in common.
template <class T> void Halo::fill(std::span<const FieldView<T>> fields) const {
  const Data& d = *data_;
  for (const FieldView<T>& field : fields) require_alike(d, field);
  const auto each = [&](auto call) {
    for (const FieldView<T>& field : fields) {
      T* const memory = memory_of(d, field);
      check(call(d.forest.get(), datatype<T>(), memory, memory, MPI_REPLACE), "filling ghosts");
    }
  };
  each(PetscSFBcastBegin);
  each(PetscSFBcastEnd);
  for (const FieldView<T>& field : fields) {
    T* const memory = memory_of(d, field);
    d.reflect(memory, field.wall_sign);
    for (const PetscInt place : d.dropped) memory[place] = T(0);
  }
}

template <class T> void Halo::add(std::span<const FieldView<T>> fields) const {
  const Data& d = *data_;
  for (const FieldView<T>& field : fields) require_alike(d, field);
  for (const FieldView<T>& field : fields) d.reflect(memory_of(d, field), field.wall_sign);
  const auto each = [&](auto call) {
    for (const FieldView<T>& field : fields) {
      T* const memory = memory_of(d, field);
      check(call(d.forest.get(), datatype<T>(), memory, memory, MPI_SUM), "adding ghosts");
    }
  };
  each(PetscSFReduceBegin);
  each(PetscSFReduceEnd);
  for (const FieldView<T>& field : fields)
    d.reflect(memory_of(d, field), field.wall_sign); // ghosts keep what they held
}

template <class T> void Halo::clear(const FieldView<T>& field) const {
  const Data& d = *data_;
  require_alike(d, field);
  const std::int64_t g = d.ghosts;
  for (std::int64_t k = -g; k < d.points[2] + g; ++k)
    for (std::int64_t j = -g; j < d.points[1] + g; ++j) {
      T* const row = &field(0, j, k);
      const bool mine = j >= 0 && j < d.owned[1] && k >= 0 && k < d.owned[2];
      std::fill(row - g, mine ? row : row + d.points[0] + g, T(0));
      if (mine) std::fill(row + d.owned[0], row + d.points[0] + g, T(0));
    }
}

template void Halo::fill(std::span<const FieldView<float>>) const;
template void Halo::fill(std::span<const FieldView<double>>) const;
template void Halo::add(std::span<const FieldView<float>>) const;
template void Halo::add(std::span<const FieldView<double>>) const;
template void Halo::clear(const FieldView<float>&) const;
template void Halo::clear(const FieldView<double>&) const;

} // namespace corral::distributed
