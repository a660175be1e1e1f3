#pragma once

/// The loops of interpolation.hpp, for either processor.

#include "mppic/interpolation.hpp"
#include "mppic/step_state.hpp"

#include <corral/for_each.hpp>

#include <algorithm>

namespace corral::mppic {

/// eps of these cells, as far as drag laws hold.
template <Execution E> void set_voidage(E execution, const std::vector<fluid::OwnRange>& cells, const FlowView& flow, Array<double>& eps_c) {
  const double* theta = flow.solids_fraction;
  double* eps = eps_c.data();
  fluid::for_each_point(execution, cells, [=] CORRAL_BODY(std::int64_t c) { eps[c] = std::max(1 - theta[c], 0.05); });
}

/// Their theta/d32 [1/m].
template <Execution E>
void set_surface(E execution, const std::vector<fluid::OwnRange>& cells, const FlowView& flow, const Array<double>& radius, Array<double>& surface) {
  const double *theta = flow.solids_fraction, *r = radius.data();
  double* s = surface.data();
  fluid::for_each_point(execution, cells, [=] CORRAL_BODY(std::int64_t c) { s[c] = r[c] > 0 ? theta[c] / (2 * r[c]) : 0; });
}

/// d32 of the parcels [m] from that, which `sauter` holds.
template <Execution E>
void set_sauter(E execution, const Array<double>& theta_at, const Array<double>& diameter, Array<double>& sauter_at) {
  const double *theta = theta_at.data(), *d = diameter.data();
  double* sauter = sauter_at.data();
  for_each(execution, sauter_at.size(),
           [=] CORRAL_BODY(std::int64_t i) { sauter[i] = sauter[i] > 0 ? theta[i] / sauter[i] : d[i]; });
}

/// What the gas gives to packed solids jointly: of its force the push c_f gets that share, drag stands apart. And what is
/// left for each alone.
template <Execution E> void Interpolation::set_joint(E execution, const FaceSums& sums, const Gas& gas, double dt) {
  const JointView joint = sums.joint();
  for (std::size_t i = 0; i < 3; ++i) {
    const double *u = gas.filtered_velocity()[i].data(), *Ge = gas.filtered_force()[i].data();
    const double *w = gas.filtered_contact()[i].data(), pull = dt * gravity_[i], rho = rho_;
    double *c = c_[i].data(), *led_to = led_to_[i].data(), *loose_force = loose_force_[i].data(), *drag = drag_[i].data();
    fluid::for_each_face_index(execution, domain_.grid(), scratch_.planes(), static_cast<int>(i), [=] CORRAL_BODY(std::int64_t f) {
      const double chi = joint.chi(i, f), share = joint.share(i, f), mean = joint.mean(i, f), G = Ge[f] + rho * w[f];
      const double pushed = pull + dt * share * w[f], pressed = dt * share * G / rho;
      led_to[f] = (1 - chi) * (u[f] - pushed) + chi * mean;
      loose_force[f] = (1 - chi) * G;
      drag[f] = chi * joint.q(i, f) * (u[f] - mean - pushed + pressed);
      c[f] -= chi * pressed;
    });
  }
}

template <Execution E> void Interpolation::run(E execution, const StepState& state, double dt) {
  const Gas& gas = state.gas;
  const Flow& flow = state.flow;
  const bool moved = !frozen_ && dt > 0, jointly = moved && answer_ == Answer::jointly;
  fluid::Scratch& fields = scratch_.fields;
  give_back();
  take_columns(state.parcels, moved);
  fields.take_cells(domain_.grid(), eps_c_);
  if (moved) fields.take_faces(domain_.grid(), c_);
  if (jointly)
    for (fluid::FaceArrays* faces : {&led_to_, &loose_force_, &drag_}) fields.take_faces(domain_.grid(), *faces);
  if (mixture_) fields.take_cells(domain_.grid(), surface_c_);
  const std::vector<fluid::OwnRange> cells = scratch_.points_of_parcels(domain_.grid(), Staggering::centre);
  set_voidage(execution, cells, flow.view(), eps_c_);
  if (on_grid_) {
    if (moved) state.contact.share_push(execution, state.sums, gas, dt, c_);
    fields_ = moved ? 14 : 4; // of which no columns are made
    return;
  }
  Gathering gathering(domain_.grid(), state.parcels.size());
  gathering.add(eps_c_, Staggering::centre, eps_at_);
  if (moved) state.contact.share_push(execution, state.sums, gas, dt, c_);
  if (jointly) set_joint(execution, state.sums, gas, dt);
  for (fluid::FaceArrays* faces : {&c_, &led_to_, &loose_force_, &drag_})
    if (!(*faces)[0].empty()) fluid::deliver_faces(domain_.grid(), scratch_.planes(), scratch_.planes_of_parcels, *faces);
  for (int d = 0; d < 3; ++d) {
    gathering.add(gas.filtered_velocity()[d], face(d), gas_at_[d]);
    if (!moved) continue;
    if (jointly) {
      gathering.add(led_to_[d], face(d), led_to_at_[d]);
      gathering.add(drag_[d], face(d), drag_at_[d]);
    }
    gathering.add(jointly ? loose_force_[d] : gas.filtered_force()[d], face(d), force_at_[d]);
    gathering.add(c_[d], face(d), push_at_[d]);
    gathering.add(state.damping.a_mean()[d], Staggering::centre, damped_at_[d]);
  }
  if (moved) gathering.add(state.damping.a(), Staggering::centre, damping_at_);
  if (mixture_) {
    set_surface(execution, cells, flow.view(), state.sums.sauter_radius, surface_c_);
    gathering.add(flow.solids_fraction, Staggering::centre, theta_at_);
    gathering.add(surface_c_, Staggering::centre, sauter_at_);
  }
  for (const Interpolated& other : state.also_interpolated) gathering.add(*other.field, other.staggering, *other.column);
  gathering.run(execution, state.order);
  fields.give_back(eps_c_, c_, led_to_, loose_force_, drag_, surface_c_);
  if (mixture_) set_sauter(execution, theta_at_, state.parcels.diameter, sauter_at_);
  fields_ = gathering.fields();
}

} // namespace corral::mppic
