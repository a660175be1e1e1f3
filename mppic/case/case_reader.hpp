#pragma once

#include "mppic/case/setup.hpp"
#include "run/case/earlier_run.hpp"
#include "run/case/reader.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace corral::mppic {

/// Reads one case; every complaint carries the place of the value that it is about. What belongs to the whole case
/// stands in setup.cpp, named blocks in read_inlets.cpp and read_seeds.cpp, [start] in read_start.cpp.
class CaseReader : run::Reader {
public:
  CaseReader(const run::Settings& settings, run::Problems& problems, int ranks) : Reader(settings, problems) { setup_.ranks = ranks; }

  Setup read();

private:
  struct CaseSaid {}; // thrown where a complaint has been made: go on with the next block

  /// The number that `why` asks for. Throws CaseSaid where the block has none.
  double need(const std::string& block, const char* key, const std::string& why);

  void gas();
  void drive();
  void solids();
  void materials();
  /// The number of the solid that a block means; nothing, and a complaint, where there is none.
  std::optional<int> solid_of(const std::string& block);
  void collisions();
  void outflow();
  void warn_of_idle_keys();
  void time();

  void sizes();
  std::optional<SizeDistribution> size(const std::string& block);
  /// The sizes that a block of a solid means; null, and a complaint, where there are none.
  const SizeDistribution* sizes_of(const std::string& block, int solid);
  const SizeDistribution* named_size(const std::string& block);

  /// The region of a block, the box's where it gives none; complains where it is empty or leaves the box.
  bool region(const std::string& block, int normal, Box& out);
  /// f(a run::InletReader), whose complaints are this one's.
  template <class F> auto by_inlets(F f);

  void inlet(const std::string& block);
  void solids_inlet(const std::string& block, const fluid::Inlet& inlet);
  std::array<double, 3> tangential(const std::string& block, int side); ///< velocity of the solids [m/s]

  void start();
  void take(const run::EarlierRun& run);
  std::optional<std::vector<std::int32_t>> solids_taken(const std::vector<std::string>& there);

  void seed(const std::string& block);
  /// Complains where the number of parcels is said never or twice.
  bool one_count(const std::string& block, bool regular);
  bool parcel_count(const std::string& block, const Grid& grid, Seeding& seeding);

  bool unreadable_sizes_ = false;
  std::map<std::string, SizeDistribution> sizes_;
  Setup setup_;
};

/// Looks at what a case whose keys are sound comes to as a whole, without making any of it: seeds and inlets that come
/// to nothing, memory that nobody has, solids beyond packing. Adds the first problem, at the line that asks for it.
void check_setup(const Setup&, const run::Settings&, run::Problems&);

} // namespace corral::mppic
