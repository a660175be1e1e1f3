#include "app/insitu/shared/cell_means.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <vector>

using namespace corral::insitu;

namespace {

using Values = std::vector<double>;

/// A component on `points` of this staggering.
struct Component {
  std::int32_t staggering;
  std::int64_t points[3];
  Values values;
};

corral_insitu_field field_of(const std::vector<Component>& components) {
  corral_insitu_field f{};
  f.components = static_cast<std::int32_t>(components.size());
  for (std::size_t c = 0; c < components.size(); ++c) {
    f.staggering[c] = components[c].staggering;
    for (int d = 0; d < 3; ++d) f.points[c][d] = components[c].points[d];
    f.data[c] = components[c].values.data();
  }
  return f;
}

Values means(const std::vector<Component>& components, const std::int64_t (&cells)[3]) {
  Values out(static_cast<std::size_t>(cells[0] * cells[1] * cells[2]) * components.size());
  cell_means(field_of(components), cells, out.data());
  return out;
}

} // namespace

TEST_CASE("Means over cells are those of the points on their faces, by hand") {
  CHECK(means({{CORRAL_INSITU_FACE_X, {3, 1, 1}, {1, 3, 7}}}, {2, 1, 1}) == Values{2, 5});
  CHECK(means({{CORRAL_INSITU_FACE_Y, {2, 2, 1}, {1, 2, 5, 10}}}, {2, 1, 1}) == Values{3, 6});
  CHECK(means({{CORRAL_INSITU_FACE_Z, {1, 1, 3}, {0, 2, 4}}}, {1, 1, 2}) == Values{1, 3});
  CHECK(means({{CORRAL_INSITU_NODE, {2, 2, 2}, {0, 8, 0, 8, 0, 8, 0, 24}}}, {1, 1, 1}) == Values{6});
}

TEST_CASE("The last cell of a periodic axis ends at the face where the first begins") {
  CHECK(means({{CORRAL_INSITU_FACE_X, {3, 1, 1}, {1, 3, 8}}}, {3, 1, 1}) == Values{2, 5.5, 4.5});
}

TEST_CASE("Components of a cell stand side by side, those at the centre as they are") {
  CHECK(means({{CORRAL_INSITU_FACE_X, {3, 1, 1}, {1, 3, 7}},
               {CORRAL_INSITU_FACE_Y, {2, 2, 1}, {1, 2, 5, 10}},
               {CORRAL_INSITU_CENTRE, {2, 1, 1}, {-1, -2}}},
              {2, 1, 1}) == Values{2, 3, -1, 5, 6, -2});
}

TEST_CASE("A field is at the centres where all its components are") {
  CHECK(at_centres(field_of({{CORRAL_INSITU_CENTRE, {1, 1, 1}, {1}}, {CORRAL_INSITU_CENTRE, {1, 1, 1}, {1}}})));
  CHECK_FALSE(at_centres(field_of({{CORRAL_INSITU_CENTRE, {1, 1, 1}, {1}}, {CORRAL_INSITU_FACE_Y, {1, 2, 1}, {1, 2}}})));
}
