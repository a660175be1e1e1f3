#include "engine/gpu/methods/bricks.cuh"
#include "engine/gpu/methods/towers/launch.hpp"

#include <corral/device_records.cuh>

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

namespace corral::gpu {
namespace towers {
namespace {

template <class T> using Block = FieldBlock<T, Spread<T>>;

template <class T> using Fields = FieldsOfStaggering<T, Spread<T>>;

/// The first of what is served that is no less; the last otherwise.
template <std::size_t n> int served(const int (&some)[n], int least) {
  const int* const found = std::find_if(some, some + n, [&](int s) { return s >= least; });
  return found == some + n ? some[n - 1] : *found;
}

template <class T> Cells cells_of(const SpreadCall<T>& call, const Block<T>& block) {
  Cells cells{call.places.begin, {}, {}};
  for (int d = 0; d < 3; ++d) {
    cells.count[d] = static_cast<int>(call.places.per_axis[d]);
    cells.width[d] = block.support.axis[d].width;
  }
  return cells;
}

template <class T> Points points_of(const Fields<T>& fields, int first, int count) {
  Points points{};
  const PaddedField& layout = fields[0].block->layout;
  for (int d = 0; d < 3; ++d) {
    points.first[d] = static_cast<int>(layout.axis[d].support.first);
    points.padded[d] = static_cast<int>(layout.axis[d].padded);
    points.of_field[d] = static_cast<int>(layout.axis[d].points);
    points.stride[d] = static_cast<unsigned>(layout.stride[d]);
  }
  points.fields = count;
  points.single = std::is_same_v<T, float>;
  for (int i = 0; i < count; ++i) {
    const auto& member = fields[static_cast<std::size_t>(first + i)];
    const FieldView<T>& view = member.block->fields_of_caller.view[member.field];
    points.target[i] = {view.data, {}, member.block->fields.padded[member.field]};
    for (int d = 0; d < 3; ++d) points.target[i].stride[d] = static_cast<int>(view.stride[d]);
  }
  return points;
}

/// Without memory for sums, which the number of fields decides.
template <class T> Crowds crowds_of(const SpreadCall<T>& call, const Cells& cells) {
  Crowds crowds;
  std::int64_t points = 1, bricks = 1;
  for (int d = 0; d < 3; ++d) {
    crowds.bricks[d] = (cells.count[d] - 1) / brick_edge + 1;
    points *= Crowds::points(cells.width[d]);
    bricks *= crowds.bricks[d];
  }
  const std::int64_t n = call.places.size;
  constexpr tuning::PartSize size = tuning::part_of_tower;
  const std::int64_t most =
      std::clamp<std::int64_t>(tuning::most_tower_part_bytes / (points * std::int64_t{sizeof(double)}), 2, size.most);
  // Bricks that hold more than a part are cut into fewer than twice as many parts as would be full.
  const std::int64_t particles =
      std::max({size.least, tuning::crowded_over_mean * n / bricks, (2 * n + most - 1) / most});
  crowds.particles = static_cast<std::uint32_t>(particles);
  crowds.most = n <= particles ? 0 : static_cast<unsigned>(2 * n / particles);
  if (crowds.most == 0) return crowds;
  const std::int64_t words_of_part = sizeof(PartOfBrick) / sizeof(std::uint32_t);
  std::uint32_t* const words = call.scratch.parts.renew(1 + crowds.most * words_of_part + bricks, call.stream);
  crowds.count = words;
  crowds.part = reinterpret_cast<PartOfBrick*>(words + 1);
  crowds.first = words + 1 + crowds.most * words_of_part;
  return crowds;
}

/// One record a particle with the values of the fields from `first` on, read by several towers.
template <class T>
const double* write_records(const SpreadCall<T>& call, const Fields<T>& fields, const RecordLayout& layout,
                            int first, int count) {
  const Places<T>& places = call.places;
  detail::RecordJob job{};
  job.single = std::is_same_v<T, float>;
  job.n = places.size;
  job.cells = places.groups;
  job.cell = places.key;
  job.source = places.source;
  for (std::size_t d = 0; d < 3; ++d) {
    const shared::AxisSupport& axis = fields[0].block->support.axis[d];
    if (d < 2) job.per_axis[d] = places.per_axis[d];
    job.u[d] = places.u[d];
    job.thin[d] = axis.thin;
    job.straddled[d] = axis.straddled;
  }
  job.points = layout.points;
  job.values = layout.values;
  job.size = layout.size;
  job.fields = count;
  for (int f = 0; f < count; ++f) {
    const auto& member = fields[static_cast<std::size_t>(first + f)];
    const Column<const T>& column = member.block->fields.column[member.field];
    job.column[f] = {column.data, column.stride};
  }
  job.record = call.scratch.records.renew(places.size * layout.size, call.stream);
  job.whole = true;
  for (const bool on_faces : {false, true}) {
    if (on_faces && call.kernel.alike()) break;
    for (std::size_t d = 0; d < 3; ++d)
      job.axis[d] = call.kernel.alike() || fields[0].block->support.axis[d].on_faces == on_faces;
    const DeviceAxisKernel<T>& kernel = call.kernel(on_faces);
    kernel.write_records(Gpu{call.stream}, kernel.kernel, job);
    job.whole = false;
  }
  return job.record;
}

/// Records, visits, towers, crowds: the fields from `first` on, `count` of them, by a shape for so many points.
template <int P, class T>
void run_pass(const SpreadCall<T>& call, const Fields<T>& fields, const Cells& cells, Crowds crowds, int first,
              int count) {
  const int shape_fields = served(fields_served, count);
  const RecordLayout layout = record_layout(P, shape_fields);
  const double* const records = write_records(call, fields, layout, first, count);
  if (crowds.most > 0) {
    std::int64_t points = count;
    for (int d = 0; d < 3; ++d) points *= Crowds::points(cells.width[d]);
    crowds.sums = call.scratch.crowd_sums.renew(crowds.most * points, call.stream);
  }
  const int points_of_tower = choose(P, shape_fields).points_of_tower;
  Job job{records, cells, points_of(fields, first, count), crowds, {}, nullptr, 1};
  job.towers[0] = (job.points.padded[0] - 1) / edge + 1;
  job.towers[1] = (job.points.padded[1] - 1) / points_of_tower + 1;
  const std::int64_t pairs = std::int64_t{job.towers[0]} * job.towers[1] * ((job.points.padded[2] + 1) / 2);
  std::uint64_t* const visits = call.scratch.visits.renew(pairs + 1, call.stream);
  job.visits_before = visits;
  count_visits(call.stream, job, points_of_tower, visits);
  add_up(call.stream, visits, pairs + 1, call.scratch.sort_scratch);
  launch_points<P>(call.stream, job, shape_fields);
  add_crowds(call.stream, job);
}

template <int P, class T> void run_passes(const SpreadCall<T>& call, const Fields<T>& fields) {
  const Cells cells = cells_of(call, *fields[0].block);
  const Crowds crowds = crowds_of(call, cells);
  find_crowds(call.stream, cells, crowds);
  const int all = static_cast<int>(fields.size());
  for (int first = 0; first < all; first += most_fields)
    run_pass<P>(call, fields, cells, crowds, first, std::min(most_fields, all - first));
}

} // namespace
} // namespace towers

template <class T> bool towers_count(const SpreadCall<T>& call) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  bool fits = true;
  for (const std::uint32_t cells : call.places.per_axis) fits = fits && cells < most / 2;
  for (const auto& block : call.blocks)
    for (int f = 0; f < block.fields_of_caller.count; ++f)
      for (const std::int64_t stride : block.fields_of_caller.view[f].stride)
        fits = fits && stride <= most && stride >= -most;
  return fits;
}

template <class T> void spread_towers(const SpreadCall<T>& call) {
  for (const auto& block : call.blocks) require_brick_points<T>(block, Method::towers);
  if (!towers_count(call))
    throw Error("method towers with over 2^30 cells along an axis, or a field with a stride of over 2^31 values (it "
                "counts them in 32 bits) take tiles, or automatic");
  for (const towers::Fields<T>& fields : fields_by_staggering(call)) {
    int width = 0;
    for (const shared::AxisSupport& axis : fields[0].block->support.axis) width = std::max(width, axis.width);
    switch (towers::served(towers::points_served, width)) {
    case 4: towers::run_passes<4>(call, fields); break;
    case 5: towers::run_passes<5>(call, fields); break;
    case 6: towers::run_passes<6>(call, fields); break;
    case 8: towers::run_passes<8>(call, fields); break;
    case 11: towers::run_passes<11>(call, fields); break;
    case 14: towers::run_passes<14>(call, fields); break;
    default: towers::run_passes<17>(call, fields); break;
    }
  }
}

template bool towers_count(const SpreadCall<float>&);
template bool towers_count(const SpreadCall<double>&);
template void spread_towers(const SpreadCall<float>&);
template void spread_towers(const SpreadCall<double>&);

} // namespace corral::gpu
