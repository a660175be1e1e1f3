#pragma once

/// The loops of face_sums.hpp, for either processor.

#include "fluid/own_sums.hpp"
#include "mppic/gas/face_sums.hpp"
#include "mppic/gas/parcel_columns.t.hpp"
#include "mppic/solids/joint_answer.t.hpp"

#include <corral/for_each.hpp>
#include <corral/kernels/linear.hpp>
#include <corral/lent_scratch.hpp>
#include <corral/spread.hpp>
#include <corral/together.hpp>

#include <algorithm>
#include <concepts>
#include <vector>

namespace corral::mppic {

template <Execution E>
void FaceSums::spread(E execution, const CellOrder<double>& order, const Parcels& parcels, double dt, Flow& flow,
                      const std::vector<BoxTerm>& others) {
  scratch_.columns.give_back(vs_);
  give_back_fields();
  take_faces();
  if constexpr (!std::same_as<E, Cpu>)
    if (plain_) return spread_in_turn(execution, order, parcels, dt, flow, others);
  take_columns(parcels);
  const auto set = [&](auto density) {
    if (frozen_) set_columns<true>(execution, parcels, dt, density);
    else set_columns<false>(execution, parcels, dt, density);
  };
  if (!mixed_) set(OneDensity{});
  else if (two_densities_) set(TwoDensities{parcels.density()});
  else set(ManyDensities{parcels.density()});
  if (!restitutions_.empty()) set_restitutions(execution, parcels);
  if (joint_.on()) joint_.set_columns(execution, parcels, weights(parcels), dt);
  with_scratch(execution, order, [&] { spread_faces(execution, order, parcels); });
  take_cells();
  spread_cells(execution, order, parcels, flow, others);
  give_back_columns();
  scratch_.add_over(parcels.ranks, spread_);
  divide(execution, flow);
  deliver(flow);
}

/// A device works in memory that other fields have later.
template <Execution E, class F> void FaceSums::with_scratch(E execution, const CellOrder<double>& order, const F& maps) {
  if constexpr (std::same_as<E, Cpu>) return maps();
  else {
    const std::array<std::int64_t, 3> groups = order.groups();
    const std::int64_t parts = groups[0] * groups[1] * groups[2] + order.size() / particles_of_a_tile + 1;
    Array<double> lent;
    scratch_.fields.take(numbers_of_a_group * parts, lent);
    lend_scratch(execution, order, lent.data(), lent.size());
    maps();
    lend_scratch(execution, order, nullptr, 0);
    scratch_.fields.give_back(lent);
  }
}

/// On a device no more than three columns are there at once. Of one density, of parcels that move.
template <Execution E>
void FaceSums::spread_in_turn(E execution, const CellOrder<double>& order, const Parcels& parcels, double dt, Flow& flow,
                              const std::vector<BoxTerm>& others) {
  const std::int64_t n = parcels.size();
  const std::array<const double*, 3> velocity{parcels.velocity[0]->data(), parcels.velocity[1]->data(), parcels.velocity[2]->data()};
  const double* volume = parcels.volume.data();
  std::array<Array<double>, 3> columns;
  for (Array<double>& column : columns) scratch_.take_column(parcels, column);
  const fluid::FacePointers column = fluid::writable_pointers(columns);
  maps_ = 0;
  spread_.clear();
  with_scratch(execution, order, [&] {
    for (std::size_t d = 0; d < 3; ++d) {
      for_each(execution, n, ColumnsOfAxis{dt, d == 0, parcels.drag.data(), volume, velocity[d], column[0], column[1], column[2]});
      const std::array<const double*, 4> from{volume, column[0], column[1], column[2]};
      const std::array<Array<double>*, 4> to{&theta[d], &P[d], &U[d], &Q[d]};
      std::vector<Spread<double>> terms;
      for (std::size_t t = 0; t < 4; ++t) {
        fluid::fill(execution, *to[t], 0);
        terms.push_back({{from[t], n}, field_view(domain_.grid(), to[t]->data(), face(static_cast<int>(d)))});
      }
      corral::spread<kernels::Linear, double>(execution, order, kernels::Linear{}, terms);
      maps_ += 4;
    }
  });
  take_cells();
  for_each(execution, n, FluxColumns{volume, velocity, column});
  std::vector<BoxTerm> terms{{volume, flow.solids_fraction.data(), {box_theta[0].data(), box_theta[1].data(), box_theta[2].data()}}};
  for (std::size_t d = 0; d < 3; ++d) {
    BoxTerm& term = terms.emplace_back(BoxTerm{column[d], mean_velocity[d].data()});
    term.faces[d] = box_U[d].data();
  }
  spread_boxes(execution, order, parcels, terms);
  for_each(execution, n, SizeColumns{volume, parcels.diameter.data(), velocity, column[0], column[1]});
  terms = {{column[0], mean_square.data()}, {column[1], sauter_radius.data()}};
  terms.insert(terms.end(), others.begin(), others.end());
  spread_boxes(execution, order, parcels, terms);
  maps_ += 12;
  scratch_.columns.give_back(columns);
  divide(execution, flow);
}

template <Execution E>
void FaceSums::spread_faces(E execution, const CellOrder<double>& order, const Parcels& parcels) {
  std::vector<Spread<double>> terms;
  maps_ = 0;
  spread_.clear();
  const auto add = [&](const Array<double>& column, Array<double>& field, Staggering staggering) {
    spread_.push_back(fluid::plane_by_plane(domain_.grid(), staggering, field.span()));
    scratch_.clear(execution, spread_.back());
    terms.push_back({{column.data(), parcels.size()}, field_view(domain_.grid(), field.data(), staggering)});
  };
  const auto spread_terms = [&] {
    corral::spread<kernels::Linear, double>(execution, order, kernels::Linear{}, terms);
    maps_ += static_cast<int>(terms.size());
    terms.clear();
  };
  for (std::size_t d = 0; d < 3; ++d) {
    const Staggering faces = face(static_cast<int>(d));
    if (!std::same_as<E, Cpu> && d > 0) spread_terms(); // axis by axis a device needs less scratch
    add(parcels.volume, theta[d], faces);
    add(vq_, P[d], faces);
    if (mixed_) add(vsq_, Pm[d], faces);
    if (frozen_) {
      for (Array<double>* none : {&U[d], &Q[d]}) scratch_.clear(execution, domain_.grid(), faces, *none);
      continue;
    }
    add(vu_[d], U[d], faces);
    add(vqu_[d], Q[d], faces);
    if (joint_.on()) add(joint_.dragged(), joint_.B[d], faces);
    if (!mixed_) continue;
    add(vs_, M[d], faces);
    add(vsqu_[d], Qm[d], faces);
    if (joint_.on()) add(joint_.momentum(d), joint_.Mu[d], faces);
    if (two_densities_) continue;
    add(v_over_s_, L[d], faces);
    add(free_over_s_, N[d], faces);
  }
  spread_terms();
}

/// To cells and boxes, which begin as 0.
template <Execution E>
void FaceSums::spread_boxes(E execution, const CellOrder<double>& order, const Parcels& parcels, const std::vector<BoxTerm>& terms,
                            const double* weight) {
  const auto add = [&](Staggering points, double* values) {
    if (!values) return;
    const auto count = static_cast<std::size_t>(domain_.grid().points(points));
    spread_.push_back(fluid::plane_by_plane(domain_.grid(), points, {values, count}));
    scratch_.clear(execution, spread_.back());
  };
  for (const BoxTerm& term : terms) {
    for (double* cells : {term.cells, term.weighted}) add(Staggering::centre, cells);
    for (std::size_t d = 0; d < 3; ++d) add(face(static_cast<int>(d)), term.faces[d]);
  }
  spread_to_boxes(execution, order, parcels.places(), terms, weight);
}

/// Everything that lies in cells, and with it the boxes' sums. Of several densities cells count velocities by mass.
template <Execution E>
void FaceSums::spread_cells(E execution, const CellOrder<double>& order, const Parcels& parcels, Flow& flow,
                            const std::vector<BoxTerm>& others) {
  std::vector<BoxTerm> terms{{parcels.volume.data(), flow.solids_fraction.data()}};
  const bool by_mass = mixed_ && !frozen_;
  if (!frozen_) {
    for (std::size_t d = 0; d < 3; ++d) {
      double* mean = mean_velocity[d].data();
      terms.push_back({vu_[d].data(), by_mass ? nullptr : mean, {}, by_mass ? mean : nullptr});
      terms.front().faces[d] = box_theta[d].data();
      terms.back().faces[d] = box_U[d].data();
    }
    if (by_mass) terms.front().weighted = relative_density.data();
    terms.push_back({vuu_.data(), mean_square.data()});
  } else {
    const Grid& grid = domain_.grid();
    for (std::size_t d = 0; d < 3; ++d) {
      for (auto* none : {&box_theta, &box_U}) scratch_.clear(execution, grid, face(static_cast<int>(d)), (*none)[d]);
      scratch_.clear(execution, grid, Staggering::centre, mean_velocity[d]);
    }
    scratch_.clear(execution, grid, Staggering::centre, mean_square);
    if (!sizes_) scratch_.clear(execution, grid, Staggering::centre, sauter_radius);
  }
  if (sizes_) terms.push_back({v_over_r_.data(), sauter_radius.data()});
  if (!restitutions_.empty()) terms.push_back({ev_over_r_.data(), restitution.data()});
  terms.insert(terms.end(), others.begin(), others.end());
  spread_boxes(execution, order, parcels, terms, by_mass ? s_.data() : nullptr);
  maps_ += (frozen_ ? 0 : mixed_ ? 12 : 11) + (sizes_ ? 1 : 0) + (restitutions_.empty() ? 0 : 1) +
           (frozen_ && !sizes_ ? 1 : 0);
}

template <Execution E> void FaceSums::divide(E execution, Flow& flow) {
  const double per_cell = 1 / domain_.grid().cell_volume();
  const fluid::InverseVolumes inverse_volumes = fluid::inverse_volumes(domain_, memory_for<E>);
  for (std::size_t d = 0; d < 3; ++d) {
    const std::array<double*, 11> by_face{theta[d].data(),     P[d].data(),         U[d].data(),  Q[d].data(),
                                          joint_.B[d].data(),  joint_.Mu[d].data(), M[d].data(),  Pm[d].data(),
                                          Qm[d].data(),        L[d].data(),         N[d].data()};
    const std::size_t sums_of_face = !mixed_ ? 5 : two_densities_ ? 9 : by_face.size();
    const std::array<double*, 2> by_cell{box_theta[d].data(), box_U[d].data()};
    const fluid::InverseVolumes::OfAxis s = inverse_volumes[d];
    const std::vector<fluid::OwnRange> known = scratch_.points_of_sums(domain_.grid(), face(static_cast<int>(d)));
    fluid::for_each_point(execution, known, [=] CORRAL_BODY(std::int64_t f) {
      for (std::size_t k = 0; k < sums_of_face; ++k)
        if (by_face[k]) by_face[k][f] *= s[f];
      for (double* sums : by_cell) sums[f] *= per_cell;
    });
    if (two_densities_) derive(execution, d, known);
    if (joint_.on())
      joint_.share(execution, d, known, joint(), {P[d].data(), Q[d].data(), Pm[d].data(), Qm[d].data(), N[d].data()});
  }
  double* const theta_c = flow.solids_fraction.data();
  const std::array<double*, 3> mean{mean_velocity[0].data(), mean_velocity[1].data(), mean_velocity[2].data()};
  double *square = mean_square.data(), *radius = sauter_radius.data(), *density = relative_density.data();
  double* e = restitutions_.empty() ? nullptr : restitution.data();
  fluid::for_each_point(execution, scratch_.points_of_sums(domain_.grid(), Staggering::centre), [=] CORRAL_BODY(std::int64_t c) {
    const double volume = theta_c[c];
    theta_c[c] *= per_cell;
    const double share = volume * per_cell > 1e-12 ? 1 / (density ? density[c] : volume) : 0;
    if (density) density[c] = share > 0 ? density[c] / volume : 1;
    for (std::size_t d = 0; d < 3; ++d) mean[d][c] *= share;
    square[c] *= share;
    if (e) e[c] = radius[c] > 0 ? std::min(e[c] / radius[c], 1.0) : 1;
    radius[c] = radius[c] > 0 ? volume / radius[c] : 0;
  });
}

/// L and N of two densities, of which one is that which mixtures are counted by: 1/s is 1 + 1/s2 - s/s2 of both.
template <Execution E> void FaceSums::derive(E execution, std::size_t d, const std::vector<fluid::OwnRange>& known) {
  const double slope = 1 / heaviest_, all = 1 + slope;
  const double *th = theta[d].data(), *m = M[d].data(), *p = P[d].data(), *pm = Pm[d].data();
  double *l = L[d].data(), *n = N[d].data();
  fluid::for_each_point(execution, known, [=] CORRAL_BODY(std::int64_t f) {
    const double free = all * (th[f] - p[f]) - slope * (m[f] - pm[f]);
    l[f] = all * th[f] - slope * m[f];
    n[f] = free > 0 ? free : 0;
  });
}

template <Execution E> double FaceSums::kinetic_energy(E execution, const Flow& flow) const {
  const double *theta_c = flow.solids_fraction.data(), *square = mean_square.data(), *density = relative_density.data();
  const double rho_volume = rho_ * domain_.grid().cell_volume();
  Together<E> all(execution);
  const fluid::Planes& planes = scratch_.planes_of_sums();
  fluid::add_sum(all, fluid::own_cells(domain_.grid(), planes),
                 [=] CORRAL_BODY(std::int64_t c) { return theta_c[c] * (density ? density[c] : 1) * square[c]; });
  return 0.5 * rho_volume * planes.totals(all.values())[0];
}

template <Execution E> double FaceSums::drag_rate(E execution, double theta_least, double dt) const {
  const fluid::Planes& planes = scratch_.planes_of_sums();
  Together<E> all(execution);
  for (std::size_t d = 0; d < 3; ++d) {
    const double *th = theta[d].data(), *m = mixed_ ? M[d].data() : th, *p = mixed_ ? Pm[d].data() : P[d].data();
    const fluid::OwnRange own = fluid::own_faces(domain_.grid(), planes, static_cast<int>(d));
    fluid::add_sum(all, own, [=] CORRAL_BODY(std::int64_t f) { return th[f] >= theta_least ? 1.0 : 0.0; });
    fluid::add_sum(all, own, [=] CORRAL_BODY(std::int64_t f) {
      return th[f] >= theta_least ? p[f] / std::max(m[f] - p[f], 1e-9 * m[f]) : 0.0;
    });
  }
  const auto found = planes.totals(all.values());
  double rates = 0, faces = 0;
  for (std::size_t d = 0; d < 3; ++d) faces += found[2 * d], rates += found[2 * d + 1];
  return faces > 0 && dt > 0 ? rates / faces / dt : 0;
}

} // namespace corral::mppic
