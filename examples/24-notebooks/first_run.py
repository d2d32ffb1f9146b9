# %% [markdown]
# # A first run
# A diagram is built, simulated and looked at. Each cell shows its last line, as a notebook does.

# %%
import hilda

diagram = hilda.Diagram(name="first", period="1 ms")
diagram.add("sources/Step", "step", time="0.1 s", after="1 N")
diagram.add("math/Gain", "mobility", gain="2 1/kg")
diagram.add("continuous/Integrator", "velocity")
diagram.connect("step.y", "mobility.u")
diagram.connect("mobility.y", "velocity.u")
simulation = hilda.Simulation(diagram)
simulation

# %% [markdown]
# A run has its signals as NumPy arrays, in SI. In a notebook it shows itself as a table.

# %%
run = simulation.run(1.0)
run

# %%
final = float(run["velocity.y"][-1])
print(f"{len(run)} samples, the last velocity is {final:.3f} {run.unit('velocity.y')}")
assert abs(final - 2 * (run.time[-1] - 0.1)) < 2e-3

# %% [markdown]
# With matplotlib, `run.plot` draws signals.

# %%
try:
    import matplotlib
except ImportError:
    print("no plot: matplotlib is not installed")
else:
    run.plot(["step.y", "velocity.y"])

# %% [markdown]
# A value changes with `set`, which starts again at t = 0.

# %%
simulation.set("mobility.gain", 4)
faster = float(simulation.run(1.0)["velocity.y"][-1])
print(f"with a gain of 4: {faster:.3f} m/s")
assert abs(faster - 2 * final) < 1e-9
