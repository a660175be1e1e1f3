#pragma once

#include "run/ranks/rank_file.hpp"
#include "run/ranks/whole_state.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace corral::run {

/// Files of a state that ranks share, which rank 0 has made but for the values that are elsewhere. No rank has room for more than
/// some pieces of these: a piece comes together on the rank that writes it, as it stands in the file, and is written in one go. Where
/// all ranks see the file that rank 0 made, and may write it, they do so in turn, each a piece; else rank 0 writes all of them.
class WholeFiles {
public:
  static constexpr std::int64_t usual_piece = std::int64_t{4} << 20; ///< [bytes]

  WholeFiles(WholeState& state, const distributed::Team& team, OpenRankFile open, std::int64_t piece = usual_piece)
      : state_(state), team_(team), open_(std::move(open)), piece_(piece) {}

  // Collective, with the same places on all ranks; their entries are of the whole. What one rank throws all throw.
  void write(const std::filesystem::path& file, const std::vector<FilePlace>& places, bool on_disk);
  /// Places are those of `values`. Where the witness is the same on all ranks, all read; else rank 0 does, for all.
  void read(const std::filesystem::path& file, const std::vector<FilePlace>& places, const std::filesystem::path& witness);
  /// On rank 0, of the file that was written last: all ranks read it, where all wrote it.
  std::vector<std::string> checksums(const std::filesystem::path& file, std::int64_t bytes, std::int64_t block, std::int64_t from);

  // How many ranks wrote and read the last file; 0 before that.
  int writers() const { return writers_; }
  int readers() const { return readers_; }
  /// Some ranks did not see a file, or may not write it.
  bool apart() const { return apart_; }

private:
  using Piece = distributed::Piece;

  bool all_have(const std::filesystem::path& file) const;
  std::unique_ptr<RankFile> opened(const std::filesystem::path& file, const std::vector<FilePlace>& places);
  template <class F> void each_turn(const FilePlace& place, const FileValues& values, int ranks, const F& f) const;

  WholeState& state_;
  const distributed::Team& team_;
  OpenRankFile open_;
  std::int64_t piece_; ///< [bytes]
  int writers_ = 0, readers_ = 0;
  bool apart_ = false;
};

} // namespace corral::run
