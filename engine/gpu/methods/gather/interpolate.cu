#include "engine/gpu/methods/gather/launch.hpp"
#include "engine/gpu/methods/methods.cuh"
#include "engine/gpu/tuning.cuh"

#include <algorithm>
#include <vector>

namespace corral::gpu {
namespace gather {
namespace {

using Block = FieldBlock<double, Interpolate<double>>;

using Fields = FieldsOfStaggering<double, Interpolate<double>>;

Source source_of(const Fields::value_type& member) {
  const Block& block = *member.block;
  const FieldView<const double>& view = block.fields_of_caller.view[member.field];
  return {view.data, {view.stride[0], view.stride[1], view.stride[2]}, block.fields.padded[member.field],
          block.fields.column[member.field]};
}

/// Whether two fields alternate in memory, as real and imaginary parts do, in words that can be copied.
bool alternate(const Source& a, const Source& b) {
  bool even = reinterpret_cast<std::uintptr_t>(a.field) % 16 == 0 && b.field == a.field + 1;
  for (int d = 0; d < 3; ++d) even = even && a.stride[d] == b.stride[d] && a.stride[d] % 2 == 0;
  return even;
}

/// Whether the entries evaluate the weights: those of other kernels pass through memory.
bool in_place(const DeviceKernelWeights<double>& kernel) {
  return kernel.along.formula != nullptr && kernel.across.formula != nullptr;
}

/// Without what a pass decides.
Job job_of(const InterpolateCall<double>& call, const Block& block) {
  Job job{};
  job.places = call.places;
  if (in_place(call.kernel))
    for (const bool on_faces : {false, true}) {
      const DeviceAxisKernel<double>& kernel = call.kernel(on_faces);
      job.formula[on_faces] = kernel.formula(kernel.kernel);
    }
  for (int d = 0; d < 3; ++d) {
    const PaddedAxis& axis = block.layout.axis[d];
    StencilsOfAxis& stencils = job.axis[d];
    stencils = {axis.support.width, axis.support.thin ? 1 : axis.support.support, axis.support.straddled,
                block.stencils.axis[d].weights, axis.support.thin ? thin_formula : axis.support.on_faces && !call.kernel.alike(), 1, false};
    if (!axis.support.thin) {
      stencils.terms = job.formula[stencils.formula].terms;
      stencils.rooted = job.formula[stencils.formula].under_root[0] != 0;
    }
    job.points.first[d] = static_cast<int>(axis.support.first);
    job.points.of_field[d] = static_cast<int>(axis.points);
    job.points.stride[d] = block.layout.stride[d];
  }
  const auto like_x = [&](const StencilsOfAxis& axis) {
    return axis.weights == nullptr && axis.points == job.axis[0].points && axis.formula == job.axis[0].formula;
  };
  job.alike = std::all_of(job.axis, job.axis + 3, like_x);
  job.buffer[0] = std::max(job.axis[0].points, job.axis[2].points);
  job.buffer[1] = job.axis[1].points;
  return job;
}

/// Bricks that hold over twice as many particles as a whole one should are cut into parts; all are where they are so few that the
/// last ones would leave multiprocessors idle.
Parts parts_of(const InterpolateCall<double>& call, const Choice& choice) {
  const Division& d = choice.division;
  const std::int64_t n = call.places.size, bricks = std::int64_t{d.bricks[0]} * d.bricks[1] * d.bricks[2],
                     blocks = std::int64_t{tuning::gathering_rounds} * multiprocessors() * choice.instance->blocks,
                     of_brick = (blocks - 1) / bricks + 1;
  const double held = call.particles_per_group() * d.brick[0] * d.brick[1] * d.brick[2],
               of_part = of_brick == 1 ? 2 * held : 1.1 * held / static_cast<double>(of_brick);
  const std::int64_t particles = std::max(tuning::part_of_gathered_brick, static_cast<std::int64_t>(of_part));
  Parts parts{};
  parts.particles = static_cast<std::uint32_t>(particles);
  parts.most = static_cast<unsigned>(bricks + n / particles);
  const std::int64_t words_of_part = sizeof(Part) / sizeof(std::uint32_t);
  parts.count = call.scratch.parts.renew(1 + parts.most * words_of_part, call.stream);
  parts.part = reinterpret_cast<Part*>(parts.count + 1);
  return parts;
}

void run_passes(const InterpolateCall<double>& call, const Fields& fields) {
  Job job = job_of(call, *fields[0].block);
  int cells[3], width[3];
  for (int d = 0; d < 3; ++d) {
    cells[d] = static_cast<int>(call.places.per_axis[d]);
    width[d] = job.axis[d].width;
  }
  const int all = static_cast<int>(fields.size());
  const Instance* listed = nullptr;
  for (int first = 0; first < all; first += job.fields) {
    const Choice choice = choose(cells, width, job.buffer, call.particles_per_group(), all - first);
    job.fields = std::min(choice.instance->F, all - first);
    job.paired = 0;
    for (int f = 0; f < job.fields; ++f) {
      job.source[f] = source_of(fields[static_cast<std::size_t>(first + f)]);
      if (f % 2 == 1 && alternate(job.source[f - 1], job.source[f])) job.paired |= 1u << f / 2;
    }
    if (choice.instance != listed) { // as many fields as before: the same bricks
      job.division = choice.division;
      job.parts = parts_of(call, choice);
      list_parts(call.stream, job);
    }
    listed = choice.instance;
    choice.instance->launch(call.stream, job);
  }
}

} // namespace
} // namespace gather

void interpolate_bricks(InterpolateCall<double>& call) {
  if (!gather::in_place(call.kernel)) call.evaluate_weights();
  for (const auto& block : call.blocks) fill_beyond<double>(call.stream, block.layout, block.fields_of_caller, block.memory);
  for (const gather::Fields& fields : fields_by_staggering(call)) gather::run_passes(call, fields);
}

} // namespace corral::gpu
