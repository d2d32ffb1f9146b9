/* Drives the cart from C: each 10 ms it looks, and pushes against the motion. What drive.py does, with the same bits.
 */
#include <hilda/embed.h>
#include <stdio.h>

int main(void) {
  hilda_sim_options options = {sizeof options};
  hilda_sim* cart = NULL;
  hilda_sim_input push;
  hilda_sim_output position, velocity;
  options.diagram = "cart.xml";
  if (hilda_sim_load(&options, &cart) < 0 || hilda_sim_find_input(cart, "push", &push, NULL) < 0 ||
      hilda_sim_find_output(cart, "position.y", &position, NULL) < 0 ||
      hilda_sim_find_output(cart, "velocity.y", &velocity, NULL) < 0 || hilda_sim_start(cart) < 0 ||
      hilda_sim_begin_log(cart, "driven_by_c.mcap") < 0) {
    fputs(hilda_sim_error(), stderr);
    return 1;
  }

  int status = HILDA_SIM_OK;
  for (int i = 0; i < 300 && status == HILDA_SIM_OK; ++i) {
    double speed;
    hilda_sim_read(cart, velocity, &speed, 1);
    const double force = -6 * speed;
    hilda_sim_write(cart, push, &force, 1);
    status = hilda_sim_step(cart, 10);
  }
  if (status < 0) fputs(hilda_sim_error(), stderr);

  double at, time;
  hilda_sim_read(cart, position, &at, 1);
  hilda_sim_time(cart, &time);
  printf("%g s, at %.3f mm\n", time, 1000 * at);
  return hilda_sim_close(cart) < 0 || status < 0 ? 1 : 0;
}
