// SPDX-License-Identifier: BSD-3-Clause
// The functions of hilda/embed.h: arguments are looked at here, and no exception leaves.
#include "engine/base/error.h"
#include "tools/cli/version.h"
#include "tools/embed/failure.h"
#include "tools/embed/simulation.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace hilda::embed {
namespace {

/// Calls `body`; what it throws becomes the thread's last error.
template <typename Body> int answer(Body&& body) noexcept {
  const auto internal = [](hilda_sim_status status, const char* code, const char* what) {
    try {
      Failure failure{status, {}};
      failure.messages.emplace_back();
      failure.messages.back().code = code;
      failure.messages.back().what = what;
      remember(std::move(failure));
    } catch (const std::exception&) { remember({}); }
    return status;
  };
  try {
    return body();
  } catch (Failure& failure) {
    const hilda_sim_status status = failure.status;
    remember(std::move(failure));
    return status;
  } catch (const std::bad_alloc&) {
    return internal(HILDA_SIM_MEMORY, "sim-memory", "there is no memory for this call");
  } catch (const std::exception& thrown) {
    return internal(HILDA_SIM_INTERNAL, "sim-internal", thrown.what());
  } catch (...) {
    return internal(HILDA_SIM_INTERNAL, "sim-internal", "something was thrown that is not a std::exception");
  }
}

void must_be_there(const void* pointer, const char* name) {
  if (pointer == nullptr)
    fail(HILDA_SIM_INVALID, "sim-null", std::string(name) + " is null", "give a valid pointer: see hilda/embed.h");
}

/// Of numbers, which may be none.
void must_be_there(const double* numbers, std::size_t count) {
  if (count > 0) must_be_there(numbers, "numbers");
}

template <typename Struct> void must_have_size(const Struct& given, const char* name) {
  if (given.size < sizeof given)
    fail(HILDA_SIM_INVALID, "sim-size",
         std::string(name) + ": size is " + std::to_string(given.size) + ", and version " +
             std::to_string(HILDA_SIM_MAJOR) + "." + std::to_string(HILDA_SIM_MINOR) + " has " +
             std::to_string(sizeof given) + " bytes",
         std::string("set size = sizeof(") + name + ")");
}

void must_have_size(const hilda_sim_shape* shape) {
  if (shape != nullptr) must_have_size(*shape, "hilda_sim_shape");
}

/// Keeps other calls out.
class Turn {
public:
  explicit Turn(hilda_sim& sim) : sim_(sim) {
    if (!sim.enter())
      fail(HILDA_SIM_BUSY, "sim-busy", "another call runs in this simulation",
           "call it from one thread at a time, and not from its message callback");
  }
  ~Turn() { sim_.leave(); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

private:
  hilda_sim& sim_;
};

/// A call of a simulation.
template <typename Body> int call(hilda_sim* sim, Body&& body) noexcept {
  return answer([&]() -> int {
    must_be_there(sim, "hilda_sim");
    const Turn turn(*sim);
    if constexpr (std::is_void_v<decltype(body(*sim))>) {
      body(*sim);
      return HILDA_SIM_OK;
    } else {
      return body(*sim);
    }
  });
}

void copy_checkpoint(const std::vector<unsigned char>& from, void* to, std::size_t& size) {
  const std::size_t room = to != nullptr ? size : 0;
  size = from.size();
  if (room < from.size())
    fail(HILDA_SIM_CHECKPOINT, "sim-checkpoint",
         "the checkpoint has " + std::to_string(from.size()) + " bytes, and the buffer " + std::to_string(room),
         "give a buffer of the size that this call has set");
  if (to != nullptr) std::memcpy(to, from.data(), from.size());
}

} // namespace
} // namespace hilda::embed

using namespace hilda::embed;

extern "C" {

uint32_t hilda_sim_version(void) { return HILDA_SIM_MAJOR << 16 | HILDA_SIM_MINOR; }

const char* hilda_sim_program_version(void) { return hilda::cli::version; }

int hilda_sim_load(const hilda_sim_options* options, hilda_sim** sim) {
  return answer([&]() -> int {
    must_be_there(static_cast<const void*>(sim), "the place for hilda_sim");
    *sim = nullptr;
    must_be_there(options, "hilda_sim_options");
    must_have_size(*options, "hilda_sim_options");
    *sim = new hilda_sim(*options); // NOLINT(cppcoreguidelines-owning-memory): hilda_sim_close deletes it
    return HILDA_SIM_OK;
  });
}

int hilda_sim_close(hilda_sim* sim) {
  if (sim == nullptr) return HILDA_SIM_OK;
  return answer([&]() -> int {
    if (!sim->enter())
      fail(HILDA_SIM_BUSY, "sim-busy", "another call runs in this simulation", "close it when that call has returned");
    const std::unique_ptr<hilda_sim> last(sim);
    last->end();
    return HILDA_SIM_OK;
  });
}

int hilda_sim_start(hilda_sim* sim) {
  return call(sim, [](hilda_sim& its) { its.start(); });
}

int hilda_sim_step(hilda_sim* sim, int64_t ticks) {
  return call(sim, [=](hilda_sim& its) -> int { return its.step(ticks); });
}

int hilda_sim_run(hilda_sim* sim, double seconds) {
  return call(sim, [=](hilda_sim& its) -> int { return its.run(seconds); });
}

int hilda_sim_interrupt(hilda_sim* sim) {
  if (sim == nullptr) return HILDA_SIM_INVALID; // a signal's handler cannot make words
  sim->interrupt();
  return HILDA_SIM_OK;
}

int hilda_sim_time(hilda_sim* sim, double* seconds) {
  return call(sim, [=](const hilda_sim& its) {
    must_be_there(seconds, "seconds");
    *seconds = its.runtime().time();
  });
}

int hilda_sim_tick(hilda_sim* sim, int64_t* tick) {
  return call(sim, [=](const hilda_sim& its) {
    must_be_there(tick, "tick");
    *tick = its.runtime().tick();
  });
}

int hilda_sim_period(hilda_sim* sim, double* seconds) {
  return call(sim, [=](const hilda_sim& its) {
    must_be_there(seconds, "seconds");
    *seconds = its.runtime().base().value();
  });
}

int hilda_sim_ending(hilda_sim* sim, const char** text) {
  return call(sim, [=](hilda_sim& its) {
    must_be_there(static_cast<const void*>(text), "text");
    *text = its.ending();
  });
}

int hilda_sim_summary(hilda_sim* sim, const char** json) {
  return call(sim, [=](hilda_sim& its) {
    must_be_there(static_cast<const void*>(json), "json");
    *json = its.summary();
  });
}

int hilda_sim_reset(hilda_sim* sim) {
  return call(sim, [](hilda_sim& its) { its.reset(); });
}

int hilda_sim_reload(hilda_sim* sim) {
  return call(sim, [](hilda_sim& its) { its.reload(); });
}

int hilda_sim_find_input(hilda_sim* sim, const char* path, hilda_sim_input* input, hilda_sim_shape* shape) {
  return call(sim, [=](hilda_sim& its) {
    must_be_there(path, "path");
    must_be_there(input, "input");
    must_have_size(shape);
    *input = its.find_input(path, shape);
  });
}

int hilda_sim_find_output(hilda_sim* sim, const char* path, hilda_sim_output* output, hilda_sim_shape* shape) {
  return call(sim, [=](hilda_sim& its) {
    must_be_there(path, "path");
    must_be_there(output, "output");
    must_have_size(shape);
    *output = its.find_output(path, shape);
  });
}

int hilda_sim_write(hilda_sim* sim, hilda_sim_input input, const double* numbers, size_t count) {
  return call(sim, [=](hilda_sim& its) {
    must_be_there(numbers, count);
    its.write(input, std::span(numbers, count));
  });
}

int hilda_sim_write_many(hilda_sim* sim, const hilda_sim_numbers* all, size_t count) {
  return call(sim, [=](hilda_sim& its) {
    if (count > 0) must_be_there(all, "the list of numbers");
    its.write(std::span(all, count));
  });
}

int hilda_sim_read(hilda_sim* sim, hilda_sim_output output, double* numbers, size_t count) {
  return call(sim, [=](const hilda_sim& its) {
    must_be_there(numbers, count);
    its.read(output, std::span(numbers, count));
  });
}

int hilda_sim_set(hilda_sim* sim, const char* path, const char* text) {
  return hilda_sim_set_many(sim, &path, &text, 1);
}

int hilda_sim_set_many(hilda_sim* sim, const char* const* paths, const char* const* texts, size_t count) {
  return call(sim, [=](hilda_sim& its) {
    if (count == 0) return;
    must_be_there(static_cast<const void*>(paths), "paths");
    must_be_there(static_cast<const void*>(texts), "texts");
    std::vector<hilda::compile::LiveSetting> settings;
    for (size_t i = 0; i < count; ++i) {
      const char *const path = std::span(paths, count)[i], *const text = std::span(texts, count)[i];
      must_be_there(path, "path");
      must_be_there(text, "text");
      settings.push_back({path, text});
    }
    its.set(settings);
  });
}

int hilda_sim_get(hilda_sim* sim, const char* path, const char** text) {
  return call(sim, [=](hilda_sim& its) {
    must_be_there(path, "path");
    must_be_there(static_cast<const void*>(text), "text");
    *text = its.get(path);
  });
}

int hilda_sim_checkpoint(hilda_sim* sim, void* bytes, size_t* size) {
  return call(sim, [=](const hilda_sim& its) {
    must_be_there(size, "size");
    copy_checkpoint(its.checkpoint(), bytes, *size);
  });
}

int hilda_sim_restore(hilda_sim* sim, const void* bytes, size_t size) {
  return call(sim, [=](hilda_sim& its) {
    must_be_there(bytes, "bytes");
    its.restore(std::span(static_cast<const unsigned char*>(bytes), size));
  });
}

int hilda_sim_begin_log(hilda_sim* sim, const char* file) {
  return call(sim, [=](hilda_sim& its) {
    must_be_there(file, "file");
    its.begin_log(file);
  });
}

int hilda_sim_end_log(hilda_sim* sim) {
  return call(sim, [](hilda_sim& its) { its.end_log(); });
}
}
