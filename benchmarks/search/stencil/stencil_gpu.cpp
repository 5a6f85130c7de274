// Compiles and measures configurations of the stencil kernels on a GPU.
//
//   stencil_gpu --source stencil.cu --reference reference.cu [--elements 256] [--jobs N]
//               [--cache FOLDER] [--architecture sm_90] [--device 0] [--compile-only]
//               [--repeats 5] [--hopeless 10] [--compile-limit 30]
//
// Jobs come on standard input and answers leave on standard output, a line each (job.hpp); the
// first line out says what the program runs on. As many threads as --jobs says compile ahead of the
// one that measures, so that the GPU does not wait where there are many jobs. Without a GPU, and
// with --compile-only, jobs are compiled but not measured.
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <vector>

#include "compiling.hpp"
#include "job.hpp"
#include "measuring.hpp"
#include "queue.hpp"

namespace stencil {
namespace {

struct Options {
  std::string source;
  std::string reference;
  Layout layout;
  Patience patience;
  Compiler compiler;
  int device = 0;
  int jobs = static_cast<int>(std::thread::hardware_concurrency());
  bool compile_only = false;
};

Options parse(int count, char** arguments) {
  Options all;
  for (int i = 1; i < count; ++i) {
    const std::string_view name = arguments[i];
    if (name == "--compile-only") {
      all.compile_only = true;
      continue;
    }
    if (i + 1 == count) throw std::runtime_error(std::string(name) + " needs a value");
    const std::string value = arguments[++i];
    if (name == "--source") {
      all.source = value;
    } else if (name == "--reference") {
      all.reference = value;
    } else if (name == "--elements") {
      all.layout.elements = std::stoi(value);
    } else if (name == "--jobs") {
      all.jobs = std::max(1, std::stoi(value));
    } else if (name == "--cache") {
      all.compiler.cache = value;
    } else if (name == "--architecture") {
      all.compiler.architecture = value;
    } else if (name == "--device") {
      all.device = std::stoi(value);
    } else if (name == "--repeats") {
      all.patience.repeats = std::stoi(value);
    } else if (name == "--hopeless") {
      all.patience.hopeless = std::stod(value);
    } else if (name == "--compile-limit") {
      all.compiler.limit = std::stod(value);
    } else {
      throw std::runtime_error("unknown option " + std::string(name));
    }
  }
  all.compiler.source = read_file(all.source);
  return all;
}

/// A job on its way, with its kernel's terms.
struct Work {
  Job job;
  std::shared_ptr<const std::string> terms;
  Compiled compiled;
};

class Program {
 public:
  explicit Program(Options options) : options_(std::move(options)) {
    if (!options_.compile_only) {
      device_.emplace(options_.device, options_.layout, options_.patience,
                      read_file(options_.reference));
      options_.compiler.architecture = device_->architecture();
    }
  }

  void run() {
    write("{\"nvrtc\": " + json_text(Compiler::version()) +
          ", \"architecture\": " + json_text(options_.compiler.architecture) +
          ", \"device\": " + (device_ ? json_text(device_->name()) : "null") + "}");
    std::vector<std::thread> compilers;
    for (int i = 0; i < options_.jobs; ++i)
      compilers.emplace_back([this] { guarded(&Program::compile); });
    std::thread reader([this] { guarded(&Program::read); });
    std::thread closer([&] {
      reader.join();
      for (std::thread& compiler : compilers) compiler.join();
      ready_.close();
    });
    while (std::optional<Work> work = ready_.pop()) measure(*work);  // the GPU's context is ours
    closer.join();
  }

 private:
  // An error in a thread ends the program with a sentence.
  void guarded(void (Program::*work)()) {
    try {
      (this->*work)();
    } catch (const std::exception& error) {
      std::cerr << "stencil_gpu: " << error.what() << std::endl;
      std::_Exit(EXIT_FAILURE);
    }
  }

  void read() {
    std::map<std::string, std::shared_ptr<const std::string>> terms;
    for (std::string line; std::getline(std::cin, line);) {
      const std::vector<std::string> fields = split(line, '\t');
      if (fields.size() == 3 && fields[0] == "kernel") {
        terms[fields[1]] = std::make_shared<const std::string>(read_file(fields[2]));
        continue;
      }
      Job job = parse_job(fields);
      const auto known = terms.find(job.kernel);
      if (known == terms.end()) throw std::runtime_error("no kernel line for " + job.kernel);
      const int priority = job.priority;
      waiting_.push(priority, Work{std::move(job), known->second, {}});
    }
    waiting_.close();
  }

  void compile() {
    // Compiling must not hold up the thread that launches kernels; on Linux this is the thread's.
    if (nice(10) == -1) std::cerr << "stencil_gpu: compiling at the same priority\n";
    while (std::optional<Work> work = waiting_.pop()) {
      work->compiled = options_.compiler(work->job, *work->terms);
      const int priority = work->job.priority;
      ready_.push(priority, std::move(*work));
    }
  }

  void measure(const Work& work) {
    Answer answer;
    answer.id = work.job.id;
    answer.compile_seconds = work.compiled.seconds;
    answer.cached = work.compiled.cached;
    answer.reason = work.compiled.reason;
    if (answer.reason.empty()) {
      if (device_) {
        device_->measure(work.job, work.compiled.binary, *work.terms, answer);
      } else {
        answer.reason = "compiled, not measured";
      }
    }
    write(to_json(answer));
  }

  static void write(const std::string& line) { std::cout << line << std::endl; }

  Options options_;
  std::optional<Device> device_;
  PriorityQueue<Work> waiting_;
  PriorityQueue<Work> ready_;
};

}  // namespace
}  // namespace stencil

int main(int count, char** arguments) {
  try {
    stencil::Program(stencil::parse(count, arguments)).run();
  } catch (const std::exception& error) {
    std::cerr << "stencil_gpu: " << error.what() << '\n';
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
