// Inputs as texts, `family:size:type:key=value,...`: what a training argument and a judge name.
#pragma once

#include <charconv>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace examples {

/// The parts of such a text. `size` and `type` may be missing; keys are taken once, by name.
class input_text {
 public:
  explicit input_text(std::string_view text) : text_(text) {
    std::string_view rest = text;
    for (std::string* part : {&family, &size, &type}) {
      if (rest.substr(0, rest.find(':')).find('=') != std::string_view::npos) break;
      *part = next(rest, ':');
    }
    while (!rest.empty()) {
      std::string_view option = next(rest, ',');
      const std::size_t equals = option.find('=');
      if (equals == std::string_view::npos)
        fail("expected key=value instead of '" + std::string(option) + "'");
      options_.emplace_back(option.substr(0, equals), option.substr(equals + 1));
    }
  }

  std::string family;
  std::string size;
  std::string type;

  [[noreturn]] void fail(const std::string& problem) const {
    throw std::runtime_error("input '" + text_ + "': " + problem);
  }

  /// The whole number in `text`, which is the `what` of this input, in [least, most].
  std::int64_t whole(std::string_view text, const std::string& what, std::int64_t least,
                     std::int64_t most) const {
    return static_cast<std::int64_t>(number<std::int64_t>(text, what, least, most));
  }

  /// The number of a key, in [least, most]; removes it. `otherwise` where it is not given.
  double take(std::string_view key, double otherwise, double least, double most) {
    for (auto option = options_.begin(); option != options_.end(); ++option) {
      if (option->first != key) continue;
      const std::string value = option->second;
      options_.erase(option);
      return number<double>(value, std::string(key), least, most);
    }
    return otherwise;
  }

  std::uint64_t take_seed() { return static_cast<std::uint64_t>(take("seed", 1, 0, 9e15)); }

  /// Throws where a key is left that nothing has taken.
  void end() const {
    if (!options_.empty()) fail("'" + options_.front().first + "' is not a key of this family");
  }

 private:
  static std::string_view next(std::string_view& rest, char separator) {
    const std::string_view part = rest.substr(0, rest.find(separator));
    rest.remove_prefix(part.size() == rest.size() ? rest.size() : part.size() + 1);
    return part;
  }

  template <class Number>
  Number number(std::string_view text, const std::string& what, Number least, Number most) const {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() ||
        !(value >= least && value <= most))
      fail("the " + what + " must be a number from " + std::to_string(least) + " to " +
           std::to_string(most) + ", not '" + std::string(text) + "'");
    return value;
  }

  std::string text_;
  std::vector<std::pair<std::string, std::string>> options_;
};

}  // namespace examples
