#pragma once

#include "mppic/step_state.hpp"
#include "run/phases.hpp"

#include <corral/execution.hpp>

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace corral::mppic {

/// How long a step is, and which.
struct StepTime {
  double dt;           ///< [s]
  std::int64_t number; ///< of the step, from 0
};

/// Where in a step something is done, in the order of the step. Their numbers in docs/models.md stand in
/// `Step::list_parts`.
enum class StepPlace : std::uint8_t {
  inflow,
  sort,
  spread,
  gas_without_pressure,
  pressure,
  gas_with_pressure,
  contact_law,
  contact_pressure,
  contact_push,
  damping,
  interpolation,
  velocities,
  isotropy,
  drag,
  room,
  displacement_potential,
  displacement,
  move,
  outflow,
  memory ///< of contact, for the gas of the next step
};

/// What is done at a place.
struct StepPart {
  enum class Turn : std::uint8_t { before, at, after };

  StepPlace place;
  Turn turn;
  std::string_view number; ///< in the algorithm of docs/models.md; "" for what that does not number
  std::string_view phase;  ///< of the closing table, which its time counts to; "" where it is not timed
  std::string_view solves; ///< the field that a solver finds; "" for all else
  std::function<void(const StepTime&)> act;
};

/// The parts of a step in their order. A model beside the step enters before or after a place of it: the step itself never
/// asks whether a case has that model.
class StepParts {
public:
  using Act = std::function<void(const StepTime&)>;

  void at(StepPlace place, std::string_view number, std::string_view phase, Act act, std::string_view solves = "") {
    add({place, StepPart::Turn::at, number, phase, solves, std::move(act)});
  }
  void before(StepPlace place, std::string_view phase, Act act) {
    add({place, StepPart::Turn::before, "", phase, "", std::move(act)});
  }
  void after(StepPlace place, std::string_view phase, Act act) {
    add({place, StepPart::Turn::after, "", phase, "", std::move(act)});
  }

  const std::vector<StepPart>& all() const { return parts_; }

private:
  /// Behind the parts of its place and turn that are there already.
  void add(StepPart part) {
    auto behind = parts_.begin();
    while (behind != parts_.end() && std::pair(behind->place, behind->turn) <= std::pair(part.place, part.turn)) ++behind;
    parts_.insert(behind, std::move(part));
  }

  std::vector<StepPart> parts_;
};

/// The gas-solid step of Model A (docs/models.md), on the processor that E says. `Step<Cpu>` is instantiated by step.cpp,
/// `Step<Gpu>` by device.cu.
template <Execution E> class Step {
public:
  /// The registry's memory is that of E. On a device the domain has been sent, and is sent again whenever its time is set.
  /// With a team, which outlives it, each rank has some of the parcels, and all of the grid.
  Step(E execution, const Setup& setup, const fluid::Domain& domain, run::Registry& registry, run::Phases& phases,
       const distributed::Team* team = nullptr);
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;

  /// Fills the state at time 0: parcels from the seeds, the gas at its starting velocity, drag rates.
  void start();
  /// In place of it, where the state is that of a run that went on.
  void restored() {
    state_.parcels.ranks.share_out_in_order();
    state_.fill_fields();
  }
  /// Runs all parts.
  void advance(double dt, std::int64_t step);
  const std::vector<StepPart>& parts() const { return parts_.all(); }
  void run(const StepPart& part, const StepTime& time);

  E execution() const { return execution_; }
  const StepState& state() const { return state_; }
  StepScratch& scratch() { return state_.scratch; } ///< for whoever looks at a step, too; to be poisoned by tests
  const fluid::Planes& planes() const { return state_.scratch.planes(); }
  const StepReport& report() const { return state_.report; }
  const run::Books& books() const { return state_.books; }
  const SolidBooks& solid_books() const { return state_.solid_books; }
  const Parcels& parcels() const { return state_.parcels; }
  const Flow& flow() const { return state_.flow; }
  const Gas& gas() const { return state_.gas; }
  const Contact& contact() const { return state_.contact; }
  const Audit& audit() const { return state_.audit; } ///< of the last step, where the case asks for it
  StepBooks start_books() const;                      ///< before the first step
  const Heat* heat() const { return state_.heat ? &*state_.heat : nullptr; } ///< null where nothing is warm
  /// Null where neither density nor viscosity of the gas varies.
  const VaryingGas* varying_gas() const { return heat() ? heat()->gas().varying() : nullptr; }
  /// As Driver::take_notices, of what the step itself sees.
  std::vector<run::Notice> take_notices();

private:
  void list_parts();

  // The parts, by their numbers in docs/models.md, with what each finds in the symbols of its pages.
  void let_in(const StepTime&);             // before 1: parcels of inlets
  void sort(const StepTime&);               // 1
  void spread(const StepTime&);             // 2: sums on faces, in cells and in boxes
  void predict_gas(const StepTime&);        // 2b, 3, 3b: smoothed sums, H, a, u_star, b
  void solve_pressure(const StepTime&);     // 4: p
  void correct_gas(const StepTime&);        // 5: u', G, Fs, and G_e, which parcels feel
  void prepare_contact(const StepTime&);    // 6a: u_s, F_b, m, theta_a
  void solve_contact(const StepTime&);      // 6a: pi
  void apply_contact(const StepTime&);      // 6a: du
  void damp(const StepTime&);               // 6b: alpha
  void interpolate(const StepTime&);        // 7: c_f; then all fields that parcels feel, at them
  void advance_velocities(const StepTime&); // 7: v, u_p
  void set_drag(const StepTime&);           // 7, after 7b: D
  void make_room(const StepTime&);          // 8: theta_n, s, room
  void add_carried();
  void solve_displacement(const StepTime&); // 8: psi
  void displace(const StepTime&);           // 8: dx, within the budget
  void move(const StepTime&);               // 9: x_p
  void remove_leavers(const StepTime&);     // 9: parcels at outlets
  void remember_contact(const StepTime&);   // 10: w

  void take_out(); ///< those that leave
  void set_drag_rates(double dt);
  void measure_theta();
  void check_momentum(double dt);

  E execution_;
  run::Phases& phases_;
  StepState state_;
  StepParts parts_;
};

} // namespace corral::mppic
