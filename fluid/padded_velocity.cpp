#include "fluid/padded_velocity.hpp"

namespace corral::fluid {
namespace {

constexpr std::int64_t layers = PaddedFaces::layers;

PaddedFaces make(const Grid& grid, int d) {
  PaddedFaces p;
  for (int e = 0; e < 3; ++e) p.points[static_cast<std::size_t>(e)] = grid.points(face(d), e);
  p.stride = {1, p.points[0] + 2 * layers, (p.points[0] + 2 * layers) * (p.points[1] + 2 * layers)};
  p.values.resize(p.stride[2] * (p.points[2] + 2 * layers), 0.0);
  return p;
}

} // namespace

PaddedVelocity::PaddedVelocity(const Domain& domain) : domain_(domain), has_closed_(domain.has_closed_faces()) {
  for (int d = 0; d < 3; ++d) u_[static_cast<std::size_t>(d)] = make(domain.grid(), d);
  if (has_closed_) set_apertures();
}

void PaddedVelocity::set_apertures() {
  for (int d = 0; d < 3; ++d) {
    PaddedFaces& p = open_[static_cast<std::size_t>(d)];
    p = make(domain_.grid(), d);
    for_each_face(Cpu{}, domain_.grid(), d, [&](const Face& f) {
      p.values[p.row(f.place[1], f.place[2]) + f.place[0]] = domain_.aperture(d, f.index);
    });
    for (int along = 0; along < 3; ++along)
      fill_beyond(Cpu{}, p, along, domain_.grid().axis(along).periodic(), along == d, {}, {});
  }
}

void PaddedVelocity::fill(Cpu cpu, const std::array<const double*, 3>& u) {
  for (int d = 0; d < 3; ++d) {
    PaddedFaces& p = u_[static_cast<std::size_t>(d)];
    const double* from = u[static_cast<std::size_t>(d)];
    const double* open = has_closed_ ? open_[static_cast<std::size_t>(d)].values.data() : nullptr;
    for_each_chunk(cpu, p.rows(), rows_per_task, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t r = begin; r < end; ++r) {
        const std::int64_t at = p.row(r % p.points[1], r / p.points[1]);
        std::copy_n(from + r * p.points[0], p.points[0], p.values.data() + at);
        for (std::int64_t i = 0; open && i < p.points[0]; ++i)
          if (open[at + i] == 0) p.values[at + i] = 0;
      }
    });
    fill_beyond(cpu, d, p);
  }
}

void PaddedVelocity::fill_beyond(Cpu cpu, int d, PaddedFaces& p) const {
  for (int along = 0; along < 3; ++along) { // in this order edges and corners are set, too
    const auto mirror = [&](bool high) -> Mirror {
      const int s = side(along, high);
      if (domain_.side_kind(s) != SideKind::no_slip) return {};
      return {-1.0, 2 * domain_.wall_velocity(s)[static_cast<std::size_t>(d)]};
    };
    fill_beyond(cpu, p, along, domain_.grid().axis(along).periodic(), along == d, mirror(false), mirror(true));
  }
}

void PaddedVelocity::fill_beyond(Cpu cpu, PaddedFaces& p, int along, bool periodic, bool normal, Mirror low,
                                 Mirror high) {
  const auto a = static_cast<std::size_t>(along), b = (a + 1) % 3, c = (a + 2) % 3;
  const std::int64_t n = p.points[a];
  const auto inside = [n](std::int64_t i) { return std::min(std::max<std::int64_t>(i, 0), n - 1); };
  const std::int64_t nb = p.points[b] + 2 * layers, nc = p.points[c] + 2 * layers;
  double* const origin = p.values.data() + layers * p.stride[a];
  for_each_chunk(cpu, nb * nc, 256, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t line = begin; line < end; ++line) {
      double* u = origin + (line % nb) * p.stride[b] + (line / nb) * p.stride[c];
      const auto at = [&](std::int64_t i) -> double& { return u[i * p.stride[a]]; };
      for (std::int64_t g = 1; g <= layers; ++g) {
        if (periodic) {
          at(-g) = at(((n - g) % n + n) % n);
          at(n - 1 + g) = at((g - 1) % n);
        } else if (normal) {
          at(-g) = at(0);
          at(n - 1 + g) = at(n - 1);
        } else {
          at(-g) = low.sign * (at(inside(g - 1)) - low.shift);
          at(n - 1 + g) = high.sign * (at(inside(n - g)) - high.shift);
        }
      }
    }
  });
}

RowAlong PaddedVelocity::row_along(int d, int e, std::int64_t j, std::int64_t k, const PaddedFaces& carried) const {
  const auto normal = static_cast<std::size_t>(d), axis = static_cast<std::size_t>(e);
  const PaddedFaces& carrier = u_[axis];
  const std::int64_t at = carried.row(j, k), carrier_at = carrier.row(j, k);
  return {.along_normal = e == d,
          .u = carried.values.data() + at,
          .step = carried.stride[axis],
          .v = carrier.values.data() + carrier_at,
          .normal = carrier.stride[normal],
          .axis = carrier.stride[axis],
          .open_u = has_closed_ ? open_[normal].values.data() + at : nullptr,
          .open_v = has_closed_ ? open_[axis].values.data() + carrier_at : nullptr};
}

} // namespace corral::fluid
