#pragma once

#include "run/state/entry.hpp"
#include "run/state/particle_set.hpp"

#include <corral/grid.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace corral::run {

class HostCopy;      // run/state/host_copy.hpp
struct FilePlace;    // run/state/file_values.hpp
class NotFiniteScan; // run/device/not_finite.hpp
class WholeState;    // run/ranks/whole_state.hpp

/// The state of a run: whatever the next step reads is declared here once, and output, checkpoints, the NaN scan and the
/// memory report iterate it. The registry owns what is declared, and refers to what is bound; references stay valid as
/// long as it lives. Declaring a name twice throws Error. Names are made of letters, digits, _ and -; arrays begin as
/// zeros.
class Registry {
public:
  /// Fields and columns lie in `memory`: the host's, or that of the device the driver runs on.
  explicit Registry(const Grid& grid, Memory memory = Memory::host);
  ~Registry();
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  const Grid& grid() const { return grid_; }
  Memory memory() const { return memory_; }

  /// grid().points(staggering) values.
  Array<double>& declare_field(std::string name, std::string unit, std::string meaning, Staggering staggering, Use use);
  /// The same with several components, on the same points.
  Columns declare_fields(const std::string& name, const std::string& unit, const std::string& meaning, int components,
                         Staggering staggering, Use use);
  /// A vector by components, each with a staggering of its own.
  Components declare_vector_field(const std::string& name, const std::string& unit, const std::string& meaning,
                                  const std::array<Staggering, 3>& staggerings, Use use);
  ParticleSet& declare_set(ParticleKind kind);
  double& declare_real(std::string name, std::string unit, std::string meaning, Use use);
  std::int64_t& declare_counter(std::string name, std::string meaning, Use use);

  /// State that stays with its owner, who must outlive every use of the registry but its destructor.
  void bind(std::string name, std::string unit, std::string meaning, double& number, Use use = Use::saved);
  void bind(std::string name, std::string meaning, std::int64_t& number);
  void bind(std::string name, std::string unit, std::string meaning, Array<double>& table, Use use = Use::saved,
            std::optional<FieldsOfTable> fields = {});
  void bind(std::string name, std::string unit, std::string meaning, Array<float>& table, Use use = Use::saved,
            std::optional<FieldsOfTable> fields = {});
  void bind(std::string name, std::string meaning, Array<std::uint64_t>& table);

  std::deque<Entry>& entries() { return entries_; }
  const std::deque<Entry>& entries() const { return entries_; }
  std::deque<ParticleSet>& sets() { return sets_; }
  const std::deque<ParticleSet>& sets() const { return sets_; }
  /// Not of a set; nullptr where nothing has that name.
  const Entry* find(std::string_view name, int component = 0) const;
  const ParticleSet* find_set(std::string_view name) const;      ///< nullptr where there is none
  std::int64_t bytes() const;                                    ///< memory of all arrays

  using Wanted = std::function<bool(const Entry&)>;

  /// Ranks, of which a registry shows what they share: entries that are `elsewhere`. Their values come and go piece by piece.
  class Source {
  public:
    virtual ~Source() = default;
    virtual void write(const std::filesystem::path& file, const std::vector<FilePlace>&, bool on_disk) = 0; ///< as `fill`
    virtual void read(const std::filesystem::path& file, const std::vector<FilePlace>&, const std::filesystem::path& witness) = 0; ///< as `take`
    /// Of each `block` bytes of a file that was written so, without those before `from`, the last block shorter (RankFile::checksum).
    virtual std::vector<std::string> checksums(const std::filesystem::path& file, std::size_t bytes, std::size_t block, std::size_t from) = 0;
    virtual void send() = 0; ///< to all ranks: how many particles there are, and what each of them has
    virtual std::optional<std::string> find_not_finite() = 0; ///< as the registry's
  };
  /// From now on; it outlives all calls.
  void come_from(Source& source) { source_ = &source; }
  Source* ranks() const { return source_; } ///< null where this process has all of the state

  /// The state as host code reads it: this registry where it lies on the host. Of one on a device it is another with the same
  /// entries, of which those that are wanted are brought into pinned memory, in one go with one wait; other arrays hold
  /// what they held. Good until the next call. Throws Error where the device fails, std::bad_alloc.
  const Registry& on_host(const Wanted& wanted) const;
  /// Lets host code resize and write what is saved: `fill` is handed this registry, or the other one, from which the device
  /// then gets it. What is elsewhere `take` reads after that.
  void fill_on_host(const std::function<void(Registry&)>& fill);

  /// Values of entries that are elsewhere go to their places in a file, which is there and long enough; on the disk, if so, when it
  /// returns. Throws Error on all ranks where one of them cannot write.
  void fill(const std::filesystem::path& file, const std::vector<FilePlace>& places, bool on_disk = false) const;
  /// They come from there. The witness is another file that would be another one if the first were: ranks that have the same read for
  /// themselves.
  void take(const std::filesystem::path& file, const std::vector<FilePlace>& places, const std::filesystem::path& witness);

  /// Takes over all that `other` holds and is saved here: the state of a run that was made alike. Throws Error where
  /// `other` lacks something that is not optional, or holds it in another shape; nothing is changed then.
  void assign(const Registry& other);

  /// Names the first value (by order of declaration, then of index) of a `saved` real entry, `watched` ones aside, that is
  /// infinite or NaN: "gas_velocity_y at face (3, 0, 7) is nan". Nothing where all are finite. Of fields, of what is known.
  std::optional<std::string> find_not_finite() const;

private:
  friend class ParticleSet;
  friend class HostCopy;
  friend class WholeState;

  Entry& declare(Entry entry);
  Array<double>& own_reals(Entry entry, std::int64_t count);
  Array<double>& own_field(Entry entry, Staggering staggering);
  const Entry* find(const Entry& like) const;
  HostCopy& host_copy() const;
  /// A value that is not finite.
  struct Found {
    const Entry* entry;
    std::int64_t index;
  };
  std::optional<Found> find_not_finite_on_device() const;

  Grid grid_;
  Memory memory_;
  std::deque<Entry> entries_; // a deque never moves what it holds
  std::deque<ParticleSet> sets_;
  std::deque<Array<double>> reals_;
  std::deque<Array<std::uint64_t>> ids_;
  std::deque<Array<std::int32_t>> integers_;
  std::deque<Array<float>> floats_; // of tables that a device holds, on the host
  std::deque<double> numbers_;
  std::deque<std::int64_t> counters_;
  mutable std::unique_ptr<HostCopy> host_copy_; // of a device's, made when it is first asked for, as is the next
  mutable std::unique_ptr<NotFiniteScan> scan_;
  Source* source_ = nullptr;
};

/// A vector whose components are normal to the faces they stand on.
inline constexpr std::array<Staggering, 3> on_faces{Staggering::face_x, Staggering::face_y, Staggering::face_z};

} // namespace corral::run
