// replay FOLDER...: hands each file of the folders to the target that it is linked with, whole and cut short at 64 places:
// what a fuzzer begins with and what it once found, for every build and compiler. Fails where there is no file.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t cuts = 64;

std::vector<std::filesystem::path> files_of(int folders, char** folder) {
  std::vector<std::filesystem::path> files;
  for (int i = 0; i < folders; ++i)
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder[i]))
      if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

void hand_over(const std::string& bytes, std::size_t size) {
  const std::vector<std::uint8_t> exactly(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
  LLVMFuzzerTestOneInput(exactly.data(), exactly.size()); // memory behind the last byte is out of bounds
}

} // namespace

int main(int count, char** arguments) {
  const auto files = files_of(count - 1, arguments + 1);
  for (const auto& path : files) {
    std::ifstream in(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    for (std::size_t cut = 0; cut <= cuts; ++cut) hand_over(bytes, bytes.size() * cut / cuts);
  }
  std::printf("%zu files, each cut at %zu places\n", files.size(), cuts);
  return files.empty() ? 1 : 0;
}
