/** Loaded into a process of the fault tests before its program: its clock is off by the milliseconds that a file holds. */
import { readFileSync } from "node:fs";

const CLOCK_READ_MILLISECONDS = 20;
const clockFile = process.env["CALLSIGN_TEST_CLOCK"] ?? "";
const machineClock = Date.now;
let readAt = Number.NEGATIVE_INFINITY;
let offset = 0;

Date.now = () => {
  const elapsed = performance.now();
  if (elapsed - readAt > CLOCK_READ_MILLISECONDS) {
    readAt = elapsed;
    offset = Number(readFileSync(clockFile, "utf8"));
  }
  return machineClock() + offset;
};
