#include "fluid/transport/padded_velocity.t.hpp"

namespace corral::fluid {
PaddedShape padded_shape(const Grid& grid, Staggering staggering) {
  constexpr std::int64_t layers = PaddedShape::layers;
  PaddedShape p;
  for (int e = 0; e < 3; ++e) p.points[e] = grid.points(staggering, e);
  p.stride = {1, p.points[0] + 2 * layers, (p.points[0] + 2 * layers) * (p.points[1] + 2 * layers)};
  return p;
}

namespace {

PaddedFaces make(const Grid& grid, int d, Memory memory) {
  const PaddedShape shape = padded_shape(grid, face(d));
  return {shape, Array<double>(shape.size(), 0.0, memory)};
}

} // namespace

PaddedVelocity::PaddedVelocity(const Domain& domain, Memory memory, BeyondWalls beyond)
    : domain_(domain), beyond_(beyond), u_{make(domain.grid(), 0, memory), make(domain.grid(), 1, memory), make(domain.grid(), 2, memory)},
      has_closed_(domain.has_closed_faces()) {
  if (has_closed_) set_apertures(memory);
}

PaddedVelocity::PaddedVelocity(const Domain& domain, const Scratch& scratch)
    : domain_(domain), beyond_(BeyondWalls::mirrored), has_closed_(domain.has_closed_faces()) {
  for (int d = 0; d < 3; ++d) static_cast<PaddedShape&>(u_[static_cast<std::size_t>(d)]) = padded_shape(domain.grid(), face(d));
  if (has_closed_) set_apertures(scratch.memory());
}

void PaddedVelocity::set_apertures(Memory memory) {
  for (int d = 0; d < 3; ++d) {
    PaddedFaces p = make(domain_.grid(), d, Memory::host);
    for_each_face(Cpu{}, domain_.grid(), d, [&](const Face& f) {
      p.values[p.row(f.place[1], f.place[2]) + f.place[0]] = domain_.aperture(d, f.index);
    });
    for (int along = 0; along < 3; ++along)
      fluid::fill_beyond(Cpu{}, p, along, domain_.grid().axis(along).periodic(), along == d, {}, {}, {{0, p.points[2]}});
    p.values = Array<double>(p.values.span(), memory);
    open_[d] = std::move(p);
  }
}

PaddedVelocityView PaddedVelocity::view() const {
  PaddedVelocityView v{};
  for (std::size_t d = 0; d < 3; ++d) {
    v.shape[d] = u_[d];
    v.u[d] = u_[d].values.data();
    v.open[d] = has_closed_ ? open_[d].values.data() : nullptr;
    v.per_cell[d] = 1 / domain_.grid().axis(static_cast<int>(d)).spacing;
  }
  return v;
}

template void PaddedVelocity::fill(Cpu, const std::array<const double*, 3>&, const Planes&);
template void PaddedVelocity::set(Cpu, int, const double*);
template void PaddedVelocity::fill_beyond(Cpu, int, PaddedFaces&, const Planes&) const;

} // namespace corral::fluid
