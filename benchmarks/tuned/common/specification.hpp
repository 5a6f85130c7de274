// An input as text, so that a tuner can name one: "numbers:size=1000000,tile=4096".
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/core/error.hpp>

namespace ndp_tuned {

/// "kind:key=value,..."; each key is taken once, by name.
class specification {
 public:
  /// Throws fettle::error, as every member does, for what is not understood; it quotes the text.
  explicit specification(std::string text, std::string_view kind) : text_(std::move(text)) {
    const std::size_t colon = text_.find(':');
    if (text_.substr(0, colon) != kind) fail("it should begin with '" + std::string(kind) + ":'");
    std::string_view rest(text_);
    rest.remove_prefix(std::min(rest.size(), colon == std::string::npos ? colon : colon + 1));
    while (!rest.empty()) {
      const std::string_view one = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(one.size() + 1, rest.size()));
      const std::size_t equals = one.find('=');
      if (equals == std::string_view::npos) fail("'" + std::string(one) + "' has no value");
      given_.emplace_back(one.substr(0, equals), one.substr(equals + 1));
    }
  }

  [[nodiscard]] const std::string& text() const { return text_; }

  /// The key's whole number from `least` to `most`; `otherwise` where it is not given.
  [[nodiscard]] std::int64_t number(std::string_view key, std::int64_t otherwise,
                                    std::int64_t least, std::int64_t most) {
    const auto found = std::find_if(given_.begin(), given_.end(),
                                    [&](const auto& one) { return one.first == key; });
    if (found == given_.end()) return otherwise;
    const std::string value = found->second;
    given_.erase(found);
    std::int64_t parsed = 0;
    const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), parsed);
    if (problem != std::errc{} || end != value.data() + value.size() || parsed < least ||
        parsed > most) {
      fail(std::string(key) + " is a number from " + std::to_string(least) + " to " +
           std::to_string(most));
    }
    return parsed;
  }

  /// Throws where a key is left over.
  void end() const {
    if (!given_.empty()) fail("there is no key '" + given_.front().first + "'");
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw fettle::error("input '" + text_ + "': " + problem);
  }

  std::string text_;
  std::vector<std::pair<std::string, std::string>> given_;
};

}  // namespace ndp_tuned
