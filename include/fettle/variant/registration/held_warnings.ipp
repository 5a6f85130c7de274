// Definitions of held_warnings.hpp.
#pragma once

#include <exception>
#include <string>
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
  for (auto& [of, message] : held_) {
    try {
      if (outer_ != nullptr) {
        outer_->held_.emplace_back(of, std::move(message));
      } else {
        of->pass_on(message);
      }
    } catch (...) {
      thrown = std::current_exception();
    }
  }
  if (thrown && std::uncaught_exceptions() == exceptions_) std::rethrow_exception(thrown);
}

[[gnu::cold]] FETTLE_INLINE bool held_warnings::hold(context& of, const std::string& message) {
  if (innermost() == nullptr) return false;
  innermost()->held_.emplace_back(&of, message);
  return true;
}

}  // namespace fettle::detail
