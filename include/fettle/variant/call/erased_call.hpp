// A callable behind a function pointer: what variants, features and constraints are stored as, with
// their types erased, so that the tables of all tuned functions are of one type. One indirect call,
// no virtual call, no allocation when called.
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

/// The function and the object of an erased call; its parameters' types are known to the caller.
struct erased_code {
  using any_function = void (*)();

  any_function code = nullptr;
  void* object = nullptr;
};

/// What an erased call keeps. Either owns its object (callables given by value) or refers to one
/// that the user keeps alive (objects given by pointer). Copies share the object.
class any_call {
 public:
  any_call() = default;

  [[nodiscard]] const erased_code& target() const noexcept { return target_; }
  [[nodiscard]] void* object() const noexcept { return target_.object; }
  /// Whether copy() is as good as what object() points at.
  [[nodiscard]] bool is_copied() const noexcept { return copied_ != 0; }
  [[nodiscard]] small_copy copy() const noexcept {
    small_copy made;
    if (copied_ != 0) std::memcpy(made.bytes, target_.object, copied_);
    return made;
  }

 protected:
  any_call(erased_code target, std::shared_ptr<void> owner, std::size_t copied)
      : owner_(std::move(owner)), target_(target), copied_(copied) {}

 private:
  std::shared_ptr<void> owner_;
  erased_code target_;
  std::size_t copied_ = 0;  // bytes; 0: must not be
};

/// Calls `R f(Params...)` through one pointer.
template <typename R, typename... Params>
class erased_call : public any_call {
 public:
  using function = R (*)(void*, Params...);

  /// Keeps `object` and calls it through `Adapter`, a stateless function object called as
  /// adapter(object, params...).
  template <typename Adapter, typename Object>
  static erased_call owning(Object&& object) {
    using kept = std::decay_t<Object>;
    // A plain function destroys it: a deleter of one type is compiled once for all objects.
    std::shared_ptr<void> owner(static_cast<void*>(new kept(std::forward<Object>(object))),
                                &destroy<kept>);
    void* const address = owner.get();
    return {code_of(&invoke<Adapter, kept>, address), std::move(owner),
            may_be_copied<kept> ? sizeof(kept) : 0};
  }

  /// Calls *object, which must outlive this.
  template <typename Adapter, typename Object>
  static erased_call referring(Object* object) {
    return {code_of(&invoke<Adapter, Object>, object), nullptr, 0};
  }

  /// Calls what was erased by this type.
  static R call(const erased_code& target, Params... params) {
    return typed(target)(target.object, std::forward<Params>(params)...);
  }
  static R call(const any_call& erased, Params... params) {
    return call(erased.target(), std::forward<Params>(params)...);
  }
  static function typed(const erased_code& target) noexcept {
    return reinterpret_cast<function>(target.code);
  }

  R operator()(Params... params) const { return call(*this, std::forward<Params>(params)...); }

 private:
  erased_call(erased_code target, std::shared_ptr<void> owner, std::size_t copied)
      : any_call(target, std::move(owner), copied) {}

  static erased_code code_of(function code, const void* object) noexcept {
    return {reinterpret_cast<erased_code::any_function>(code), const_cast<void*>(object)};
  }

  template <typename Object>
  static void destroy(void* object) {
    delete static_cast<Object*>(object);
  }

  template <typename Adapter, typename Object>
  static R invoke(void* object, Params... params) {
    return Adapter{}(*static_cast<Object*>(object), std::forward<Params>(params)...);
  }
};

}  // namespace fettle::detail
