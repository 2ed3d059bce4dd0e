import type { Timer, Timers } from "../host/host.ts";

/** Calls back again and again, the first time after one interval. Returns a function that ends it. */
export function startInterval(callback: () => void, milliseconds: number, timers: Timers): () => void {
  let timer: Timer;
  const plan = () => {
    timer = timers.set(() => {
      plan();
      callback();
    }, milliseconds);
  };
  plan();
  return () => timers.clear(timer);
}
