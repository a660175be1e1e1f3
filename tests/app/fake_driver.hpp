#pragma once

#include "run/driver.hpp"
#include "run/state/books.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace corral::test {

/// Its set of particles.
inline const run::ParticleKind fake_parcels{.name = "parcels", .one = "parcel"};

/// Its table, with a row for each layer of cells.
inline const run::TableKind fake_layers{.name = "layers", .one = "layer", .columns = {{"z", "m", "where it lies"},
                                                                                    {"pressure", "Pa", "of its first cell"}}};

/// Points that circle in a box of 4 x 3 x 2 cells, and a field that swings: enough state to drive the run loop with.
class FakeDriver : public run::Driver {
public:
  explicit FakeDriver(std::int64_t parcels = 10, double dt = 0.01);

  /// Called at the end of each step with the number of steps done before it.
  std::function<void(std::int64_t)> at_step = [](std::int64_t) {};

  /// What `take_notices` hands out next.
  std::vector<run::Notice> notices;
  /// What it doubts at the end.
  std::vector<std::string> all_doubts;

  Array<double>& pressure() { return pressure_; }
  /// What log.csv says of it, from now on.
  void set_momentum(double momentum) { momentum_ = momentum; }
  run::Components velocity() { return velocity_; }
  run::Books& books() { return books_; }
  run::ParticleSet& parcels() { return set_; }

  run::Registry& registry() override { return registry_; }
  const Grid& grid() const override { return registry_.grid(); }
  void start() override;
  void restored(const run::Clock&) override {}
  double next_dt() const override { return dt_; }
  void step(const run::Clock& clock) override;
  std::vector<run::LogColumn> log_columns() const override;
  std::vector<double> log_row() override;
  run::Rows table_rows(const std::string& name) override;
  std::vector<run::Notice> take_notices() override { return std::exchange(notices, {}); }
  std::vector<std::string> doubts() const override { return all_doubts; }
  void before_output() override;
  std::vector<std::string> description() const override { return {"a fake"}; }
  double expected_bytes() const override { return 42e6; }
  std::vector<std::pair<std::string, double>> figures() const override { return {{"answer", 42}}; }

private:
  std::int64_t parcels_;
  std::optional<double> momentum_; // what is said instead of what is
  double dt_; // [s]
  run::Registry registry_;
  run::ParticleSet& set_;
  run::Books books_;
  Array<double>& pressure_;
  Array<double>& pressure_shown_;
  run::Components gas_;
  run::Components position_;
  run::Components velocity_;
  Array<double>& mass_;
  Array<std::uint64_t>& id_;
};

/// A driver kind "fake" with a key of every type; it objects to inlets faster than 10 m/s when it is made or described.
const std::vector<run::DriverKind>& fake_kinds();

/// Lines of a valid case for it.
const std::vector<std::string>& valid_case();

/// The valid case with line `line` (from 1) replaced; 0: with `text` appended as another line.
std::string case_with(int line, const std::string& text);

} // namespace corral::test
