#include "mppic/step.t.hpp"

#include "mppic/laws/gas_laws.hpp"
#include "mppic/seeds/other_cells.hpp"
#include "run/random.hpp"

#include <corral/for_each.hpp>

#include <cstdint>
#include <numbers>
#include <optional>
#include <string>

namespace corral::mppic {

StepState::StepState(const Setup& s, const fluid::Domain& d, run::Registry& registry)
    : setup(s), domain(d), parcels(registry, s.solids, s.heat.on()), books(registry, parcels.set), solid_books(s, registry),
      flow(registry), inflow(d, s, registry, books), order(d.grid(), between_centres), scratch(d, registry.memory()), sums(d, s, scratch),
      gas(d, s, scratch), contact(d, s, scratch), displacement(d, s, scratch), damping(d, s, scratch),
      collisions(d, s, scratch), interpolation(d, s, scratch), audit(s.gravity, s.solids.rho, registry.memory()),
      sides(sides_of(s, d)), drag(drag_of_parcels(s)), gone(registry.memory()) {
  for (int side = 0; side < 6; ++side)
    if (domain.side_kind(side) == fluid::SideKind::outlet)
      left[side] = &books.add_boundary(std::string(fluid::side_names[side]));
  displacement.bind_state(registry);
  if (setup.heat.on()) heat.emplace(domain, setup, registry, parcels, registry.memory());
  gas.bind_state(registry);
}

Motion StepState::motion(double dt) {
  const auto [gx, gy, gz] = setup.gravity;
  WaysOfParcels way{.slip = slip.data(), .step = {}, .shift = {}, .gone = gone.data()};
  for (std::size_t d = 0; d < 3; ++d) {
    way.step[d] = step[d].empty() ? interpolation.steps()[d] : step[d].data();
    way.shift[d] = shift[d].data();
  }
  return {.dt = dt, .gravity = {gx, gy, gz}, .parcels = parcels.view(), .at = interpolation.columns(), .way = way};
}

MotionOnGrid StepState::motion_on_grid(double dt) {
  const Motion m = motion(dt);
  return {.dt = dt, .gravity = {m.gravity[0], m.gravity[1], m.gravity[2]}, .parcels = m.parcels,
          .at = interpolation.fields_on_grid(*this), .way = m.way};
}

void StepState::fill_fields() const {
  if (!scratch.own_sums) return;
  for (Array<double>* cells : {&flow.pressure, &flow.contact_pressure, &flow.solids_fraction, &flow.predicted_fraction, &flow.displacement_potential})
    scratch.share(domain.grid(), Staggering::centre, *cells);
  if (!setup.solids_inlets.empty()) fluid::complete_cells(domain.grid(), scratch.planes(), flow.solids_fraction); // asked before the next spread
  for (int d = 0; d < 3; ++d)
    for (const run::Components* faces : {&flow.gas_velocity, &flow.contact_acceleration, &flow.friction_acceleration})
      scratch.share(domain.grid(), face(d), *(*faces)[d]);
}

void StepState::give_back_columns() {
  interpolation.give_back();
  scratch.columns.give_back(step, shift, slip);
}

namespace {

/// Gives the parcels from `first` on fluctuations along each axis, without a mean, of the variance that the seed asks for:
/// both weighted by volume, to round-off.
void stir(Cpu cpu, const Seed& seed, const run::Random& random, std::int64_t first, Parcels& parcels) {
  const std::int64_t n = parcels.size() - first;
  const bool alone = parcels.ranks.total(n) < 2;
  const auto weighted = [&](auto f) {
    return parcels.ranks.total(sum(cpu, n, [&](std::int64_t k) { return parcels.volume[first + k] * f(k); }));
  };
  const double all = weighted([](std::int64_t) { return 1.0; });
  Array<double> u(n);
  for (std::size_t d = 0; d < 3; ++d) {
    const double variance = seed.granular_temperature[d];
    if (variance == 0 || alone) continue;
    for_each(cpu, n, [&](std::int64_t k) {
      u[k] = random.normal(run::Purpose::velocity, 0, parcels.id[first + k], static_cast<int>(d));
    });
    const double mean = weighted([&](std::int64_t k) { return u[k]; }) / all;
    const double drawn = weighted([&](std::int64_t k) { return (u[k] - mean) * (u[k] - mean); }) / all;
    const double scale = std::sqrt(variance / drawn);
    for_each(cpu, n, [&](std::int64_t k) { (*parcels.velocity[d])[first + k] += scale * (u[k] - mean); });
  }
}

/// Appends the parcels of all seeds, in the case's order, and counts them as created. Each rank makes as many of every seed.
void seed_parcels(Cpu cpu, const Setup& setup, const Grid& grid, run::Books& books, SolidBooks& solid_books,
                  Parcels& parcels) {
  const run::Random random(setup.random_seed);
  for (const Seed& s : setup.seeds) {
    const std::int64_t of_all = seed_count(grid, s.seeding);
    const distributed::Piece part = parcels.ranks.part_of(of_all);
    const Seeds seeds = seed(cpu, grid, s.seeding, s.sizes, random, static_cast<std::uint64_t>(books.created()),
                             {part.begin, part.end, [&](double mine) { return parcels.ranks.total(mine); }});
    const std::int64_t first = parcels.size();
    parcels.set.resize(first + seeds.size());
    for_each(cpu, seeds.size(), [&](std::int64_t k) {
      const std::int64_t i = first + k;
      const double d = seeds.diameter[k];
      for (std::size_t e = 0; e < 3; ++e) {
        (*parcels.position[e])[i] = seeds.position[e][k];
        (*parcels.velocity[e])[i] = s.velocity[e];
      }
      parcels.diameter[i] = d;
      parcels.volume[i] = seeds.weight[k] * std::numbers::pi / 6 * d * d * d;
      if (parcels.solid) (*parcels.solid)[i] = s.solid;
      if (parcels.temperature) (*parcels.temperature)[i] = s.temperature;
      parcels.id[i] = static_cast<std::uint64_t>(books.created() + part.begin + k);
    });
    stir(cpu, s, random, first, parcels);
    books.created() += of_all;
    solid_books.create(s.solid, of_all, setup.solids.density(s.solid) * parcels.ranks.total(sum(cpu, seeds.size(), [&](std::int64_t k) {
                         return parcels.volume[first + k];
                       })));
  }
}

/// Appends those of the run that the case begins with and counts them as created, by numbers from 0 in the order of those
/// that they had: newcomers follow them.
void take_parcels(Cpu cpu, const Setup& setup, run::Books& books, SolidBooks& solid_books, Parcels& parcels) {
  const Start& start = *setup.start;
  if (!start.bed) throw Error("the parcels that the case begins with were not read (whoever makes its driver opens them)");
  const EarlierBed& bed = *start.bed;
  const distributed::Piece part = parcels.ranks.part_of(bed.size());
  parcels.set.resize(part.size());
  for_each(cpu, part.size(), [&](std::int64_t i) {
    const std::int64_t there = bed.by_number[static_cast<std::size_t>(part.begin + i)];
    for (std::size_t e = 0; e < 3; ++e) {
      (*parcels.position[e])[i] = (*bed.position[e])[there];
      (*parcels.velocity[e])[i] = setup.solids.frozen ? 0 : (*bed.velocity[e])[there];
    }
    parcels.diameter[i] = bed.diameter[there];
    parcels.volume[i] = bed.volume[there];
    if (parcels.solid) (*parcels.solid)[i] = bed.solid_of(there);
    if (parcels.temperature) (*parcels.temperature)[i] = bed.temperature ? (*bed.temperature)[there] : start.temperature;
    parcels.id[i] = static_cast<std::uint64_t>(part.begin + i);
  });
  books.created() += bed.size();
  for (const EarlierSolids& of : start.solids)
    solid_books.create(of.solid, of.parcels, setup.solids.density(of.solid) * of.volume);
}

/// Brings columns of a set on the host to a device, to the columns of the same names.
void send_columns(const run::ParticleSet& from, run::ParticleSet& to) {
  to.resize(from.size());
  for (const run::Entry* column : from.columns()) {
    const run::Entry& there = *to.find(column->name, column->component);
    if (const auto* reals = column->reals()) *there.reals() = *reals;
    if (const auto* ids = column->ids()) *there.ids() = *ids;
    if (const auto* integers = column->integers()) *there.integers() = *integers;
  }
}

/// A field of the state as the host may change it: itself, or on a device a copy, which is brought back at the end.
class FieldOnHost {
public:
  explicit FieldOnHost(Array<double>& field) : field_(field) {
    if (there()) copy_.resize(field.size()), field.copy_to(copy_.span());
  }
  FieldOnHost(const FieldOnHost&) = delete;
  FieldOnHost& operator=(const FieldOnHost&) = delete;

  double& operator[](std::int64_t i) { return there() ? copy_[i] : field_[i]; }
  void bring_back() {
    if (there()) field_.assign(copy_.span());
  }

private:
  bool there() const { return field_.memory() == Memory::device; }

  Array<double>& field_;
  Array<double> copy_;
};

} // namespace

void place_parcels(StepState& s) {
  const auto place = [&](Parcels& parcels) {
    if (s.setup.start) take_parcels(Cpu{}, s.setup, s.books, s.solid_books, parcels);
    seed_parcels(Cpu{}, s.setup, s.domain.grid(), s.books, s.solid_books, parcels);
  };
  if (s.parcels.volume.memory() != Memory::device) {
    place(s.parcels);
    return s.parcels.ranks.count();
  }
  run::Registry here(s.domain.grid());
  Parcels parcels(here, s.setup.solids, s.setup.heat.on());
  place(parcels);
  send_columns(parcels.set, s.parcels.set);
}

void take_fields(const Setup& setup, const fluid::Domain& domain, Flow& flow) {
  const Start& start = *setup.start;
  const EarlierBed::Fields& there = start.bed->fields;
  std::optional<OtherCells> other;
  if (!start.same_cells) other.emplace(start.bed->grid, domain.grid());
  const bool pressed = setup.solids.packing && !setup.solids.frozen;
  for (int d = 0; d < 3; ++d) {
    FieldOnHost velocity(*flow.gas_velocity[d]), push(*flow.contact_acceleration[d]), friction(*flow.friction_acceleration[d]);
    fluid::for_each_face(Cpu{}, domain.grid(), d, [&](const fluid::Face& face) {
      const std::int64_t f = face.index;
      const int side = 2 * d + (face.above < 0 ? 1 : 0);
      if (face.boundary() && domain.side_kind(side) != there.sides[side]) return;
      if (other && !other->covers(d, face)) return;
      const auto of = [&](const run::Components& field) { return other ? (*other)(d, face, *field[d]) : (*field[d])[f]; };
      if (start.takes_gas && domain.kind(d, f) != fluid::FaceKind::fixed) velocity[f] = of(there.gas_velocity);
      if (!pressed) return;
      push[f] = of(there.contact_acceleration);
      friction[f] = of(there.friction_acceleration);
    });
    for (FieldOnHost* field : {&velocity, &push, &friction}) field->bring_back();
  }
}

template class Step<Cpu>;

} // namespace corral::mppic
