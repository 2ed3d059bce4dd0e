import { expect, test } from "vitest";
import { VirtualHost } from "../../../node/testing/virtual-host.ts";
import { type Place, SubmissionsInFlight } from "./submissions-in-flight.ts";

class Callers {
  readonly host = new VirtualHost();
  readonly inFlight = new SubmissionsInFlight(this.host.clock);
  #made = 0;

  enter(userId = "alice"): Place {
    const key = `command ${this.#made++}`;
    return this.inFlight.enter({ key, commandId: key, userId });
  }

  /** So many at once, that take so long. */
  async submit(count: number, milliseconds: number): Promise<void> {
    const places = Array.from({ length: count }, () => this.enter());
    await this.host.advance(milliseconds);
    for (const place of places) {
      place.done();
      place.leave();
    }
  }
}

test("while submissions take long, those that would only wait are refused, and the answer says why", async () => {
  const callers = new Callers();
  await callers.submit(1, 10);
  await callers.submit(100, 2000);
  const places = Array.from({ length: 32 }, () => callers.enter());
  const refused =
    /^PARTICIPANT_BACKPRESSURE: 32 submissions are under way, and one takes \d{4} ms at present: more would only wait\. Try again in a second$/;
  expect(() => callers.enter()).toThrow(refused);
  expect(() => callers.enter("bob")).toThrow(refused);
  expect(() => callers.inFlight.checkRoom("bob")).toThrow(
    expect.objectContaining({ message: expect.stringMatching(refused), reason: "asked for by bob" }),
  );
  places[0]?.leave();
  callers.inFlight.checkRoom("bob");
  callers.enter("bob").leave();
});

test("a burst on a quiet network is taken up to a user's share, and others have the rest", async () => {
  const callers = new Callers();
  await callers.submit(1, 10);
  for (let i = 0; i < 128; i++) callers.enter();
  expect(() => callers.enter()).toThrow("128 submissions of one user are under way");
  for (let i = 0; i < 128; i++) callers.enter("bob");
  expect(() => callers.enter("carol")).toThrow("256 submissions are under way: try again in a second");
});

test("one that failed says nothing about the pace", async () => {
  const callers = new Callers();
  await callers.submit(1, 10);
  for (let i = 0; i < 100; i++) {
    const place = callers.enter();
    await callers.host.advance(30_000);
    place.leave();
  }
  await expect(callers.submit(100, 10)).resolves.toBeUndefined();
});
