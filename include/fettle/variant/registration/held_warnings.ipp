// Definitions of held_warnings.hpp.
#pragma once

#include <exception>
#include <functional>
#include <utility>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/variant/registration/held_warnings.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE held_warnings*& held_warnings::innermost() noexcept {
  thread_local constinit held_warnings* of_thread = nullptr;
  return of_thread;
}

[[gnu::cold]] FETTLE_INLINE held_warnings::held_warnings() noexcept
    : outer_(std::exchange(innermost(), this)) {}

[[gnu::cold]] FETTLE_INLINE held_warnings::~held_warnings() noexcept(false) {
  innermost() = outer_;
  std::exception_ptr thrown;
  for (std::function<void()>& warn : held_) {
    try {
      pass_on(std::move(warn));
    } catch (...) {
      thrown = std::current_exception();
    }
  }
  if (thrown && std::uncaught_exceptions() == exceptions_) std::rethrow_exception(thrown);
}

[[gnu::cold]] FETTLE_INLINE void held_warnings::pass_on(std::function<void()> warn) {
  if (innermost() == nullptr) return warn();
  innermost()->held_.push_back(std::move(warn));
}

}  // namespace fettle::detail
