#pragma once

#include <string>

namespace corral::catalyst {

/// Before ParaView starts the interpreter: makes libpython's symbols visible to Python's own modules, which look for
/// them among those of the whole process. Throws std::runtime_error where the library is not there.
void make_python_visible();

/// After ParaView has started the interpreter: catches what scripts throw, keeps them from ending the process, and
/// from drawing where nothing can be drawn. Throws std::runtime_error.
void prepare_python();

/// What a script threw since the last call, in a sentence; "" where nothing was thrown.
std::string take_failure();

} // namespace corral::catalyst
