#include "app/commands.hpp"

#include "app/case_file.hpp"
#include "app/describe.hpp"
#include "app/options.hpp"
#include "app/run.hpp"
#include "bench/maps.hpp"
#include "run/problems.hpp"

#include <corral/error.hpp>

#include <exception>
#include <memory>
#include <new>

namespace corral::app {

namespace {

struct Execution {
  int operator()(const RunOptions& options) const { return run(options, drivers); }

  int operator()(const CheckOptions& options) const {
    const Case c = read_case(options.case_directory, options.overrides, drivers);
    const std::unique_ptr<run::Driver> driver = make_driver(c);
    for (const std::string& line : driver->describe()) out << line << "\n";
    out << "the case is valid\n";
    return 0;
  }

  int operator()(const DescribeOptions& options) const {
    out << describe(options, drivers);
    return 0;
  }

  int operator()(const bench::MapOptions& options) const {
    bench::run_maps(options, out);
    return 0;
  }

  int operator()(const Message& message) const {
    out << message.text;
    return 0;
  }

  const std::vector<run::DriverKind>& drivers;
  std::ostream& out;
};

} // namespace

int execute(const std::vector<std::string>& arguments, const std::vector<run::DriverKind>& drivers, std::ostream& out,
            std::ostream& err) {
  constexpr int failed = 1, refused = 2;
  try {
    const int status = std::visit(Execution{drivers, out}, read_command_line(arguments));
    if (!out.flush()) throw Error("the answer could not be written (standard output is closed or full)");
    return status;
  } catch (const run::CaseError& e) {
    err << e.what() << "\n"; // each line begins with its file, as compilers have it
    return refused;
  } catch (const UsageError& e) {
    err << "corral: " << e.what() << "\n";
    return refused;
  } catch (const std::bad_alloc&) {
    err << "corral: out of memory (corral check says how much a case needs)\n";
    return failed;
  } catch (const std::exception& e) {
    err << "corral: " << e.what() << "\n";
    return failed;
  }
}

} // namespace corral::app
