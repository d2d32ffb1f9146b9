// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/detail/recordings/matio.h"

#include "engine/base/budget.h"
#include "engine/log/child_answer.h"
#include "engine/log/detail/mcap/mcap_records.h"
#include "engine/log/recording.h"

#ifdef HILDA_MATIO_LIBRARY
#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <matio.h>
#include <span>
#include <type_traits>
#endif

namespace hilda::log {

#ifdef HILDA_MATIO_LIBRARY
namespace {

/// What the child says: entries, each with this in front.
enum class MatEntry : std::uint8_t { unreadable, variable, name };

constexpr std::size_t most_dimensions = 16;

/// The functions of matio that are used here. The library stays open: its process ends soon.
struct Matio {
  decltype(&Mat_Open) open = nullptr;
  decltype(&Mat_GetDir) names = nullptr;
  decltype(&Mat_Rewind) rewind = nullptr;
  decltype(&Mat_VarRead) read = nullptr;
  decltype(&Mat_VarReadInfo) read_info = nullptr;
  decltype(&Mat_VarReadNextInfo) next_info = nullptr;
  decltype(&Mat_VarReadDataAll) read_data = nullptr;
  decltype(&Mat_VarGetStructFieldByName) field = nullptr;
  decltype(&Mat_VarGetStructFieldnames) field_names = nullptr;
  decltype(&Mat_VarGetNumberOfFields) field_count = nullptr;

  bool load() {
    void* const library = dlopen(HILDA_MATIO_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return false;
    const auto take = [library](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      return function != nullptr;
    };
    return take(open, "Mat_Open") && take(names, "Mat_GetDir") && take(rewind, "Mat_Rewind") &&
           take(read, "Mat_VarRead") && take(read_info, "Mat_VarReadInfo") && take(next_info, "Mat_VarReadNextInfo") &&
           take(read_data, "Mat_VarReadDataAll") && take(field, "Mat_VarGetStructFieldByName") &&
           take(field_names, "Mat_VarGetStructFieldnames") && take(field_count, "Mat_VarGetNumberOfFields");
  }
};

template <typename Number> void append_numbers(const matvar_t& variable, std::size_t count, std::vector<double>& to) {
  const auto* const from = static_cast<const Number*>(variable.data);
  to.resize(count);
  std::transform(from, from + count, to.begin(), [](Number each) { return static_cast<double>(each); });
}

/// False where these are not numbers.
bool numbers_of(const matvar_t& variable, std::size_t count, std::vector<double>& to) {
  switch (variable.class_type) {
  case MAT_C_DOUBLE: append_numbers<double>(variable, count, to); return true;
  case MAT_C_SINGLE: append_numbers<float>(variable, count, to); return true;
  case MAT_C_INT8: append_numbers<std::int8_t>(variable, count, to); return true;
  case MAT_C_UINT8: append_numbers<std::uint8_t>(variable, count, to); return true;
  case MAT_C_INT16: append_numbers<std::int16_t>(variable, count, to); return true;
  case MAT_C_UINT16: append_numbers<std::uint16_t>(variable, count, to); return true;
  case MAT_C_INT32: append_numbers<std::int32_t>(variable, count, to); return true;
  case MAT_C_UINT32: append_numbers<std::uint32_t>(variable, count, to); return true;
  case MAT_C_INT64: append_numbers<std::int64_t>(variable, count, to); return true;
  case MAT_C_UINT64: append_numbers<std::uint64_t>(variable, count, to); return true;
  default: return false;
  }
}

bool holds_numbers(const matvar_t& variable) {
  return variable.class_type >= MAT_C_DOUBLE && variable.class_type <= MAT_C_UINT64 && variable.isComplex == 0;
}

const char* what_it_is(const matvar_t& variable) {
  if (variable.isComplex != 0) return "complex numbers";
  switch (variable.class_type) {
  case MAT_C_STRUCT: return "a structure";
  case MAT_C_CELL: return "a cell array";
  case MAT_C_SPARSE: return "a sparse matrix";
  case MAT_C_CHAR: return "a text";
  case MAT_C_FUNCTION: return "a function";
  case MAT_C_OBJECT:
  case MAT_C_OPAQUE: return "an object of MATLAB";
  default: return "nothing that can be read";
  }
}

std::string text_of(const matvar_t& variable, std::size_t count) {
  std::string text;
  if (variable.data == nullptr || variable.nbytes < count * static_cast<std::size_t>(variable.data_size)) return text;
  if (variable.data_size == 1) return {static_cast<const char*>(variable.data), std::min(count, variable.nbytes)};
  if (variable.data_size == 2)
    for (std::size_t i = 0; i < count; ++i) {
      const auto letter = static_cast<const std::uint16_t*>(variable.data)[i];
      text += letter < 128 ? static_cast<char>(letter) : '?';
    }
  return text;
}

/// The child's half: reads, and answers.
class MatTeller {
public:
  MatTeller(const std::string& file, const std::vector<std::string>& wanted, bool head_only, std::size_t most_names,
            const Tell& tell)
      : file_(file), wanted_(wanted), head_only_(head_only), most_names_(most_names), tell_(tell) {}

  void run() {
    if (!matio_.load()) return say_unreadable("the library " HILDA_MATIO_LIBRARY " is not there: install libmatio11");
    mat_ = matio_.open(file_.c_str(), MAT_ACC_RDONLY);
    if (mat_ == nullptr) return say_unreadable("matio cannot open it as a MAT file");
    if (const std::string twice = given_twice(); !twice.empty())
      return say_unreadable(("it has two variables \"" + twice + "\"; rename one of them").c_str());
    for (std::size_t i = 0; i < wanted_.size(); ++i)
      if (!tell_variable(wanted_[i]) && i == 0) tell_names();
  }

private:
  /// The name of a required variable that is there twice.
  std::string given_twice() {
    std::size_t count = 0;
    char* const* const names = matio_.names(mat_, &count);
    for (const std::string& path : wanted_) {
      std::string top = path.substr(0, path.find('.'));
      if (names != nullptr &&
          std::count_if(names, names + count, [&top](const char* name) { return name != nullptr && top == name; }) > 1)
        return top;
    }
    return {};
  }
  void say_unreadable(const char* why) {
    begin(MatEntry::unreadable);
    head_.text(why);
    tell_(head_.bytes());
  }
  void begin(MatEntry entry) {
    head_.clear();
    head_.number(static_cast<std::uint8_t>(entry));
  }

  /// A variable or a field by its path, read as far as is required; null where there is none.
  matvar_t* find(const std::string& path) {
    const std::size_t dot = path.find('.');
    const std::string top = path.substr(0, dot);
    if (top != top_name_) {
      top_name_ = top;
      top_ = head_only_ ? matio_.read_info(mat_, top.c_str()) : matio_.read(mat_, top.c_str());
    }
    matvar_t* at = top_;
    for (std::size_t start = dot; at != nullptr && start != std::string::npos;) {
      const std::size_t end = path.find('.', start + 1);
      const std::string name = path.substr(start + 1, end == std::string::npos ? end : end - start - 1);
      at = at->class_type == MAT_C_STRUCT ? matio_.field(at, name.c_str(), 0) : nullptr;
      start = end;
    }
    return at;
  }

  bool tell_variable(const std::string& path) {
    matvar_t* const found = find(path);
    if (found == nullptr) return false;
    if (found->class_type == MAT_C_CHAR && found->data == nullptr)
      matio_.read_data(mat_, found); // a unit, with its head
    begin(MatEntry::variable);
    head_.text(path);
    std::uint64_t count = 1;
    const auto rank = std::min<std::size_t>(static_cast<std::size_t>(std::max(found->rank, 0)), most_dimensions);
    head_.number(static_cast<std::uint8_t>(found->dims == nullptr ? 0 : rank));
    for (std::size_t i = 0; i < rank && found->dims != nullptr; ++i) {
      head_.number(static_cast<std::uint64_t>(found->dims[i]));
      if (__builtin_mul_overflow(count, static_cast<std::uint64_t>(found->dims[i]), &count)) count = ~std::uint64_t{0};
    }
    tell_content(*found, count);
    return true;
  }

  void tell_content(const matvar_t& found, std::uint64_t count) {
    std::vector<double> numbers;
    const bool is_text = found.class_type == MAT_C_CHAR && count < 1000;
    MatVariable::Kind kind = is_text ? MatVariable::Kind::text : MatVariable::Kind::other;
    const bool fits = count <= most_recorded_numbers;
    if (holds_numbers(found) && fits) {
      const bool whole = found.data != nullptr && found.data_size > 0 &&
                         found.nbytes / static_cast<std::size_t>(found.data_size) >= count;
      if (head_only_ || count == 0 || (whole && numbers_of(found, count, numbers))) kind = MatVariable::Kind::numbers;
    }
    head_.number(static_cast<std::uint8_t>(kind));
    head_.text(fits ? what_it_is(found) : "more than 200 million numbers");
    head_.text(is_text ? text_of(found, count) : "");
    head_.number(static_cast<std::uint64_t>(numbers.size()));
    tell_(head_.bytes());
    tell_(std::as_bytes(std::span(numbers)));
  }

  void tell_names() {
    matio_.rewind(mat_);
    for (matvar_t* next = nullptr; names_ < most_names_ && (next = matio_.next_info(mat_)) != nullptr;)
      if (next->name != nullptr) tell_name(*next, next->name, 0);
  }

  void tell_name(matvar_t& variable, const std::string& path, int depth) {
    constexpr int deepest = 8;
    if (holds_numbers(variable) && names_ < most_names_) {
      ++names_;
      begin(MatEntry::name);
      head_.text(path);
      tell_(head_.bytes());
    }
    if (variable.class_type != MAT_C_STRUCT || depth == deepest) return;
    char* const* const fields = matio_.field_names(&variable);
    for (unsigned i = 0; fields != nullptr && i < matio_.field_count(&variable) && names_ < most_names_; ++i)
      if (matvar_t* const field = matio_.field(&variable, fields[i], 0))
        tell_name(*field, path + "." + fields[i], depth + 1);
  }

  const std::string& file_;
  const std::vector<std::string>& wanted_;
  const bool head_only_;
  const std::size_t most_names_;
  const Tell& tell_;
  Matio matio_;
  mat_t* mat_ = nullptr;
  std::string top_name_;
  matvar_t* top_ = nullptr; ///< read last; never freed, since the process ends
  std::size_t names_ = 0;
  mcap::RecordBuffer head_;
};

/// The parent's half. What the child says may be what a broken file has made of it, so nothing is taken on trust.
bool take_variable(mcap::RecordView& said, MatContent& content) {
  const std::string path(said.text());
  MatVariable variable;
  const auto rank = said.number<std::uint8_t>();
  if (rank > most_dimensions) return false;
  std::uint64_t count = 1;
  for (int i = 0; i < rank; ++i) {
    variable.size.push_back(said.number<std::uint64_t>());
    if (__builtin_mul_overflow(count, variable.size.back(), &count)) count = ~std::uint64_t{0};
  }
  const auto kind = said.number<std::uint8_t>();
  variable.what = said.text();
  variable.text = said.text();
  const auto numbers = said.number<std::uint64_t>();
  if (!said.ok() || kind > static_cast<std::uint8_t>(MatVariable::Kind::other)) return false;
  variable.kind = static_cast<MatVariable::Kind>(kind);
  if (numbers > most_recorded_numbers || (numbers != 0 && numbers != count)) return false;
  const auto bytes = said.raw(numbers * sizeof(double));
  if (!said.ok()) return false;
  variable.numbers.resize(numbers);
  if (numbers > 0) std::memcpy(variable.numbers.data(), bytes.data(), bytes.size());
  content.found[path] = std::move(variable);
  return true;
}

bool take_answer(const std::string& answer, std::size_t most_names, MatContent& content, std::string& error) {
  mcap::RecordView said(std::as_bytes(std::span(answer)));
  while (!said.empty()) {
    const auto entry = static_cast<MatEntry>(said.number<std::uint8_t>());
    if (entry == MatEntry::unreadable) {
      error = said.text();
      return false;
    }
    if (entry == MatEntry::name && content.names.size() < most_names) {
      content.names.emplace_back(said.text());
    } else if (entry != MatEntry::variable || !take_variable(said, content)) {
      error = "its reader says what makes no sense";
      return false;
    }
  }
  return true;
}

} // namespace

std::optional<MatContent> read_mat(const std::string& file, const std::vector<std::string>& wanted, bool head_only,
                                   std::string& error, std::size_t most_listed) {
  constexpr std::uint64_t usual_memory = std::uint64_t{8} << 30U, beside_numbers = 1 << 20;
  ChildLimits limits;
  limits.memory = budget().memory > 0 ? budget().memory : usual_memory;
  limits.answer = 2 * most_recorded_numbers * sizeof(double) + beside_numbers;
  std::string answer;
  MatContent content;
  const auto work = [&](const Tell& tell) { MatTeller(file, wanted, head_only, most_listed, tell).run(); };
  if (answer_of_child(work, limits, answer, error) && take_answer(answer, most_listed, content, error)) return content;
  return std::nullopt;
}

#else

std::optional<MatContent> read_mat(const std::string&, const std::vector<std::string>&, bool, std::string& error,
                                   std::size_t) {
  error = "this hilda was built without matio, which reads MAT files; install libmatio-dev and build it again";
  return std::nullopt;
}

#endif

} // namespace hilda::log
