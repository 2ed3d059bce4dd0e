import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MemoryState } from "../../testing/memory-state.ts";
import { START } from "../../testing/transition-fixture.ts";
import { relTime } from "../contracts/rel-time.ts";
import type { AmuletConfig } from "../contracts/splice-amulet/declarations/amulet-config.ts";
import { defaultAmuletConfig } from "../contracts/splice-amulet/rules/default-amulet-config.ts";
import { MINUTE, SECOND } from "../values/duration.ts";
import { addDuration, type Time } from "../values/time.ts";
import type { Network, TrafficAccount } from "./ledger-view.ts";
import { accountOf, charge, remaining, trafficLimits } from "./traffic.ts";

const fresh: TrafficAccount = { member: "m", free: 0n, refilledAt: START, purchased: 0n, consumed: 0n };
const limits = (burstAmount: bigint, burstWindow: bigint) => ({ burstAmount, burstWindow }) as Network;

/** A view that knows one account. */
function viewWith(account: TrafficAccount): MemoryState {
  const state = new MemoryState();
  const verdict = { kind: "ignored", reason: "" } as const;
  const changes = [{ kind: "traffic", account }] as const;
  const rest = { created: [], archived: [], completion: null, imported: null };
  state.absorb({ head: state.head, verdict, changes, ...rest });
  return state;
}

function after(account: TrafficAccount, network: Network, micros: bigint): TrafficAccount {
  return accountOf(viewWith(account), network, "m", addDuration(account.refilledAt, micros));
}

describe("the free allowance", () => {
  // 400,000 bytes in 20 minutes: a byte every 3,000 microseconds. START is a multiple of that.
  const usual = limits(400_000n, 20n * MINUTE);

  test("is the whole burst for a member that never sent anything", () => {
    expect(accountOf(new MemoryState(), usual, "m", START)).toEqual({ ...fresh, free: 400_000n });
  });

  test.each([
    { micros: 0n, free: 0n },
    { micros: 2_999n, free: 0n },
    { micros: 3_000n, free: 1n },
    { micros: 5_999n, free: 1n },
    { micros: SECOND, free: 333n },
    { micros: 20n * MINUTE - 1n, free: 399_999n },
    { micros: 20n * MINUTE, free: 400_000n },
    { micros: 60n * MINUTE, free: 400_000n },
  ])("refills to $free bytes after $micros µs", ({ micros, free }) => {
    expect(after(fresh, usual, micros)).toEqual({ ...fresh, free, refilledAt: addDuration(START, micros) });
  });

  test("refills by whole bytes from wherever it stands, and not above the burst", () => {
    expect(after({ ...fresh, free: 100n }, usual, 30_000n).free).toBe(110n);
    expect(after({ ...fresh, free: 399_995n }, usual, 30_000n).free).toBe(400_000n);
  });

  test("refills as much for a member that looks often as for one that looks once", () => {
    // Rates below and above a byte a microsecond, most of them uneven.
    const network = fc
      .record({ burstAmount: fc.bigInt(1n, 10n ** 9n), burstWindow: fc.bigInt(1n, 10n ** 9n) })
      .map(({ burstAmount, burstWindow }) => limits(burstAmount, burstWindow));
    const looks = fc.array(fc.bigInt(0n, 10_000n), { minLength: 1, maxLength: 20 });
    const start = fc.bigInt(0n, 10n ** 15n).map((micros) => micros as Time);
    fc.assert(
      fc.property(network, looks, start, (given, waits, refilledAt) => {
        // So far below the burst that it is never full.
        const empty = { ...fresh, free: -(10n ** 20n), refilledAt };
        let often = empty;
        for (const wait of waits) often = after(often, given, wait);
        const once = after(
          empty,
          given,
          waits.reduce((sum, wait) => sum + wait, 0n),
        );
        expect(often).toEqual(once);
        // And it is what the rate says, to the byte.
        const exact = ((once.refilledAt - refilledAt) * given.burstAmount) / given.burstWindow;
        const got = once.free - empty.free;
        expect(got === exact || got === exact + 1n).toBe(true);
      }),
    );
  });

  test("is always full for a window of zero, and always empty for a burst of zero", () => {
    expect(after(fresh, limits(500n, 0n), 1n).free).toBe(500n);
    expect(after(fresh, limits(500n, -1n), 1n).free).toBe(500n);
    expect(after(fresh, limits(0n, MINUTE), MINUTE).free).toBe(0n);
    expect(after({ ...fresh, free: 500n }, limits(0n, MINUTE), 1n).free).toBe(0n);
  });

  test("shrinks at once with a smaller burst, and grows over time with a larger one", () => {
    expect(after({ ...fresh, free: 300n }, limits(100n, MINUTE), 0n).free).toBe(100n);
    expect(after({ ...fresh, free: 300n }, limits(60_000n, MINUTE), SECOND).free).toBe(1_300n);
  });

  test.each([-1n, -(2n ** 63n)])("is none where the configuration says %s", (burstAmount) => {
    const config = defaultAmuletConfig("s");
    const { decentralizedSynchronizer } = config;
    const fees = {
      ...decentralizedSynchronizer.fees,
      baseRateTrafficLimits: { burstAmount, burstWindow: relTime(MINUTE) },
    };
    const odd: AmuletConfig = {
      ...config,
      decentralizedSynchronizer: { ...decentralizedSynchronizer, fees },
    };
    expect(trafficLimits(odd)).toEqual({ burstAmount: 0n, burstWindow: MINUTE });
  });
});

describe("a charge", () => {
  const account = { ...fresh, free: 100n, purchased: 50n, consumed: 20n };

  test.each([
    { bytes: 0n, expected: { free: 100n, consumed: 20n } },
    { bytes: 1n, expected: { free: 99n, consumed: 20n } },
    { bytes: 100n, expected: { free: 0n, consumed: 20n } },
    { bytes: 101n, expected: { free: 0n, consumed: 21n } },
    { bytes: 130n, expected: { free: 0n, consumed: 50n } },
    { bytes: 131n, expected: null },
  ])("of $bytes bytes takes free ones first, then bought ones", ({ bytes, expected }) => {
    expect(remaining(account)).toBe(130n);
    expect(charge(account, bytes)).toEqual(expected === null ? null : { ...account, ...expected });
  });

  test("is met from the free allowance even where more was used than is bought now", () => {
    const overdrawn = { ...account, purchased: 0n };
    expect(remaining(overdrawn)).toBe(100n);
    expect(charge(overdrawn, 100n)).toEqual({ ...overdrawn, free: 0n });
    expect(charge(overdrawn, 101n)).toBeNull();
  });
});
