// A callable behind a function pointer: what variants, features and constraints are stored as.
// One indirect call, no virtual call of its own, no allocation when called.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace fettle::detail {

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

 private:
  template <typename Adapter, typename Object>
  static R invoke(void* object, Params... params) {
    return Adapter{}(*static_cast<Object*>(object), std::forward<Params>(params)...);
  }

  std::shared_ptr<void> owner_;
  void* object_ = nullptr;
  function function_ = nullptr;
};

}  // namespace fettle::detail
