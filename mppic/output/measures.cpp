#include "mppic/output/measures.t.hpp"

#include <vector>

namespace corral::mppic {

Measures::Measures(const Setup& setup, const fluid::Domain& domain) : setup_(setup), domain_(domain) {}

double Measures::weight(double mass, double volume) const {
  const double area = setup_.size[0] * setup_.size[1];
  if (setup_.solids.densities_differ()) return (mass - setup_.gas.rho * volume) * -setup_.gravity[2] / area;
  return volume * (-setup_.gravity[2] * (setup_.solids.rho - setup_.gas.rho)) / area;
}

/// Linear within a layer.
double Measures::height_99(const std::vector<std::uint64_t>& heights) const {
  const double low = setup_.origin[2], width = setup_.size[2] / height_bins;
  double total = 0, above = 0;
  for (const std::uint64_t here : heights) total += static_cast<double>(here);
  for (std::size_t b = heights.size(); b-- > 0;) {
    const auto here = static_cast<double>(heights[b]);
    if (above + here > 0.01 * total) return low + width * (static_cast<double>(b) + 1 - (0.01 * total - above) / here);
    above += here;
  }
  return low;
}

template FiguresOfStep Measures::of_step(const Step<Cpu>&) const;
template FiguresOfBed Measures::of_bed(Step<Cpu>&);

} // namespace corral::mppic
