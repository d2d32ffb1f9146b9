// Starts the driver, runs it against its own thread, and asks what the loop did. Built with -fsanitize=thread it also
// finds two threads at one variable.
#include <hilda/testing/bench.h>
#include <hilda/testing/check_loop.h>

#include <cstdio>

int main(int, char** arguments) {
  using namespace hilda::testing;
  const Plugin plugin(arguments[1]);
  Bench scale(plugin.type("Scale"), {.parameters = {{"pause", 1e-4}}, .simulated = false});
  scale.start();
  while (scale.number("count") < 3) scale.step();
  const std::string offence = loop_offence(scale, 100);
  scale.stop();
  std::printf("load %g N; the loop: %s\n", scale.number("load"), offence.empty() ? "clean" : offence.c_str());
  return offence.empty() ? 0 : 1;
}
