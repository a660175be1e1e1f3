#include "engine/c/arguments.hpp"

#include <corral/interpolate.hpp>
#include <corral/kernels/shipped.hpp>
#include <corral/spread.hpp>

#include <string_view>
#include <vector>

using namespace corral;

namespace {

template <class F> void with_kernel(std::string_view name, F&& f) {
  if (name == kernels::Linear::name)
    f(kernels::Linear{});
  else if (name == kernels::Nearest::name)
    f(kernels::Nearest{});
  else
    throw Error("kernel \"" + std::string(name) + "\" is not shipped (nearest, linear)");
}

corral_map_options read_options(const corral_map_options* options) {
  corral_map_options o{};
  if (options != nullptr) o = c::read(options, 0, "corral_map_options");
  if (o.kernel == nullptr) o.kernel = "linear";
  if (o.method == nullptr) o.method = "automatic";
  if (std::string_view(o.method) != "automatic")
    throw Error("method \"" + std::string(o.method) + "\" is not known (automatic)");
  if (o.deterministic < 0 || o.deterministic > 1)
    throw Error("deterministic is " + std::to_string(o.deterministic) + " (0 or 1 are known)");
  return o;
}

Sign sign(std::int32_t value) {
  if (value < -1 || value > 1) throw Error("wall_sign is " + std::to_string(value) + " (-1, 0 or 1 are known)");
  return value < 0 ? Sign::minus : Sign::plus;
}

template <class T> FieldView<T> view(const Grid& grid, const corral_field* fields, std::int64_t i) {
  const corral_field f = c::read(fields, i, "corral_field");
  if (f.type != c::type_of<std::remove_const_t<T>>)
    throw Error(std::string("a field of ") + c::type_name(f.type) + " (the order is of " +
                c::type_name(c::type_of<std::remove_const_t<T>>) + ")");
  c::require_pointer(f.data, "a field's data");
  if (f.ghosts < 0) throw Error("a field with " + std::to_string(f.ghosts) + " ghost points (a number is never negative)");
  FieldView<T> v = field_view_with_ghosts<T>(grid, nullptr, c::staggering(f.staggering), f.ghosts);
  v.data = static_cast<T*>(f.data);
  if (f.stride[0] != 0 || f.stride[1] != 0 || f.stride[2] != 0) v.stride = {f.stride[0], f.stride[1], f.stride[2]};
  v.wall_sign = {sign(f.wall_sign[0]), sign(f.wall_sign[1]), sign(f.wall_sign[2])};
  return v;
}

} // namespace

int corral_spread(corral_order* order, const corral_map_options* options, int64_t count, const corral_column columns[],
                  const corral_field fields[]) {
  return c::guarded([&] {
    const corral_map_options o = read_options(options);
    c::require_count(count, "terms");
    c::with_order(order, [&]<class T>(CellOrder<T>& cell_order) {
      std::vector<Spread<T>> terms;
      for (std::int64_t i = 0; i < count; ++i)
        terms.push_back({c::typed<const T>(c::read_column(columns, i)), view<T>(cell_order.grid(), fields, i)});
      with_kernel(o.kernel, [&](const auto& kernel) { spread(Cpu{}, cell_order, kernel, std::span<const Spread<T>>(terms)); });
    });
  });
}

int corral_interpolate(corral_order* order, const corral_map_options* options, int64_t count,
                       const corral_column columns[], const corral_field fields[]) {
  return c::guarded([&] {
    const corral_map_options o = read_options(options);
    c::require_count(count, "terms");
    c::with_order(order, [&]<class T>(CellOrder<T>& cell_order) {
      std::vector<Interpolate<T>> terms;
      for (std::int64_t i = 0; i < count; ++i)
        terms.push_back({view<const T>(cell_order.grid(), fields, i), c::typed<T>(c::read_column(columns, i))});
      with_kernel(o.kernel,
                  [&](const auto& kernel) { interpolate(Cpu{}, cell_order, kernel, std::span<const Interpolate<T>>(terms)); });
    });
  });
}
