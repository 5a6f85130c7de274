// A callable behind a function pointer: what variants, features and constraints are stored as.
// One indirect call, no virtual call of its own, no allocation when called.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// Room for a copy of a small object.
struct alignas(void*) small_copy {
  std::byte bytes[2 * sizeof(void*)] = {};
};

/// Whether a copy of the object, made byte by byte, may be called in its place: it says so by
/// `is_immutable`, and calls of it change nothing in it.
template <typename Object>
inline constexpr bool may_be_copied =
    requires { requires Object::is_immutable; } && std::is_trivially_copyable_v<Object> &&
    sizeof(Object) <= sizeof(small_copy) && alignof(Object) <= alignof(small_copy);

/// Calls `R f(Params...)` through one pointer. Either owns its object (callables given by value) or
/// refers to one that the user keeps alive (objects given by pointer). Copies share the object.
template <typename R, typename... Params>
class erased_call {
 public:
  using function = R (*)(void*, Params...);

  /// Keeps `object` and calls it through `Adapter`, a stateless function object called as
  /// adapter(object, params...).
  template <typename Adapter, typename Object>
  static erased_call owning(Object&& object) {
    using kept = std::decay_t<Object>;
    auto owner = std::make_shared<kept>(std::forward<Object>(object));
    erased_call call;
    call.object_ = owner.get();
    call.owner_ = std::move(owner);
    call.function_ = &invoke<Adapter, kept>;
    if constexpr (may_be_copied<kept>) call.copied_ = sizeof(kept);
    return call;
  }

  /// Calls *object, which must outlive this.
  template <typename Adapter, typename Object>
  static erased_call referring(Object* object) {
    erased_call call;
    call.object_ = object;
    call.function_ = &invoke<Adapter, Object>;
    return call;
  }

  R operator()(Params... params) const {
    return function_(object_, std::forward<Params>(params)...);
  }

  void* object() const noexcept { return object_; }
  function code() const noexcept { return function_; }
  /// Whether copy() is as good as what object() points at.
  bool is_copied() const noexcept { return copied_ != 0; }
  small_copy copy() const noexcept {
    small_copy made;
    if (copied_ != 0) std::memcpy(made.bytes, object_, copied_);
    return made;
  }

 private:
  template <typename Adapter, typename Object>
  static R invoke(void* object, Params... params) {
    return Adapter{}(*static_cast<Object*>(object), std::forward<Params>(params)...);
  }

  std::shared_ptr<void> owner_;
  void* object_ = nullptr;
  function function_ = nullptr;
  std::size_t copied_ = 0;  // bytes; 0: must not be
};

}  // namespace fettle::detail
