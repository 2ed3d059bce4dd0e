import { expect, test } from "vitest";
import { onAbort, untilAborted } from "./abort.ts";

test("onAbort calls back once, at once if the signal has aborted, and not after the listener is removed", () => {
  const stop = new AbortController();
  const calls: string[] = [];
  const ignore = onAbort(stop.signal, () => calls.push("removed"));
  onAbort(stop.signal, () => calls.push("kept"));
  ignore();
  stop.abort();
  onAbort(stop.signal, () => calls.push("late"));
  onAbort(undefined, () => calls.push("never"));
  expect(calls).toEqual(["kept", "late"]);
});

test("untilAborted gives the promise's outcome, or the signal's reason if that comes first", async () => {
  const stop = new AbortController();
  expect(await untilAborted(Promise.resolve(1), stop.signal)).toBe(1);
  await expect(untilAborted(Promise.reject(new Error("broken")), stop.signal)).rejects.toThrow("broken");
  const waiting = untilAborted(new Promise(() => undefined), stop.signal);
  stop.abort(new Error("closed"));
  await expect(waiting).rejects.toThrow("closed");
  await expect(untilAborted(Promise.resolve(1), stop.signal)).rejects.toThrow("closed");
});
