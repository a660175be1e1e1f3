#pragma once

#include "app/insitu/in_situ.hpp"
#include "run/case/keys.hpp"
#include "run/case/problems.hpp"
#include "run/case/settings.hpp"
#include "run/driver.hpp"
#include "run/state/particle_set.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace corral::app {

inline constexpr std::size_t largest_case_file = std::size_t{1} << 20; ///< [bytes]
inline constexpr std::size_t longest_case_line = 4096;                 ///< [bytes]

/// Reads the text of a case file: `[section]`, `key = value`, comments from a # at the start or after a blank to the
/// end of the line, values with such a # in double quotes. UTF-8, line ends LF or CRLF. Adds to `problems` every line
/// that cannot be read, keys outside a section, and what stands twice.
run::WrittenCase read_ini(std::string_view text, const std::string& file, const std::filesystem::path& directory,
                          run::Problems& problems);

/// Replaces or adds the values of `--set section.key=value`; `section.key=` leaves the key as if it were not in the
/// file. An empty text is `section.key=""`. Messages say that they come from `where`.
void apply_overrides(run::WrittenCase& written, const std::vector<std::string>& overrides, const run::Location& where,
                     run::Problems& problems);

/// What an earlier part of a run was told with `--set`, and where that is written.
struct ToldBefore {
  std::vector<std::string> overrides{};
  run::Location where{};
};

/// A case that was read and found valid. Its driver may still object when it is made.
struct Case {
  std::filesystem::path directory;
  const run::DriverKind* driver_kind = nullptr;
  run::KeyTable keys; ///< those of the command and of the driver
  run::Settings settings;
  std::vector<std::string> overrides{}; ///< "section.key=value" of all that was applied, in order
};

/// All keys of a case for this driver.
run::KeyTable key_table(const run::DriverKind& driver, const std::vector<run::DriverKind>& drivers);

/// Reads directory/case.ini with the overrides ("section.key=value") applied, over those that an earlier part of the run
/// was told. Throws CaseError with every problem.
Case read_case(const std::filesystem::path& directory, const std::vector<std::string>& overrides,
               const std::vector<run::DriverKind>& drivers, const ToldBefore& before = {});

/// The same from memory: `text` is what `file` would hold; file keys are relative to `directory`.
Case parse_case(std::string_view text, const std::string& file, const std::filesystem::path& directory,
                const std::vector<std::string>& overrides, const std::vector<run::DriverKind>& drivers,
                const ToldBefore& before = {});

/// The driver of the case in its initial state of memory, not started; on the current CUDA device, if that is asked for and
/// the driver has it. The listener hears what takes its time. Throws CaseError with all that it objects to.
std::unique_ptr<run::Driver> make_driver(const Case& c, bool on_device = false, const run::Problems::Listener& listener = {});

/// This rank's driver of a case that a team shares, likewise. Throws UsageError where the driver runs on one process alone.
std::unique_ptr<run::Driver> make_shared_driver(const Case& c, const distributed::Team& team, const run::Problems::Listener& listener = {});

/// What the case comes to, a line each, told by its driver without making it. Throws CaseError as `make_driver` does.
std::vector<std::string> describe_case(const Case& c, bool on_device = false, const run::Problems::Listener& listener = {});

/// The same for some ranks that would share it. Throws UsageError as `make_shared_driver` does.
std::vector<std::string> describe_shared_case(const Case& c, int ranks);

/// What the case runs with the rights of its user, a sentence for each script that counts. Throws CaseError where a
/// script that the case file names lies outside the case's directory, which nobody expects of a case from elsewhere;
/// not where it is named on the command line, nor where `allowed`.
std::vector<std::string> scripts_run_by(const Case& c, bool allowed);

/// Throws UsageError where a description, as drivers give it, has warnings among its lines.
void refuse_warnings(const std::vector<std::string>& description);

/// The text of used.ini: the case with everything resolved, defaults included, numbers in SI with the same bits
/// when read again, files with absolute paths. Put into a directory as case.ini, it is the same case.
std::string used_ini(const Case& c);

/// What a case's files may be of: the sets of particles and the tables of a driver, or of all of them.
struct Outputs {
  std::vector<run::ParticleKind> sets;
  std::vector<run::TableKind> tables;
};
Outputs outputs_of(const std::vector<run::DriverKind>& drivers);

/// Keys that the command itself reads: [case] driver, title; [time] end; [output] fields, log and each of the outputs;
/// [insitu.NAME], [checkpoint].
void declare_case_keys(run::KeyTable& table, const std::vector<run::DriverKind>& drivers, const Outputs& outputs);

/// Who watches a run: the blocks [insitu.NAME], where they count.
std::vector<InSituPlan> insitu_plans(const run::Settings& settings);

} // namespace corral::app
