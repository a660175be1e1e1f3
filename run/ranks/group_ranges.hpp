#pragma once

#include <corral/array.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Ranges of groups that ranks share out, so that each has about as many particles as the others. Groups stand in planes. Particles are
/// counted by planes first, then by groups in those planes alone in which a range begins: what goes to all ranks does not grow with the grid.
namespace corral::run {

/// Counts into numbers that other threads add to, too; of particles that lie nearly in order, a run of those for one number at once.
class RunCounter {
public:
  explicit RunCounter(std::vector<std::uint64_t>& numbers) : numbers_(numbers) {}
  RunCounter(const RunCounter&) = delete;
  RunCounter& operator=(const RunCounter&) = delete;
  ~RunCounter() { flush(); }

  void count(std::int64_t number) {
    if (number != of_) flush(), of_ = number;
    ++run_;
  }

private:
  void flush() {
    if (run_ > 0) std::atomic_ref(numbers_[static_cast<std::size_t>(of_)]).fetch_add(run_, std::memory_order_relaxed);
    run_ = 0;
  }

  std::vector<std::uint64_t>& numbers_;
  std::int64_t of_ = -1;
  std::uint64_t run_ = 0;
};

/// A plane of groups in which the ranges of some ranks begin.
struct CutPlane {
  std::int64_t plane;
  std::uint64_t before; ///< particles in planes before it
  std::int64_t end;     ///< the first rank behind these
};
/// `wanted` particles are before each rank, none before the first.
std::vector<CutPlane> cut_planes(std::span<const std::uint64_t> of_plane, const std::vector<std::uint64_t>& wanted);

/// Particles in the groups of the cut planes, of `planes` with `plane` groups each.
std::vector<std::uint64_t> count_groups(const Array<std::int64_t>& group, const std::vector<CutPlane>& cuts, std::int64_t planes, std::int64_t plane);

/// Where each rank's groups begin: at the first group that has `wanted` particles of its rank before it.
std::vector<std::int64_t> first_groups(const std::vector<CutPlane>& cuts, std::span<const std::uint64_t> of_group, std::int64_t plane,
                                       const std::vector<std::uint64_t>& wanted);

} // namespace corral::run
