// SPDX-License-Identifier: BSD-3-Clause
// Ten diagrams of textbooks, as a person draws them by mouse: blocks at places of the drawing (px), values, wires.
import { Hand, settled } from "./hand.mjs";

const step = (x, y, after = "1 m") => ["sources/Step", "wanted", x, y, { time: "0.1 s", after }];
const sum = (name, x, y, signs = "+-") => ["math/Sum", name, x, y, signs === "++" ? {} : { signs }];
const gain = (name, x, y, value) => ["math/Gain", name, x, y, { gain: value }];
const integrator = (name, x, y) => ["continuous/Integrator", name, x, y, {}];
const second = (x, y) => ["continuous/TransferFunction", "plant", x, y, { numerator: "1", denominator: "1 2 10", gain: "1 m/N" }];

export const ten = [
  { name: "cart_pid", blocks: [step(0, 60), ["discrete/Pid", "pid", 150, 40, { kp: "60 N/m", kd: "20 N s/m", ki: "5 N/m s" }], ["math/Saturation", "motor", 330, 54, { lower: "-40 N", upper: "40 N" }],
      sum("force", 480, 60, "++"), ["sources/Pulse", "gust", 330, 180, { high: "2 N", width: "100 ms" }], gain("inverse_mass", 570, 54, "0.5 1/kg"), integrator("speed", 690, 54), integrator("place", 840, 54)],
    wires: [["wanted.y", "pid.setpoint"], ["pid.command", "motor.u"], ["motor.y", "force.u[0]"], ["gust.y", "force.u[1]"], ["force.y", "inverse_mass.u"], ["inverse_mass.y", "speed.u"], ["speed.y", "place.u"], ["place.y", "pid.measured"]] },
  { name: "cascade", blocks: [step(0, 60), sum("position_error", 130, 60), gain("position_loop", 220, 54, "5 1/s"), sum("speed_error", 340, 60), gain("speed_loop", 430, 54, "40 N s/m"), gain("inverse_mass", 570, 54, "0.5 1/kg"), integrator("speed", 700, 54), integrator("place", 850, 54)],
    wires: [["wanted.y", "position_error.u[0]"], ["position_error.y", "position_loop.u"], ["position_loop.y", "speed_error.u[0]"], ["speed_error.y", "speed_loop.u"], ["speed_loop.y", "inverse_mass.u"], ["inverse_mass.y", "speed.u"], ["speed.y", "place.u"], ["speed.y", "speed_error.u[1]"], ["place.y", "position_error.u[1]"]] },
  { name: "smith_predictor", blocks: [step(0, 60, "1 V"), sum("error", 130, 60), ["continuous/Pid", "controller", 230, 40, { kp: "2", ki: "1.5 1/s" }], ["continuous/TransferFunction", "plant", 450, 40, { numerator: "1", denominator: "1 1" }], ["continuous/TransportDelay", "dead_time", 640, 46, { delay: "0.5 s" }],
      ["continuous/TransferFunction", "model", 450, 180, { numerator: "1", denominator: "1 1" }], ["continuous/TransportDelay", "model_dead_time", 610, 246, { delay: "0.5 s" }], sum("mismatch", 830, 230), sum("predicted", 640, 360, "++")],
    wires: [["wanted.y", "error.u[0]"], ["error.y", "controller.setpoint"], ["controller.command", "plant.u"], ["controller.command", "model.u"], ["plant.y", "dead_time.u"], ["model.y", "model_dead_time.u"], ["dead_time.y", "mismatch.u[0]"], ["model_dead_time.y", "mismatch.u[1]"], ["mismatch.y", "predicted.u[0]"], ["model.y", "predicted.u[1]"], ["predicted.y", "error.u[1]"]] },
  { name: "observer", blocks: [step(0, 60, "1 N"), gain("inverse_mass", 140, 54, "0.5 1/kg"), integrator("speed", 420, 54), integrator("place", 700, 54),
      gain("model", 140, 204, "0.5 1/kg"), sum("acceleration", 270, 210, "++"), integrator("speed_estimate", 360, 204), sum("rate", 540, 210, "++"), integrator("place_estimate", 630, 204), sum("innovation", 830, 300), gain("l1", 600, 318, "20 1/s"), gain("l2", 330, 378, "100 1/s2")],
    wires: [["wanted.y", "inverse_mass.u"], ["wanted.y", "model.u"], ["inverse_mass.y", "speed.u"], ["speed.y", "place.u"], ["model.y", "acceleration.u[0]"], ["acceleration.y", "speed_estimate.u"], ["speed_estimate.y", "rate.u[0]"], ["rate.y", "place_estimate.u"], ["place.y", "innovation.u[0]"], ["place_estimate.y", "innovation.u[1]"],
      ["innovation.y", "l1.u"], ["innovation.y", "l2.u"], ["l1.y", "rate.u[1]"], ["l2.y", "acceleration.u[1]"]] },
  { name: "two_mass", blocks: [step(0, 60, "1 N"), sum("on_motor", 140, 60), gain("motor", 230, 54, "2 1/kg"), integrator("motor_speed", 350, 54), integrator("motor_place", 520, 54), sum("twist", 640, 180), gain("spring", 480, 174, "100 N/m"), gain("load", 230, 294, "0.5 1/kg"), integrator("load_speed", 350, 294), integrator("load_place", 520, 294)],
    wires: [["wanted.y", "on_motor.u[0]"], ["on_motor.y", "motor.u"], ["motor.y", "motor_speed.u"], ["motor_speed.y", "motor_place.u"], ["motor_place.y", "twist.u[0]"], ["load_place.y", "twist.u[1]"], ["twist.y", "spring.u"], ["spring.y", "on_motor.u[1]"], ["spring.y", "load.u"], ["load.y", "load_speed.u"], ["load_speed.y", "load_place.u"]] },
  { name: "notch", blocks: [step(0, 60), sum("error", 130, 60), gain("controller", 230, 54, "30 N/m"), ["discrete/Notch", "notch", 360, 48, { frequency: "8 Hz", damping: "0.3" }], ["discrete/LowPass", "drive", 510, 48, { cutoff: "40 Hz" }], second(660, 48)],
    wires: [["wanted.y", "error.u[0]"], ["error.y", "controller.u"], ["controller.y", "notch.u"], ["notch.y", "drive.u"], ["drive.y", "plant.u"], ["plant.y", "error.u[1]"]] },
  { name: "anti_windup", blocks: [step(0, 60), sum("error", 130, 60), gain("kp", 260, 54, "20 N/m"), gain("ki", 220, 174, "40 N/m s"), sum("rate", 350, 180, "++"), integrator("integral", 440, 174), sum("command", 600, 60, "++"), ["math/Saturation", "limit", 690, 54, { lower: "-5 N", upper: "5 N" }], sum("excess", 820, 270), gain("back", 480, 288, "10 1/s"), second(850, 54)],
    wires: [["wanted.y", "error.u[0]"], ["error.y", "kp.u"], ["error.y", "ki.u"], ["ki.y", "rate.u[0]"], ["rate.y", "integral.u"], ["kp.y", "command.u[0]"], ["integral.y", "command.u[1]"], ["command.y", "limit.u"], ["limit.y", "plant.u"], ["limit.y", "excess.u[0]"], ["command.y", "excess.u[1]"], ["excess.y", "back.u"], ["back.y", "rate.u[1]"], ["plant.y", "error.u[1]"]] },
  { name: "feed_forward", blocks: [step(0, 120), sum("error", 140, 180), ["discrete/Pid", "pi", 240, 160, { kp: "8 N/m", ki: "30 N/m s" }], gain("feed_forward", 300, 54, "10 N/m"), sum("force", 460, 174, "++"), second(560, 162)],
    wires: [["wanted.y", "error.u[0]"], ["error.y", "pi.setpoint"], ["wanted.y", "feed_forward.u"], ["pi.command", "force.u[0]"], ["feed_forward.y", "force.u[1]"], ["force.y", "plant.u"], ["plant.y", "error.u[1]"]] },
  { name: "gain_scheduling", blocks: [step(0, 60), sum("error", 140, 60), ["math/Product", "scheduled", 330, 48, {}], second(500, 48), ["math/LookupTable", "schedule", 330, 180, { x: "0 0.5 1 2 m", values: "5 10 20 30 N/m" }], ["discrete/LowPass", "smooth", 500, 180, { cutoff: "2 Hz" }]],
    wires: [["wanted.y", "error.u[0]"], ["error.y", "scheduled.a"], ["schedule.y", "scheduled.b"], ["scheduled.y", "plant.u"], ["plant.y", "smooth.u"], ["smooth.y", "schedule.u"], ["plant.y", "error.u[1]"]] },
  { name: "pida", blocks: [step(0, 150), sum("error", 130, 150), gain("kp", 380, 24, "40 N/m"), integrator("integral", 240, 114), gain("ki", 380, 114, "20 N/m s"), ["discrete/Derivative", "rate", 240, 204, { time_constant: "5 ms" }], gain("kd", 380, 204, "8 N s/m"), ["discrete/Derivative", "second_rate", 240, 294, { time_constant: "5 ms" }], gain("ka", 380, 294, "0.2 N s2/m"), sum("force", 540, 150, "++++"), second(650, 150)],
    wires: [["wanted.y", "error.u[0]"], ["error.y", "kp.u"], ["error.y", "integral.u"], ["error.y", "rate.u"], ["integral.y", "ki.u"], ["rate.y", "kd.u"], ["rate.y", "second_rate.u"], ["second_rate.y", "ka.u"], ["kp.y", "force.u[0]"], ["ki.y", "force.u[1]"], ["kd.y", "force.u[2]"], ["ka.y", "force.u[3]"], ["force.y", "plant.u"], ["plant.y", "error.u[1]"]] },
];
export const empty = (name) => `<diagram format="1" name="${name}" period="1 ms">\n</diagram>\n`;

/** From nothing, by mouse and the keys of values. */
export async function build(page, { blocks, wires }) {
  const hand = new Hand(page);
  await hand.begin();
  await page.evaluate(() => document.activeElement.blur());
  for (const _ of [1, 2, 3, 4, 5]) if ((await page.evaluate(() => window.studio.diagram.view.scale)) > 1.05) await page.getByRole("button", { name: "Smaller (-)" }).click();
  const origin = await page.evaluate(() => { const { view } = window.studio.diagram; return [40 - view.x, 40 - view.y]; });
  await page.evaluate(([dx, dy]) => window.studio.diagram.view.move(dx, dy), origin);
  for (const [type, name, x, y, values] of blocks) {
    const [px, py] = await page.evaluate(([bx, by]) => { const { view } = window.studio.diagram, o = window.studio.editor.document_.view.scene?.origin ?? { x: 0, y: 0 }; return [view.x + (o.x + bx + 40) * view.scale, view.y + (o.y + by + 20) * view.scale]; }, [x, y]);
    await hand.put(type, name, px, py);
    if (Object.keys(values).length) await hand.set(name, values);
  }
  for (const [from, to] of wires) await hand.join(from, to);
  await settled(page);
}
