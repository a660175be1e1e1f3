#include "structure/triangles/connectivity.hpp"

#include <corral/error.hpp>

#include <limits>
#include <string>

namespace corral::structure {

namespace {

std::string named(const char* what, std::int64_t i) { return std::string(what) + " " + std::to_string(i); }

} // namespace

Connectivity::Connectivity(std::int64_t vertices, std::span<const std::array<std::int32_t, 3>> triangles) {
  const auto count = static_cast<std::int64_t>(triangles.size());
  if (count == 0) throw Error("a membrane without triangles (nothing could act) give a closed surface");
  if (count > std::numeric_limits<std::int32_t>::max() / 6)
    throw Error("a membrane of " + std::to_string(count) + " triangles (places within it are 32-bit numbers)");
  corner_.resize(3 * count);
  first_.resize(vertices + 1, 0);
  for (std::int64_t t = 0; t < count; ++t) {
    const std::array<std::int32_t, 3>& corners = triangles[t];
    for (std::size_t k = 0; k < 3; ++k) {
      if (corners[k] < 0 || corners[k] >= vertices)
        throw Error(named("triangle", t) + " has vertex " + std::to_string(corners[k]) + " (there are " +
                    std::to_string(vertices) + ")");
      if (corners[k] == corners[(k + 1) % 3]) throw Error(named("triangle", t) + " has one vertex twice");
      corner_[3 * t + static_cast<std::int64_t>(k)] = corners[k];
      ++first_[corners[k] + 1];
    }
  }
  find_incident();
  find_beyond();
  require_one_fan();
}

void Connectivity::find_incident() {
  const std::int64_t vertices = first_.size() - 1;
  for (std::int64_t v = 0; v < vertices; ++v) {
    if (first_[v + 1] == 0) throw Error(named("vertex", v) + " has no triangle (no force would hold it) leave it out");
    first_[v + 1] += first_[v];
  }
  Array<std::int32_t> next(first_);
  incident_.resize(corner_.size());
  around_.resize(2 * corner_.size());
  for (std::int64_t i = 0; i < corner_.size(); ++i) {
    const std::int64_t t = i / 3, place = next[corner_[i]]++;
    incident_[place] = static_cast<std::int32_t>(i);
    around_[2 * place] = corner_[3 * t + (i + 1) % 3];
    around_[2 * place + 1] = corner_[3 * t + (i + 2) % 3];
  }
}

/// Of the triangles at a side's end, the one that has the side the other way round.
void Connectivity::find_beyond() {
  beyond_.resize(corner_.size());
  for (std::int64_t i = 0; i < corner_.size(); ++i) {
    const std::int64_t t = i / 3;
    const std::int32_t a = corner_[i], b = corner_[3 * t + (i + 1) % 3];
    const std::string side = "the side from vertex " + std::to_string(a) + " to " + std::to_string(b);
    int same = 0, opposite = 0;
    for (std::int64_t j = first_[b]; j < first_[b + 1]; ++j)
      if (around_[2 * j] == a) {
        ++opposite;
        beyond_[i] = incident_[j] / 3;
      }
    for (std::int64_t j = first_[a]; j < first_[a + 1]; ++j) same += around_[2 * j] == b ? 1 : 0;
    if (same > 1)
      throw Error(side + " is in " + std::to_string(same) +
                  " triangles (neighbours run along it in opposite ways) orient all triangles outward");
    if (opposite != 1)
      throw Error(side + " has " + std::to_string(opposite) + " triangles beyond it (a membrane is a closed surface)");
  }
}

/// Walking around a vertex meets all its triangles.
void Connectivity::require_one_fan() const {
  for (std::int64_t v = 0; v + 1 < first_.size(); ++v) {
    const std::int64_t begin = first_[v], count = first_[v + 1] - begin;
    const std::int64_t start = incident_[begin];
    std::int64_t at = start, met = 0;
    do {
      const std::int64_t t = beyond_[at];
      at = 3 * t;
      while (corner_[at] != v) ++at;
      ++met;
    } while (at != start && met < count);
    if (at != start || met != count)
      throw Error("parts of the surface touch at vertex " + std::to_string(v) + " alone (it is no surface there)");
  }
}

std::array<Array<double>, 3> components(std::span<const Vector> points) {
  std::array<Array<double>, 3> by_component;
  for (std::size_t d = 0; d < 3; ++d) {
    by_component[d].resize(static_cast<std::int64_t>(points.size()));
    for (std::size_t v = 0; v < points.size(); ++v) by_component[d][static_cast<std::int64_t>(v)] = points[v][d];
  }
  return by_component;
}

ConnectivityView Connectivity::view() const {
  return {vertices(), triangles(), corner_.data(), beyond_.data(), first_.data(), incident_.data(), around_.data()};
}

void Connectivity::move_to(Memory memory) {
  for (Array<std::int32_t>* array : {&corner_, &beyond_, &first_, &incident_, &around_}) *array = {array->span(), memory};
}

} // namespace corral::structure
