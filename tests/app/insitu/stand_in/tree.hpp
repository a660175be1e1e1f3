#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace stand_in {

enum class Type { none, text, int32, int64, uint64, float64 };

/// A node of a tree as Conduit's: children by name, or values; own ones, or those that lie elsewhere.
struct Tree {
  std::map<std::string, std::shared_ptr<Tree>> children;
  Type type = Type::none;
  std::string text;
  std::int64_t own = 0;  ///< bits of a number that was handed over as a value
  void* data = nullptr;  ///< where values lie, own or not
  bool external = false;
  std::int64_t count = 0;
  std::int64_t stride = 0; ///< [bytes]

  /// Made where it is missing.
  Tree& at(const std::string& path);
  /// A null pointer where it is missing.
  const Tree* find(const std::string& path) const;
  /// Value number i of those that are integers, and of those that are real.
  std::int64_t integer(std::int64_t i = 0) const;
  double real(std::int64_t i = 0) const;
};

/// What the first rule of the Mesh Blueprint says that a mesh breaks; "" where it breaks none. Of the rules those for what
/// ParaView, from 5.9 on, makes data of: coordinates uniform or explicit, topologies uniform or of triangles or points.
std::string complaint_about_mesh(const Tree& mesh);

/// The same of what catalyst_execute is handed: a step and a time, and channels of meshes.
std::string complaint_about_call(const Tree& parameters);

} // namespace stand_in
