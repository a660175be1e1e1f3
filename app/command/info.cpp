#include "app/checkpoint/checkpoints.hpp"
#include "app/command/commands.hpp"
#include "app/openpmd/hdf5_file.hpp"
#include "app/system/checksum.hpp"
#include "app/system/files.hpp"
#include "app/system/system_calls.hpp"
#include "app/system/text.hpp"

#include <corral/error.hpp>

#include <fcntl.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

namespace corral::app {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_head = std::size_t{1} << 16; // [bytes] of XML
constexpr std::string_view begin = "<?xml version=\"1.0\"?>\n<VTKFile type=\"", data = "<AppendedData",
                           end_of_data = "</AppendedData>\n</VTKFile>\n";

std::string piece_of(const fs::path& path, std::size_t from, std::size_t bytes) {
  Descriptor file;
  std::string text(bytes, '\0');
  if (const int code = system_calls::open_plain(file, path, O_RDONLY)) cannot_read(path, code);
  if (const int code = system_calls::read_at(file.number(), from, text.data(), bytes)) cannot_read(path, code);
  return text;
}

/// "4 x 3 x 2 cells" of an extent "0 4 0 3 0 2".
std::string cells_of(const std::string& extent) {
  std::string text, word;
  int number = 0;
  for (std::size_t i = 0; i <= extent.size(); ++i) {
    if (i < extent.size() && extent[i] != ' ') {
      word += extent[i];
      continue;
    }
    if (++number % 2 == 0) text += (text.empty() ? "" : " x ") + word;
    word.clear();
  }
  return text + " cells";
}

/// What a tag adds to the listing.
std::string line_of(std::string_view tag) {
  if (tag.starts_with("<Piece Extent")) return ", " + cells_of(xml_attribute(tag, "Extent")) + "\n";
  if (tag.starts_with("<Piece "))
    return ", " + xml_attribute(tag, "NumberOfPoints") + " points, " + xml_attribute(tag, "NumberOfPolys") + " triangles\n";
  if (!tag.starts_with("<DataArray ") || xml_attribute(tag, "format") != "appended") return "";
  return "  " + xml_attribute(tag, "Name") + "  " + xml_attribute(tag, "type") + " x " +
         xml_attribute(tag, "NumberOfComponents") + "\n";
}

/// What a .vti or .vtp file of corral holds: its moment, how many cells or points, and a line for each array. Throws Error
/// where it is none, or has lost its end.
std::string vtk_contents(const fs::path& path) {
  const std::size_t size = fs::file_size(path);
  const std::string all = piece_of(path, 0, std::min(size, longest_head));
  const std::string_view head = std::string_view(all).substr(0, all.find(data));
  if (!head.starts_with(begin) || head.size() == all.size())
    throw Error(path.string() + " is no file of fields or particles that corral wrote (its beginning is another)");
  if (piece_of(path, size - end_of_data.size(), end_of_data.size()) != end_of_data)
    throw Error(path.string() + " has lost its end");
  constexpr std::string_view before_time = "format=\"ascii\">";
  const std::size_t at_time = std::min(head.find(before_time), head.size() - before_time.size());
  const std::string_view time = head.substr(at_time + before_time.size());
  std::string text = "output file " + path.string() + ": " + std::string(time.substr(0, time.find('<'))) + " s, " +
                     std::to_string(size) + " bytes";
  for (std::size_t at = head.find('<'); at != head.npos; at = head.find('<', at + 1))
    text += line_of(head.substr(at, head.find('>', at) - at));
  return text;
}

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

/// What openPMD has no word for: the run's own numbers, of the loop and of sums that a step goes on with.
bool of_the_run_alone(const Hdf5File::DataSet& set) {
  return set.path.starts_with("/corral/");
}

/// A line for each array; unless all are asked for, one for those together that are the run's alone.
std::string listed(std::vector<Hdf5File::DataSet> sets, bool all) {
  const std::size_t hidden = all ? 0 : std::erase_if(sets, of_the_run_alone);
  std::string text;
  std::size_t longest = 0;
  for (const Hdf5File::DataSet& set : sets) longest = std::max(longest, set.path.size());
  for (const Hdf5File::DataSet& set : sets)
    text += "  " + set.path + std::string(longest - set.path.size() + 2, ' ') + extents_text(set.extents) +
            (set.unit.empty() ? "" : " [" + set.unit + "]") + (set.meaning.empty() ? "" : ": " + set.meaning) + "\n";
  if (hidden > 0) text += "  /corral/...: " + std::to_string(hidden) + " of the run's own (--all lists them)\n";
  return text;
}

/// Of a file that is no part of a checkpoint.
std::string info_of_output(const fs::path& path, bool all) {
  seal::require(path);
  const Hdf5File file = Hdf5File::open(path);
  const std::string iteration = file.first_in("/data");
  const std::optional<double> time = file.number("/data/" + iteration, "time");
  return "output file " + path.string() + ": step " + iteration + ", " + (time ? number_text(*time) : "?") + " s, " +
         std::to_string(size_of(path)) + " bytes, whole\n" + listed(file.data_sets(), all);
}

} // namespace

std::string info(const InfoOptions& options) {
  std::error_code code;
  const fs::path path = fs::canonical(options.path, code);
  if (code) throw UsageError((options.path.empty() ? "an empty path" : options.path.string()) + ": " + code.message());
  if (!fs::is_directory(path, code) && !fs::exists(path.parent_path() / "manifest", code) && path.filename() != "newest") {
    if (path.extension() == ".h5" || seal::begins(path)) return info_of_output(path, options.all);
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
      << checkpoint.manifest.time << " s, " << bytes << " bytes, whole";
  out << ", of corral " << checkpoint.manifest.version << " for " << checkpoint.manifest.instruction_set << "\n";
  out << listed(Hdf5File::open(checkpoint.state()).data_sets(), options.all);
  return out.str();
}

} // namespace corral::app
