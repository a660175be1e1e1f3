#include "mppic/case/case_reader.hpp"
#include "mppic/seeds/sizes.hpp"

#include <corral/error.hpp>

namespace corral::mppic {

void CaseReader::sizes() {
  for (const std::string& block : s_.blocks("size")) {
    try {
      if (auto read = size(block))
        sizes_.emplace(block, *read);
      else
        unreadable_sizes_ = true; // the reader has said why
    } catch (const CaseSaid&) {
    } catch (const Error& e) {
      complain(block, "distribution", e.what());
    }
  }
}

double CaseReader::need(const std::string& block, const char* key, const std::string& why) {
  if (s_.given(block, key)) return s_.real(block, key);
  complain(block, key, "[" + block + "] has no `" + key + "` (" + why + ")");
  throw CaseSaid{};
}

std::optional<SizeDistribution> CaseReader::size(const std::string& block) {
  const std::string kind = s_.choice(block, "distribution");
  const Weighting weighting = s_.choice(block, "weighting") == "mass" ? Weighting::mass : Weighting::number;
  SizeLimits limits;
  if (s_.given(block, "minimum")) limits.minimum = s_.real(block, "minimum");
  if (s_.given(block, "maximum")) limits.maximum = s_.real(block, "maximum");
  if (kind == "table") {
    if (s_.given(block, "file")) return read_size_table(s_.file(block, "file"), weighting, problems_);
    complain(block, "file", "[" + block + "] has no `file` (distribution = table reads one)");
    return std::nullopt;
  }
  const double d = need(block, "diameter", "distribution = " + kind + " needs it");
  if (kind == "one") return SizeDistribution::one_size(d);
  if (kind == "normal")
    return SizeDistribution::normal(d, need(block, "deviation", "distribution = normal needs it"), limits,
                                    weighting);
  return SizeDistribution::log_normal(d, need(block, "ratio", "distribution = log_normal needs it"), limits,
                                      weighting);
}

const SizeDistribution* CaseReader::named_size(const std::string& block) {
  const auto found = sizes_.find("size." + s_.text(block, "size"));
  if (found != sizes_.end()) return &found->second;
  complain(block, "size", "there is no [size." + s_.text(block, "size") + "] (size names such a block)");
  return nullptr;
}

const SizeDistribution* CaseReader::sizes_of(const std::string& block, int solid) {
  if (s_.given(block, "size")) return named_size(block);
  const std::vector<std::string> solids = s_.blocks("solid");
  if (const auto i = static_cast<std::size_t>(solid); i < solids.size() && s_.given(solids[i], "size"))
    return named_size(solids[i]);
  if (sizes_.size() == 1) return &sizes_.begin()->second;
  if (unreadable_sizes_) return nullptr;
  complain(block, "size",
           sizes_.empty() ? "[" + block + "] has particles but no block [size.NAME] says how large they are"
                          : "[" + block + "] does not say which [size.NAME] it means (there are " +
                                std::to_string(sizes_.size()) + ") add `size = NAME`");
  return nullptr;
}

} // namespace corral::mppic
