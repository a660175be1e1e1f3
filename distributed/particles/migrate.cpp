#include "distributed/particles/migrate.hpp"

#include "distributed/particles/exchange.hpp"
#include "distributed/particles/owner.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>

namespace corral::distributed {
namespace {

using detail::GrowingColumn;
using GrowingColumns = std::vector<GrowingColumn>;

std::int64_t record_bytes(const GrowingColumns& columns) {
  std::int64_t bytes = 0;
  for (const GrowingColumn& c : columns) bytes += c.each;
  return bytes;
}

void require_equally_long(const GrowingColumns& columns) {
  for (const GrowingColumn& c : columns)
    if (const std::int64_t n = c.size(c.values), first = columns[0].size(columns[0].values); n != first)
      throw Error("columns of " + std::to_string(first) + " and " + std::to_string(n) +
                  " particles (all have the same ones)");
}

/// Places of those that leave, and where they go.
struct Leaving {
  Array<std::int64_t> place;
  Array<int> to;
};

template <class T> Leaving leaving_of(const Domain& domain, const Positions<T>& positions, Migration& counts) {
  const CellFinder<T> find(domain.whole());
  const int mine = domain.ranks().rank();
  constexpr int outside = -1, not_finite = -2; // which stay
  Array<int> to(positions.size());
  for_each(Cpu{}, positions.size(), [&](std::int64_t i) {
    const auto cell = find(positions.axis[0][i], positions.axis[1][i], positions.axis[2][i]);
    to[i] = cell[0] == CellFinder<T>::outside ? outside
            : cell[0] < 0                     ? not_finite
            : domain.has(cell)                ? mine
                                              : domain.owner(cell);
  });
  counts.outside = std::count(to.begin(), to.end(), outside);
  counts.not_finite = std::count(to.begin(), to.end(), not_finite);
  Leaving leaving;
  select(
      Cpu{}, to.size(), [&](std::int64_t i) { return to[i] >= 0 && to[i] != mine; }, leaving.place);
  leaving.to.resize(leaving.place.size());
  for (std::int64_t k = 0; k < leaving.to.size(); ++k) leaving.to[k] = to[leaving.place[k]];
  return leaving;
}

Records pack(const GrowingColumns& columns, const Array<std::int64_t>& places) {
  Records records(record_bytes(columns));
  records.bytes.resize(places.size() * records.each);
  std::int64_t at = 0;
  for (const GrowingColumn& c : columns) {
    const std::byte* const data = c.data(c.values);
    for (std::int64_t k = 0; k < places.size(); ++k)
      std::memcpy(records[k] + at, data + places[k] * c.each, static_cast<std::size_t>(c.each));
    at += c.each;
  }
  return records;
}

/// Ids follow three coordinates of `coordinate` bytes.
std::uint64_t id_of(const Records& records, std::int64_t i, std::int64_t coordinate) {
  std::uint64_t id = 0;
  std::memcpy(&id, records[i] + 3 * coordinate, sizeof id);
  return id;
}

/// Closes the gaps that those leave and appends what has come, in the order of `from`.
void put(const GrowingColumns& columns, const Array<std::int64_t>& gaps, const Records& got,
         const Array<std::int64_t>& from) {
  const std::int64_t had = columns[0].size(columns[0].values), stay = had - gaps.size();
  std::int64_t at = 0;
  for (const GrowingColumn& c : columns) {
    std::byte* data = c.data(c.values);
    std::int64_t end = gaps.empty() ? had : gaps[0]; // of what stands where it will
    for (std::int64_t g = 0; g < gaps.size(); ++g) {
      const std::int64_t run = (g + 1 < gaps.size() ? gaps[g + 1] : had) - gaps[g] - 1;
      std::memmove(data + end * c.each, data + (gaps[g] + 1) * c.each, static_cast<std::size_t>(run * c.each));
      end += run;
    }
    c.resize(c.values, stay + from.size());
    data = c.data(c.values);
    for (std::int64_t k = 0; k < from.size(); ++k)
      std::memcpy(data + (stay + k) * c.each, got[from[k]] + at, static_cast<std::size_t>(c.each));
    at += c.each;
  }
}

/// Ids are added modulo 2^64, in which no particle that was lost or doubled hides behind another one.
void compare(const Ranks& ranks, const Migration& counts, std::uint64_t ids_left, std::uint64_t ids_arrived) {
  std::uint64_t left = 0, arrived = 0, missing = 0;
  for (const std::int64_t n : all(ranks, counts.left)) left += static_cast<std::uint64_t>(n);
  for (const std::int64_t n : all(ranks, counts.arrived)) arrived += static_cast<std::uint64_t>(n);
  for (const std::int64_t ids : all(ranks, static_cast<std::int64_t>(ids_left - ids_arrived)))
    missing += static_cast<std::uint64_t>(ids);
  if (left != arrived || missing != 0)
    throw Error(std::to_string(left) + " particles left their ranks and " + std::to_string(arrived) +
                " arrived (the sums of their ids are " + std::to_string(missing) +
                " apart) the network, or PETSc, has lost or doubled some");
}

} // namespace

template <class T> Migration migrate(const Domain& domain, const RankParticles<T>& particles) {
  const GrowingColumns& columns = particles.columns();
  domain.ranks().together([&] { require_equally_long(columns); });
  Migration counts;
  const Leaving who = leaving_of<T>(domain, particles.positions(), counts);
  const Records leaving = pack(columns, who.place);
  const Records got = exchange(domain.ranks(), leaving, who.to);
  counts.stayed = particles.size() - leaving.size();
  counts.left = leaving.size();
  counts.arrived = got.size();

  constexpr std::int64_t coordinate = sizeof(T);
  std::uint64_t ids_left = 0, ids_arrived = 0;
  for (std::int64_t i = 0; i < leaving.size(); ++i) ids_left += id_of(leaving, i, coordinate);
  for (std::int64_t i = 0; i < got.size(); ++i) ids_arrived += id_of(got, i, coordinate);
  compare(domain.ranks(), counts, ids_left, ids_arrived);

  Array<std::int64_t> by_id(got.size());
  std::iota(by_id.begin(), by_id.end(), 0);
  std::sort(by_id.begin(), by_id.end(),
            [&](std::int64_t a, std::int64_t b) { return id_of(got, a, coordinate) < id_of(got, b, coordinate); });
  put(columns, who.place, got, by_id);
  return counts;
}

template Migration migrate(const Domain&, const RankParticles<float>&);
template Migration migrate(const Domain&, const RankParticles<double>&);

} // namespace corral::distributed
