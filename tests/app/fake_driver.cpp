#include "tests/app/fake_driver.hpp"

#include <corral/for_each.hpp>

#include <cmath>

namespace corral::test {

using run::Use;

namespace {

Grid small_grid() {
  const Axis x{4, -1, 0.1}, y{3, 0.5, 0.2, Boundary::wall, Boundary::wall};
  const Axis z{2, 2, 0.3, Boundary::wall, Boundary::open};
  return Grid({x, y, z});
}

constexpr Use everything = Use::saved | Use::shown;

} // namespace

FakeDriver::FakeDriver(std::int64_t parcels, double dt)
    : parcels_(parcels), dt_(dt), registry_(small_grid()), set_(registry_.declare_set(fake_parcels)),
      books_(registry_, set_),
      pressure_(registry_.declare_field("pressure", "Pa", "", Staggering::centre, Use::saved)),
      pressure_shown_(registry_.declare_field("pressure_shown", "Pa", "", Staggering::centre, Use::shown)),
      gas_(registry_.declare_vector_field("gas", "m/s", "", run::on_faces, everything)),
      position_(set_.declare_vector_column("position", "m", "", everything)),
      velocity_(set_.declare_vector_column("velocity", "m/s", "", everything)),
      mass_(set_.declare_column("mass", "kg", "", everything)),
      id_(set_.declare_ids("id", "", everything)) {}

void FakeDriver::start() {
  set_.resize(parcels_);
  books_.created() = parcels_;
  for (std::int64_t i = 0; i < parcels_; ++i) {
    id_[i] = static_cast<std::uint64_t>(1000 + i);
    mass_[i] = 1.0 / static_cast<double>(1 + i);
    for (std::size_t d = 0; d < 3; ++d) (*position_[d])[i] = grid().axis(static_cast<int>(d)).origin;
  }
  for (std::size_t d = 0; d < 3; ++d)
    for (std::int64_t i = 0; i < gas_[d]->size(); ++i) (*gas_[d])[i] = static_cast<double>(i);
}

void FakeDriver::step(const run::Clock& clock) {
  const auto timer = phases().time("move");
  for_each(Cpu{}, parcels_, [&](std::int64_t i) {
    for (std::size_t d = 0; d < 3; ++d) {
      (*velocity_[d])[i] = 0.01 * std::cos(clock.time() + static_cast<double>(i) * mass_[i]);
      (*position_[d])[i] += clock.dt() * (*velocity_[d])[i];
    }
  });
  for (std::int64_t i = 0; i < pressure_.size(); ++i) pressure_[i] = std::sin(clock.time() + static_cast<double>(i));
  at_step(clock.step());
  books_.check();
}

std::vector<run::LogColumn> FakeDriver::log_columns() const {
  return {{"parcels", "", "parcels inside"}, {"momentum", "kg m/s", "along x, \"mean\""}};
}

std::vector<double> FakeDriver::log_row() {
  const double momentum = sum(Cpu{}, parcels_, [&](std::int64_t i) { return mass_[i] * (*velocity_[0])[i]; });
  return {static_cast<double>(set_.size()), momentum_.value_or(momentum)};
}

run::Rows FakeDriver::table_rows(const std::string& name) {
  if (name != fake_layers.name) return {};
  run::Rows rows;
  const Axis& z = grid().axis(2);
  for (std::int64_t k = 0; k < z.cells; ++k)
    rows.push_back({z.origin + (static_cast<double>(k) + 0.5) * z.spacing, pressure_[k * 12]});
  return rows;
}

void FakeDriver::before_output() { pressure_shown_ = pressure_; }

} // namespace corral::test
