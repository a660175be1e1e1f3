#include "tests/catch.hpp"

#include "tests/app/file_size_limit.hpp"
#include "tests/app/messages.hpp"
#include "tests/app/temporary_directory.hpp"

#include "app/output/output_file.hpp"
#include "app/output/vtk/series.hpp"

#include <corral/error.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <vector>

using namespace corral;
using namespace corral::app;
using namespace corral::test;

TEST_CASE("A write that fails leaves the file as it was before it") {
  TemporaryDirectory out;
  {
    OutputFile file(out / "log.csv");
    file.write("1,2\n");
    const FileSizeLimit limit(6);
    CHECK(contains(message_of([&] { file.write("3,4567\n"); }), "ulimit -f"));
    CHECK(contents(out / "log.csv") == "1,2\n");
    CHECK_THROWS_AS(file.write("3,4567\n"), Error);
  }
  CHECK(contents(out / "log.csv") == "1,2\n"); // closing adds nothing
}

TEST_CASE("The end of a file is replaced in place, or stays") {
  TemporaryDirectory out;
  const auto file = out / "list";
  put(file, "head|end");
  CHECK(replace_end(file, "|end", "+one|end"));
  CHECK(contents(file) == "head+one|end");
  CHECK_FALSE(replace_end(file, "|other", "+two|other"));
  CHECK_FALSE(replace_end(file, std::string(50, 'x') + "head+one|end", "y"));
  CHECK_FALSE(replace_end(out / "none", "", "x"));
  {
    const FileSizeLimit limit(14);
    CHECK(contains(message_of([&] { replace_end(file, "|end", "+two|end"); }), "cannot write"));
  }
  CHECK(contents(file) == "head+one|end");
}

TEST_CASE("A series is whole after each file, and its list is written once") {
  TemporaryDirectory out;
  Series series(out.path(), "fields", "vti");
  const auto list = out / "fields.pvd";
  std::string lines;
  for (int i = 0; i < 20; ++i) {
    const std::string name = series.next().filename().string();
    CHECK(name == "fields_0000" + std::string(i < 10 ? "0" : "") + std::to_string(i) + ".vti");
    series.add(0.5 * i);
    const std::string time = std::to_string(i / 2) + (i % 2 == 0 ? "" : ".5");
    lines += "<DataSet timestep=\"" + time + "\" part=\"0\" file=\"" + name + "\"/>\n";
    CHECK(contents(list) == "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n" +
                                lines + "</Collection>\n</VTKFile>\n");
  }

  // In place: who has the file open sees the line. Somebody else's change is not built upon.
  const int reader = ::open(list.c_str(), O_RDONLY);
  series.add(10);
  CHECK(::lseek(reader, 0, SEEK_END) == static_cast<off_t>(std::filesystem::file_size(list)));
  ::close(reader);
  put(list, "somebody else's");
  series.add(10.5);
  CHECK(contains(contents(list), lines));
  CHECK(contents(list).ends_with("fields_000021.vti\"/>\n</Collection>\n</VTKFile>\n"));
}

TEST_CASE("Too many open files are no reason to choose another place") {
  TemporaryDirectory out;
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const int next = ::dup(0);
  ::close(next);
  const rlimit none{static_cast<rlim_t>(next), before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  const std::string said = message_of([&] { OutputFile file(out / "log.csv"); });
  setrlimit(RLIMIT_NOFILE, &before);
  CHECK(contains(said, "Too many open files"));
  CHECK(contains(said, "ulimit -n"));
  CHECK_FALSE(contains(said, "--output"));
}
