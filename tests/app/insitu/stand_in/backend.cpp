// An implementation of Catalyst 2 that writes what it is handed to `seen.txt` where it works, of several processes to seen_RANK.txt, a
// line for each leaf of the tree, refuses what breaks a rule of the Blueprint, and fails as the first line of its script says.
#include "tests/app/insitu/stand_in/catalyst.h"
#include "tests/app/insitu/stand_in/tree.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace {

using namespace stand_in;

std::string order, seen_file = "seen.txt";

std::ofstream seen() { return std::ofstream(seen_file, std::ios::app); }

const char* name_of(Type type) {
  switch (type) {
  case Type::int32: return "int32";
  case Type::int64: return "int64";
  case Type::uint64: return "uint64";
  case Type::float64: return "float64";
  default: return "text";
  }
}

void write_leaves(const Tree& tree, const std::string& path, std::ostream& out) {
  for (const auto& [name, child] : tree.children) write_leaves(*child, path.empty() ? name : path + "/" + name, out);
  if (tree.type == Type::none) return;
  out << path << " " << name_of(tree.type) << " ";
  if (tree.type == Type::text) out << tree.text;
  else if (tree.external) out << "count " << tree.count << " stride " << tree.stride << " at " << tree.data;
  else if (tree.type == Type::float64) out << tree.real();
  else out << tree.integer();
  if (tree.external && tree.count > 0 && tree.type == Type::float64) {
    double sum = 0;
    for (std::int64_t i = 0; i < tree.count; ++i) sum += tree.real(i);
    out << " sum " << sum;
  }
  out << "\n";
}

const Tree& of(const conduit_node* node) { return *static_cast<const Tree*>(node); }

catalyst_status answer(const char* failing) {
  return order == failing ? stand_in_status_told_to_fail : catalyst_status_ok;
}

} // namespace

extern "C" {

catalyst_status catalyst_initialize(const conduit_node* parameters) {
  const Tree* script = of(parameters).find("catalyst/scripts/script");
  if (!script) return stand_in_status_no_script;
  std::ifstream file(script->text);
  std::getline(file, order);
  if (const Tree* communicator = of(parameters).find("catalyst/mpi_comm"); communicator && communicator->integer() != 0)
    if (const char* rank = std::getenv("OMPI_COMM_WORLD_RANK")) seen_file = std::string("seen_") + rank + ".txt";
  seen() << "initialize " << script->text << "\n";
  return order == "be missing" ? catalyst_status_error_not_found : answer("fail to initialize");
}

catalyst_status catalyst_execute(const conduit_node* parameters) {
  std::ofstream out = seen();
  out << "execute\n";
  out.precision(17);
  write_leaves(of(parameters), "", out);
  if (const std::string broken = complaint_about_call(of(parameters)); !broken.empty()) {
    out << "broken " << broken << "\n";
    std::fprintf(stderr, "stand-in of Catalyst: %s\n", broken.c_str());
    return stand_in_status_broken_rule;
  }
  return answer("fail to execute");
}

catalyst_status catalyst_finalize(const conduit_node*) {
  seen() << "finalize\n";
  return catalyst_status_ok;
}

catalyst_status catalyst_about(conduit_node* parameters) {
  conduit_node_set_path_char8_str(parameters, "catalyst/implementation", order == "be a stub" ? "stub" : "stand-in");
  return catalyst_status_ok;
}
}
