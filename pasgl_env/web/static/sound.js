// A short click for every action, a higher one if it is the user's turn; off by default.
import { stored } from "./dom.js";

let context = null;

export const sound = {
  get isOn() {
    return stored.read("sound", false);
  },
  set isOn(value) {
    stored.write("sound", value);
  },
};

export function click(isHigh) {
  if (!sound.isOn) return;
  context ??= new AudioContext();
  const [tone, gain] = [context.createOscillator(), context.createGain()];
  tone.frequency.value = isHigh ? 640 : 320;
  gain.gain.setValueAtTime(0.15, context.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.09);
  tone.connect(gain).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + 0.1);
}
