// The file of this machine's features: kept, checked against machine, driver and age, found again.
#include <ctime>
#include <filesystem>
#include <fstream>

#include <fettle/core/file.hpp>
#include <fettle/machine/known_machine.hpp>

#include "support/catch.hpp"
#include "support/scratch.hpp"

namespace {

fettle::known_machine this_one() {
  return {fettle::detail::processor_and_cores(),
          fettle::detail::driver_version(),
          std::time(nullptr),
          {{"cores", 123}, {"made up", 4.5}},
          {{"link_gb_s", 7}}};
}

std::string message_of(const std::string& text) {
  try {
    static_cast<void>(fettle::read_machine_text("machine.txt", text));
  } catch (const fettle::error& caught) {
    return caught.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a machine file says what was written") {
  const fettle::known_machine written = this_one();
  const fettle::known_machine read =
      fettle::read_machine_text("machine.txt", fettle::machine_text(written));
  CHECK(read.processor == written.processor);
  CHECK(read.driver == written.driver);
  CHECK(read.measured_at == written.measured_at);
  REQUIRE(read.features.size() == 2);
  CHECK(read.features[1].name == "made up");
  CHECK(read.features[1].value == 4.5);
  REQUIRE(read.own.size() == 1);
  CHECK(read.own[0].name == "link_gb_s");
}

TEST_CASE("what is wrong with a machine file is said") {
  const std::string good = fettle::machine_text(this_one());
  CHECK(message_of("").find("'machine.txt' is cut off") != std::string::npos);
  CHECK(message_of("hello\n").find("is not a machine file") != std::string::npos);
  CHECK(message_of("fettle-machine 9\n").find("is of version 9") != std::string::npos);
  CHECK(message_of(good.substr(0, good.size() / 2)).find("is cut off") != std::string::npos);
  CHECK(message_of(good + "x").find("has more after its end") != std::string::npos);
  std::string edited = good;
  edited.replace(edited.find("123"), 3, "124");
  CHECK(message_of(edited).find("was damaged or edited; remove it, or write it "
                                "again with `fettle machine --write`") != std::string::npos);
  CHECK(message_of("fettle-machine 1\nfeature cores many\n").find("line 2 cannot be read") !=
        std::string::npos);
}

TEST_CASE("features come from the file as long as it holds for this machine") {
  const test::scratch folder;
  const std::string file = folder / "deeper/machine.txt";
  const test::environment_variable named("FETTLE_MACHINE", file);
  CHECK(fettle::machine_file() == file);
  fettle::detail::keep_machine(file, this_one());
  CHECK(fettle::features_of_this_machine({"cores", "link_gb_s"}) == std::vector<double>{123, 7});

  const auto found_again = [&](fettle::known_machine machine) {
    fettle::detail::keep_machine(file, machine);
    const std::vector<double> values = fettle::features_of_this_machine({"cores", "sockets"});
    CHECK(values[0] < 123);
    return fettle::read_machine_text(file, fettle::read_file(file));
  };
  fettle::known_machine other = this_one();
  other.measured_at -= 91 * 24 * 3600;
  CHECK(found_again(other).own.size() == 1);  // the user's stay
  other = this_one();
  other.driver = "another";
  CHECK(found_again(other).driver == fettle::detail::driver_version());
  other = this_one();
  other.processor = "another";
  CHECK(found_again(other).own.empty());  // they are not of this machine
  std::ofstream(file) << "damaged";
  CHECK(fettle::features_of_this_machine({"cores"})[0] < 123);
}

TEST_CASE(
    "a feature that no machine has is named, and a folder that cannot be written is no error") {
  const test::environment_variable named("FETTLE_MACHINE", "/proc/none/machine.txt");
  CHECK(fettle::features_of_this_machine({"cores"})[0] >= 1);
  fettle::known_machine empty;
  empty.features = {{"cores", 2}};
  CHECK(!fettle::detail::value_of(empty, "smell"));
}
