#include "mppic/case/case_reader.hpp"
#include "mppic/seeds/earlier_bed.hpp"
#include "run/case/earlier_run.hpp"
#include "run/case/values.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>
#include <corral/kernels/linear.hpp>
#include <corral/spread.hpp>

#include <algorithm>
#include <numbers>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace corral::mppic {

namespace {

constexpr run::Use state = run::Use::saved;

std::vector<std::int64_t> ascending(const Array<std::uint64_t>& ids) {
  std::vector<std::int64_t> places(static_cast<std::size_t>(ids.size()));
  std::iota(places.begin(), places.end(), 0);
  std::sort(places.begin(), places.end(), [&](std::int64_t a, std::int64_t b) { return ids[a] < ids[b]; });
  return places;
}

} // namespace

EarlierBed::EarlierBed(const Grid& there, bool several, bool warm, const std::array<fluid::SideKind, 6>& sides)
    : grid(there), state(there), set(state.declare_set(parcel_kind)),
      position(set.declare_vector_column("position", "m", "", mppic::state)),
      velocity(set.declare_vector_column("velocity", "m/s", "", mppic::state)),
      volume(set.declare_column("volume", "m3", "", mppic::state)),
      diameter(set.declare_column("diameter", "m", "", mppic::state)), id(set.declare_ids("id", "", mppic::state)) {
  if (several) solid = &set.declare_integers("solid", "", mppic::state);
  if (warm) temperature = &set.declare_column("temperature", "K", "", mppic::state);
  const auto field = [&](const char* name, const char* unit) {
    return state.declare_vector_field(name, unit, "", run::on_faces, mppic::state);
  };
  fields = {field("gas_velocity", "m/s"), field("contact_acceleration", "m/s2"), field("friction_acceleration", "m/s2"),
            sides};
}

namespace {

/// A case as it was run, where no more than some of its keys are asked for.
class CaseThere {
public:
  explicit CaseThere(const run::EarlierRun& run) : run_(run) {
    if (const std::string driver = value("case", "driver"); driver != "mppic")
      throw Error(run.place + " is of a run of the driver " + driver + " (parcels are taken of gas-solid runs) name another");
    run::KeyTable keys;
    run::declare_grid(keys);
    run::declare_sides(keys);
    run::WrittenCase written = run.used;
    std::erase_if(written.sections, [&](const auto& s) { return keys.pattern(s.name).empty(); });
    std::erase_if(written.entries, [&](const auto& e) { return keys.find(e.section, e.key) == nullptr; });
    run::Problems problems;
    const run::Settings settings = run::validate(keys, written, problems);
    if (problems.empty()) run::read_flow_box(settings, problems, box);
    problems.throw_if_any();
    for (const auto& s : run.used.sections)
      if (s.name.starts_with("solid.")) solids.push_back(s.name.substr(6));
  }

  bool warm() const { return value("heat", "model") != "off"; }

  run::FlowBox box;
  std::vector<std::string> solids; ///< names of its blocks [solid.NAME]

private:
  std::string value(const char* section, const char* key) const {
    for (const auto& e : run_.used.entries)
      if (e.section == section && e.key == key) return e.value;
    throw Error(run_.place + " does not say its " + section + "." + key + " (its case was changed) name another run's results");
  }

  const run::EarlierRun& run_;
};

std::string size_of(const run::FlowBox& box) {
  return run::brief(box.size[0]) + " x " + run::brief(box.size[1]) + " x " + run::brief(box.size[2]) + " m";
}

/// Of each solid of the case what is taken.
std::vector<EarlierSolids> sums_of(const EarlierBed& bed) {
  std::vector<EarlierSolids> sums;
  for (std::size_t s = 0; s < bed.solids.size(); ++s) sums.push_back({.solid = bed.solids[s]});
  for (std::int64_t i = 0; i < bed.size(); ++i) {
    EarlierSolids& of = sums[bed.solid ? static_cast<std::size_t>((*bed.solid)[i]) : 0];
    const double V = bed.volume[i], d = bed.diameter[i];
    ++of.parcels;
    of.volume += V;
    of.largest_parcel = std::max(of.largest_parcel, V);
    of.largest_diameter = std::max(of.largest_diameter, d);
    of.particles += V / (std::numbers::pi / 6 * d * d * d);
    of.by_diameter += V / d;
    of.by_diameter_squared += V / (d * d);
  }
  std::erase_if(sums, [](const EarlierSolids& of) { return of.parcels == 0; });
  return sums;
}

} // namespace

/// Numbers in this case of the solids there. Complains, and gives none, where one has no counterpart.
std::optional<std::vector<std::int32_t>> CaseReader::solids_taken(const std::vector<std::string>& there) {
  const std::vector<std::string> here = s_.blocks("solid");
  const bool named = s_.given("start", "solid");
  if (there.empty() || named) {
    if (there.size() > 1) {
      complain("start", "solid", "start.solid, and there are several solids in the run that the case begins with (they keep "
                                 "their names) leave it out");
      return std::nullopt;
    }
    const std::optional<int> solid = solid_of("start");
    if (!solid) return std::nullopt;
    return std::vector<std::int32_t>{*solid};
  }
  std::vector<std::int32_t> numbers;
  for (const std::string& name : there) {
    const auto found = std::find(here.begin(), here.end(), "solid." + name);
    const bool unnamed = here.empty() && there.size() == 1; // one solid is taken for the only one
    if (found == here.end() && !unnamed) {
      complain("start", "from", "there is no [solid." + name + "] (the run that the case begins with has parcels of it) add "
                                "the block" + (there.size() == 1 ? ", or say by start.solid which one they are of" : ""));
      return std::nullopt;
    }
    numbers.push_back(unnamed ? 0 : static_cast<std::int32_t>(found - here.begin()));
  }
  return numbers;
}

void CaseReader::start() {
  if (!s_.given("start", "from")) return;
  setup_.start.emplace();
  try {
    if (const auto run = s_.earlier_run("start", "from")) take(*run);
  } catch (const Error& e) {
    complain("start", "from", std::string("start.from: ") + e.what());
  }
}

void CaseReader::take(const run::EarlierRun& run) {
  const CaseThere there(run);
  Start& start = *setup_.start;
  start = {.place = run.place, .step = run.step, .time = run.time};
  const std::optional<std::vector<std::int32_t>> solids = solids_taken(there.solids);
  if (!solids) return;
  const Grid grid = setup_.make_grid(), grid_there = there.box.make_grid();
  bool same_cells = there.box.size == setup_.size && there.box.origin == setup_.origin && there.box.cells == setup_.cells;
  for (int d = 0; d < 3; ++d) same_cells = same_cells && grid.axis(d).periodic() == grid_there.axis(d).periodic();
  const auto bed = std::make_shared<EarlierBed>(grid_there, there.solids.size() > 1, there.warm(), there.box.sides);
  run.read(bed->state);
  bed->solids = *solids;
  bed->by_number = ascending(bed->id);
  bed->fraction.resize(grid.cells(), 0);
  const SortCounts counts = spread(Cpu{}, grid, positions(bed->position[0]->data(), bed->position[1]->data(),
                                                           bed->position[2]->data(), bed->size()), kernels::Linear{},
                                   {Spread<double>{Column<const double>{bed->volume.data(), bed->size(), 1},
                                                   field_view(grid, bed->fraction.data(), Staggering::centre)}});
  if (counts.inside != bed->size())
    return complain("start", "from", "start.from: " + std::to_string(bed->size() - counts.inside) + " of " +
                                         std::to_string(bed->size()) + " parcels of " + run.place + " lie outside the box (" +
                                         size_of(setup_) + "; there it was " + size_of(there.box) +
                                         ") take a box that holds them, with grid.origin where it was");
  for (double& share : bed->fraction) share /= grid.cell_volume();
  start.solids = sums_of(*bed);
  const bool says_gas = s_.changed("gas", "velocity") || s_.changed("gas", "start");
  start.same_cells = same_cells;
  start.takes_gas = setup_.gas.solved && !says_gas;
  for (const std::string& why : run.left_aside) setup_.warnings.push_back("start.from: " + why);
  start.bed = bed;
}

} // namespace corral::mppic
