import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SimulatedNetwork } from "../../testing/simulated-network.ts";
import { causeOf, resultOf } from "../../testing/transition-fixture.ts";
import { relTime } from "../contracts/rel-time.ts";
import { DAY, HOUR, SECOND } from "../values/duration.ts";
import { addDuration, formatTime, MAX_TIME, time } from "../values/time.ts";

const start = time("2026-01-01T00:00:00Z");

/** Appends a tick stamped so many microseconds after the start, and gives the record time. */
function tickAt(network: SimulatedNetwork, micros: bigint): bigint {
  network.clock = addDuration(start, micros);
  const [sv] = network.svs;
  if (sv === undefined) throw new Error("no SV");
  expect(resultOf(network.append({ tag: "Tick", value: network.once(sv.id) }, [sv.signingKey]))).toBe(
    "accepted",
  );
  return network.now - start;
}

describe("the record time of an entry", () => {
  test("is the stamp of its sequencer", () => {
    const network = new SimulatedNetwork();
    expect(network.now).toBe(start);
    expect(tickAt(network, 5n)).toBe(5n);
    expect(tickAt(network, SECOND)).toBe(SECOND);
  });

  test("is a microsecond after the entry before it if the stamp is no later, and then follows the stamps again", () => {
    const network = new SimulatedNetwork();
    expect([10n, 10n, 3n, 0n, 13n, 14n, 20n].map((stamp) => tickAt(network, stamp))).toEqual([
      10n,
      11n,
      12n,
      13n,
      14n,
      15n,
      20n,
    ]);
  });

  test("is the later of the stamp and the previous record time plus a microsecond, whatever the stamps", () => {
    const network = new SimulatedNetwork({ svs: 1, verify: () => true });
    let previous = 0n;
    fc.assert(
      fc.property(fc.bigInt({ min: -HOUR, max: HOUR }), (stamp) => {
        const expected = stamp > previous ? stamp : previous + 1n;
        previous = tickAt(network, stamp);
        expect(previous).toBe(expected);
      }),
    );
  });

  test("never leaves the years that times can have", () => {
    const network = new SimulatedNetwork({ svs: 1 });
    network.clock = MAX_TIME;
    const outcome = network.applyEntry(network.sequence({ content: "", signatures: [] }));
    expect(outcome.head.recordTime).toBe(MAX_TIME);
    expect(network.applyEntry(network.sequence({ content: "", signatures: [] })).head.recordTime).toBe(
      MAX_TIME,
    );
  });

  test("counts for refused entries too", () => {
    const network = new SimulatedNetwork();
    network.clock = addDuration(start, SECOND);
    network.applyEntry(network.sequence({ content: "nonsense", signatures: [] }));
    expect(network.now).toBe(addDuration(start, SECOND));
  });
});

describe("a movable clock", () => {
  test("moves at once, and every later stamp by as much", () => {
    const network = new SimulatedNetwork();
    network.clock = addDuration(start, 10n);
    expect(resultOf(network.moveClock(60n * DAY))).toBe("accepted");
    expect(network.now).toBe(addDuration(start, 60n * DAY + 10n));
    expect(network.network.clockOffset).toBe(60n * DAY);
    expect(tickAt(network, SECOND)).toBe(60n * DAY + SECOND);
  });

  test("adds up moves, and keeps going forward when the stamps go backwards", () => {
    const network = new SimulatedNetwork();
    network.moveClock(DAY);
    network.moveClock(DAY);
    expect(network.network.clockOffset).toBe(2n * DAY);
    // Neither move was stamped later than the entry before it: each came a microsecond after it.
    expect(network.now).toBe(addDuration(start, 2n * DAY + 2n));
    expect(tickAt(network, -SECOND)).toBe(2n * DAY + 3n);
    expect(tickAt(network, SECOND)).toBe(2n * DAY + SECOND);
  });

  test.each([
    ["backwards", -1n],
    ["by nothing", 0n],
  ])("does not move %s", (_how, micros) => {
    const network = new SimulatedNetwork();
    const before = network.now;
    const outcome = network.moveClock(micros);
    expect(resultOf(outcome)).toBe("INVALID_ARGUMENT");
    expect(causeOf(outcome)).toContain(`it was asked to move ${micros} microseconds`);
    expect(network.network.clockOffset).toBe(0n);
    expect(network.now).toBe(addDuration(before, 1n));
  });

  test("stops at the beginning of the year 9900, to the microsecond", () => {
    const network = new SimulatedNetwork();
    const latest = time("9900-01-01T00:00:00Z");
    // The move itself is recorded a microsecond after the founding.
    const farthest = latest - (start + 1n);
    expect(resultOf(network.moveClock(farthest + 1n))).toBe("INVALID_ARGUMENT");
    // The refused move took a microsecond.
    expect(resultOf(network.moveClock(farthest - 1n))).toBe("accepted");
    expect(formatTime(network.now)).toBe("9900-01-01T00:00:00Z");
    const beyond = network.moveClock(1n);
    expect(causeOf(beyond)).toContain("not beyond 9900-01-01T00:00:00Z");
  });

  test("cannot be moved where the network was founded without one", () => {
    const network = new SimulatedNetwork({ founding: { movableClock: false } });
    const outcome = network.moveClock(DAY);
    expect(resultOf(outcome)).toBe("INVALID_ARGUMENT");
    expect(causeOf(outcome)).toContain("cannot be moved");
    expect(network.now).toBe(addDuration(start, 1n));
    expect(network.network.clockOffset).toBe(0n);
  });

  test("is moved by SVs only", () => {
    const network = new SimulatedNetwork();
    const member = network.registerMember("validator");
    const value = { ...network.once(member.id), forward: relTime(DAY) };
    expect(resultOf(network.append({ tag: "MoveClock", value }, [member.signingKey]))).toBe(
      "PERMISSION_DENIED",
    );
    expect(network.network.clockOffset).toBe(0n);
  });
});
