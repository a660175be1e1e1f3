#include "app/command/interrupt.hpp"

#include "app/output/system_calls.hpp"

#include <unistd.h>

#include <string_view>

namespace corral::app {

namespace {

struct Treatment {
  int signal;
  bool remembered; // otherwise ignored
};
constexpr std::array<Treatment, 5> treatments{
    {{SIGINT, true}, {SIGTERM, true}, {SIGHUP, true}, {SIGXFSZ, false}, {SIGPIPE, false}}};

volatile std::sig_atomic_t pending_signal = 0; // a handler can reach nothing else

extern "C" void remember(int signal) { pending_signal = signal; }

// What it calls may be called at any moment. The process then ends by the signal, as its parent expects.
extern "C" void say_and_end(int signal) {
  constexpr std::string_view sentence = "corral: ended by a signal before the first step; nothing was written\n";
  [[maybe_unused]] const int ignored = system_calls::write(STDERR_FILENO, sentence);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

constexpr std::array<int, 3> ending{SIGINT, SIGTERM, SIGHUP};

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
    const auto [signal, remembered] = treatments[i];
    before_[i] = handle(signal, remembered ? remember : SIG_IGN,
                        static_cast<int>(SA_RESTART | (remembered ? SA_RESETHAND : 0)));
  }
}

Interrupts::~Interrupts() {
  for (std::size_t i = 0; i < treatments.size(); ++i) sigaction(treatments[i].signal, &before_[i], nullptr);
}

int Interrupts::pending() const { return pending_signal; }

} // namespace corral::app
