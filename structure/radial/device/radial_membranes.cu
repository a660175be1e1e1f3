#include "structure/radial/device/radial_membranes.hpp"

#include "structure/radial/device/matrix_products.hpp"
#include "structure/radial/device/passes.cuh"
#include "structure/radial/force_rules.hpp"
#include "structure/radial/sampled_shapes.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace corral::structure {

using namespace radial;

namespace radial {

struct DeviceSites::Parts {
  /// Even and odd part.
  using Operators = std::array<std::array<Array<double>, 2>, surface_derivatives>;

  explicit Parts(const SphereSites& sites)
      : data{sites.data().count()}, samples{sites.samples().count()}, weights(sites.sample_weights().span(), Memory::device) {
    for (int d = 0; d < surface_derivatives; ++d)
      for (int part = 0; part < 2; ++part) {
        copy(sites.at_samples(), d, part, samples, at_samples);
        if (d > 0) copy(sites.at_data(), d, part, data, at_data);
      }
  }
  std::int64_t width(int part) const { return part == 0 ? data.representatives() : data.pairs(); }

  SitesView data, samples;
  Operators at_data, at_samples;
  Array<double> weights;
  mutable MatrixProducts products;

private:
  void copy(const SiteOperators& from, int derivative, int part, const SitesView& sites, Operators& to) {
    const double* const first = from.row(static_cast<SurfaceDerivative>(derivative), part, 0);
    const auto size = static_cast<std::size_t>(sites.representatives() * width(part));
    to[static_cast<std::size_t>(derivative)][static_cast<std::size_t>(part)] = Array<double>(std::span(first, size), Memory::device);
  }
};

DeviceSites::DeviceSites(const SphereSites& sites) : parts_(std::make_unique<Parts>(sites)) {}
DeviceSites::~DeviceSites() = default;

} // namespace radial

using namespace radial::on_device;

namespace {

constexpr std::int64_t most = 64; ///< membranes of a group

} // namespace

class DeviceRadialMembranes::Parts {
public:
  Parts(const SphereSites& sites, std::shared_ptr<const DeviceSites> there, const ConstPoints& reference, const Material& material,
        std::int64_t count, RadialForces rule)
      : sites_(std::move(there)), material_(material), count_(count) {
    require_material(material);
    const ReferenceShape rest(Cpu{}, sites, reference, material);
    volume_ = rest.volume(), area_ = rest.area();
    std::vector<RestSite> at_samples;
    std::vector<SurfaceTensor> at_data;
    std::vector<double> curvature;
    for (std::int64_t i = 0; i < samples().count; ++i) at_samples.push_back(rest.at_sample(i));
    for (std::int64_t j = 0; j < data().count; ++j) at_data.push_back(rest.metric_at_data(j)), curvature.push_back(rest.curvature_at_data(j));
    rest_.assign(at_samples), rest_at_data_.assign(at_data), rest_curvature_.assign(curvature);
    if (rule != RadialForces::variational) return;
    const std::array<Array<double>, 2> inverse = inverse_masses(Cpu{}, sites);
    for (std::size_t part = 0; part < 2; ++part) inverse_mass_[part].assign(inverse[part].span());
  }

  const SitesView& data() const { return sites_->parts().data; }
  const SitesView& samples() const { return sites_->parts().samples; }
  std::int64_t count() const { return count_; }

  void set_anchors(Gpu gpu, const ConstPoints& markers) {
    for (Array<double>& anchor : anchors_) anchor.resize(count_ * samples().count);
    place_force_points(gpu, markers, {anchors_[0].data(), anchors_[1].data(), anchors_[2].data()});
  }

  void place_force_points(Gpu gpu, const ConstPoints& markers, const Points& to) {
    each_group([&](std::int64_t first, std::int64_t members) {
      place(gpu, first, members, markers, false);
      sample(gpu, 0, 1);
      put_places(gpu, view(first, members, false), from(to, first * samples().count));
    });
  }

  void forces(Gpu gpu, const ConstPoints& markers, const Points& forces) {
    const bool variational = !inverse_mass_[0].empty(), bent = is_bent(material_), by_position = is_constrained(material_) || pulls();
    each_group([&](std::int64_t first, std::int64_t members) {
      place(gpu, first, members, markers, bent && !variational);
      if (by_position) sample(gpu, 0, 1);
      sample(gpu, 1, bent || !variational ? 6 : 3);
      const GroupView group = view(first, members, pulls());
      find_penalties(gpu, group, volume_, area_, parts_, sums_.data(), penalties_.data());
      const Points to = from(forces, first * samples().count);
      if (!variational) return put_collocated(gpu, group, to);
      spread_derivatives(gpu, group, by_position, bent);
      put_spread(gpu, group, results_of(results_[0]), to);
    });
  }

  void measure(Gpu gpu, const ConstPoints& markers, MembraneMeasures* measures) {
    each_group([&](std::int64_t first, std::int64_t members) {
      place(gpu, first, members, markers, false);
      sample(gpu, 0, is_bent(material_) ? 6 : 3);
      put_measures(gpu, view(first, members, pulls()), volume_, area_, parts_, sums_.data(), measures + first);
    });
  }

  void describe(Gpu gpu, const ConstPoints& markers, const MarkerColumns& columns) {
    each_group([&](std::int64_t first, std::int64_t members) {
      place(gpu, first, members, markers, false);
      sample_at_data(gpu, members);
      const auto of_group = [&](double* column) { return column ? column + first * data().count : nullptr; };
      put_columns(gpu, members, data(), shapes_of(data()), rest_at_data_.data(), material_,
                  {of_group(columns.mean_curvature), of_group(columns.larger_tension), of_group(columns.smaller_tension)});
    });
  }

private:
  template <class F> void each_group(F f) {
    for (std::int64_t first = 0; first < count_; first += most) f(first, std::min(most, count_ - first));
  }
  static Points from(const Points& x, std::int64_t first) { return {x[0] + first, x[1] + first, x[2] + first}; }
  bool pulls() const {
    if (material_.tether_stiffness == 0) return false;
    if (anchors_[0].empty()) throw Error("tethers without anchors (the material has tethers) call set_anchors first");
    return true;
  }

  /// Positions of a group, and behind them how it bends, where that is asked for.
  void place(Gpu gpu, std::int64_t first, std::int64_t members, const ConstPoints& markers, bool with_curvature) {
    const std::int64_t begin = first * data().count;
    const ConstPoints x{markers[0] + begin, markers[1] + begin, markers[2] + begin};
    origins_.resize(members), place_sums_.resize(members), sums_.resize(members), penalties_.resize(members);
    halves_.resize(data().representatives(), (with_curvature ? 4 : 3) * members);
    find_origins(gpu, members, data().count, x, place_parts_, place_sums_.data(), origins_.data());
    halve_places(gpu, members, data(), x, origins_.data(), view_of(halves_));
    if (!with_curvature) return;
    sample_at_data(gpu, members);
    append_curvature(gpu, members, shapes_of(data()), data(), rest_curvature_.data(), view_of(halves_));
  }

  /// Derivatives [first, last) at sites, of the first columns of what is placed.
  void apply(Gpu gpu, const DeviceSites::Parts::Operators& operators, const SitesView& sites, std::int64_t columns, std::size_t first,
             std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      results_[k].resize(sites.representatives(), columns);
      apply(gpu, operators[k], sites, halves_, columns, results_[k]);
    }
  }
  void apply(Gpu gpu, const std::array<Array<double>, 2>& matrix, const SitesView& sites, const DeviceHalves& x, std::int64_t columns,
             DeviceHalves& to) {
    for (int part = 0; part < 2; ++part) {
      const std::int64_t width = sites_->parts().width(part);
      sites_->parts().products.multiply(gpu, {matrix[static_cast<std::size_t>(part)].data(), sites.representatives(), width, width}, false,
                                        {(part == 0 ? x.even : x.odd).data(), width, columns, x.columns},
                                        (part == 0 ? to.even : to.odd).data(), to.columns, false);
    }
  }
  void sample(Gpu gpu, std::size_t first, std::size_t last) {
    apply(gpu, sites_->parts().at_samples, samples(), halves_.columns, first, last);
  }
  void sample_at_data(Gpu gpu, std::int64_t members) { apply(gpu, sites_->parts().at_data, data(), 3 * members, 1, 6); }

  /// Forces at data sites from the energy's derivatives, and the function whose values these are, at sample sites.
  void spread_derivatives(Gpu gpu, const GroupView& group, bool by_position, bool bent) {
    std::array<HalvesView, 6> views{};
    for (std::size_t k = 0; k < 6; ++k) {
      derivatives_[k].resize(samples().representatives(), 3 * group.members);
      views[k] = view_of(derivatives_[k]);
    }
    put_derivatives(gpu, group, views);
    gathered_.resize(data().representatives(), 3 * group.members);
    solved_.resize(data().representatives(), 3 * group.members);
    start_sums(gpu, group.members, data(), penalties_.data(), view_of(gathered_));
    const DeviceSites::Parts& sites = sites_->parts();
    for (int part = 0; part < 2; ++part) {
      const std::int64_t width = sites.width(part);
      const auto p = static_cast<std::size_t>(part);
      double* const gathered = (part == 0 ? gathered_.even : gathered_.odd).data();
      for (std::size_t k = by_position ? 0 : 1; k < (bent ? 6u : 3u); ++k)
        sites.products.multiply(gpu, {sites.at_samples[k][p].data(), samples().representatives(), width, width}, true,
                                {part == 0 ? views[k].even : views[k].odd, samples().representatives(), views[k].columns, views[k].columns},
                                gathered, gathered_.columns, true);
      sites.products.multiply(gpu, {inverse_mass_[p].data(), width, width, width}, false, {gathered, width, gathered_.columns, gathered_.columns},
                              (part == 0 ? solved_.even : solved_.odd).data(), solved_.columns, false);
    }
    results_[0].resize(samples().representatives(), solved_.columns);
    apply(gpu, sites.at_samples[0], samples(), solved_, solved_.columns, results_[0]);
  }

  ResultsView results_of(const DeviceHalves& h) const { return {h.even.data(), h.odd.data(), h.columns, samples()}; }
  ShapesView shapes_of(const SitesView& sites) const {
    ShapesView shapes{};
    for (std::size_t k = 0; k < 6; ++k) shapes.of[k] = {results_[k].even.data(), results_[k].odd.data(), results_[k].columns, sites};
    return shapes;
  }
  GroupView view(std::int64_t first, std::int64_t members, bool pulled) const {
    ConstPoints anchors{};
    for (std::size_t d = 0; d < 3 && pulled; ++d) anchors[d] = anchors_[d].data() + first * samples().count;
    return {material_,       samples(),         shapes_of(samples()), rest_.data(), sites_->parts().weights.data(),
            origins_.data(), penalties_.data(), anchors,              members};
  }

  std::shared_ptr<const DeviceSites> sites_;
  Material material_;
  std::int64_t count_;
  double volume_ = 0, area_ = 0; ///< at rest [m3], [m2]
  Array<RestSite> rest_{Memory::device};
  Array<SurfaceTensor> rest_at_data_{Memory::device};
  Array<double> rest_curvature_{Memory::device};
  std::array<Array<double>, 2> inverse_mass_{Array<double>(Memory::device), Array<double>(Memory::device)}; ///< of the variational rule
  std::array<Array<double>, 3> anchors_{Array<double>(Memory::device), Array<double>(Memory::device), Array<double>(Memory::device)};
  // Of a group in turn.
  Array<Vector> origins_{Memory::device};
  Array<ThreeSums> place_parts_{Memory::device}, place_sums_{Memory::device};
  Array<SurfaceSums> parts_{Memory::device}, sums_{Memory::device};
  Array<PenaltyOf> penalties_{Memory::device};
  DeviceHalves halves_, gathered_, solved_;
  std::array<DeviceHalves, 6> results_, derivatives_;
};

DeviceRadialMembranes::DeviceRadialMembranes(const SphereSites& sites, std::shared_ptr<const DeviceSites> there,
                                             const ConstPoints& reference, const Material& material, std::int64_t count, RadialForces rule)
    : parts_(std::make_unique<Parts>(sites, std::move(there), reference, material, count, rule)) {}
DeviceRadialMembranes::~DeviceRadialMembranes() = default;

std::int64_t DeviceRadialMembranes::count() const { return parts_->count(); }
std::int64_t DeviceRadialMembranes::markers_per_membrane() const { return parts_->data().count; }
std::int64_t DeviceRadialMembranes::force_points_per_membrane() const { return parts_->samples().count; }
void DeviceRadialMembranes::set_anchors(Gpu gpu, const ConstPoints& markers) { parts_->set_anchors(gpu, markers); }
void DeviceRadialMembranes::place_force_points(Gpu gpu, const ConstPoints& markers, const Points& to) {
  parts_->place_force_points(gpu, markers, to);
}
void DeviceRadialMembranes::forces(Gpu gpu, const ConstPoints& markers, const Points& forces) { parts_->forces(gpu, markers, forces); }
void DeviceRadialMembranes::measure(Gpu gpu, const ConstPoints& markers, MembraneMeasures* measures) {
  parts_->measure(gpu, markers, measures);
}
void DeviceRadialMembranes::describe_markers(Gpu gpu, const ConstPoints& markers, const MarkerColumns& columns) {
  parts_->describe(gpu, markers, columns);
}

} // namespace corral::structure
