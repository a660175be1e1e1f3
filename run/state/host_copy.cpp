#include "run/state/host_copy.hpp"

#include <corral/memory.hpp>

#include <cstddef>
#include <utility>

namespace corral::run {

void HostCopy::declare_missing() {
  for (std::size_t i = copy_.sets_.size(); i < of_.sets_.size(); ++i) copy_.declare_set(of_.sets_[i].kind_);
  for (std::size_t i = copy_.entries_.size(); i < of_.entries_.size(); ++i) {
    Entry entry = of_.entries_[i];
    for (std::size_t s = 0; s < of_.sets_.size(); ++s)
      if (entry.set == &of_.sets_[s]) entry.set = &copy_.sets_[s];
    if (entry.on_device()) {
      if (entry.reals()) entry.value = &copy_.reals_.emplace_back(Memory::pinned);
      if (entry.ids()) entry.value = &copy_.ids_.emplace_back(Memory::pinned);
      if (entry.integers()) entry.value = &copy_.integers_.emplace_back(Memory::pinned);
      if (entry.floats()) entry.value = &copy_.floats_.emplace_back(Memory::pinned);
    }
    copy_.entries_.push_back(std::move(entry));
  }
}

Registry& HostCopy::fetch(const Registry::Wanted& wanted) {
  declare_missing();
  for (std::size_t s = 0; s < of_.sets_.size(); ++s) copy_.sets_[s].size_ = of_.sets_[s].size_;
  bool any = false;
  for (std::size_t i = 0; i < of_.entries_.size(); ++i) {
    const Entry& entry = of_.entries_[i];
    if (!entry.on_device() || !wanted(entry)) continue;
    copy_.entries_[i].take(entry);
    any = true;
  }
  if (any) detail::wait_for(run_stream);
  return copy_;
}

void HostCopy::send(Registry& to, const Registry::Wanted& wanted) const {
  for (std::size_t s = 0; s < to.sets_.size(); ++s) to.sets_[s].resize(copy_.sets_[s].size_);
  for (std::size_t i = 0; i < copy_.entries_.size(); ++i)
    if (const Entry& entry = to.entries_[i]; entry.on_device() && wanted(entry)) entry.take(copy_.entries_[i]);
  detail::wait_for(run_stream);
}

} // namespace corral::run
