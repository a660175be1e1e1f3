#pragma once

#include "app/insitu/corral_insitu.h"

namespace corral::insitu {

/// Variables of the environment for a script, before Python is started: where its results belong (CORRAL_INSITU_DIR), the
/// title of the case (CORRAL_INSITU_TITLE), and the folder of the plug-in, where corral_view.py lies, for what it imports.
void tell_script(const corral_insitu_request& request);

} // namespace corral::insitu
