#pragma once

#include "run/state/file_values.hpp"
#include "run/state/registry.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace corral::run {

/// Places in a file as rank 0 tells the others: entries by their number in registries that are alike.
struct ToldFile {
  struct Place {
    std::int64_t entry, form, offset;
  };

  std::vector<Place> places{};
  std::filesystem::path path{}, witness{};
  bool on_disk = false;

  ToldFile(const Registry& registry, const std::vector<FilePlace>& of, std::filesystem::path file, std::filesystem::path by, bool to_disk)
      : path(std::move(file)), witness(std::move(by)), on_disk(to_disk) {
    for (const FilePlace& place : of) {
      std::int64_t i = 0;
      while (&registry.entries()[static_cast<std::size_t>(i)] != place.entry) ++i;
      places.push_back({i, static_cast<std::int64_t>(place.form), place.offset});
    }
  }
  /// Of what `text` gives.
  explicit ToldFile(const std::string& text) : on_disk(text[0] != 0) {
    std::int64_t count = 0;
    std::memcpy(&count, text.data() + 1, sizeof count);
    places.resize(static_cast<std::size_t>(count));
    const std::size_t bytes = places.size() * sizeof(Place), begin = 1 + sizeof count + bytes, end = text.find('\0', begin);
    if (bytes > 0) std::memcpy(places.data(), text.data() + 1 + sizeof count, bytes);
    path = text.substr(begin, end - begin);
    witness = text.substr(end + 1);
  }

  std::string text() const {
    const std::int64_t count = std::ssize(places);
    std::string text(1, on_disk ? 1 : 0);
    text.append(reinterpret_cast<const char*>(&count), sizeof count);
    text.append(reinterpret_cast<const char*>(places.data()), places.size() * sizeof(Place));
    return text + path.string() + '\0' + witness.string();
  }
  std::vector<FilePlace> places_in(const Registry& registry) const {
    std::vector<FilePlace> all;
    for (const Place& place : places)
      all.push_back({&registry.entries()[static_cast<std::size_t>(place.entry)], static_cast<Form>(place.form), place.offset});
    return all;
  }
};

} // namespace corral::run
