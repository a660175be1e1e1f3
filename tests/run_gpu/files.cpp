#include "app/checkpoint/checkpoints.hpp"
#include "app/insitu/in_situ.hpp"
#include "app/output/state_files.hpp"
#include "tests/app/checkpoint/small_state.hpp"
#include "tests/app/surroundings.hpp"
#include "tests/catch.hpp"

#include <corral/memory.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

/// What is written, read and shown of a state on a device: the bytes of one on the host.
namespace corral::test {
namespace {

/// The same state here and there.
struct Both {
  explicit Both(double with = 1.0 / 3) : there(40, 5, Memory::device) { fill(with); }

  void fill(double with) {
    here.fill(with);
    const auto copy = [](const run::Registry& from, run::Registry& to) {
      auto source = from.entries().begin();
      for (const run::Entry& e : to.entries()) e.take(*source++);
    };
    copy(here.state, there.state);
    copy(here.loop, there.loop);
  }

  SmallState here, there;
};

} // namespace

TEST_CASE("Files of a state on a device are those of one on the host, whatever is due") {
  Both both;
  const auto written = [](SmallState& state, double fields, double vertices) {
    const TemporaryDirectory out;
    app::StateFiles files({.vtk = true, .openpmd = true, .fields_interval = fields, .particle_intervals = {{"vertices", vertices}}},
                          out.path(), state.state);
    REQUIRE(files.due(state.clock));
    files.write(state.clock);
    CHECK(files.dump(state.clock) == "dump_fields.vti and dump_vertices.vtp and dump_openpmd.h5");
    return files_in(out.path());
  };
  for (const auto& [fields, vertices] : {std::pair{1e-3, 1e-3}, {0.0, 1e-3}, {1e-3, 0.0}}) {
    const auto here = written(both.here, fields, vertices);
    CHECK(here.size() >= 6);
    CHECK(written(both.there, fields, vertices) == here);
  }
}

TEST_CASE("A checkpoint of either state goes on in the other, in the same bits") {
  Both both;
  const TemporaryDirectory out;
  app::write_state(out / "here.h5", both.here.state, both.here.loop, both.here.clock);
  app::write_state(out / "there.h5", both.there.state, both.there.loop, both.there.clock);
  CHECK(contents(out / "here.h5") == contents(out / "there.h5"));

  SmallState here(3, 5), there(3, 5, Memory::device);
  app::read_state(out / "there.h5", here.state, here.loop);
  app::read_state(out / "here.h5", there.state, there.loop);
  for (SmallState* state : {&here, &there}) {
    CHECK(state->set->size() == 40);
    CHECK(state->clock.step() == 1);
    app::write_state(out / "again.h5", state->state, state->loop, state->clock);
    CHECK(contents(out / "again.h5") == contents(out / "here.h5"));
  }
}

TEST_CASE("A plug-in sees a state on a device by pointers to the host's memory") {
  Both both;
  const app::BorrowedState here(both.here.state, both.here.clock);
  const run::Registry& copy = both.there.state.on_host(run::is_seen);
  const app::BorrowedState there(copy, both.there.clock);
  const corral_insitu_state &a = here.view(), &b = there.view();
  REQUIRE(a.mesh.field_count == b.mesh.field_count);
  for (std::int64_t f = 0; f < a.mesh.field_count; ++f)
    for (int c = 0; c < a.mesh.fields[f].components; ++c) {
      const auto* points = a.mesh.fields[f].points[c];
      const double *x = a.mesh.fields[f].data[c], *y = b.mesh.fields[f].data[c];
      CHECK(std::equal(x, x + points[0] * points[1] * points[2], y));
    }
  REQUIRE(b.set_count == 1);
  REQUIRE(a.sets[0].count == b.sets[0].count);
  for (int c = 0; c < 3; ++c) {
    const auto *x = static_cast<const double*>(a.sets[0].position.data[c]), *y = static_cast<const double*>(b.sets[0].position.data[c]);
    CHECK(std::equal(x, x + a.sets[0].count, y));
  }
  CHECK(std::equal(a.sets[0].triangles, a.sets[0].triangles + 3 * a.sets[0].triangle_count, b.sets[0].triangles));
}

} // namespace corral::test
