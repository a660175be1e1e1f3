#pragma once

#include <corral/error.hpp>

#include <array>
#include <cstddef>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <string>

namespace corral::app {

/// The command line cannot be obeyed, or the output directory cannot be used as asked: nothing was written, exit 2.
class UsageError : public Error {
public:
  using Error::Error;
};

/// The last words, which need no memory.
inline constexpr const char* no_memory_at_all = "corral: out of memory\n";

/// From now on want of memory ends the process with these words, and status 1, also where no handler can be reached: in
/// the threads of oneTBB, which begin and share out work with memory of their own.
void speak_without_memory();

/// What to say where memory did not suffice: for what, as far as that is known, how much all of it takes
/// (`expected_bytes`, 0: not known), and how much there is.
std::string out_of_memory_text(const std::bad_alloc& error, double expected_bytes);
/// What an exception says, of want of memory as above.
std::string reason_text(const std::exception& error);

/// While one lives, and nothing has been written, signals that ask for an end (below) end the process at once, with a
/// sentence on standard error. One that was ignored before stays so. One at a time, and none beside Interrupts.
class EndOnSignal {
public:
  static constexpr std::size_t signals = 6;

  EndOnSignal();
  ~EndOnSignal();
  EndOnSignal(const EndOnSignal&) = delete;
  EndOnSignal& operator=(const EndOnSignal&) = delete;

private:
  std::array<struct sigaction, signals> before_{};
};

/// While one lives, signals that ask for an end are remembered instead of ending the process: SIGINT, SIGTERM and
/// SIGHUP, of which a second one of a kind ends it, and those by which queues announce the end of a job's time or of
/// its processor time, SIGUSR1, SIGUSR2 and SIGXCPU. One that was ignored before stays so: under nohup a run survives
/// its terminal. Writes beyond the file size limit, and into a pipe that nobody reads, fail as writes instead of by
/// SIGXFSZ and SIGPIPE. One at a time.
class Interrupts {
public:
  static constexpr std::size_t signals = 8;

  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  /// The signal that came, 0 for none.
  int pending() const;

private:
  std::array<struct sigaction, signals> before_{};
};

/// How many threads a run has, and what set the number where nobody asked for it: "quota of its control group", or "".
struct Threads {
  int count = 0;
  std::string because;
};
/// `asked`, or where that is 0 one for each of the processors `all` that the process may run on, and no more than `quota`,
/// the processors' worth of time that its control groups give it: further ones would wait for each other through most of
/// each period.
Threads threads_for(int asked, int all, std::optional<double> quota);
/// The same for this process.
Threads threads_for(int asked);

/// Occupies those of the descriptors 0, 1 and 2 that were closed when the program began, before any file is opened:
/// the first file would get such a number, and with it all that is meant for the terminal. What is written to them
/// fails as before. False where that isn't possible.
bool reserve_standard_streams();

/// What a run says, and where: its answer, which is part of what was asked for, and remarks and progress beside it.
/// A quiet run, Console{}, says nothing. No run ends because it isn't heard.
class Console {
public:
  Console() = default;
  /// The answer goes to the descriptor `answer`, all else to `remarks`.
  Console(int answer, std::FILE* remarks) : answer_(answer), remarks_(remarks) {}

  void answer(const std::string& text);
  void remark(const std::string& text) const;
  std::FILE* remarks() const { return remarks_; } ///< nullptr where quiet

  /// Throws Error where a part of the answer could not be written. A reader that has gone read what it wanted.
  void require_delivered() const;

private:
  int answer_ = -1;
  std::FILE* remarks_ = nullptr;
  int failure_ = 0; // errno of the first write that failed
};

/// What is wrong where standard output took no answer; `why` is the system's reason, or empty.
std::string undelivered(const std::string& why);

} // namespace corral::app
