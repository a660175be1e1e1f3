#include "tests/catch.hpp"

#include "tests/app/messages.hpp"
#include "tests/app/temporary_directory.hpp"

#include "app/command/options.hpp"
#include "app/output/output_directory.hpp"

#include <corral/error.hpp>

using namespace corral;
using namespace corral::app;
using namespace corral::test;

namespace {
const ResultNames names{.sets = {"parcels", "vertices"}, .tables = {"cells"}};
} // namespace

TEST_CASE("Only names that corral writes are results") {
  for (const char* name : {"used.ini", "log.csv", "summary.json", "fields.pvd", "parcels.pvd", "fields_000000.vti",
                           "parcels_1234567.vtp", "dump_fields.vti", "dump_parcels.vtp", "vertices.pvd",
                           "vertices_000001.vtp", "dump_vertices.vtp", "openpmd.pmd", "openpmd_000000001200.h5",
                           "openpmd_000000000007.h5.part", "dump_openpmd.h5", "cells.csv", "cells.csv.part", "fields_000003.vti.part"})
    CHECK(is_result(name, names));
  for (const char* name : {"case.ini", "notes.txt", "fields_12.vti", "fields_000000.vtp", "fields_00000a.vti",
                           "fields_000000.vti.bak", "my_log.csv", "sites.pvd", "cells.pvd", "parcels.csv", "sites_000000.vtp", "log.csv.bak", "openpmd_1.h5", "openpmd.h5",
                           "openpmd_00000000000x.h5", "openpmd_000000000007.hdf5", "openpmd.pvd", ".part", ""})
    CHECK_FALSE(is_result(name, names));
}

TEST_CASE("A directory that holds results is refused without --overwrite and left alone") {
  TemporaryDirectory out;
  put(out / "parcels_000000.vtp");
  put(out / "notes.txt");
  const auto before = files_in(out.path());
  CHECK_THROWS_AS(OutputDirectory(out.path(), false, names), UsageError);
  CHECK(contains(message_of([&] { OutputDirectory(out.path(), false, names); }), "--overwrite"));
  CHECK(files_in(out.path()) == before);
}

TEST_CASE("Looking at a directory writes nothing") {
  TemporaryDirectory out;
  put(out / "log.csv");
  const OutputDirectory existing(out.path(), true, names), absent(out / "a/b", false, names);
  CHECK(files_in(out.path()).size() == 1);
  CHECK(absent.prepare()->found() == "");
  CHECK(std::filesystem::is_directory(out / "a/b"));
}

TEST_CASE("A directory without results is used, whatever else it holds") {
  TemporaryDirectory out;
  put(out / "notes.txt", "mine");
  CHECK_NOTHROW(OutputDirectory(out.path(), false, names).prepare());
  CHECK(contents(out / "notes.txt") == "mine");
}

TEST_CASE("--overwrite removes results and nothing else") {
  TemporaryDirectory out;
  for (const char* name : {"log.csv", "fields_000007.vti", "summary.json.part", "openpmd_000000000007.h5", "openpmd.pmd"})
    put(out / name);
  for (const char* name : {"case.ini", "notes.txt", "fields_7.vti"}) put(out / name);
  std::filesystem::create_directory(out / "kept");
  put(out / "kept/log.csv");
  put(out / "kept/precious");
  std::filesystem::create_symlink(out / "kept/precious", out / "used.ini");
  CHECK_NOTHROW(OutputDirectory(out.path(), true, names).prepare());
  std::vector<std::string> names;
  for (const auto& [name, content] : files_in(out.path())) names.push_back(name);
  CHECK(names == std::vector<std::string>{"case.ini", "fields_7.vti", "kept", "notes.txt"});
  CHECK(contents(out / "kept/precious") == "x");
  CHECK(contents(out / "kept/log.csv") == "x");
}

TEST_CASE("Places that cannot hold results are refused") {
  TemporaryDirectory out;
  put(out / "file");
  CHECK_THROWS_AS(OutputDirectory(out / "file", true, names), UsageError);
  CHECK_THROWS_AS(OutputDirectory(out / "file/below", true, names).prepare(), UsageError);
  CHECK_THROWS_AS(OutputDirectory("/proc/corral", true, names).prepare(), UsageError);
  std::filesystem::create_directory(out / "log.csv");
  CHECK(contains(message_of([&] { const auto lock = OutputDirectory(out.path(), true, names).prepare(); }), "is a directory"));
  CHECK(std::filesystem::is_directory(out / "log.csv"));
}
