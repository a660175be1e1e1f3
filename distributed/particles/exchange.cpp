#include "distributed/particles/exchange.hpp"

#include "distributed/mpi.hpp"
#include "distributed/petsc.hpp"

#include <algorithm>
#include <cstring>

namespace corral::distributed {
namespace {

constexpr const char* field = "record";

/// A swarm of records. BASIC: where a point goes is what its rank says, and no mesh has a part in it (the PIC mode of
/// PETSc 3.18 loses points that cross a periodic side).
OwnedDM make_swarm(const Ranks& ranks, std::int64_t bytes_each) {
  DM made = nullptr;
  check(DMCreate(communicator_of(ranks), &made), "making a swarm");
  OwnedDM swarm(made);
  check(DMSetType(made, DMSWARM), "making a swarm");
  check(DMSetDimension(made, 3), "making a swarm");
  check(DMSwarmSetType(made, DMSWARM_BASIC), "making a swarm");
  check(DMSwarmInitializeFieldRegister(made), "making a swarm");
  check(DMSwarmRegisterUserDatatypeField(made, field, static_cast<size_t>(bytes_each), 1), "making a swarm");
  check(DMSwarmFinalizeFieldRegister(made), "making a swarm");
  return swarm;
}

template <class T, class F> void with_field(DM swarm, const char* name, const F& f) {
  void* data = nullptr;
  check(DMSwarmGetField(swarm, name, nullptr, nullptr, &data), "reaching a swarm");
  f(static_cast<T*>(data));
  check(DMSwarmRestoreField(swarm, name, nullptr, nullptr, &data), "reaching a swarm");
}

/// Records [begin, end) go; what comes is appended to `got`.
void one_round(const Ranks& ranks, const Records& records, const Array<int>& to, std::int64_t begin, std::int64_t end,
               Records& got) {
  const std::int64_t n = end - begin, each = records.each;
  const OwnedDM swarm = make_swarm(ranks, each);
  check(DMSwarmSetLocalSizes(swarm.get(), static_cast<PetscInt>(n), 0), "filling a swarm");
  with_field<std::byte>(swarm.get(), field, [&](std::byte* data) {
    if (n > 0) std::memcpy(data, records[begin], static_cast<std::size_t>(n * each));
  });
  with_field<PetscInt>(swarm.get(), DMSwarmField_rank, [&](PetscInt* rank) {
    for (std::int64_t i = 0; i < n; ++i) rank[i] = to[begin + i];
  });
  // All of them leave, so none needs to be removed, which DMSwarm does one by one: what has come stands behind them.
  check(DMSwarmMigrate(swarm.get(), PETSC_FALSE), "moving a swarm");
  PetscInt now = 0;
  check(DMSwarmGetLocalSize(swarm.get(), &now), "reaching a swarm");
  const std::int64_t had = got.bytes.size(), more = (now - n) * each;
  got.bytes.resize(had + more);
  with_field<std::byte>(swarm.get(), field, [&](const std::byte* data) {
    if (more > 0) std::memcpy(got.bytes.data() + had, data + n * each, static_cast<std::size_t>(more));
  });
}

} // namespace

Records exchange(const Ranks& ranks, const Records& records, const Array<int>& to, std::int64_t bytes_a_round) {
  Records got(records.each);
  if (ranks.size() == 1) return got;
  const std::int64_t n = records.size(), a_round = std::max<std::int64_t>(1, bytes_a_round / records.each);
  std::int64_t rounds = 0;
  for (const std::int64_t theirs : all(ranks, (n + a_round - 1) / a_round)) rounds = std::max(rounds, theirs);
  for (std::int64_t r = 0; r < rounds; ++r)
    one_round(ranks, records, to, std::min(n, r * a_round), std::min(n, (r + 1) * a_round), got);
  return got;
}

} // namespace corral::distributed
