// Variants at chosen values of their parameters: to the rest of the library each such point is a
// variant like any other.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/variant/call/arguments.hpp>
#include <fettle/variant/call/callables.hpp>
#include <fettle/variant/parameters/parameter_space.hpp>

namespace fettle::inline FETTLE_ABI::detail {

/// How many parameters (not constraints) there are among the types.
template <typename... Entries>
inline constexpr std::size_t parameter_count =
    (std::size_t{0} + ... + std::size_t{std::same_as<std::remove_cvref_t<Entries>, parameter>});

template <std::size_t>
using value_of_parameter = std::int64_t;

template <typename Callable, typename Places, typename... Args>
inline constexpr bool takes_values = false;
template <typename Callable, std::size_t... Place, typename... Args>
inline constexpr bool takes_values<Callable, std::index_sequence<Place...>, Args...> =
    std::invocable<Callable&, Args..., value_of_parameter<Place>...>;

/// A variant that takes its parameters as one pack behind the arguments.
template <typename Callable, typename... Args>
inline constexpr bool takes_pack = std::invocable<Callable&, Args..., const parameters&>;

/// A callable at fixed values of its Count parameters. Copies share the callable.
template <typename Callable, bool Pack, std::size_t Count>
class callable_at_point {
 public:
  callable_at_point(std::shared_ptr<Callable> callable, parameters values)
      : callable_(std::move(callable)), values_(std::move(values)) {}

  template <typename... Args>
  decltype(auto) operator()(Args&&... args) const {
    if constexpr (Pack) {
      return std::invoke(*callable_, std::forward<Args>(args)..., values_);
    } else {
      return call(std::make_index_sequence<Count>(), std::forward<Args>(args)...);
    }
  }

 private:
  template <std::size_t... Place, typename... Args>
  decltype(auto) call(std::index_sequence<Place...>, Args&&... args) const {
    return std::invoke(*callable_, std::forward<Args>(args)..., values_.values()[Place]...);
  }

  std::shared_ptr<Callable> callable_;
  parameters values_;
};

/// Makes the variant at given values of its parameters.
using point_maker = std::function<any_call(std::span<const std::int64_t>)>;

/// A variant that makes a new callable for each point, such as fettle::compiled.
template <typename Callable>
concept makes_points =
    requires(const Callable& callable, const parameters& point) { callable.at(point); };

template <typename Callable, bool Pack, std::size_t Count>
struct callable_made {
  using type = callable_at_point<Callable, Pack, Count>;
};
template <makes_points Callable, bool Pack, std::size_t Count>
struct callable_made<Callable, Pack, Count> {
  using type =
      std::decay_t<decltype(std::declval<const Callable&>().at(std::declval<const parameters&>()))>;
};

/// A parameterised variant as add_variant was given it.
template <typename Callable, typename Arguments, typename... Entries>
struct points_of;

template <typename Callable, typename... Args, typename... Entries>
struct points_of<Callable, argument_list<Args...>, Entries...> {
  static constexpr std::size_t count = parameter_count<Entries...>;
  static constexpr bool takes_one_pack = takes_pack<Callable, Args...>;
  using at_point = typename callable_made<Callable, takes_one_pack, count>::type;

  /// Whether it is used rightly; an error that says what is wrong where not.
  [[nodiscard]] static consteval bool check() {
    constexpr bool has_parameters = count > 0;
    static_assert(has_parameters,
                  "Constraints between parameters need a fettle::parameter beside them.");
    constexpr bool is_object = !object_pointer<Callable>;
    static_assert(is_object,
                  "A variant with parameters is given as a callable: write std::ref(object) for an "
                  "object that stays yours.");
    constexpr bool takes_parameters =
        !has_parameters || !is_object || takes_one_pack || makes_points<Callable> ||
        takes_values<Callable, std::make_index_sequence<count>, Args...>;
    static_assert(takes_parameters,
                  "A variant with parameters must be callable with the argument types of its "
                  "code_variant and behind them `const fettle::parameters&` or one number a "
                  "parameter.");
    return has_parameters && is_object && takes_parameters;
  }

  template <typename Adapter, typename Result, typename Variant>
  static point_maker maker(Variant&& variant, const parameter_space& space) {
    auto shared = std::make_shared<Callable>(std::forward<Variant>(variant));
    return [shared, space](std::span<const std::int64_t> values) -> any_call {
      using call = erased_variant<Result, Args...>;
      if constexpr (makes_points<Callable>) {
        return call::template owning<Adapter>(shared->at(space.pack(values)));
      } else {
        return call::template owning<Adapter>(at_point(shared, space.pack(values)));
      }
    };
  }
};

}  // namespace fettle::detail
