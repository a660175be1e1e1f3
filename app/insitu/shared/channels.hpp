#pragma once

#include <string>
#include <vector>

namespace corral::insitu {

/// The names under which a script finds what is called `name`. What corral writes as fields.pvd is opened under that
/// name in ParaView: so a script that the client exports finds it.
inline std::vector<std::string> channels_of(const std::string& name) { return {name, name + ".pvd"}; }

} // namespace corral::insitu
