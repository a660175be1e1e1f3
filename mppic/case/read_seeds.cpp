#include "mppic/case/case_reader.hpp"

#include "mppic/seeds/sizes.hpp"
#include "run/case/values.hpp"

#include <corral/error.hpp>

#include <vector>

namespace corral::mppic {

void CaseReader::sizes() {
  for (const std::string& block : s_.blocks("size")) {
    try {
      if (auto read = size(block))
        sizes_.emplace(block, *read);
      else
        unreadable_sizes_ = true; // the reader has said why
    } catch (const CaseSaid&) {
    } catch (const Error& e) {
      complain(block, "distribution", e.what());
    }
  }
}

double CaseReader::need(const std::string& block, const char* key, const std::string& why) {
  if (s_.given(block, key)) return s_.real(block, key);
  complain(block, key, "[" + block + "] has no `" + key + "` (" + why + ")");
  throw CaseSaid{};
}

std::optional<SizeDistribution> CaseReader::size(const std::string& block) {
  const std::string kind = s_.choice(block, "distribution");
  const Weighting weighting = s_.choice(block, "weighting") == "mass" ? Weighting::mass : Weighting::number;
  SizeLimits limits;
  if (s_.given(block, "minimum")) limits.minimum = s_.real(block, "minimum");
  if (s_.given(block, "maximum")) limits.maximum = s_.real(block, "maximum");
  if (kind == "table") {
    if (s_.given(block, "file")) return read_size_table(s_.file(block, "file"), weighting, problems_);
    complain(block, "file", "[" + block + "] has no `file` (distribution = table reads one)");
    return std::nullopt;
  }
  const double d = need(block, "diameter", "distribution = " + kind + " needs it");
  if (kind == "one") return SizeDistribution::one_size(d);
  if (kind == "normal")
    return SizeDistribution::normal(d, need(block, "deviation", "distribution = normal needs it"), limits,
                                    weighting);
  return SizeDistribution::log_normal(d, need(block, "ratio", "distribution = log_normal needs it"), limits,
                                      weighting);
}

const SizeDistribution* CaseReader::named_size(const std::string& block) {
  const auto found = sizes_.find("size." + s_.text(block, "size"));
  if (found != sizes_.end()) return &found->second;
  complain(block, "size", "there is no [size." + s_.text(block, "size") + "] (size names such a block)");
  return nullptr;
}

const SizeDistribution* CaseReader::sizes_of(const std::string& block, int solid) {
  if (s_.given(block, "size")) return named_size(block);
  const std::vector<std::string> solids = s_.blocks("solid");
  if (const auto i = static_cast<std::size_t>(solid); i < solids.size() && s_.given(solids[i], "size"))
    return named_size(solids[i]);
  if (sizes_.size() == 1) return &sizes_.begin()->second;
  if (unreadable_sizes_) return nullptr;
  complain(block, "size",
           sizes_.empty() ? "[" + block + "] has particles but no block [size.NAME] says how large they are"
                          : "[" + block + "] does not say which [size.NAME] it means (there are " +
                                std::to_string(sizes_.size()) + ") add `size = NAME`");
  return nullptr;
}

void CaseReader::seed(const std::string& block) {
  static const std::map<std::string, Arrangement> arrangements{{"random", Arrangement::random},
                                                               {"stratified", Arrangement::stratified},
                                                               {"cells", Arrangement::cells},
                                                               {"lattice", Arrangement::lattice},
                                                               {"cell_lattice", Arrangement::cell_lattice}};
  Seeding seeding;
  if (!region(block, -1, seeding.region)) return;
  const std::optional<int> solid = solid_of(block);
  const SizeDistribution* sizes = solid ? sizes_of(block, *solid) : nullptr;
  if (!sizes) return;
  const Grid grid = setup_.make_grid();
  seeding.arrangement = arrangements.at(s_.choice(block, "arrangement"));
  seeding.jitter = s_.real(block, "jitter");
  if (s_.given(block, "solids_fraction")) seeding.solids_fraction = s_.real(block, "solids_fraction");
  if (s_.given(block, "particles_per_parcel"))
    seeding.particles_per_parcel = s_.real(block, "particles_per_parcel");
  if (seeding.solids_fraction.has_value() == seeding.particles_per_parcel.has_value())
    return complain(block, "solids_fraction",
                    "[" + block + "] needs either solids_fraction or particles_per_parcel (it gives " +
                        (seeding.solids_fraction ? "both)" : "neither)"));
  if (seeding.solids_fraction && setup_.solids.packing && !setup_.solids.frozen &&
      *seeding.solids_fraction > setup_.solids.stress.theta_cp)
    return complain(block, "solids_fraction",
                    "[" + block + "] starts denser than close packing (solids.close_packing is " +
                        run::write_number(setup_.solids.stress.theta_cp) + ") contact would throw it apart");
  if (!parcel_count(block, grid, seeding)) return;
  try {
    seed_count(grid, seeding);
    setup_.seeds.push_back({.name = block.substr(5),
                            .seeding = seeding,
                            .sizes = *sizes,
                            .velocity = s_.reals3(block, "velocity"),
                            .solid = *solid,
                            .granular_temperature = s_.reals3(block, "granular_temperature")});
  } catch (const Error& e) {
    complain(block, "arrangement", e.what());
  }
}

bool CaseReader::one_count(const std::string& block, bool regular) {
  std::vector<std::string> given;
  for (const char* key : {"parcels", "parcels_per_cell", "parcels_at_packing", "lattice"})
    if (s_.given(block, key) && (std::string_view(key) == "lattice") == regular) given.emplace_back(key);
  if (given.size() == 1) return true;
  const std::string needs = "arrangement = " + s_.choice(block, "arrangement") + " needs " +
                            (regular ? "`lattice`" : "one of parcels, parcels_per_cell and parcels_at_packing");
  if (given.empty())
    complain(block, "arrangement", "[" + block + "] does not say how many parcels (" + needs + ")");
  else
    complain(block, given[1],
             "[" + block + "] says more than once how many parcels (by " + given[0] + " and " + given[1] + "; " + needs +
                 ") keep one of them");
  return false;
}

bool CaseReader::parcel_count(const std::string& block, const Grid& grid, Seeding& seeding) {
  const bool regular =
      seeding.arrangement == Arrangement::lattice || seeding.arrangement == Arrangement::cell_lattice;
  if (!one_count(block, regular)) return false;
  if (regular) seeding.lattice = s_.integers3(block, "lattice");
  if (s_.given(block, "parcels")) seeding.parcels = s_.integer(block, "parcels");
  if (s_.given(block, "parcels_per_cell"))
    seeding.parcels = parcels_by_cell(grid, seeding.region, s_.real(block, "parcels_per_cell"));
  if (s_.given(block, "parcels_at_packing")) {
    if (!seeding.solids_fraction) {
      complain(block, "parcels_at_packing", "parcels_at_packing without solids_fraction (the number of parcels "
                                            "follows from both) give solids_fraction");
      return false;
    }
    seeding.parcels = parcels_at_packing(grid, seeding.region, s_.real(block, "parcels_at_packing"),
                                         *seeding.solids_fraction, setup_.solids.stress.theta_cp);
  }
  return true;
}

} // namespace corral::mppic
