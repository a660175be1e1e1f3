#include "mppic/solids/joint_answer.t.hpp"

namespace corral::mppic {

namespace {

fluid::FaceArrays none(Memory memory) { return {Array<double>(memory), Array<double>(memory), Array<double>(memory)}; }

} // namespace

JointAnswer::JointAnswer(const fluid::Domain& domain, const Setup& setup, Memory memory)
    : B(setup.answers_jointly() ? fluid::make_face_arrays(domain.grid(), 0, memory) : none(memory)),
      Mu(setup.solids.densities_differ() ? B : none(memory)), PJ(Mu), NJ(Mu), theta_cp_(setup.solids.stress.theta_cp),
      dragged_(memory), momentum_(none(memory)) {}

std::int64_t JointAnswer::bytes() const {
  std::int64_t total = dragged_.bytes();
  for (std::size_t d = 0; d < 3; ++d) total += B[d].bytes() + 3 * Mu[d].bytes() + momentum_[d].bytes();
  return total;
}

} // namespace corral::mppic
