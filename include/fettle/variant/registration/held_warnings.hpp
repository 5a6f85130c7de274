// held_warnings: what a thread has to warn of while it holds a lock of the library. The handlers
// are the program's: they are called when the lock is free, and so may call tuned functions.
#pragma once

#include <exception>
#include <functional>
#include <vector>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// While one lives, its thread's warnings wait; its end passes them on, or leaves them to the one
/// around it. Declare it before the lock. What a handler throws leaves the destructor when all are
/// passed on, unless another exception is on its way already.
class held_warnings {
 public:
  held_warnings() noexcept;
  ~held_warnings() noexcept(false);
  held_warnings(const held_warnings&) = delete;
  held_warnings& operator=(const held_warnings&) = delete;

  /// Calls `warn` at the end of the calling thread's; now where it has none.
  static void pass_on(std::function<void()> warn);

 private:
  static held_warnings*& innermost() noexcept;

  held_warnings* outer_;
  int exceptions_ = std::uncaught_exceptions();
  std::vector<std::function<void()>> held_;
};

}  // namespace fettle::detail

#ifndef FETTLE_COMPILED
#include <fettle/variant/registration/held_warnings.ipp>
#endif
