// The sizes that a model may have. They bound what a damaged or hostile file can make the reader
// do, and let selection keep what it needs on the stack.
#pragma once

#include <cstddef>

#include <fettle/core/abi.hpp>

namespace fettle::inline FETTLE_ABI {

/// Features that a function may register, and inputs that a model may have.
inline constexpr std::size_t maximum_features = 64;

}  // namespace fettle

namespace fettle::inline FETTLE_ABI::model {

inline constexpr std::size_t maximum_inputs = maximum_features;
inline constexpr std::size_t maximum_classes = 1024;   ///< variants of one function
inline constexpr std::size_t maximum_parameters = 64;  ///< of one variant
inline constexpr std::size_t maximum_support_vectors = 1'000'000;
inline constexpr std::size_t maximum_nodes = 10'000'000;  ///< of all trees of a forest together
inline constexpr std::size_t maximum_description_size = std::size_t{1} << 26;  ///< of model.txt
inline constexpr std::size_t maximum_predictor_size = std::size_t{1} << 30;

/// The cost, at a leaf, of a variant that the model must not choose, and minus the score that it
/// gets: finite, and so is its sum over all trees.
inline constexpr double never_chosen = 1e300;

}  // namespace fettle::model
