#include "app/checkpoint/info.hpp"

#include "app/checkpoint/checkpoints.hpp"
#include "app/openpmd/checksum.hpp"
#include "app/openpmd/hdf5_file.hpp"
#include "app/openpmd/seal.hpp"
#include "app/output/number.hpp"
#include "app/output/vtk/contents.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <optional>
#include <sstream>
#include <vector>

namespace corral::app {

namespace {

namespace fs = std::filesystem;

/// The checkpoint that a path means: itself, a file in it, the newest of a directory of results or of a case.
Checkpoint find(const fs::path& asked, const fs::path& path, std::vector<std::string>& refused) {
  std::error_code code;
  const fs::path directory = fs::is_directory(path, code) ? path : path.parent_path();
  if (fs::exists(directory / "manifest", code)) return open_checkpoint(directory);
  if (code) throw UsageError("cannot look into " + directory.string() + " (" + code.message() + ")");
  for (const fs::path& output : {directory, directory / "out", directory.parent_path()})
    if (const std::optional<Checkpoint> found = Checkpoints(output).newest(refused)) return *found;
  if (!refused.empty()) {
    std::string all;
    for (const std::string& why : refused) all += why + "; ";
    throw Error(all + "none of " + asked.string() + " is whole");
  }
  throw UsageError(asked.string() + " holds no checkpoint (neither here, nor in checkpoint/ or out/checkpoint/)");
}

std::string extents_text(const Hdf5File::Extents& extents) {
  if (extents.empty()) return "1";
  std::string text;
  for (const std::uint64_t n : extents) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return text;
}

/// A line for each array.
std::string listed(const std::vector<Hdf5File::DataSet>& sets) {
  std::string text;
  std::size_t longest = 0;
  for (const Hdf5File::DataSet& set : sets) longest = std::max(longest, set.path.size());
  for (const Hdf5File::DataSet& set : sets)
    text += "  " + set.path + std::string(longest - set.path.size() + 2, ' ') + extents_text(set.extents) +
            (set.unit.empty() ? "" : " [" + set.unit + "]") + (set.meaning.empty() ? "" : ": " + set.meaning) + "\n";
  return text;
}

/// Of a file that is no part of a checkpoint.
std::string info_of_output(const fs::path& path) {
  seal::require(path);
  const Hdf5File file = Hdf5File::open(path);
  const std::string iteration = file.first_in("/data");
  const std::optional<double> time = file.number("/data/" + iteration, "time");
  return "output file " + path.string() + ": step " + iteration + ", " + (time ? number_text(*time) : "?") + " s, " +
         std::to_string(size_of(path)) + " bytes, whole\n" + listed(file.data_sets());
}

} // namespace

std::string info(const InfoOptions& options) {
  std::error_code code;
  const fs::path path = fs::canonical(options.path, code);
  if (code) throw UsageError((options.path.empty() ? "an empty path" : options.path.string()) + ": " + code.message());
  if (!fs::is_directory(path, code) && !fs::exists(path.parent_path() / "manifest", code) && path.filename() != "newest") {
    if (path.extension() == ".h5" || seal::begins(path)) return info_of_output(path);
    if (path.extension() == ".vti" || path.extension() == ".vtp") return vtk_contents(path);
    throw UsageError(path.string() + " is neither an output file of corral nor part of a checkpoint (info takes .vti, .vtp, "
                     "openpmd_*.h5, checkpoints, and directories that hold some)");
  }
  std::vector<std::string> refused;
  const Checkpoint checkpoint = find(options.path, path, refused);
  std::size_t bytes = 0;
  for (const Manifest::Part& part : checkpoint.manifest.parts) bytes += part.bytes;
  std::ostringstream out;
  out.exceptions(std::ios::badbit); // not half an answer where memory fails
  for (const std::string& why : refused) out << why << "\n";
  out << "checkpoint " << checkpoint.directory.string() << ": step " << checkpoint.manifest.step << ", "
      << checkpoint.manifest.time << " s, " << bytes << " bytes, whole\n";
  out << listed(Hdf5File::open(checkpoint.state()).data_sets());
  return out.str();
}

} // namespace corral::app
