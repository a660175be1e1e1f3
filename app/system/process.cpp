#include "app/system/process.hpp"

#include "app/system/system_calls.hpp"
#include "app/system/text.hpp"
#include "run/limits.hpp"

#include <corral/error.hpp>
#include <corral/execution.hpp>
#include <corral/memory.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string_view>

namespace corral::app {

namespace {

// What the process may have of it.
std::string available_text() {
  const run::MemoryLimit limit = run::memory_limit();
  return std::isfinite(limit.bytes) ? limit.cause + " " + bytes_text(limit.bytes) : "there is no limit known";
}

std::terminate_handler usual_end = nullptr;

[[noreturn]] void end_with_words() {
  if (const std::exception_ptr error = std::current_exception()) {
    try {
      std::rethrow_exception(error);
    } catch (const std::bad_alloc&) {
      [[maybe_unused]] const int ignored = system_calls::write(STDERR_FILENO, no_memory_at_all);
      ::_exit(1);
    } catch (...) { // the usual end tells of it
    }
  }
  if (usual_end) usual_end();
  std::abort();
}

} // namespace

void speak_without_memory() { usual_end = std::set_terminate(end_with_words); }

std::string out_of_memory_text(const std::bad_alloc& error, double expected_bytes) try {
  if (dynamic_cast<const OutOfDeviceMemory*>(&error) != nullptr)
    return std::string(error.what()) + " (the run holds " + bytes_text(static_cast<double>(memory_use(Memory::device).held)) +
           " of it) take fewer cells or parcels, or a device that has more";
  std::string why;
  if (const auto* known = dynamic_cast<const run::OutOfMemory*>(&error)) why = std::string(known->what()) + "; ";
  if (expected_bytes > 0) why += "the case takes about " + bytes_text(expected_bytes) + " at its start; ";
  return "out of memory (" + why + available_text() + ")" +
         (why.empty() ? "" : " take fewer cells or parcels, or a larger machine");
} catch (const std::bad_alloc&) {
  return "out of memory"; // short enough to need none
}

std::string reason_text(const std::exception& error) {
  const auto* memory = dynamic_cast<const std::bad_alloc*>(&error);
  return memory ? out_of_memory_text(*memory, 0) : error.what();
}

namespace {

enum class Treatment { once, always, ignored }; // remembered once or always
struct Treated {
  int signal;
  Treatment treatment;
};
// Who sends one of the first three twice wants an end. The next three come from queues, SIGXCPU once a second.
constexpr std::array<Treated, Interrupts::signals> treatments{{{SIGINT, Treatment::once},
                                                               {SIGTERM, Treatment::once},
                                                               {SIGHUP, Treatment::once},
                                                               {SIGUSR1, Treatment::always},
                                                               {SIGUSR2, Treatment::always},
                                                               {SIGXCPU, Treatment::always},
                                                               {SIGXFSZ, Treatment::ignored},
                                                               {SIGPIPE, Treatment::ignored}}};

volatile std::sig_atomic_t pending_signal = 0; // a handler can reach nothing else

extern "C" void remember(int signal) { pending_signal = signal; }

// What it calls may be called at any moment. The process then ends by the signal, as its parent expects.
extern "C" void say_and_end(int signal) {
  constexpr std::string_view sentence = "corral: ended by a signal before the first step; nothing was written\n";
  [[maybe_unused]] const int ignored = system_calls::write(STDERR_FILENO, sentence);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

constexpr std::array<int, EndOnSignal::signals> ending{SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU};

/// Unless the signal is ignored. Returns how it was treated before.
struct sigaction handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action {}, before {};
  sigemptyset(&action.sa_mask);
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(signal, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  return before;
}

} // namespace

EndOnSignal::EndOnSignal() {
  for (std::size_t i = 0; i < ending.size(); ++i) before_[i] = handle(ending[i], say_and_end, 0);
}

EndOnSignal::~EndOnSignal() {
  for (std::size_t i = 0; i < ending.size(); ++i) sigaction(ending[i], &before_[i], nullptr);
}

Interrupts::Interrupts() {
  pending_signal = 0;
  for (std::size_t i = 0; i < treatments.size(); ++i) {
    const auto [signal, treatment] = treatments[i];
    before_[i] = handle(signal, treatment == Treatment::ignored ? SIG_IGN : remember,
                        static_cast<int>(SA_RESTART | (treatment == Treatment::once ? SA_RESETHAND : 0)));
  }
}

Interrupts::~Interrupts() {
  for (std::size_t i = 0; i < treatments.size(); ++i) sigaction(treatments[i].signal, &before_[i], nullptr);
}

int Interrupts::pending() const { return pending_signal; }

Threads threads_for(int asked, int all, std::optional<double> quota) {
  if (asked > 0) return {asked, ""};
  if (!quota || *quota > all - 1) return {all, ""};
  return {std::max(1, static_cast<int>(std::ceil(*quota))), "quota of its control group"};
}

Threads threads_for(int asked) {
  return threads_for(asked, current_threads(), run::control_group_processors("/proc/self/cgroup", "/sys/fs/cgroup"));
}

bool reserve_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1) continue;
    // Opened the wrong way round, so that it can be neither read nor written. A file gets the lowest free number.
    if (::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream) return false;
  }
  return true;
}

// Without stdio, which would keep what it cannot write and try again when the process ends.
void Console::answer(const std::string& text) {
  if (answer_ < 0 || failure_ != 0) return;
  failure_ = system_calls::write(answer_, text);
}

void Console::remark(const std::string& text) const {
  if (!remarks_) return;
  std::fputs(text.c_str(), remarks_);
  std::fflush(remarks_);
}

void Console::require_delivered() const {
  if (failure_ != 0 && failure_ != EPIPE) throw Error(undelivered(std::strerror(failure_)));
}

std::string undelivered(const std::string& why) {
  return "the answer could not be written (standard output is closed or full" + (why.empty() ? "" : ": " + why) + ")";
}

} // namespace corral::app
