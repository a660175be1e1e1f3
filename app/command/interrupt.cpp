#include "app/command/interrupt.hpp"

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

} // namespace

Interrupts::Interrupts() {
  pending_signal = 0;
  for (std::size_t i = 0; i < treatments.size(); ++i) {
    const auto [signal, remembered] = treatments[i];
    struct sigaction action {};
    sigemptyset(&action.sa_mask);
    action.sa_handler = remembered ? remember : SIG_IGN;
    action.sa_flags = static_cast<int>(SA_RESTART | (remembered ? SA_RESETHAND : 0));
    sigaction(signal, nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

Interrupts::~Interrupts() {
  for (std::size_t i = 0; i < treatments.size(); ++i) sigaction(treatments[i].signal, &before_[i], nullptr);
}

int Interrupts::pending() const { return pending_signal; }

} // namespace corral::app
