"""Drives the cart from Python: each 10 ms it looks, and pushes against the motion."""
import hilda

simulation = hilda.Simulation("cart.xml")
push = simulation.input("push")
position, velocity = simulation.output("position.y"), simulation.output("velocity.y")
print(push.path, push.unit, push.shape, "|", position.unit, "|", velocity.unit)

simulation.begin_log("driven.mcap")
for _ in range(300):
    push.write(-6 * velocity.read())
    simulation.step(10)
simulation.end_log()
print(f"{simulation.time:g} s, at {1000 * position.read():.3f} mm; the last push {simulation.get('push'):.4f} N")
