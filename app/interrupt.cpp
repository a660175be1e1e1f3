#include "app/interrupt.hpp"

namespace corral::app {

namespace {

constexpr std::array signals{SIGINT, SIGTERM, SIGXFSZ};
volatile std::sig_atomic_t pending_signal = 0; // a handler can reach nothing else

extern "C" void remember(int signal) { pending_signal = signal; }

} // namespace

Interrupts::Interrupts() {
  pending_signal = 0;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    struct sigaction action {};
    sigemptyset(&action.sa_mask);
    action.sa_handler = signals[i] == SIGXFSZ ? SIG_IGN : remember;
    action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
    sigaction(signals[i], &action, &before_[i]);
  }
}

Interrupts::~Interrupts() {
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before_[i], nullptr);
}

int Interrupts::pending() const { return pending_signal; }

} // namespace corral::app
