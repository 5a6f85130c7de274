// The deployment plan of one tuned function, made when it is called first.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include <fettle/variant/deployment.hpp>
#include <fettle/variant/registry.hpp>

namespace fettle::detail {

class first_call {
 public:
  /// The plan, made by `make` where there is none yet. It may throw, and is tried again then.
  template <typename Make>
  const deployment& plan(Make&& make) {
    const deployment* known = plan_.load(std::memory_order_acquire);
    return known != nullptr ? *known : made(make);
  }

  /// Registration after the first call is misuse. Throws fettle::error.
  void refuse_after(const registry& function, std::string_view what) const {
    if (plan_.load(std::memory_order_acquire) == nullptr) return;
    function.complain(std::string(what) + " after the first call; register everything before it");
  }

 private:
  template <typename Make>
  [[gnu::noinline]] const deployment& made(Make& make) {
    const std::scoped_lock lock(mutex_);
    if (owned_ == nullptr) {
      owned_ = std::make_unique<const deployment>(make());
      plan_.store(owned_.get(), std::memory_order_release);
    }
    return *owned_;
  }

  std::mutex mutex_;
  std::unique_ptr<const deployment> owned_;
  std::atomic<const deployment*> plan_{nullptr};
};

}  // namespace fettle::detail
