#include "run/ranks/shared_set.hpp"

#include "engine/shared/cell_key.hpp"
#include "run/ranks/group_ranges.hpp"

#include <corral/error.hpp>
#include <corral/for_each.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

namespace corral::run {

namespace {

shared::CellKey<double> key_of(const Grid& grid, const std::array<Offset, 3>& offset) {
  shared::CellKey<double> key{};
  for (int d = 0; d < 3; ++d) {
    const auto groups = shared::AxisGroups::of(grid.axis(d), offset[static_cast<std::size_t>(d)] == Offset::half);
    key.axis[d] = shared::AxisKey<double>(grid.axis(d), groups);
    key.groups[d] = groups.count;
  }
  return key;
}

/// Rows of a set that go to other ranks.
struct Leaving {
  std::vector<std::int64_t> rows; ///< rank after rank
  std::vector<std::int64_t> to;   ///< how many to each
};

/// The columns of a set, one after the other in a row.
class RowsOfSet {
public:
  explicit RowsOfSet(ParticleSet& set) : columns_(set.columns()) {
    for (const Entry* column : columns_) each_ += column->each();
  }

  std::int64_t each() const { return each_; }
  std::vector<std::byte> packed(const std::vector<std::int64_t>& rows) const {
    std::vector<std::byte> bytes(rows.size() * static_cast<std::size_t>(each_));
    std::int64_t at = 0;
    for (const Entry* column : columns_) {
      const std::int64_t n = column->each();
      const std::byte* from = column->data();
      for (std::size_t k = 0; k < rows.size(); ++k)
        std::memcpy(bytes.data() + static_cast<std::int64_t>(k) * each_ + at, from + rows[k] * n, static_cast<std::size_t>(n));
      at += n;
    }
    return bytes;
  }
  /// The k-th of those that came is row to[k].
  void unpack(const std::vector<std::byte>& bytes, const std::vector<std::int64_t>& to) const {
    std::int64_t at = 0;
    for (const Entry* column : columns_) {
      const std::int64_t n = column->each();
      std::byte* const into = column->data();
      for (std::size_t k = 0; k < to.size(); ++k)
        std::memcpy(into + to[k] * n, bytes.data() + static_cast<std::int64_t>(k) * each_ + at, static_cast<std::size_t>(n));
      at += n;
    }
  }
  void copy(std::int64_t from, std::int64_t to) const {
    for (const Entry* column : columns_) {
      const std::int64_t n = column->each();
      std::memcpy(column->data() + to * n, column->data() + from * n, static_cast<std::size_t>(n));
    }
  }

private:
  std::vector<const Entry*> columns_;
  std::int64_t each_ = 0; ///< [bytes]
};

/// Where a rank's rows are to be: those of others, or all of them.
Leaving leaving_of(const Array<std::int64_t>& group, const std::vector<std::int64_t>& first, int rank, bool all) {
  Leaving leaving;
  std::vector<std::vector<std::int64_t>> rows(first.size());
  const auto own = static_cast<std::size_t>(rank);
  const std::int64_t begin = first[own], end = own + 1 < first.size() ? first[own + 1] : INT64_MAX;
  for (std::int64_t i = 0; i < group.size(); ++i) {
    const std::int64_t g = group[i];
    const bool stays = g < 0 || (g >= begin && g < end);
    if (stays && !all) continue;
    rows[stays ? own : static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), g) - first.begin() - 1)].push_back(i);
  }
  for (const std::vector<std::int64_t>& of_rank : rows) {
    leaving.to.push_back(static_cast<std::int64_t>(of_rank.size()));
    leaving.rows.insert(leaving.rows.end(), of_rank.begin(), of_rank.end());
  }
  return leaving;
}

/// The last rows move to `holes`, which ascend, so that the set is shorter by these.
void close_up(ParticleSet& set, const RowsOfSet& rows, std::span<const std::int64_t> holes) {
  const std::int64_t left = set.size() - std::ssize(holes);
  const auto behind = std::lower_bound(holes.begin(), holes.end(), left); // holes that nobody needs to fill
  auto next = behind;
  std::int64_t from = left;
  for (auto hole = holes.begin(); hole != behind; ++hole, ++from) {
    for (; next != holes.end() && *next == from; ++next) ++from;
    rows.copy(from, *hole);
  }
  set.resize(left);
}

/// Those that come take the places of those that leave: nothing is done for the others, which are many.
void exchange_rows(const distributed::Team& team, ParticleSet& set, const Leaving& leaving) {
  const RowsOfSet rows(set);
  const distributed::ReceivedRows came = team.exchange(rows.packed(leaving.rows), rows.each(), leaving.to);
  std::vector<std::int64_t> holes = leaving.rows;
  std::sort(holes.begin(), holes.end());
  const std::int64_t size = set.size(), arrived = std::accumulate(came.from.begin(), came.from.end(), std::int64_t{0});
  std::vector<std::int64_t> places(holes.begin(), holes.begin() + std::min(arrived, std::ssize(holes)));
  for (std::int64_t i = size; std::ssize(places) < arrived; ++i) places.push_back(i);
  set.resize(std::max(size, size + arrived - std::ssize(holes)));
  rows.unpack(came.bytes, places);
  if (std::ssize(holes) > arrived) close_up(set, rows, std::span(holes).subspan(static_cast<std::size_t>(arrived)));
}

} // namespace

SharedSet::SharedSet(ParticleSet& set, const Grid& grid, const std::array<Offset, 3>& offset) : set_(set), grid_(grid), offset_(offset) {}

void SharedSet::share_with(const distributed::Team& team, Phases& phases) {
  team_ = &team;
  phases_ = &phases;
  set_.share_among_ranks();
}

distributed::Piece SharedSet::part_of(std::int64_t count) const {
  if (!team_) return {0, count};
  const auto before = [&](std::int64_t rank) { // count x rank may be beyond 64 bits
    const std::int64_t ranks = team_->size();
    return count / ranks * rank + count % ranks * rank / ranks;
  };
  return {before(team_->rank()), before(team_->rank() + 1)};
}

/// Ranges of groups begin where as many particles are before a rank as its place among the ranks asks for. Particles are counted by
/// planes of groups, and by groups in those planes alone in which a range begins.
SharedSet::Share SharedSet::share() const {
  const std::int64_t n = set_.size(), ranks = team_->size();
  const std::array<const double*, 3> x{set_.find("position", 0)->reals()->data(), set_.find("position", 1)->reals()->data(),
                                       set_.find("position", 2)->reals()->data()};
  const shared::CellKey<double> key = key_of(grid_, offset_);
  const std::int64_t planes = key.groups[2], plane = key.groups[0] * key.groups[1];
  Share share{.particles = 0, .group = Array<std::int64_t>(n), .first = {}};
  std::vector<std::uint64_t> of_plane(static_cast<std::size_t>(planes) + 1); // the last: those without a place
  for_each_chunk(Cpu{}, n, chunk_size, [&](std::int64_t begin, std::int64_t end) {
    RunCounter counter(of_plane);
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t g = key(x[0][i], x[1][i], x[2][i]).group;
      share.group[i] = g;
      counter.count(g < 0 ? planes : g / plane);
    }
  });
  team_->add(of_plane);
  const std::uint64_t all = std::accumulate(of_plane.begin(), of_plane.end(), std::uint64_t{0}), placed = all - of_plane.back();
  share.particles = static_cast<std::int64_t>(all);

  std::vector<std::uint64_t> wanted;
  for (std::int64_t rank = 0; rank < ranks; ++rank) wanted.push_back(placed * static_cast<std::uint64_t>(rank) / static_cast<std::uint64_t>(ranks));
  const std::vector<CutPlane> cuts = cut_planes(std::span(of_plane).first(static_cast<std::size_t>(planes)), wanted);
  std::vector<std::uint64_t> of_group = count_groups(share.group, cuts, planes, plane);
  team_->add(of_group);
  share.first = first_groups(cuts, of_group, plane, wanted);
  return share;
}

void SharedSet::share_out(Stay stay) {
  if (!team_) return;
  timed([&] {
    const Share share = this->share();
    if (share.particles > std::numeric_limits<int>::max())
      throw Error(std::to_string(share.particles) + " " + set_.name() + " over ranks (MPI counts to " + std::to_string(std::numeric_limits<int>::max()) +
                  ") take fewer");
    exchange_rows(*team_, set_, leaving_of(share.group, share.first, team_->rank(), stay == Stay::in_order));
    count();
    if (set_.total() != share.particles)
      throw Error(std::to_string(share.particles) + " " + set_.name() + " were " + std::to_string(set_.total()) + " once ranks had shared them out (this is an error of corral, not of the case)");
  });
}

void SharedSet::count() {
  if (!team_) return;
  const std::int64_t mine = set_.size();
  const std::vector<std::byte> bytes = timed([&] { return team_->all(std::as_bytes(std::span(&mine, 1))); });
  std::vector<std::int64_t> of_rank(bytes.size() / sizeof mine);
  std::memcpy(of_rank.data(), bytes.data(), bytes.size());
  set_.count_among_ranks(std::accumulate(of_rank.begin(), of_rank.end(), std::int64_t{0}), *std::max_element(of_rank.begin(), of_rank.end()));
}

void SharedSet::add(std::span<std::uint64_t> counts) const {
  if (team_) timed([&] { team_->add(counts); });
}

void SharedSet::add(std::span<const std::span<double>> fields) const {
  if (team_) timed([&] { team_->add(fields); });
}

void SharedSet::add(std::initializer_list<Array<double>*> fields) const {
  if (!team_) return;
  std::vector<std::span<double>> spans;
  for (Array<double>* field : fields) spans.push_back(field->span());
  add(spans);
}

void SharedSet::add(std::span<const distributed::FieldOfPlanes> fields, std::span<const distributed::Piece> held,
                    const distributed::PiecesOfRanks& wanted) const {
  if (team_) timed([&] { team_->add(fields, held, wanted); });
}

void SharedSet::agree(const std::string& problem) const {
  if (team_) team_->agree(problem);
  else if (!problem.empty()) throw Error(problem);
}

} // namespace corral::run
