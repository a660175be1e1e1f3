#include "app/openpmd/layout.hpp"

namespace corral::app::openpmd {

using run::Entry;
using run::Kind;

namespace {

bool on_faces(const Entry& e) {
  return e.kind == Kind::field && (e.staggering == Staggering::face_x || e.staggering == Staggering::face_y ||
                                   e.staggering == Staggering::face_z);
}

std::uint64_t count(std::int64_t n) { return static_cast<std::uint64_t>(n); }

} // namespace

std::string iteration(std::int64_t step) { return "/data/" + std::to_string(step); }

bool is_component(const Entry& e) { return e.axis >= 0 && !on_faces(e); }

std::string record(const std::string& iteration, const Entry& e) {
  return iteration + (e.set ? "/particles/" + e.set->name() + "/" : "/fields/") + (is_component(e) ? e.name : e.full_name());
}

std::string place(const std::string& iteration, const Entry& e) {
  return record(iteration, e) + (is_component(e) ? std::string("/") + "xyz"[e.axis] : "");
}

std::string place_beside(const std::string& group, const Entry& e) {
  return group + "/" + (e.set ? e.set->name() + "." : "") + e.full_name();
}

Hdf5File::Extents extents_of(const Entry& e) {
  if (e.kind == Kind::field) return {count(e.extents[2]), count(e.extents[1]), count(e.extents[0])};
  if (e.kind == Kind::number) return {};
  if (e.kind == Kind::connectivity) return {count(e.size() / e.corners), count(e.corners)};
  return {count(e.size())};
}

} // namespace corral::app::openpmd
