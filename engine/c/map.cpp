#include "engine/c/arguments.hpp"
#include "engine/shared/field_support.hpp"

#include <corral/interpolate.hpp>
#include <corral/kernels/shipped.hpp>
#include <corral/spread.hpp>

#include <cmath>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

using namespace corral;

namespace {

Method method_of(std::string_view wanted) {
  for (Method method : all_methods())
    if (name(method) == wanted) return method;
  throw Error("method \"" + std::string(wanted) + "\" is not known (corral_method_name has those that are)");
}

struct Options {
  std::string_view kernel = kernels::Linear::name;
  Method method = Method::automatic;
  double beta = 0; ///< of a window; 0: its default
};

Options options_of(const corral_map_options* options) {
  Options o;
  if (options == nullptr) return o;
  const corral_map_options given = c::read(options, 0, "corral_map_options");
  if (given.kernel != nullptr) o.kernel = given.kernel;
  if (given.method != nullptr) o.method = method_of(given.method);
  if (!(given.beta >= 0 && std::isfinite(given.beta)))
    throw Error("beta is " + std::to_string(given.beta) + " (0, or the shape of a window)");
  o.beta = given.beta;
  if (given.deterministic < 0 || given.deterministic > 1)
    throw Error("deterministic is " + std::to_string(given.deterministic) + " (0 or 1 are known)");
  if (given.deterministic == 1 && o.method == Method::atomic)
    throw Error("method \"atomic\" is not deterministic (its additions come in any order) take another one");
  return o;
}

/// Calls `map(weights)` with the weights, for that execution, of the shipped kernel of that name and shape. Throws
/// Error where there is none.
template <class E, class T, class F> void with_weights(const Options& o, F&& map) {
  const std::string kernel(o.kernel);
  const auto with = [&](const auto& k) { map(WeightsOn<E, T>::of(k)); };
  if (o.beta > 0) {
    if (kernels::with_window(kernel, o.beta, with)) return;
    if (const double usual = kernels::default_beta(o.kernel); usual > 0)
      throw Error("beta is " + std::to_string(o.beta) + " (" + kernel + " takes " + std::to_string(usual / 2) + " to " +
                  std::to_string(2 * usual) + " by name) take the default, or a window of another degree in C++");
    if (kernels::with_kernel(kernel, [](const auto&) {}))
      throw Error("kernel \"" + kernel + "\" with a beta (only windows have that shape) set beta to 0");
  } else if (kernels::with_kernel(kernel, with)) return;
  throw Error("kernel \"" + kernel + "\" is not shipped (corral_kernel_name has those that are)");
}

Sign sign(std::int32_t value) {
  if (value < -1 || value > 1) throw Error("wall_sign is " + std::to_string(value) + " (-1, 0 or 1 are known)");
  return value < 0 ? Sign::minus : Sign::plus;
}

constexpr std::int64_t most_ghosts = 1 << 20; // more than any stencil reaches, and strides don't overflow

template <class T> FieldView<T> view(const Grid& grid, const corral_field* fields, std::int64_t i) {
  const corral_field f = c::read(fields, i, "corral_field");
  if (f.type != c::type_of<std::remove_const_t<T>>)
    throw Error(std::string("a field of ") + c::type_name(f.type) + " (the order is of " +
                c::type_name(c::type_of<std::remove_const_t<T>>) + ")");
  c::require_count(f.ghosts, "ghost points");
  if (f.ghosts > most_ghosts)
    throw Error(std::to_string(f.ghosts) + " ghost points (at most " + std::to_string(most_ghosts) + ")");
  FieldView<T> v{static_cast<T*>(f.data), c::staggering(f.staggering), {}};
  v.ghosts = f.ghosts;
  v.extent = {f.extent[0], f.extent[1], f.extent[2]};
  const std::int64_t nx = grid.points(v.staggering, 0) + 2 * f.ghosts, ny = grid.points(v.staggering, 1) + 2 * f.ghosts;
  v.stride = {1, nx, nx * ny};
  if (f.stride[0] != 0 || f.stride[1] != 0 || f.stride[2] != 0) v.stride = {f.stride[0], f.stride[1], f.stride[2]};
  shared::check_extent(grid, v); // first: without data, too, it says more
  c::require_data(f.data, "field");
  v.wall_sign = {sign(f.wall_sign[0]), sign(f.wall_sign[1]), sign(f.wall_sign[2])};
  return v;
}

} // namespace

// Names are literals, or arrays that end as literals do.
const char* corral_kernel_name(int64_t i) {
  const auto& names = kernels::shipped_names;
  return i >= 0 && i < std::ssize(names) ? names[static_cast<std::size_t>(i)].data() : nullptr;
}

const char* corral_method_name(int64_t i) {
  const std::span<const Method> methods = all_methods();
  return i >= 0 && i < std::ssize(methods) ? name(methods[static_cast<std::size_t>(i)]).data() : nullptr;
}

int corral_spread(corral_order* order, const corral_map_options* options, int64_t count, const corral_column columns[],
                  const corral_field fields[]) {
  return c::guarded([&] {
    const Options o = options_of(options);
    c::require_count(count, "terms");
    c::with_order(order, [&]<class E, class T>(E execution, CellOrder<T>& cell_order) {
      std::vector<Spread<T>> terms;
      for (std::int64_t i = 0; i < count; ++i)
        terms.push_back({c::typed<const T>(c::read_column(columns, i)), view<T>(cell_order.grid(), fields, i)});
      with_weights<E, T>(o, [&](const WeightsOn<E, T>& weights) {
        detail::spread<T>(execution, cell_order, weights, terms, o.method);
      });
    });
  });
}

int corral_interpolate(corral_order* order, const corral_map_options* options, int64_t count,
                       const corral_column columns[], const corral_field fields[]) {
  return c::guarded([&] {
    const Options o = options_of(options);
    c::require_count(count, "terms");
    c::with_order(order, [&]<class E, class T>(E execution, CellOrder<T>& cell_order) {
      std::vector<Interpolate<T>> terms;
      for (std::int64_t i = 0; i < count; ++i)
        terms.push_back({view<const T>(cell_order.grid(), fields, i), c::typed<T>(c::read_column(columns, i))});
      with_weights<E, T>(o, [&](const WeightsOn<E, T>& weights) {
        detail::interpolate<T>(execution, cell_order, weights, terms, o.method);
      });
    });
  });
}
