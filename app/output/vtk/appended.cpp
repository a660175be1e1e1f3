#include "app/output/vtk/appended.hpp"

#include "app/output/number.hpp"
#include "app/output/output_file.hpp"

#include <corral/array.hpp>

#include <algorithm>
#include <bit>
#include <utility>

namespace corral::app {

VtkAppended::VtkAppended(const std::string& type, const std::string& attributes, double time) : type_(type) {
  const std::string order = std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";
  xml("<?xml version=\"1.0\"?>\n<VTKFile type=\"" + type + "\" version=\"1.0\" byte_order=\"" + order +
      "\" header_type=\"UInt64\">\n<" + type + attributes + ">\n<FieldData><DataArray type=\"Float64\" " +
      "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">" + number_text(time) + "</DataArray></FieldData>\n");
}

void VtkAppended::array(const std::string& name, const std::string& vtk_type, std::int64_t tuples, int components,
                        Fill fill) {
  xml("<DataArray type=\"" + vtk_type + "\" Name=\"" + name + "\" NumberOfComponents=\"" +
      std::to_string(components) + "\" format=\"appended\" offset=\"" + std::to_string(appended_bytes_) + "\"/>\n");
  const std::int64_t words = tuples * components;
  appended_bytes_ += 8 * (1 + words);
  arrays_.push_back({words, std::move(fill)});
}

void VtkAppended::write(const std::filesystem::path& path) const {
  constexpr std::int64_t piece = 3 * 4096; // whole tuples of 1 and of 3 components
  Array<std::uint64_t> buffer(piece);
  AtomicFile file(path);
  file.write(xml_ + "</" + type_ + ">\n<AppendedData encoding=\"raw\">\n_");
  for (const Words& words : arrays_) {
    const std::int64_t bytes = 8 * words.count;
    file.write(&bytes, sizeof bytes);
    for (std::int64_t begin = 0; begin < words.count; begin += piece) {
      const auto part = buffer.span().first(static_cast<std::size_t>(std::min(piece, words.count - begin)));
      words.fill(begin, part);
      file.write(part.data(), part.size_bytes());
    }
  }
  file.write("\n</AppendedData>\n</VTKFile>\n");
  file.commit();
}

} // namespace corral::app
