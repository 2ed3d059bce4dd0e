/** Time in protocol version 4: sequencers sign their stamps, and no SV moves the time alone. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type MemberKey, memberKey } from "../../testing/member-key.ts";
import {
  type FoundingOptions,
  replay,
  type SimulatedMember,
  SimulatedNetwork,
  signStamp,
} from "../../testing/simulated-network.ts";
import { foundingOf, resultOf, START, sign, TestReplica } from "../../testing/transition-fixture.ts";
import { relTime } from "../contracts/rel-time.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../values/duration.ts";
import { addDuration, MAX_TIME, MIN_TIME, type Time, time } from "../values/time.ts";
import { backedTime, requiredStamps } from "./backed-time.ts";
import { formatLogEntry, type LogEntry, parseLogEntry } from "./log-entry.ts";
import { ReplicaHalt } from "./replica-halt.ts";

function found(svs: number, { terms, ...options }: FoundingOptions = {}): SimulatedNetwork {
  return new SimulatedNetwork({
    svs,
    terms: { protocolVersion: 4n, ...terms },
    ...options,
  });
}

/** An entry stamped by this SV with the network's clock. It is refused, and its stamp counts all the same. */
function stampBy(network: SimulatedNetwork, sv: number): void {
  network.applyEntry(network.sequence({ content: "", signatures: [] }, sv));
}

/** An entry of this SV, stamped so long after the founding; gives the record time, counted from there too. */
function stampAt(network: SimulatedNetwork, sv: number, stamp: bigint): bigint {
  network.clock = addDuration(START, stamp);
  stampBy(network, sv);
  return network.now - START;
}

/** An entry without content that is worth anything, stamped as given; gives the time by which the ledger moved on. */
function appendWith(network: SimulatedNetwork, stamp: (entry: LogEntry) => Partial<LogEntry>): bigint {
  const before = network.now;
  const { stampedBy, ...plain } = network.sequence({ content: "nothing", signatures: [] });
  network.applyEntry({ ...plain, ...stamp(plain) });
  return network.now - before;
}

const svOf = (network: SimulatedNetwork, sv: number) => network.svs[sv] as SimulatedMember;

describe("the number of SVs whose stamps back a time", () => {
  test.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 2],
    [6, 2],
    [7, 3],
    [10, 4],
    [13, 5],
  ])("of %d SVs is %d", (svs, required) => {
    expect(requiredStamps(svs)).toBe(required);
  });
});

describe("the backed time", () => {
  const at = (seconds: number) => addDuration(START, BigInt(seconds) * SECOND);
  const last = new Map([
    ["a", at(10)],
    ["b", at(30)],
    ["c", at(20)],
    ["d", at(5)],
  ]);
  const view = { findStamp: (sv: string) => last.get(sv) };

  test("is the k-th highest of the SVs' last stamps", () => {
    expect(backedTime({ svs: ["a", "b", "c", "d"] }, view)).toBe(at(20));
    expect(backedTime({ svs: ["a"] }, view)).toBe(at(10));
    expect(backedTime({ svs: ["a", "b"] }, view)).toBe(at(10));
  });

  test("counts a new stamp in the place of that SV's last one", () => {
    const svs = ["a", "b", "c", "d"];
    expect(backedTime({ svs }, view, { sv: "d", stampedAt: at(25) })).toBe(at(25));
    expect(backedTime({ svs }, view, { sv: "b", stampedAt: at(1) })).toBe(at(10));
    expect(backedTime({ svs }, view, { sv: "b", stampedAt: MAX_TIME })).toBe(at(20));
  });

  test("follows the SV set: stamps of SVs that left do not count, and new ones back nothing before their first stamp", () => {
    expect(backedTime({ svs: ["a", "c", "d"] }, view)).toBe(at(10));
    expect(backedTime({ svs: ["a", "new"] }, view)).toBe(MIN_TIME);
    expect(backedTime({ svs: ["a", "new"] }, view, { sv: "new", stampedAt: at(9) })).toBe(at(9));
    const seven = ["a", "b", "c", "d", "e", "f", "g"];
    expect(backedTime({ svs: seven }, view)).toBe(at(10));
    expect(backedTime({ svs: seven }, view, { sv: "e", stampedAt: at(15) })).toBe(at(15));
  });
});

describe("the record time", () => {
  test("of one SV alone is its stamp", () => {
    const network = found(1);
    expect(stampAt(network, 0, 5n)).toBe(5n);
    expect(stampAt(network, 0, DAY)).toBe(DAY);
    expect(stampAt(network, 0, HOUR)).toBe(DAY + 1n);
  });

  test.each([2, 3, 4])("of %d SVs leads the second highest stamp by at most a minute", (svs) => {
    const network = found(svs);
    expect(stampAt(network, 0, 59n * SECOND)).toBe(59n * SECOND);
    expect(stampAt(network, 0, 61n * SECOND)).toBe(60n * SECOND);
    expect(stampAt(network, 0, DAY)).toBe(60n * SECOND + 1n);
    expect(stampAt(network, 1, HOUR)).toBe(HOUR);
    expect(stampAt(network, 1, 2n * HOUR)).toBe(2n * HOUR);
    expect(stampAt(network, 1, 2n * DAY)).toBe(DAY + MINUTE);
  });

  test("of seven SVs takes the stamps of three", () => {
    const network = found(7);
    expect(stampAt(network, 0, HOUR)).toBe(MINUTE);
    expect(stampAt(network, 1, HOUR)).toBe(MINUTE + 1n);
    expect(stampAt(network, 2, HOUR)).toBe(HOUR);
  });

  test("stands within a minute while one SV of four submits for an hour, and goes on with a tick of another", () => {
    const network = found(4);
    for (let minute = 1n; minute <= 60n; minute++)
      expect(stampAt(network, 0, minute * MINUTE)).toBe(MINUTE + minute - 1n);
    expect(stampAt(network, 1, HOUR)).toBe(HOUR);
  });

  test("follows the clocks of two SVs while the other two of four are down", () => {
    const network = found(4);
    for (let minute = 1n; minute <= 60n; minute++) {
      stampAt(network, 0, minute * MINUTE);
      expect(stampAt(network, 1, minute * MINUTE + 1n)).toBe(minute * MINUTE + 1n);
    }
  });

  test("does not go back for a machine that slept, and its stamps count when its clock is right again", () => {
    const network = found(4);
    stampAt(network, 0, HOUR);
    stampAt(network, 1, HOUR);
    expect(stampAt(network, 2, SECOND)).toBe(HOUR + 1n);
    stampAt(network, 2, 2n * HOUR);
    expect(stampAt(network, 0, 2n * HOUR)).toBe(2n * HOUR);
  });

  test("moves by a minute at most for a clock a year ahead, which counts again when it is corrected", () => {
    const network = found(4);
    for (const second of [1n, 2n, 3n]) {
      stampAt(network, 0, 365n * DAY + second * SECOND);
      expect(stampAt(network, 1, second * SECOND)).toBeLessThanOrEqual(MINUTE + 3n * SECOND);
    }
    // SV 2 alone has stamped rightly since: SV 1's last stamp is a year ahead, and backs everything that SV 2 says.
    expect(stampAt(network, 1, HOUR)).toBe(HOUR);
    expect(stampAt(network, 0, HOUR + SECOND)).toBe(HOUR + SECOND);
    // Its stamp of before is forgotten: it no longer backs what SV 2 says, and neither moves time alone.
    expect(stampAt(network, 1, DAY)).toBe(HOUR + SECOND + MINUTE);
  });

  test("survives a stamp in the year 9999", () => {
    const network = found(4);
    network.clock = MAX_TIME;
    stampBy(network, 0);
    expect(network.now - START).toBe(MINUTE);
    expect(stampAt(network, 1, HOUR)).toBe(HOUR);
    network.clock = MIN_TIME;
    stampBy(network, 2);
    expect(network.now - START).toBe(HOUR + 1n);
    expect(stampAt(network, 3, HOUR + SECOND)).toBe(HOUR + SECOND);
  });

  test("has the tolerance that the founding lays down", () => {
    const network = found(4, { terms: { clockToleranceMicroseconds: 5n * SECOND } });
    expect(stampAt(network, 0, HOUR)).toBe(5n * SECOND);
  });

  test("is moved by the offset alone when the clock is moved", () => {
    const network = found(4);
    network.clock = addDuration(START, SECOND);
    expect(resultOf(network.moveClock(90n * DAY))).toBe("accepted");
    expect(network.now - START).toBe(90n * DAY + SECOND);
    expect(stampAt(network, 0, 2n * SECOND)).toBe(90n * DAY + 2n * SECOND);
    // The bound is of stamps, and none of them has moved.
    expect(stampAt(network, 0, HOUR)).toBe(90n * DAY + MINUTE);
    expect(stampAt(network, 1, HOUR)).toBe(90n * DAY + HOUR);
  });

  test("of entries behind the first of a batch is a microsecond later each", () => {
    const network = found(4);
    network.clock = addDuration(START, SECOND);
    stampBy(network, 0);
    expect(appendWith(network, () => ({ stampedAt: null }))).toBe(1n);
    expect(appendWith(network, () => ({ stampedAt: null }))).toBe(1n);
  });
});

describe("a stamp that does not count", () => {
  const later = addDuration(START, 30n * SECOND);
  const signed = (key: MemberKey, previousHash: string, stampedAt = later) => ({
    stampedAt,
    stampedBy: signStamp(key, previousHash, stampedAt),
  });

  test("is told from one that does", () => {
    const network = found(4);
    const { signingKey } = svOf(network, 1);
    expect(appendWith(network, ({ previousHash }) => signed(signingKey, previousHash))).toBe(30n * SECOND);
    expect(network.state.findStamp(svOf(network, 1).id)).toBe(later);
  });

  type Forge = (
    svs: readonly SimulatedMember[],
    previousHash: string,
    alice: SimulatedMember,
  ) => Partial<LogEntry>;
  const keyOf = (svs: readonly SimulatedMember[]) => (svs[1] as SimulatedMember).signingKey;
  test.each<[string, Forge]>([
    ["that is not signed, as of earlier versions", () => ({ stampedAt: later })],
    ["of another place in the log", (svs) => signed(keyOf(svs), "0".repeat(64))],
    [
      "whose time was changed",
      (svs, previousHash) => ({
        ...signed(keyOf(svs), previousHash),
        stampedAt: addDuration(later, 1n),
      }),
    ],
    [
      "in the name of another key",
      ([first, ...svs], previousHash) => {
        const { signature } = signStamp(keyOf(svs), previousHash, later);
        return { stampedAt: later, stampedBy: { publicKey: first?.signingKey.publicKey ?? "", signature } };
      },
    ],
    [
      "by an SV's namespace key",
      ([first], previousHash) => signed((first as SimulatedMember).namespaceKey, previousHash),
    ],
    ["by a stranger", (_svs, previousHash) => signed(memberKey("stranger"), previousHash)],
    ["by a member that is no SV", (_svs, previousHash, alice) => signed(alice.signingKey, previousHash)],
  ])("%s lets a microsecond pass, and is not remembered", (_what, forge) => {
    const network = found(4);
    const alice = network.registerMember("alice");
    const remembered = () => network.svs.map(({ id }) => network.state.findStamp(id));
    const before = remembered();
    expect(appendWith(network, ({ previousHash }) => forge(network.svs, previousHash, alice))).toBe(1n);
    expect(remembered()).toEqual(before);
  });

  test("by a key that was rotated away lets a microsecond pass; by the new one it counts", () => {
    const network = found(4);
    const sv = svOf(network, 1);
    const old = sv.signingKey;
    expect(resultOf(network.rotateKey(sv, "next"))).toBe("accepted");
    expect(appendWith(network, ({ previousHash }) => signed(old, previousHash))).toBe(1n);
    appendWith(network, ({ previousHash }) => signed(sv.signingKey, previousHash));
    expect(network.state.findStamp(sv.id)).toBe(later);
  });
});

describe("the form of stamps before protocol version 4", () => {
  const forms: readonly [string, (network: SimulatedNetwork, entry: LogEntry) => LogEntry][] = [
    ["no stamp", (_network, entry) => ({ ...entry, stampedAt: null })],
    [
      "a signed stamp",
      (network, entry) => ({
        ...entry,
        stampedBy: signStamp(svOf(network, 0).signingKey, entry.previousHash, network.clock),
      }),
    ],
  ];

  test.each(forms)("is not %s: as in programs of these versions, the replica stops", (_what, change) => {
    for (const protocolVersion of [1n, 2n, 3n]) {
      const network = found(4, { terms: { protocolVersion } });
      const entry = change(network, network.sequence({ content: "", signatures: [] }));
      expect(() => network.applyEntry(entry)).toThrow(ReplicaHalt);
      expect(() => network.applyEntry(entry)).toThrow("the log is damaged at entry 2");
    }
  });

  test.each(forms)("nor before the founding: %s", (_what, change) => {
    const network = found(1);
    const replica = new TestReplica();
    const founding = change(network, network.log[0] as LogEntry);
    expect(() => replica.apply(founding)).toThrow(ReplicaHalt);
  });
});

describe("the activation of protocol version 4", () => {
  const activated = () => {
    const network = found(4, { terms: { protocolVersion: 3n } });
    network.moveClock(90n * DAY);
    network.clock = addDuration(START, HOUR);
    const [first] = network.svs as readonly [SimulatedMember];
    const keys = network.svs.map(({ signingKey }) => signingKey);
    const value = { ...network.once(first.id), version: 4n };
    expect(resultOf(network.append({ tag: "ActivateVersion", value }, keys))).toBe("accepted");
    return network;
  };

  test("takes its own time, without the clock's offset, as the first stamp of every SV", () => {
    const network = activated();
    expect(network.now - START).toBe(90n * DAY + HOUR);
    expect(network.svs.map(({ id }) => network.state.findStamp(id))).toEqual(
      network.svs.map(() => addDuration(START, HOUR)),
    );
    expect(network.network.clockTolerance).toBe(MINUTE);
    expect(stampAt(network, 0, DAY)).toBe(90n * DAY + HOUR + MINUTE);
  });

  test("is behind: a later version leaves the stamps and the tolerance as they are", () => {
    const network = found(4, {
      terms: { protocolVersion: 4n, clockToleranceMicroseconds: 7n * SECOND },
    });
    stampAt(network, 0, SECOND);
    const stampsOf = () => network.svs.map(({ id }) => network.state.findStamp(id));
    const before = stampsOf().slice(1);
    const keys = network.svs.map(({ signingKey }) => signingKey);
    const value = { ...network.once(network.svs[0]?.id ?? ""), version: 5n };
    expect(resultOf(network.append({ tag: "ActivateVersion", value }, keys))).toBe("accepted");
    expect(network.network.protocolVersion).toBe(5n);
    expect(network.network.clockTolerance).toBe(7n * SECOND);
    expect(stampsOf().slice(1)).toEqual(before);
  });

  test("lets entries in the form of before pass a microsecond, and stops no replica", () => {
    const network = activated();
    expect(appendWith(network, () => ({ stampedAt: addDuration(START, DAY) }))).toBe(1n);
  });

  test("gives the same state to every replica of the log's bytes", () => {
    const network = activated();
    for (const sv of [0, 1, 2]) stampAt(network, sv, DAY);
    appendWith(network, () => ({ stampedAt: null }));
    const log = network.log.map((entry) => {
      const read = parseLogEntry(formatLogEntry(entry));
      if (!read.ok) throw new Error(read.error);
      return read.value;
    });
    expect(replay(log).head).toEqual(network.state.head);
  });
});

describe("the clock tolerance of a founding", () => {
  const keysOf = ({ svs }: SimulatedNetwork) =>
    svs.flatMap(({ namespaceKey, signingKey }) => [namespaceKey, signingKey]);
  const foundWith = (protocolVersion: bigint, clockTolerance: bigint, keys?: readonly MemberKey[]) => {
    const model = found(4);
    const value = { ...foundingOf(model), protocolVersion, clockTolerance: relTime(clockTolerance) };
    const replica = new TestReplica();
    return replica.append(sign({ tag: "FoundNetwork", value }, keys ?? keysOf(model)));
  };

  test.each([
    [SECOND - 1n, "INVALID_ARGUMENT"],
    [SECOND, "accepted"],
    [HOUR, "accepted"],
    [HOUR + 1n, "INVALID_ARGUMENT"],
  ])("of %d microseconds: %s", (tolerance, result) => {
    expect(resultOf(foundWith(4n, tolerance))).toBe(result);
  });

  test("is unreadable in earlier versions, whoever signed it", () => {
    for (const version of [1n, 2n, 3n])
      expect(resultOf(foundWith(version, MINUTE, []))).toBe("INVALID_ARGUMENT");
    expect(resultOf(foundWith(4n, MINUTE, []))).toBe("UNAUTHENTICATED");
  });
});

describe("with wrong clocks of fewer SVs than a time takes", () => {
  const anyTime = fc.oneof(
    fc.constantFrom(MIN_TIME, MAX_TIME, time("9999-01-01T00:00:00Z"), addDuration(START, 365n * DAY)),
    fc.bigInt({ min: -DAY, max: DAY }).map((micros) => addDuration(START, micros)),
  );
  const rounds = fc.array(
    fc.record({
      passing: fc.bigInt({ min: 0n, max: HOUR }),
      /** The order in which SVs stamp; any of them may stamp several times. */
      order: fc.array(fc.nat({ max: 20 }), { maxLength: 8 }),
      wrong: fc.array(anyTime, { minLength: 1, maxLength: 3 }),
      /** How much right clocks differ. */
      skews: fc.array(fc.bigInt({ min: -SECOND, max: SECOND }), { minLength: 1, maxLength: 4 }),
      move: fc.option(fc.bigInt({ min: 1n, max: DAY }), { freq: 5 }),
    }),
    { minLength: 1, maxLength: 6 },
  );

  test.each([2, 3, 4, 7])(
    "the time of %d SVs passes no right clock by more than a minute, and goes on with k of them",
    (svs) => {
      const required = requiredStamps(svs);
      const right = Array.from({ length: svs - required + 1 }, (_, i) => i + required - 1);
      fc.assert(
        fc.property(rounds, (given) => {
          const network = found(svs);
          let passed = 0n;
          let latestRight = START;
          for (const { passing, order, wrong, skews, move } of given) {
            passed += passing;
            const clockOf = (sv: number) => addDuration(START, passed + (skews[sv % skews.length] ?? 0n));
            const stampAndCheck = (sv: number, draw: number) => {
              const isRight = sv >= required - 1;
              network.clock = isRight ? clockOf(sv) : (wrong[draw % wrong.length] as Time);
              if (isRight && network.clock > latestRight) latestRight = network.clock;
              stampBy(network, sv);
              // All right clocks have passed what is compared: stamps before were earlier.
              const largest = right.map(clockOf).reduce((a, b) => (a > b ? a : b));
              const bound = addDuration(largest > latestRight ? largest : latestRight, MINUTE);
              // Entries that cannot move time take a microsecond each.
              const counted = BigInt(network.log.length);
              expect(network.now - network.network.clockOffset).toBeLessThanOrEqual(bound + counted);
            };
            for (const draw of order) stampAndCheck(draw % svs, draw);
            if (move !== null) {
              network.clock = clockOf(right[0] ?? 0);
              network.moveClock(move);
            }
            if (right.length < required) continue;
            const stamping = right.slice(0, required);
            for (const sv of stamping) stampAndCheck(sv, 0);
            const earliest = stamping.map(clockOf).reduce((a, b) => (a < b ? a : b));
            expect(network.now - network.network.clockOffset).toBeGreaterThanOrEqual(earliest);
          }
        }),
        { numRuns: 25 },
      );
    },
  );
});
