#include "run/ranks/whole_files.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <random>
#include <span>
#include <utility>

namespace corral::run {

namespace {

/// The first thing that goes wrong on this rank while the others count on it: it goes on with them, and says so at the end.
class FirstProblem {
public:
  template <class F> void guard(const F& work) {
    if (!text_.empty()) return;
    try {
      work();
    } catch (const std::exception& e) {
      text_ = *e.what() == '\0' ? "an error without a text" : e.what();
    }
  }
  const std::string& text() const { return text_; }

private:
  std::string text_;
};

} // namespace

/// f(a piece for each rank) in the order of the file. Pieces end where blocks of the file do, as nearly as values allow: file systems
/// give a block to one writer at a time.
template <class F> void WholeFiles::each_turn(const FilePlace& place, const FileValues& values, int ranks, const F& f) const {
  const std::int64_t each = values.each(), first_block = place.offset / piece_;
  const auto begin_of = [&](std::int64_t piece) {
    const std::int64_t bytes = std::max<std::int64_t>(0, (first_block + piece) * piece_ - place.offset);
    return std::min(values.size(), (bytes + each - 1) / each);
  };
  std::vector<Piece> made(static_cast<std::size_t>(team_.size()));
  for (std::int64_t next = 0; begin_of(next) < values.size();) {
    for (int r = 0; r < ranks; ++r, ++next) made[static_cast<std::size_t>(r)] = {begin_of(next), begin_of(next + 1)};
    f(made);
  }
}

/// The file on all ranks that are to write. Rank 0 puts a number into it that nobody can guess: who does not find it there sees another
/// file, or none.
std::unique_ptr<RankFile> WholeFiles::opened(const std::filesystem::path& path, const std::vector<FilePlace>& places) {
  std::array<std::uint64_t, 2> number{}, found{};
  const bool leads = team_.rank() == 0;
  std::unique_ptr<RankFile> file;
  FirstProblem problem;
  const auto room = std::find_if(places.begin(), places.end(), [&](const FilePlace& place) {
    return FileValues(state_.whole(), *place.entry, place.form).bytes() >= static_cast<std::int64_t>(sizeof number);
  });
  if (leads && room != places.end())
    problem.guard([&] {
      std::random_device random;
      for (std::uint64_t& word : number) word = (std::uint64_t{random()} << 32) | random();
      file = open_(path, Access::write);
      file->write(room->offset, std::as_bytes(std::span(number)));
      file->close(false);
    });
  team_.agree(problem.text());
  team_.broadcast(number.data(), number.size());
  if (!leads && room != places.end()) try {
      open_(path, Access::read)->read(room->offset, std::as_writable_bytes(std::span(found)));
      if (found == number) file = open_(path, Access::write);
    } catch (const std::exception&) { // it is not there, or not for this rank
    }
  const bool all_write = room != places.end() && team_.maximum(leads || file ? 0 : 1) == 0;
  writers_ = all_write ? team_.size() : 1;
  apart_ = apart_ || (room != places.end() && !all_write);
  if (leads) problem.guard([&] { file = open_(path, Access::write); });
  else if (!all_write) file.reset();
  team_.agree(problem.text());
  return file;
}

void WholeFiles::write(const std::filesystem::path& path, const std::vector<FilePlace>& places, bool on_disk) {
  state_.count();
  state_.find_rows();
  const std::unique_ptr<RankFile> file = opened(path, places);
  FirstProblem problem;
  const auto rank = static_cast<std::size_t>(team_.rank());
  for (const FilePlace& place : places) {
    const FileValues values(state_.whole(), *place.entry, place.form);
    std::vector<std::byte> bytes(static_cast<std::size_t>(std::min(piece_ + values.each(), values.bytes())));
    each_turn(place, values, writers_, [&](const std::vector<Piece>& made) {
      const Piece& mine = made[rank];
      values.make(mine, [&](const Entry& e, const FileValues::PiecesOf& of, std::byte* to) { state_.bring(e, of, made, to); }, bytes.data());
      if (mine.begin == mine.end) return;
      problem.guard([&] {
        file->write(place.offset + mine.begin * values.each(), std::span(bytes).first(static_cast<std::size_t>(mine.size() * values.each())));
      });
    });
  }
  // Rank 0 sees to it later that a file is on the disk: that brings what this machine wrote there.
  if (file) problem.guard([&] { file->close(on_disk || rank > 0); });
  team_.agree(problem.text());
}

/// The same file as rank 0 has, as far as its checksum tells.
bool WholeFiles::all_have(const std::filesystem::path& path) const {
  std::int64_t size = -1;
  std::string sum(checksum_digits, '\0'), mine = sum;
  const auto look = [&](std::string& into) {
    try {
      const std::unique_ptr<RankFile> file = open_(path, Access::read);
      if (size < 0) size = file->size();
      if (file->size() == size) into = file->checksum(0, size);
    } catch (const std::exception&) { // it is not there
    }
  };
  if (team_.rank() == 0) look(sum);
  team_.broadcast(&size, 1);
  team_.broadcast(sum.data(), sum.size());
  if (team_.rank() != 0 && size >= 0) look(mine);
  return team_.maximum(size >= 0 && (team_.rank() == 0 || mine == sum) ? 0 : 1) == 0;
}

void WholeFiles::read(const std::filesystem::path& path, const std::vector<FilePlace>& places, const std::filesystem::path& witness) {
  readers_ = all_have(witness) ? team_.size() : 1;
  std::unique_ptr<RankFile> file;
  FirstProblem problem;
  const bool reads = team_.rank() < readers_;
  if (reads) problem.guard([&] { file = open_(path, Access::read); });
  team_.agree(problem.text());
  const auto rank = static_cast<std::size_t>(team_.rank());
  for (const FilePlace& place : places) {
    const FileValues values(state_.whole(), *place.entry, place.form);
    std::vector<std::byte> bytes(reads ? static_cast<std::size_t>(std::min(piece_ + values.each(), values.bytes())) : 0);
    each_turn(place, values, readers_, [&](const std::vector<Piece>& given) {
      const Piece& mine = given[rank];
      if (mine.begin < mine.end)
        problem.guard([&] {
          file->read(place.offset + mine.begin * values.each(), std::span(bytes).first(static_cast<std::size_t>(mine.size() * values.each())));
        });
      state_.send(*place.entry, given, bytes.data());
    });
    state_.fill_ghosts(*place.entry);
  }
  team_.agree(problem.text());
}

std::vector<std::string> WholeFiles::checksums(const std::filesystem::path& path, std::int64_t bytes, std::int64_t block, std::int64_t from) {
  const std::int64_t blocks = bytes > from ? (bytes - from + block - 1) / block : 0, ranks = writers_ > 0 ? writers_ : 1;
  FirstProblem problem;
  std::string mine;
  if (team_.rank() < ranks)
    problem.guard([&] {
      const std::unique_ptr<RankFile> file = open_(path, Access::read);
      for (std::int64_t b = team_.rank(); b < blocks; b += ranks) {
        const std::int64_t begin = from + b * block;
        mine += file->checksum(begin, std::min(block, bytes - begin));
      }
    });
  team_.agree(problem.text());
  std::vector<std::int64_t> to(static_cast<std::size_t>(team_.size()), 0);
  to.front() = static_cast<std::int64_t>(mine.size() / checksum_digits);
  const distributed::ReceivedRows all = team_.exchange(std::as_bytes(std::span(mine)), checksum_digits, to);
  std::vector<std::string> sums(team_.rank() == 0 ? static_cast<std::size_t>(blocks) : 0);
  const auto* next = reinterpret_cast<const char*>(all.bytes.data());
  for (std::int64_t r = 0; r < ranks && !sums.empty(); ++r)
    for (std::int64_t b = r; b < blocks; b += ranks, next += checksum_digits) sums[static_cast<std::size_t>(b)].assign(next, checksum_digits);
  return sums;
}

} // namespace corral::run
