#include "app/checkpoint/checkpoints.hpp"

#include "app/system/checksum.hpp"

#include <corral/error.hpp>
#include <corral/execution.hpp>

#include <charconv>
#include <sstream>

namespace corral::app {

namespace {

/// The number grows with every change of what a checkpoint holds that those before lack.
constexpr std::string_view kind = "corral checkpoint ", first_line = "corral checkpoint 3";

[[noreturn]] void not_whole(const std::string& why) { throw Error("the manifest is damaged (" + why + ")"); }

/// The words of a line; a name is the last of them and may hold blanks.
class Words {
public:
  explicit Words(std::string_view line) : rest_(line) {}

  std::string_view next() {
    const std::size_t end = std::min(rest_.find(' '), rest_.size());
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return word;
  }
  template <class T> T number() {
    const std::string_view word = next();
    T value{};
    const auto [stop, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (fault != std::errc{} || stop != word.data() + word.size()) not_whole("'" + std::string(word) + "' is no number");
    return value;
  }
  std::string rest() const { return std::string(rest_); }

private:
  std::string_view rest_;
};

constexpr std::string_view cuda = "CUDA"; // for whatever device

/// AVX2 and AVX-512 give the same bits.
std::string family(const std::string& instruction_set) { return instruction_set == "AVX3" ? "AVX2" : instruction_set; }

} // namespace

std::string Manifest::text() const {
  std::ostringstream out;
  out.exceptions(std::ios::badbit); // where memory fails a stream would leave text out without a word
  out << first_line << "\nstep " << step << "\ntime " << time << "\n";
  out << "version " << version << "\ninstruction_set " << instruction_set << "\n";
  for (const Input& i : inputs) out << "input " << i.checksum << " " << i.key << "\n";
  for (const std::string& text : overrides) out << "set " << text << "\n";
  for (const Table& t : tables) out << "table " << t.bytes << " " << t.checksum << " " << t.name << "\n";
  for (const Part& p : parts) {
    out << "part " << p.bytes << " " << p.name << "\n";
    for (const std::string& sum : p.blocks) out << "block " << sum << "\n";
  }
  return out.str() + "end " + checksum(out.str()) + "\n";
}

Manifest Manifest::parse(std::string_view text) {
  const std::string_view begins = text.substr(0, text.find('\n'));
  if (begins != first_line && begins.starts_with(kind))
    throw Error("it is of another version of corral (layout " + std::string(begins.substr(kind.size())) + ", this one reads " +
                std::string(first_line.substr(kind.size())) + ") go on with that version, or begin the run anew");
  if (begins != first_line) throw Error("the manifest does not begin with '" + std::string(first_line) + "' (it is damaged)");
  const std::size_t end = text.rfind("end ");
  if (end == text.npos || text.substr(end) != "end " + checksum(text.substr(0, end)) + "\n")
    not_whole("its checksum is another");
  Manifest m;
  std::string_view lines = text.substr(first_line.size() + 1, end - first_line.size() - 1);
  while (!lines.empty()) {
    const std::size_t stop = std::min(lines.find('\n'), lines.size());
    Words words(lines.substr(0, stop));
    lines.remove_prefix(std::min(stop + 1, lines.size()));
    const std::string_view what = words.next();
    if (what == "step") m.step = words.number<std::int64_t>();
    else if (what == "time") m.time = words.rest();
    else if (what == "version") m.version = words.rest();
    else if (what == "instruction_set") m.instruction_set = words.rest();
    else if (what == "input") {
      Input& input = m.inputs.emplace_back();
      input.checksum = words.next();
      input.key = words.rest();
    } else if (what == "set") {
      m.overrides.push_back(words.rest());
    } else if (what == "table") {
      Table& table = m.tables.emplace_back();
      table.bytes = words.number<std::size_t>();
      table.checksum = words.next();
      table.name = words.rest();
      if (table.name.find('/') != table.name.npos) not_whole("a table is called '" + table.name + "'");
    } else if (what == "part") {
      Part& part = m.parts.emplace_back();
      part.bytes = words.number<std::size_t>();
      part.name = words.rest();
    } else if (what == "block" && !m.parts.empty()) m.parts.back().blocks.push_back(std::string(words.next()));
    else not_whole("a line begins with '" + std::string(what) + "'");
  }
  return m;
}

std::string maps_of(const run::Driver& driver) {
  return std::string(driver.device().empty() ? corral::instruction_set() : cuda);
}

std::vector<std::string> Manifest::notices(const std::string& maps) const {
  std::vector<std::string> notices;
  if (version != CORRAL_VERSION)
    notices.push_back("the checkpoint was written by corral " + version + ", and goes on with " CORRAL_VERSION
                      ": what changed between them (CHANGELOG.md) changes within the run");
  const bool on_device = maps == cuda, was_on_device = instruction_set == cuda;
  if (on_device != was_on_device)
    notices.push_back(std::string("the checkpoint was written by a run on ") + (was_on_device ? "a GPU" : "the CPU") +
                      ", and goes on on " + (on_device ? "a GPU" : "the CPU") +
                      ": from here on results are those of one run within round-off, and not bit for bit");
  else if (family(instruction_set) != family(maps))
    notices.push_back("the checkpoint was written by maps for " + instruction_set + ", and this processor's are for " +
                      maps + ": the last bits of results may differ from those of a run on one kind of processor");
  return notices;
}

Manifest::Part Manifest::part_of(const std::filesystem::path& file, const Checksums& by) {
  const std::size_t bytes = size_of(file);
  return {file.filename().string(), bytes, by(file, bytes, block, 0)};
}

void Manifest::verify(const std::filesystem::path& directory) const {
  for (const Part& part : parts) {
    if (part.name.empty() || part.name.find('/') != part.name.npos) not_whole("a part is called '" + part.name + "'");
    const std::filesystem::path file = directory / part.name;
    if (const std::size_t bytes = size_of(file); bytes != part.bytes)
      throw Error(file.string() + " is damaged (it holds " + std::to_string(bytes) + " bytes, not " +
                  std::to_string(part.bytes) + ")");
    const std::vector<std::string> found = checksums(file, part.bytes, block);
    if (found.size() != part.blocks.size()) not_whole("checksums of " + part.name + " are missing");
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i] != part.blocks[i])
        throw Error(file.string() + " is damaged (the checksum of its bytes from " + std::to_string(i * block) +
                    " on is another)");
  }
}

} // namespace corral::app
