#pragma once

#include <cstdio>
#include <string>

namespace corral::app {

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
