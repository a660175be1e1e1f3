#include "run/case/problems.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace corral::run {

namespace {
constexpr std::size_t most_problems_shown = 100;
constexpr std::size_t longest_quote = 60;
} // namespace

std::string Location::text() const { return line > 0 ? file + ":" + std::to_string(line) : file; }

void Problems::add(const Location& where, std::string message) {
  if (full()) return;
  const bool known = std::any_of(found_.begin(), found_.end(), [&](const auto& p) {
    return p.first.line == where.line && p.first.file == where.file && p.second == message;
  });
  if (!known) found_.emplace_back(where, std::move(message));
}

std::string Problems::text() const {
  std::map<std::string_view, std::size_t> rank; // of each file, by first mention
  for (const auto& p : found_) rank.emplace(p.first.file, rank.size());

  std::vector<std::size_t> order(found_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const Location& x = found_[a].first;
    const Location& y = found_[b].first;
    return std::pair(rank.at(x.file), x.line) < std::pair(rank.at(y.file), y.line);
  });

  std::string all;
  for (std::size_t i = 0; i < std::min(order.size(), most_problems_shown); ++i) {
    const auto& [where, message] = found_[order[i]];
    all += (i > 0 ? "\n" : "") + where.text() + ": " + message;
  }
  if (order.size() > most_problems_shown)
    all += "\nand " + std::to_string(order.size() - most_problems_shown) + " more";
  return all;
}

void Problems::throw_if_any() const {
  if (!empty()) throw CaseError(text());
}

std::string cited(std::string_view text) {
  std::size_t end = std::min(text.size(), longest_quote);
  auto continues_character = [&](std::size_t i) { return (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80; };
  while (end > 0 && end < text.size() && continues_character(end)) --end;

  std::string shown = "'";
  for (const char c : text.substr(0, end)) shown += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c;
  return shown + (end < text.size() ? "...'" : "'");
}

} // namespace corral::run
