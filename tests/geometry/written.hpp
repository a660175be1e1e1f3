#pragma once

#include "geometry/surface.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <string>
#include <string_view>

namespace corral::test {

/// What files hold, for the readers' tests.

inline std::string off_text(const geometry::Surface& s) {
  std::ostringstream out;
  out.precision(17);
  out << "OFF\n" << s.points.size() << " " << s.triangles.size() << " 0\n";
  for (const geometry::Vector& x : s.points) out << x[0] << " " << x[1] << " " << x[2] << "\n";
  for (const geometry::Triangle& t : s.triangles) out << "3 " << t[0] << " " << t[1] << " " << t[2] << "\n";
  return out.str();
}

/// OBJ with more than a surface needs: comments, textures, normals, groups, and corners in all forms.
inline std::string obj_text(const geometry::Surface& s) {
  std::ostringstream out;
  out.precision(17);
  out << "# made by a test\nmtllib none.mtl\no surface\n";
  for (const geometry::Vector& x : s.points) out << "v " << x[0] << " " << x[1] << " " << x[2] << "\nvn 0 0 1\n";
  out << "vt 0 0\ns off\nusemtl none\n";
  const auto count = static_cast<std::int32_t>(s.points.size());
  for (const geometry::Triangle& t : s.triangles)
    out << "f " << t[0] + 1 << "/1 " << t[1] - count << "//2 " << t[2] + 1 << "/1/2 # \n";
  return out.str();
}

inline std::string stl_text(const geometry::Surface& s) {
  std::ostringstream out;
  out.precision(17);
  out << "solid a name\n";
  for (const geometry::Triangle& t : s.triangles) {
    out << "  facet normal 0 0 nan\n    outer loop\n";
    for (const geometry::Vector& x : geometry::corners(s.points.span(), t))
      out << "      vertex " << x[0] << " " << x[1] << " " << x[2] << "\n";
    out << "    endloop\n  endfacet\n";
  }
  out << "endsolid a name\n";
  return out.str();
}

/// The bytes of a number, the lowest first unless said otherwise.
template <class T> std::string bytes_of(T value, bool big_endian = false) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  if (big_endian != (std::endian::native == std::endian::big)) std::reverse(bytes, bytes + sizeof(T));
  return {bytes, sizeof(T)};
}

inline std::string stl_bytes(const geometry::Surface& s, std::string header = "solid but binary") {
  header.resize(80);
  std::string all = header + bytes_of(static_cast<std::uint32_t>(s.triangles.size()));
  for (const geometry::Triangle& t : s.triangles) {
    for (int d = 0; d < 3; ++d) all += bytes_of(0.0F);
    for (const geometry::Vector& x : geometry::corners(s.points.span(), t))
      for (const double v : x) all += bytes_of(static_cast<float>(v));
    all += bytes_of(std::uint16_t{0});
  }
  return all;
}

/// PLY with more than a surface needs: an element before and one behind, properties of all types around the
/// coordinates.
enum class PlyNumbers : std::uint8_t { text, little_endian, big_endian };
inline std::string ply(const geometry::Surface& s, PlyNumbers numbers) {
  std::string all = "ply\nformat ";
  all += numbers == PlyNumbers::text         ? "ascii"
         : numbers == PlyNumbers::big_endian ? "binary_big_endian"
                                             : "binary_little_endian";
  all += " 1.0\ncomment made by a test\nobj_info of no use\nelement camera 2\nproperty short shutter\nproperty list "
         "uchar double lens\n"
         "element vertex " +
         std::to_string(s.points.size()) +
         "\nproperty uchar red\nproperty double x\nproperty float64 y\nproperty ushort flag\nproperty double z\n"
         "property list int8 float32 weights\nelement face " +
         std::to_string(s.triangles.size()) +
         "\nproperty int8 group\nproperty list uint8 int32 vertex_indices\nproperty float quality\n"
         "element edge 1\nproperty int from\nproperty uint32 to\nelement nothing 1000000000000\nend_header\n";
  const auto put = [&](auto value) {
    if (numbers != PlyNumbers::text) {
      all += bytes_of(value, numbers == PlyNumbers::big_endian);
      return;
    }
    std::ostringstream word;
    word.precision(17);
    if constexpr (sizeof value == 1) word << static_cast<int>(value);
    else word << value;
    all += word.str() + " ";
  };
  const auto end = [&] { all += numbers == PlyNumbers::text ? "\n" : ""; };
  for (int camera = 0; camera < 2; ++camera) {
    put(std::int16_t{-1});
    put(static_cast<std::uint8_t>(camera));
    for (int i = 0; i < camera; ++i) put(50.0);
    end();
  }
  for (const geometry::Vector& x : s.points) {
    put(std::uint8_t{200});
    put(x[0]);
    put(x[1]);
    put(std::uint16_t{65535});
    put(x[2]);
    put(std::int8_t{2});
    put(.5F);
    put(.25F);
    end();
  }
  for (const geometry::Triangle& t : s.triangles) {
    put(std::int8_t{-3});
    put(std::uint8_t{3});
    for (const std::int32_t p : t) put(p);
    put(1.0F);
    end();
  }
  put(std::int32_t{0});
  put(std::uint32_t{1});
  end();
  return all;
}

} // namespace corral::test
