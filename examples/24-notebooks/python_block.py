# %% [markdown]
# # A block in Python
# The first version of an idea is a class. It declares its ports, parameters and states; its methods are the phases of a tick.

# %%
import hilda
from hilda import testing


@hilda.block(doc="Follows its input with a limited rate.")
class RateLimit(hilda.Block):
    u = hilda.Input("@u", doc="Signal")
    y = hilda.Output("@u", doc="Limited signal")
    most = hilda.Parameter("@u/s", doc="Largest rate", default=10, above=0.0, live=True)
    x = hilda.State("@u", doc="Where the output is")

    def step(self, t):
        most = self.most * t.period
        return self.x + min(max(self.u - self.x, -most), most)

    def output(self, t):
        self.y = self.step(t)

    def update(self, t):
        self.x = self.step(t)


# %% [markdown]
# ## Alone
# A bench runs one block without a diagram. It guesses what is left open.

# %%
bench = testing.Bench(RateLimit, most=20, period=0.01)
bench["u"] = 1.0
bench.step(3)
print(f"after {bench.tick} ticks: {bench['y']:.2f}")
assert abs(bench["y"] - 0.6) < 1e-12

# %% [markdown]
# The test kit checks what each block promises: the same bits twice, all memory in its states, no input that it does not declare.

# %%
failed = [str(finding) for finding in testing.check_all(RateLimit) if finding.verdict == "failed"]
print("failed checks:", failed)
assert not failed

# %% [markdown]
# ## In a diagram
# The class is the block type `python/RateLimit`.

# %%
diagram = hilda.Diagram(name="limited", period="10 ms")
diagram.add("sources/Step", "step", time="0.1 s", after="1 m")
diagram.add("python/RateLimit", "limit", most="2 m/s")
diagram.connect("step.y", "limit.u")
simulation = hilda.Simulation(diagram, blocks=[RateLimit])
run = simulation.run(1.0)
reached = float(run.time[(run["limit.y"] >= 1 - 1e-9).argmax()])
print(f"1 m is reached at {reached:.2f} s")
assert 0.5 < reached < 0.7

# %% [markdown]
# A mistake has its line. This class reads an input that it does not have.

# %%
@hilda.block
class Wrong(hilda.Block):
    u = hilda.Input()
    y = hilda.Output()

    def output(self, t):
        self.y = self.v


try:
    testing.Bench(Wrong).step()
except hilda.RunError as error:
    print(str(error).split(": ", 1)[1])

# %% [markdown]
# ## Next
# In a file next to a diagram, every command of hilda finds the class. `hilda new-plugin limit --from-python my_blocks.py:RateLimit` writes
# it in C++, with a test that compares both. That block also runs on hardware.
