#pragma once

#include "run/state/registry.hpp"

namespace corral::run {

/// A registry on a device as host code sees it: another one with the same entries, whose arrays stand in pinned memory. What
/// lies on the host anyway, numbers and tables that were bound, is the same in both.
class HostCopy {
public:
  explicit HostCopy(const Registry& of) : of_(of), copy_(of.grid(), Memory::pinned) {}

  /// Brings entries that are wanted here, in one go with one wait. Others hold what they held. From the second call on
  /// nothing is allocated, but where there are more particles than ever before.
  Registry& fetch(const Registry::Wanted& wanted);
  /// Takes what the copy holds of entries that are wanted to the device, likewise; sets come to have as many particles.
  void send(Registry& to, const Registry::Wanted& wanted) const;

private:
  void declare_missing();

  const Registry& of_;
  Registry copy_;
};

} // namespace corral::run
