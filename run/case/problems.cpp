#include "run/case/problems.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

namespace corral::run {

namespace {

// Bytes of the character that begins at `text`; 0 where none does.
std::size_t character_length(std::string_view text) {
  auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  auto within = [&](std::size_t i, unsigned low, unsigned high) { return byte(i) >= low && byte(i) <= high; };
  auto continues = [&](std::size_t i) { return within(i, 0x80, 0xBF); };

  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return continues(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool second = within(1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF);
    return second && continues(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool second = within(1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF);
    return second && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

} // namespace

std::size_t first_not_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text.substr(i));
    if (length == 0) return i;
    i += length;
  }
  return text.size();
}

std::string_view wide_encoding(std::string_view text) {
  using namespace std::string_view_literals;
  if (text.starts_with("\xFF\xFE\0\0"sv) || text.starts_with("\0\0\xFE\xFF"sv)) return "UTF-32";
  if (text.starts_with("\xFF\xFE"sv) || text.starts_with("\xFE\xFF"sv)) return "UTF-16";
  // Without a mark the first letters tell: a letter of ASCII is one byte that is not zero.
  std::string zeros;
  for (const char c : text.substr(0, 4)) zeros += c == '\0' ? '0' : 'x';
  if (zeros == "x0x0" || zeros == "0x0x") return "UTF-16";
  return zeros == "x000" || zeros == "000x" ? "UTF-32" : "";
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

std::size_t first_control_character(std::string_view text) {
  const auto is_control = [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F; };
  return static_cast<std::size_t>(std::find_if(text.begin(), text.end(), is_control) - text.begin());
}

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
