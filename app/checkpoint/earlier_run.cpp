#include "app/case/case_file.hpp"
#include "app/checkpoint/checkpointer.hpp"
#include "app/system/files.hpp"

#include <corral/error.hpp>

#include <system_error>

namespace corral::app {

namespace {

namespace fs = std::filesystem;

class CheckpointedRun final : public run::EarlierRun {
public:
  CheckpointedRun(const Checkpoint& checkpoint, std::vector<std::string> refused) : state_(checkpoint.state()) {
    place = checkpoint.directory.string();
    step = checkpoint.manifest.step;
    time = checkpoint.manifest.time;
    left_aside = std::move(refused);
    run::Problems problems;
    used = read_ini(read_whole_file(checkpoint.used_ini(), largest_case_file), checkpoint.used_ini().string(),
                    checkpoint.directory, problems);
    problems.throw_if_any();
  }

  void read(run::Registry& wanted) const override { read_state(state_, wanted); }

private:
  fs::path state_;
};

[[noreturn]] void holds_none(const fs::path& output) {
  std::error_code code;
  if (!fs::is_directory(output, code))
    throw Error(output.string() + (fs::exists(output, code) ? " is no directory" : " does not exist") +
                " (where a run has written its results is expected) name its output directory");
  const fs::path below = output / "out";
  throw Error(output.string() + " holds no checkpoint (" + (output / "checkpoint").string() + " has none) " +
              (fs::is_directory(below / "checkpoint", code) ? "its case wrote into " + below.string() + ": name that"
                                                             : "name the output directory of a run that has written one"));
}

} // namespace

std::shared_ptr<const run::EarlierRun> earlier_run(const fs::path& output) {
  std::vector<std::string> refused;
  const std::optional<Checkpoint> found = Checkpoints(output).newest(refused);
  if (found) return std::make_shared<CheckpointedRun>(*found, std::move(refused));
  if (refused.empty()) holds_none(output);
  throw Error(output.string() + " holds no checkpoint that is whole (" + refused.front() + ") name another run's results");
}

} // namespace corral::app
