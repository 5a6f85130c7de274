// The samples whose values are counted, from images and from texts that describe noise.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <string>
#include <variant>
#include <vector>

#include "../spmv/random.hpp"
#include "../spmv/text_file.hpp"
#include "../support/input_text.hpp"

namespace histogram {

/// Whole numbers of `bits` bits, and the number of bins of equal width that they are counted in.
struct samples {
  std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>>
      values;
  unsigned bits = 8;
  std::size_t bins = 256;

  std::size_t size() const {
    return std::visit([](const auto& v) { return v.size(); }, values);
  }
};

/// The bin of a value: floor(value * bins / 2^bits).
struct bin_of {
  std::uint64_t bins;
  unsigned bits;
  template <class Value>
  std::size_t operator()(Value value) const {
    return static_cast<std::size_t>((value * bins) >> bits);
  }
};

inline constexpr const char* input_help =
    "INPUT: an image (.pgm, .ppm, plain or .xz; colours become grey), optionally :bins=B, or\n"
    "       FAMILY:SIZE:TYPE[:bins=B][,seed=S], TYPE u8, u16 or u32 (24 bits); families: uniform\n"
    "       noise (entropy=E bits a sample) gradient (noise=D) flat text blobs waves salt\n";

namespace detail {

/// One of the header's numbers; comments start with '#' and end with the line.
inline std::size_t header_number(const std::string& bytes, std::size_t& at, std::size_t& line,
                                 const std::string& path, const char* what) {
  const auto fail = [&](const std::string& problem) {
    throw std::runtime_error(path + ":" + std::to_string(line) + ": " + problem);
  };
  for (; at < bytes.size(); ++at) {
    if (bytes[at] == '#') at = std::min(bytes.find('\n', at), bytes.size() - 1);
    if (bytes[at] == '\n') ++line;
    if (std::strchr(" \t\r\n\v\f", bytes[at]) == nullptr) break;
  }
  const char* first = bytes.data() + at;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(first, bytes.data() + bytes.size(), number);
  if (error != std::errc{}) fail(std::string("the image's ") + what + " is not a number");
  at += static_cast<std::size_t>(end - first);
  return number;
}

/// Grey values of a binary or plain Netpbm image (P2, P3, P5, P6) of 8 or 16 bits.
inline samples read_image(const std::string& path) {
  const std::string bytes = spmv::read_text_file(path);
  std::size_t line = 1;
  const auto fail = [&](const std::string& problem) {
    throw std::runtime_error(path + ":" + std::to_string(line) + ": " + problem);
  };
  if (bytes.size() < 2 || bytes[0] != 'P' || std::strchr("2356", bytes[1]) == nullptr)
    fail("not an image that this example reads: the file must start with P2, P3, P5 or P6");
  const bool is_plain = bytes[1] == '2' || bytes[1] == '3';
  const std::size_t channels = bytes[1] == '3' || bytes[1] == '6' ? 3 : 1;
  std::size_t at = 2;
  const std::size_t width = header_number(bytes, at, line, path, "width");
  const std::size_t height = header_number(bytes, at, line, path, "height");
  const std::size_t largest = header_number(bytes, at, line, path, "largest value");
  if (largest == 0 || largest > 65535) fail("the largest value must be from 1 to 65535");
  constexpr std::size_t most = std::size_t{1} << 32;
  if (width > most || height > most || (height != 0 && width > most / height))
    fail("the image is larger than this example reads");
  const std::size_t pixels = width * height;
  const std::size_t value_bytes = largest > 255 ? 2 : 1;
  if (!is_plain) ++at;  // one white space ends the header
  const std::size_t rest = at > bytes.size() ? 0 : bytes.size() - at;
  if (is_plain ? rest / 2 + 1 < pixels * channels : rest < pixels * channels * value_bytes)
    fail("the image announces " + std::to_string(width) + " x " + std::to_string(height) +
         " pixels and the file has only " + std::to_string(rest) +
         " bytes behind its header: it is truncated");
  const auto next = [&]() -> std::size_t {
    std::size_t value = 0;
    if (is_plain) {
      value = header_number(bytes, at, line, path, "next value");
    } else {
      for (std::size_t k = 0; k < value_bytes; ++k)
        value = value << 8 | static_cast<unsigned char>(bytes[at++]);
    }
    if (value > largest)
      fail("a value of " + std::to_string(value) + " is above the largest value " +
           std::to_string(largest) + " that the header announces");
    return value;
  };
  samples image;
  image.bits = value_bytes == 2 ? 16 : 8;
  const auto read = [&](auto& values) {
    values.reserve(pixels);
    for (std::size_t p = 0; p < pixels; ++p) {
      std::size_t grey = next();
      if (channels == 3) {
        const std::size_t green = next();
        grey = (299 * grey + 587 * green + 114 * next() + 500) / 1000;
      }
      values.push_back(static_cast<typename std::decay_t<decltype(values)>::value_type>(grey));
    }
  };
  if (value_bytes == 1) {
    read(image.values.emplace<0>());
  } else {
    read(image.values.emplace<1>());
    image.bins = 65536;
  }
  return image;
}

/// Fills `values` as the family says; every family uses all `range` values that there may be.
template <class Value>
void fill(std::vector<Value>& values, examples::input_text& text, double range) {
  spmv::random_numbers random(text.take_seed());
  const auto count = values.size();
  const double width = std::max(1.0, std::round(std::sqrt(static_cast<double>(count))));
  const auto put = [&](std::size_t k, double part) {
    values[k] = static_cast<Value>(std::clamp(part, 0.0, 1.0) * (range - 1));
  };
  const auto normal = [&] {
    return std::sqrt(-2 * std::log(1 - random.unit())) *
           std::cos(2 * std::numbers::pi * random.unit());
  };
  const auto row = [&](std::size_t k) {
    return std::floor(static_cast<double>(k) / width) / width;
  };
  const auto column = [&](std::size_t k) {
    return std::fmod(static_cast<double>(k), width) / width;
  };
  if (text.family == "uniform") {
    for (std::size_t k = 0; k < count; ++k) put(k, random.unit() * range / (range - 1));
  } else if (text.family == "noise") {  // the mean of n draws that are ANDed has less entropy
    const double levels = std::exp2(text.take("entropy", 4, 0, 32));
    const double centre = random.unit();
    for (std::size_t k = 0; k < count; ++k) put(k, centre + normal() * levels / range / 4.13);
  } else if (text.family == "gradient") {
    const double noise = text.take("noise", 0, 0, 1);
    const double slope = random.unit();
    for (std::size_t k = 0; k < count; ++k)
      put(k, slope * row(k) + (1 - slope) * column(k) + noise * normal());
  } else if (text.family == "flat") {
    const double level = random.unit();
    for (std::size_t k = 0; k < count; ++k) put(k, level);
  } else if (text.family == "text") {  // dark strokes on paper
    for (std::size_t k = 0; k < count;) {
      const auto paper = static_cast<std::size_t>(random.below(40));
      const auto stroke = static_cast<std::size_t>(1 + random.below(6));
      for (std::size_t n = 0; n < paper && k < count; ++n) put(k++, 0.95);
      for (std::size_t n = 0; n < stroke && k < count; ++n) put(k++, 0.1 + 0.05 * random.unit());
    }
  } else if (text.family == "blobs") {  // bright cells on a dark ground
    for (std::size_t k = 0; k < count; ++k) {
      const double x = std::sin(23 * column(k)) * std::sin(19 * row(k));
      put(k, (x > 0.5 ? x : 0.08) + 0.01 * normal());
    }
  } else if (text.family == "waves") {
    for (std::size_t k = 0; k < count; ++k)
      put(k, 0.5 + 0.3 * std::sin(40 * column(k)) + 0.2 * std::cos(31 * row(k)) + 0.03 * normal());
  } else if (text.family == "salt") {  // a flat ground with single points of any value
    for (std::size_t k = 0; k < count; ++k) put(k, random.unit() < 0.1 ? random.unit() : 0.3);
  } else {
    text.fail("'" + text.family +
              "' is neither a file nor a family: uniform noise gradient flat text blobs waves "
              "salt");
  }
}

}  // namespace detail

/// An image or what a text describes.
inline samples load_samples(const std::string& name) {
  constexpr double most_bins = 1 << 24;
  const std::size_t colon = name.rfind(":bins=");
  const std::string path = name.substr(0, colon);
  for (const char* ending : {".pgm", ".ppm", ".pnm", ".xz"})
    if (path.ends_with(ending)) {
      samples image = detail::read_image(path);
      if (colon != std::string::npos) {
        examples::input_text text("image:1:u8" + name.substr(colon));
        image.bins = static_cast<std::size_t>(text.take("bins", 256, 1, most_bins));
      }
      return image;
    }
  examples::input_text text(name);
  const auto count =
      static_cast<std::size_t>(text.whole(text.size, "size", 0, std::int64_t{1} << 32));
  samples made;
  made.bits = text.type == "u32" ? 24 : text.type == "u16" || text.type == "16" ? 16 : 8;
  made.bins =
      static_cast<std::size_t>(text.take("bins", text.type == "u32" ? 1 << 20 : 256, 1, most_bins));
  const auto fill = [&](auto& values) {
    values.resize(count);
    detail::fill(values, text, std::exp2(made.bits));
  };
  if (text.type == "u32") {
    fill(made.values.emplace<2>());
  } else if (made.bits == 16) {
    fill(made.values.emplace<1>());
  } else if (text.type == "u8" || text.type == "8" || text.type.empty()) {
    fill(made.values.emplace<0>());
  } else {
    text.fail("'" + text.type + "' is not a type: u8, u16 or u32");
  }
  text.end();
  return made;
}

}  // namespace histogram
