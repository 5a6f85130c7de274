// Runs a fuzz target without libFuzzer: every file of a corpus, then mutations of them for a number
// of seconds. Needs no more than a C++ compiler, and repeats exactly for the same seed.
//
//   model_reader_fuzz CORPUS_FOLDER [seconds=10] [seed=1]
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using generator = std::mt19937_64;

std::vector<std::string> read_corpus(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_regular_file()) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> corpus;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return corpus;
}

std::size_t place_in(const std::string& text, generator& random) {
  return text.empty() ? 0 : random() % text.size();
}

/// Begin and length of one of the words of `text`.
std::pair<std::size_t, std::size_t> word_in(const std::string& text, generator& random) {
  const std::size_t at = place_in(text, random);
  const std::size_t begin = text.find_last_of(" \n:", at);
  const std::size_t end = text.find_first_of(" \n:", at);
  const std::size_t first = begin == std::string::npos ? 0 : begin + 1;
  return {std::min(first, text.size()),
          (end == std::string::npos || end < first ? text.size() : end) - first};
}

/// The kinds of damage: bytes, words, lines, lengths; and words that mean something elsewhere.
void damage(std::string& text, const std::vector<std::string>& corpus, generator& random) {
  static const char* const words[] = {"0",     "-1",        "1",          "2",
                                      "3",     "nan",       "inf",        "1e999",
                                      "-0",    "1e308",     "-1e308",     "5e-324",
                                      "1024",  "65",        "4294967295", "18446744073709551616",
                                      "none",  "svm",       "tree",       "forest",
                                      "log",   "log_ratio", "ratio",      "linear",
                                      "split", "leaf",      "%",          "%00",
                                      ""};
  switch (random() % 7) {
    case 0:
      if (!text.empty()) text[place_in(text, random)] = static_cast<char>(random());
      break;
    case 1:
      text.erase(place_in(text, random), random() % 8);
      break;
    case 2:
      text.insert(place_in(text, random), 1, static_cast<char>(random() % 128));
      break;
    case 3: {
      const auto [begin, length] = word_in(text, random);
      text.replace(begin, length, words[random() % std::size(words)]);
      break;
    }
    case 4: {  // a line goes elsewhere, or is doubled
      const std::size_t begin = std::min(text.find('\n', place_in(text, random)), text.size());
      const std::size_t end = std::min(text.find('\n', begin + 1), text.size());
      const std::string line = begin < end ? text.substr(begin, end - begin) : "\n";
      if (random() % 2 == 0 && begin < end) text.erase(begin, end - begin);
      const std::size_t to = std::min(text.find('\n', place_in(text, random)), text.size());
      text.insert(to, line);
      break;
    }
    case 5:
      text.resize(place_in(text, random));
      break;
    default: {  // the rest of another input
      const std::string& other = corpus[random() % corpus.size()];
      text.replace(place_in(text, random), std::string::npos, other, place_in(other, random));
    }
  }
}

void run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::fprintf(stderr, "usage: %s CORPUS_FOLDER [seconds] [seed]\n", arguments[0]);
    return 2;
  }
  const double seconds = count > 2 ? std::atof(arguments[2]) : 10;
  const auto seed = static_cast<std::uint64_t>(count > 3 ? std::atoll(arguments[3]) : 1);
  const std::vector<std::string> corpus = read_corpus(arguments[1]);
  if (corpus.empty()) {
    std::fprintf(stderr, "%s holds no corpus\n", arguments[1]);
    return 2;
  }
  for (const std::string& input : corpus) run(input);
  generator random(seed);
  std::size_t runs = corpus.size();
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
    for (int i = 0; i < 100; ++i, ++runs) {
      std::string input = corpus[random() % corpus.size()];
      for (std::size_t n = 1 + random() % 6; n > 0; --n) damage(input, corpus, random);
      run(input);
    }
  }
  std::printf("%zu inputs, none broke the reader\n", runs);
}
