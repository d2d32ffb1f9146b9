"""Draws the stability map of delays.sqlite as text: # where the method is stable, . where not."""
import hilda

results = hilda.sweep.read("delays.sqlite")
print(results)
for factor in results.axes["stiffness.factor"]:
    print(f"stiffness x {factor:g}, delays " + " ".join(f"{1e3 * delay:g}" for delay in results.axes["response_delay"]) + " ms")
    for method in results.axes["diagram"]:
        stable = results.mean("stable", diagram=method, stiffness_factor=factor)
        print(f"  {method:14s}" + " ".join("#" if each > 0.5 else "." for each in stable))
