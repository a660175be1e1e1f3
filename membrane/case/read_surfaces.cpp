#include "geometry/measures.hpp"
#include "geometry/shapes/shapes.hpp"
#include "geometry/vector.hpp"
#include "membrane/case/case_reader.hpp"
#include "run/case/values.hpp"
#include "structure/radial/sphere/harmonics.hpp"
#include "structure/surfaces/shapes.hpp"
#include "structure/surfaces/stress_free.hpp"
#include "structure/surfaces/surface_file.hpp"

#include <corral/error.hpp>

#include <algorithm>
#include <cmath>

namespace corral::membrane {

using namespace structure;
using geometry::operator*;
using run::brief;

namespace {

/// Height over longest edge [-] from which on a triangle does not show in the steps: one of .01 in a sphere of 162 vertices
/// leaves them as they are, one of 1e-3 halves them, and 1e-4, 1e-6 make 6 and 300 of one.
constexpr double least_height = 0.01;

} // namespace

void SetupReader::surface(const std::string& block) {
  SurfaceModel kind;
  kind.name = block.substr(std::string("surface.").size());
  kind.representation =
      s_.choice(block, "representation") == "radial" ? Representation::radial : Representation::triangles;
  shape(block, kind);
  if (!complained_) resolution(block, kind);
  if (!complained_) reference(block, kind);
  material(block, kind);
  if (s_.given(block, "viscosity_ratio")) kind.viscosity_ratio = s_.real(block, "viscosity_ratio");
  setup_.surfaces.push_back(std::move(kind));
}

void SetupReader::shape(const std::string& block, SurfaceModel& kind) {
  const std::string shape = s_.choice(block, "shape");
  kind.shape = shape == "sphere"      ? ShapeKind::sphere
               : shape == "ellipsoid" ? ShapeKind::ellipsoid
               : shape == "red_cell"  ? ShapeKind::red_cell
                                      : ShapeKind::file;
  const char* size = kind.shape == ShapeKind::ellipsoid ? "semi_axes" : kind.shape == ShapeKind::file ? "file" : "radius";
  if (!s_.given(block, size))
    complain(block, "shape", "shape = " + shape + " without " + size + " (it says how large the surface is)");
  if (s_.given(block, "radius")) kind.radius = s_.real(block, "radius");
  if (s_.given(block, "semi_axes")) kind.semi_axes = s_.reals3(block, "semi_axes");
  stress_free(block, kind);
  kind.stretch = s_.reals3(block, "stretch");
  kind.inflation = s_.real(block, "inflation");
  kind.nodes = s_.choice(block, "nodes") == "spiral" ? Nodes::spiral : Nodes::icosphere;
  if (s_.given(block, "file")) file(block, kind);
}

void SetupReader::stress_free(const std::string& block, SurfaceModel& kind) {
  if (s_.names_file(block, "stress_free")) {
    kind.stress_free = StressFree::file;
    if (kind.representation == Representation::radial)
      complain(block, "stress_free", "stress_free of a radial surface is a file (radial surfaces are smooth images of the sphere, "
                                     "and have no triangles) choose shape, sphere or spheroid, or representation = triangles");
    return;
  }
  const std::string body = s_.choice(block, "stress_free");
  if (body == "shape") return;
  kind.stress_free = body == "sphere" ? StressFree::sphere : StressFree::spheroid;
  kind.reduced_volume = s_.real(block, "reduced_volume");
  if (kind.shape == ShapeKind::file || (kind.shape == ShapeKind::ellipsoid && kind.semi_axes[0] != kind.semi_axes[1]))
    complain(block, "stress_free", "stress_free = " + body + " of a shape that is not round about z (points are matched by "
                                   "longitude, and by the area from the pole on) choose red_cell, sphere, or an ellipsoid whose "
                                   "first two semi_axes are the same");
}

void SetupReader::file(const std::string& block, SurfaceModel& kind) {
  kind.file = s_.file(block, "file");
  kind.unit = s_.real(block, "unit");
  if (kind.representation == Representation::radial)
    return complain(block, "representation", "representation = radial of a file (radial surfaces are smooth images of the "
                                             "sphere) choose triangles");
  if (std::optional<geometry::Mesh> read = mesh(block, "file", kind.unit))
    kind.mesh = std::make_shared<const geometry::Mesh>(std::move(*read));
}

void SetupReader::reference(const std::string& block, SurfaceModel& kind) {
  if (kind.stress_free != StressFree::file) return;
  const std::optional<geometry::Mesh> read = mesh(block, "stress_free", s_.real(block, "stress_free_unit"));
  if (!read) return;
  try {
    kind.reference = points_in_order(*read, make_shape(kind, kind.vertices));
  } catch (const Error& e) {
    complain(block, "stress_free", "stress_free: " + s_.file(block, "stress_free").string() + " " + e.what());
  }
}

std::optional<geometry::Mesh> SetupReader::mesh(const std::string& block, const char* key, double unit) {
  SurfaceFileReader reader(s_, problems_, setup_.warnings);
  std::optional<geometry::MeshOfFile> read = reader.read(block, key, unit);
  complained_ = complained_ || reader.complained();
  if (!read) return std::nullopt;
  if (read->thinnest.height < least_height)
    setup_.warnings.push_back(read->thinnest.place + "triangle " + std::to_string(read->thinnest.triangle) + " of " +
                              SurfaceFileReader::whose(block, key) + " is " + run::brief(read->thinnest.height) +
                              " times as high as it is long (below " + run::brief(least_height) +
                              " its stiffness may shorten steps by much) mesh the surface anew");
  return std::move(read->mesh);
}

void SetupReader::resolution(const std::string& block, SurfaceModel& kind) {
  const bool radial = kind.representation == Representation::radial;
  if (kind.shape == ShapeKind::file) return; // it has its vertices
  if (radial) kind.nodes = Nodes::spiral;
  if (s_.given(block, "edge") == s_.given(block, "vertices"))
    return complain(block, to_blame(block, {"vertices", "edge"}), "[" + block + "] needs " + (radial ? "vertices" : "either vertices or edge") +
                                           (s_.given(block, "edge") ? " (it gives both)" : " (how fine the surface is)"));
  if (radial && !s_.given(block, "sites"))
    return complain(block, "representation", "[" + block + "] needs sites (where the forces of a radial surface act)");
  if (radial) kind.sites = s_.integer(block, "sites");
  kind.forces = s_.choice(block, "forces") == "collocated" ? RadialForces::collocated : RadialForces::variational;
  if (radial && kind.forces == RadialForces::variational && s_.given(block, "vertices") &&
      kind.sites < s_.integer(block, "vertices"))
    return complain(block, "sites", std::to_string(kind.sites) + " sites for " +
                                        std::to_string(s_.integer(block, "vertices")) +
                                        " vertices (forces = variational needs as many at least, better ten times as many) "
                                        "ask for more, or for forces = collocated");
  try {
    if (s_.given(block, "vertices")) {
      kind.vertices = s_.integer(block, "vertices");
    } else {
      const std::int64_t f = geometry::frequency_for_edge(s_.real(block, "edge"), shape_area(kind));
      kind.vertices = 10 * f * f + 2;
    }
    marker_count(kind);
  } catch (const Error& e) {
    const char* key = s_.given(block, "edge") ? "edge" : "vertices";
    complain(block, key, std::string(key) + " of [" + block + "] asks for " + e.what());
  }
  if (radial && kind.vertices < 2 * radial::harmonic_count)
    complain(block, "vertices", std::to_string(kind.vertices) + " data sites (" + std::to_string(2 * radial::harmonic_count) +
                                " at least carry harmonics up to degree " + std::to_string(radial::harmonic_degree) +
                                ") ask for more");
  if (radial && kind.vertices > 4000)
    complain(block, "vertices", std::to_string(kind.vertices) + " data sites (their operators are dense: 4000 at most) "
                                "choose representation = triangles");
}

void SetupReader::material(const std::string& block, SurfaceModel& kind) {
  Material& m = kind.material;
  const std::string law = s_.choice(block, "law"), bending = s_.choice(block, "bending");
  m.law = law == "skalak" ? ElasticLaw::skalak : law == "neo_hookean" ? ElasticLaw::neo_hookean : ElasticLaw::none;
  m.shear_modulus = s_.real(block, "shear_modulus");
  m.area_ratio = s_.real(block, "area_ratio");
  m.bending_law = bending == "dihedral"   ? BendingLaw::dihedral
                  : bending == "helfrich" ? BendingLaw::helfrich
                                          : BendingLaw::none;
  m.bending_modulus = s_.real(block, "bending_modulus");
  m.rest_curvature =
      s_.choice(block, "rest_curvature") == "flat" ? RestCurvature::flat : RestCurvature::reference;
  m.volume_stiffness = s_.real(block, "volume_stiffness");
  m.area_stiffness = s_.real(block, "area_stiffness");
  m.tension = s_.real(block, "tension");
  m.tether_stiffness = s_.real(block, "tether_stiffness");
  m.shear_viscosity = s_.real(block, "membrane_viscosity");
  m.dilatation_viscosity = s_.real(block, "membrane_dilatation_viscosity");
  if (m.law != ElasticLaw::none && m.shear_modulus == 0)
    complain(block, to_blame(block, {"shear_modulus", "law"}),
             "law = " + law + " without shear_modulus (0 N/m makes no force) give it, or choose law = none");
  if (m.bending_law != BendingLaw::none && m.bending_modulus == 0)
    complain(block, to_blame(block, {"bending_modulus", "bending"}),
             "bending = " + bending + " without bending_modulus (0 J makes no force) give it, or choose none");
  if (m.bending_law == BendingLaw::dihedral && kind.representation == Representation::radial)
    complain(block, to_blame(block, {"bending", "representation"}), "bending = dihedral of a radial surface (it has no edges) choose helfrich");
}

} // namespace corral::membrane
