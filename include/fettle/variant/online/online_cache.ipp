// Definitions of online_cache.hpp.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fettle/core/abi.hpp>
#include <fettle/core/definition.hpp>
#include <fettle/core/error.hpp>
#include <fettle/core/number.hpp>
#include <fettle/core/percent.hpp>
#include <fettle/variant/online/online_cache.hpp>

namespace fettle::inline FETTLE_ABI::detail {

[[gnu::cold]] FETTLE_INLINE std::vector<cached_point> online_cache::read() const {
  std::vector<cached_point> found;
  if (path_.empty()) return found;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path_.c_str(), "r"),
                                                             &std::fclose);
  std::string line;
  if (file == nullptr || !next_line(*file, line)) return found;
  check_header(line);
  while (next_line(*file, line)) {
    if (std::optional<cached_point> point = parse(line)) found.push_back(*std::move(point));
  }
  return found;
}

[[gnu::cold]] FETTLE_INLINE bool online_cache::append(const cached_point& point) const {
  if (path_.empty()) return true;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> closing(std::fopen(path_.c_str(), "a+"),
                                                          &std::fclose);
  std::FILE* const file = closing.get();
  if (file == nullptr) return false;
  std::string text;
  if (std::fseek(file, -1, SEEK_END) != 0) {
    text = header_ + "\n";  // nothing is there yet
  } else {
    if (std::fgetc(file) != '\n') text = " cut\n";  // a word too many makes that line no point
    std::string line;
    std::fseek(file, 0, SEEK_SET);
    if (next_line(*file, line)) check_header(line);
  }
  std::fseek(file, 0, SEEK_END);
  text += percent_encode(point.variant) + " " + hexadecimal(point.key) + " " +
          percent_encode(point.values) + " " + number_text(point.cost) + "\n";
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(closing.release()) == 0 && written;
}

[[gnu::cold]] FETTLE_INLINE void online_cache::check_header(const std::string& line) const {
  if (line == header_) return;
  throw error("'" + path_ + "' begins with '" + line.substr(0, 80) + "', not with '" + header_ +
              "': it holds points of another function or machine; remove it, or give "
              "search_online another file");
}

[[gnu::cold]] FETTLE_INLINE bool online_cache::next_line(std::FILE& file, std::string& line) {
  line.clear();
  int c = std::fgetc(&file);
  for (; c != EOF && c != '\n'; c = std::fgetc(&file)) line += static_cast<char>(c);
  return c == '\n';
}

[[gnu::cold]] FETTLE_INLINE std::string online_cache::hexadecimal(std::uint64_t key) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(key));
  return digits;
}

[[gnu::cold]] FETTLE_INLINE std::optional<cached_point> online_cache::parse(std::string_view line) {
  std::string_view words[4];
  for (std::string_view& word : words) {
    const std::size_t blank = line.find(' ');
    word = line.substr(0, blank);
    line.remove_prefix(blank == std::string_view::npos ? line.size() : blank + 1);
  }
  cached_point point;
  const char* const last = words[1].data() + words[1].size();
  const auto end = std::from_chars(words[1].data(), last, point.key, 16);
  const std::optional<double> cost = parse_number<double>(words[3]);
  std::optional<std::string> variant = percent_decode(words[0]);
  std::optional<std::string> values = percent_decode(words[2]);
  if (words[1].size() != 16 || end.ptr != last || !cost || !variant || !values || !line.empty()) {
    return std::nullopt;
  }
  point.variant = *std::move(variant);
  point.values = *std::move(values);
  point.cost = *cost;
  return point;
}

}  // namespace fettle::detail
