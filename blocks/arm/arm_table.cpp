// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/arm/arm_table.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

namespace hilda {
namespace {

constexpr std::size_t longest_file = 100'000; // bytes: some hundred rows
constexpr const char* joint_columns =
    "q0 [deg], lambda [m], L [m], alpha [deg], mass [kg], CoM x y z [m], Ixx Iyy Izz Ixy Ixz Iyz [kg m2]";
constexpr const char* base_columns = "mass [kg], Ixx Iyy Izz Ixy Ixz Iyz [kg m2], mounting point x y z [m]";

Matrix3 tensor(const double* six) {
  Matrix3 t;
  t << six[0], six[3], six[4], six[3], six[1], six[5], six[4], six[5], six[2];
  return t;
}

class Reader {
public:
  Reader(const char* path, std::vector<std::string>& errors) : path_(path), errors_(errors) {}

  std::optional<ArmTable> read() {
    const std::size_t before = errors_.size();
    std::ifstream file(path_, std::ios::binary);
    std::string text(longest_file + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    if (!file.eof() && file.fail())
      complain_of_file("cannot be read");
    else if (text.size() > longest_file)
      complain_of_file("is longer than 100 kB: this is not a table of an arm");
    else
      rows(text);
    if (errors_.size() != before) return std::nullopt;
    return table_;
  }

private:
  void complain_of_file(const std::string& what) { errors_.push_back(std::string(path_) + ": " + what); }
  void complain(const std::string& what) {
    errors_.push_back(std::string(path_) + ":" + std::to_string(line_) + ": " + what);
  }

  void rows(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line) && errors_.size() < 20;) {
      ++line_;
      std::istringstream words(line.substr(0, line.find('#')));
      std::string kind;
      if (words >> kind) row(kind, words);
    }
    if (!errors_.empty()) return;
    if (!has_base_) complain_of_file("has no row `base`; give one: " + std::string(base_columns));
    if (table_.joints() == 0) complain_of_file("has no row `joint`; give one a joint: " + std::string(joint_columns));
    if (table_.joints() > most_joints)
      complain_of_file("has " + std::to_string(table_.joints()) + " joints; the model has room for " +
                       std::to_string(most_joints));
    if (!has_sensor_) table_.sensor = static_cast<int>(table_.links.size());
  }

  void row(const std::string& kind, std::istringstream& words) {
    if (kind == "base")
      base(words);
    else if (kind == "joint" || kind == "fixed")
      link(kind == "joint", words);
    else if (kind == "sensor")
      sensor(words);
    else
      complain("`" + kind + "` is not a kind of row; a row begins with base, joint, fixed or sensor");
  }

  bool numbers(std::istringstream& words, std::vector<double>& values, std::size_t wanted, const char* columns) {
    const std::size_t before = errors_.size();
    for (std::string word; words >> word && values.size() <= wanted;) {
      double value = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value))
        complain("`" + word.substr(0, 40) + "` is not a number; units are fixed, a row has " + columns);
      values.push_back(value);
    }
    if (values.size() != wanted)
      complain("a row of " + std::to_string(wanted) + " numbers has " +
               (values.size() > wanted ? "more" : std::to_string(values.size())) + "; it has " + columns);
    return errors_.size() == before;
  }

  void base(std::istringstream& words) {
    std::vector<double> v;
    if (has_base_) return complain("`base` is here a second time; an arm has one base");
    has_base_ = true;
    if (!numbers(words, v, 10, base_columns)) return;
    table_.base_mass = v[0];
    table_.base_inertia = tensor(&v[1]);
    table_.mount << v[7], v[8], v[9];
    body(v[0], table_.base_inertia, true);
  }

  void link(bool moves, std::istringstream& words) {
    std::vector<double> v;
    if (!numbers(words, v, 14, joint_columns)) return;
    constexpr double degree = std::numbers::pi / 180.0;
    ArmLink link;
    link.moves = moves;
    link.q0 = v[0] * degree, link.lambda = v[1], link.length = v[2], link.alpha = v[3] * degree;
    link.mass = v[4];
    link.com << v[5], v[6], v[7];
    link.inertia = tensor(&v[8]);
    body(link.mass, link.inertia, false);
    table_.links.push_back(link);
  }

  void sensor(std::istringstream& words) {
    std::string more;
    if (words >> more) return complain("`sensor` must be alone in its row; remove `" + more.substr(0, 40) + "`");
    if (has_sensor_) return complain("`sensor` is here a second time; there is one between base and end effector");
    if (table_.links.empty()) return complain("the sensor sits behind a link: move this row below the first `joint`");
    has_sensor_ = true;
    table_.sensor = static_cast<int>(table_.links.size());
  }

  /// A body's principal moments: none negative, none larger than the two others together.
  void body(double mass, const Matrix3& inertia, bool base) {
    if (!(base ? mass > 0.0 : mass >= 0.0)) complain("a mass of " + std::to_string(mass) + " kg cannot be a body's");
    const Eigen::Vector3d moments = Eigen::SelfAdjointEigenSolver<Matrix3>(inertia).eigenvalues(); // ascending
    const double slack = 1e-9 * std::abs(moments[2]);
    if (moments[0] < -slack || (base && moments[0] <= 0.0))
      complain("the inertia has the principal moment " + std::to_string(moments[0]) +
               " kg m2, which no body has; look at the order Ixx Iyy Izz Ixy Ixz Iyz and at the signs");
    else if (moments[2] > moments[0] + moments[1] + slack)
      complain("the inertia has the principal moments " + std::to_string(moments[0]) + ", " +
               std::to_string(moments[1]) + ", " + std::to_string(moments[2]) +
               " kg m2; no body's largest is more than the two others together");
  }

  const char* path_;
  std::vector<std::string>& errors_;
  ArmTable table_;
  int line_ = 0;
  bool has_base_ = false, has_sensor_ = false;
};

} // namespace

int ArmTable::joints() const {
  return static_cast<int>(std::count_if(links.begin(), links.end(), [](const ArmLink& l) { return l.moves; }));
}

std::optional<ArmTable> read_arm_table(const char* path, std::vector<std::string>& errors) {
  return Reader(path, errors).read();
}

} // namespace hilda
