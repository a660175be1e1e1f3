#include "tests/app/checkpoint/small_state.hpp"
#include "tests/app/surroundings.hpp"
#include "tests/catch.hpp"
#include "tests/sanitized.hpp"

#include "app/checkpoint/checkpoints.hpp"
#include "app/openpmd/hdf5_file.hpp"

#include <corral/error.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <limits>
#include <string>
#include <vector>

using namespace corral;
using namespace corral::app;
using namespace corral::test;

namespace {

template <class T> bool same_bits(const Array<T>& a, const Array<T>& b) {
  if (a.size() != b.size()) return false;
  return a.empty() || std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(T)) == 0;
}

} // namespace

TEST_CASE("All that is saved comes back with its bits, whatever the reader held") {
  for (const std::int64_t particles : {0, 1, 1000}) {
    const TemporaryDirectory out;
    SmallState one(particles), other(3);
    one.fill(1.0 / 3);
    (*one.pressure)[0] = -0.0, (*one.pressure)[1] = std::numeric_limits<double>::denorm_min();
    write_state(out / "state.h5", one.state, one.loop, one.clock);
    other.fill(17);
    read_state(out / "state.h5", other.state, other.loop);
    CHECK(same_bits(*one.pressure, *other.pressure));
    for (std::size_t d = 0; d < 3; ++d) {
      CHECK(same_bits(*one.velocity[d], *other.velocity[d]));
      CHECK(same_bits(*one.position[d], *other.position[d]));
    }
    CHECK(other.set->size() == particles);
    CHECK(same_bits(*one.ids, *other.ids));
    CHECK(same_bits(*one.triangles, *other.triangles));
    CHECK(same_bits(*one.kind, *other.kind));
    for (std::size_t c = 0; c < 6; ++c) CHECK(same_bits(*one.strain[c], *other.strain[c]));
    for (std::size_t c = 0; c < 2; ++c) CHECK(same_bits(*one.populations[c], *other.populations[c]));
    CHECK(same_bits(one.table, other.table));
    CHECK(*other.number == 1.0 / 3);
    CHECK(other.clock.time() == one.clock.time());
    CHECK(other.clock.step() == 1);
  }
}

TEST_CASE("A file that was begun is written where no more memory is to be had") {
  if (sanitized) return;
  const TemporaryDirectory out;
  const std::vector<double> values(100'000, 0.1);
  const auto write = [&](const std::filesystem::path& path, bool without_memory) {
    Hdf5File file = Hdf5File::create(path);
    rlimit before{};
    getrlimit(RLIMIT_AS, &before);
    const rlimit none{std::min<rlim_t>(1 << 20, before.rlim_max), before.rlim_max}; // less than there is already
    ::alarm(60); // HDF5 without memory may wait forever
    if (without_memory) setrlimit(RLIMIT_AS, &none);
    std::string failure;
    try {
      for (int i = 0; i < 200; ++i) {
        const std::string set = "/group/set" + std::to_string(i);
        file.write(set, values.data(), {values.size()});
        file.attribute(set, "unit", std::string("m"));
      }
      file.finish();
    } catch (const std::exception& e) {
      failure = e.what();
    }
    setrlimit(RLIMIT_AS, &before);
    ::alarm(0);
    CHECK(failure == "");
  };
  write(out / "a", true); // before HDF5 has memory of its own to use again
  write(out / "b", false);
  CHECK(contents(out / "a") == contents(out / "b"));
}

TEST_CASE("The same state is the same file") {
  const TemporaryDirectory out;
  SmallState state;
  state.fill(2);
  write_state(out / "a", state.state, state.loop, state.clock);
  write_state(out / "b", state.state, state.loop, state.clock);
  CHECK(contents(out / "a") == contents(out / "b"));
}

TEST_CASE("A state of another shape, or that lacks something, is refused by name") {
  const TemporaryDirectory out;
  SmallState state;
  state.fill(2);
  write_state(out / "state.h5", state.state, state.loop, state.clock);
  SmallState wider(40, 6);
  CHECK(contains(message_of([&] { read_state(out / "state.h5", wider.state, wider.loop); }),
                 "/data/1/fields/pressure of the checkpoint has another shape"));
  SmallState more;
  more.state.declare_real("more", "", "of something", run::Use::saved);
  CHECK(contains(message_of([&] { read_state(out / "state.h5", more.state, more.loop); }),
                 "holds no /corral/state/more"));
  put(out / "no.h5", "nothing of HDF5");
  CHECK(contains(message_of([&] { read_state(out / "no.h5", state.state, state.loop); }), "HDF5 refuses"));
  CHECK(contains(message_of([&] { read_state(out / "none", state.state, state.loop); }), "No such file"));
}

TEST_CASE("Data sets are listed with unit, meaning and extents, and files that nobody can write say why") {
  const TemporaryDirectory out;
  SmallState state;
  state.fill(2);
  write_state(out / "state.h5", state.state, state.loop, state.clock);
  bool found = false;
  for (const Hdf5File::DataSet& set : Hdf5File::open(out / "state.h5").data_sets()) {
    CHECK(set.path.find("derived") == set.path.npos);
    if (set.path != "/data/1/fields/velocity_x") continue;
    found = true;
    CHECK(set.unit == "m/s");
    CHECK(set.extents == Hdf5File::Extents{3, 4, 6});
  }
  CHECK(found);
  CHECK(contains(message_of([&] { write_state("/dev/full", state.state, state.loop, state.clock); }), "No space left"));
}
