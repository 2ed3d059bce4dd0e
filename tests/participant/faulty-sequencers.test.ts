/** One of four sequencers misbehaves: the participant goes on, and avoids it. */
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Host, Timer, Timers } from "../../packages/node/src/host/host.ts";
import { systemHost } from "../../packages/node/src/system-host.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import {
  ANSWER_MILLISECONDS,
  FOLLOW_MILLISECONDS,
  RESEND_MILLISECONDS,
} from "../../packages/participant/src/limits/limits.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import {
  type Behaviour,
  beforeSequencer,
  type FaultySequencer,
  LASTING_FAULTS,
} from "../support/faulty-sequencer.ts";
import {
  type Actor,
  newActor,
  newParticipant,
  ready,
  type TestParticipant,
} from "../support/participants.ts";
import { startSvNodes } from "../support/sv-nodes.ts";
import { adminClient } from "./admin-client.ts";
import { createPreference, listActive } from "./preferences.ts";

const atEnd = atEndOfFile();
let faulty: readonly FaultySequencer[];
let participant: TestParticipant;
let alice: Actor;

beforeAll(async () => {
  const { svs } = await startSvNodes(4, atEnd);
  faulty = await Promise.all(
    svs.map(({ sequencerUrl, identity }) => beforeSequencer(sequencerUrl, atEnd, { identity })),
  );
});

/** The machine's own host, except that timers of a second or more can be held: work that needs one waits for `release`. */
class HoldingHost implements Host {
  readonly clock = systemHost.clock;
  readonly randomness = systemHost.randomness;
  readonly files = systemHost.files;
  readonly http = systemHost.http;
  readonly timers: Timers = {
    set: (callback, milliseconds) => {
      const { timers } = systemHost;
      if (!this.#isHolding || milliseconds < RESEND_MILLISECONDS) return timers.set(callback, milliseconds);
      const held: Timer = { unref: () => undefined };
      this.#held.set(held, () => timers.set(callback, milliseconds));
      return held;
    },
    clear: (timer) => {
      if (timer === undefined || this.#held.delete(timer)) return;
      systemHost.timers.clear(this.#released.get(timer) ?? timer);
    },
    soon: systemHost.timers.soon,
  };
  readonly #held = new Map<Timer, () => Timer>();
  readonly #released = new Map<Timer, Timer>();
  #isHolding = false;

  hold(): void {
    this.#isHolding = true;
  }

  release(): void {
    this.#isHolding = false;
    for (const [timer, start] of this.#held) this.#released.set(timer, start());
    this.#held.clear();
  }
}

const host = new HoldingHost();

/** Submits, and returns the number of the sequencer that was asked first. */
async function create(): Promise<number | undefined> {
  const asked: number[] = [];
  for (const [number, sequencer] of faulty.entries()) {
    sequencer.atNextSubmission(async () => void asked.push(number));
  }
  await alice.client.submitAndWait({ body: createPreference(alice.party) });
  return asked[0];
}

/** With these, an entry that is sent to the sequencer does not reach the log, and its sender does not wait to see that. */
const LOSSES: readonly Behaviour[] = ["hang", "fail", "nonsense"];

describe.each([0, 1, 2, 3])("sequencer %i", (which) => {
  // Faults are remembered: each sequencer has a participant that does not know it yet.
  beforeAll(async () => {
    const urls = faulty.map(({ url }) => url);
    const options = { nodeIdentifier: `participant-${which}`, system: host };
    participant = await newParticipant(urls, options, atEnd);
    await ready(participant);
    alice = await newActor(participant, "alice");
  });

  test.each(LASTING_FAULTS)("%s: submissions and reads go on", async (behaviour) => {
    const sequencer = faulty[which];
    const before = (await listActive(alice.client, alice.party)).length;
    sequencer?.behave(behaviour);
    onTestFinished(() => host.release());
    // A dropped entry is sent again after a second; with every other fault no submission takes a timer that long.
    if (behaviour !== "swallow") host.hold();
    const asked = [await create(), await create(), await create()];
    sequencer?.behave("honest");
    expect(participant.isReady()).toBe(true);
    expect(await listActive(alice.client, alice.party)).toHaveLength(before + 3);
    // The first submission may have to find out; the next ones begin with another sequencer.
    if (LOSSES.includes(behaviour)) expect(asked.slice(1)).not.toContain(which);
  });
});

test.each<Behaviour>(["withhold", "bare"])(
  "%s: whichever sequencer is asked for bodies, another one is asked within a second",
  async (behaviour) => {
    host.hold();
    onTestFinished(() => host.release());
    // One of them leads at any time.
    for (const sequencer of faulty) {
      sequencer.behave(behaviour);
      await create();
      sequencer.behave("honest");
    }
  },
);

test("bodies come from one sequencer, and digests from the others", async () => {
  const { sequencers } = await startSvNodes(4);
  const recorded = await Promise.all(sequencers.map((url) => beforeSequencer(url, onTestFinished)));
  const other = await newParticipant(recorded.map(({ url }) => url));
  await ready(other);
  const bob = await newActor(other, "bob");
  const before = recorded.map(({ bodies }) => bodies());
  for (let i = 0; i < 5; i++) await bob.client.submitAndWait({ body: createPreference(bob.party) });
  const counts = recorded.map(({ bodies }, i) => bodies() - (before[i] ?? 0)).toSorted((a, b) => a - b);
  // A sequencer that is slow for a moment hands the lead to another one: then both deliver a few.
  expect(counts.reduce((sum, count) => sum + count)).toBeLessThan(10);
  expect(counts[3]).toBeGreaterThanOrEqual(3);
});

test("submissions go on with one of four sequencers gone", async () => {
  await faulty[2]?.stop();
  await create();
  expect(participant.isReady()).toBe(true);
});

test("a participant starts, registers and allocates while one of four hangs", async () => {
  const { sequencers } = await startSvNodes(4);
  const hanging = await beforeSequencer(sequencers[0] ?? "", onTestFinished);
  hanging.behave("hang");
  const other = await newParticipant([hanging.url, ...sequencers.slice(1)]);
  await ready(other);
  const bob = await newActor(other, "bob");
  await bob.client.submitAndWait({ body: createPreference(bob.party) });
  expect(await listActive(bob.client, bob.party)).toHaveLength(1);
});

test("with one of four lying and one restarting, participants wait, lose nothing, and go on when it is back", async () => {
  const { svs, reopen } = await startSvNodes(4);
  const proxies = await Promise.all(
    svs.map(({ sequencerUrl, identity }) => beforeSequencer(sequencerUrl, onTestFinished, { identity })),
  );
  const other = await newParticipant(
    proxies.map(({ url }) => url),
    { system: host },
  );
  await ready(other);
  const bob = await newActor(other, "bob");
  const { offset: before } = await bob.client.getLedgerEnd();
  proxies[0]?.behave("forge");
  await svs[3]?.close();
  const submitted = bob.client.submitAndWait({ body: createPreference(bob.party) });
  const delivered = () => proxies.filter((proxy) => proxy.followedAfter() > before).length;
  await until(() => delivered() === 3, "the liar and two honest SVs have delivered an item");
  expect((await bob.client.getLedgerEnd()).offset).toBe(before);
  // From here on nothing that takes a second or more happens.
  host.hold();
  onTestFinished(() => host.release());
  proxies[3]?.moveTo((await reopen(3)).sequencerUrl);
  expect((await submitted).completionOffset).toBe(before + 1);
  expect(await listActive(bob.client, bob.party)).toHaveLength(1);
  expect(other.isReady()).toBe(true);
});

test("pages that are changed on their way are not heard", async () => {
  const { sequencers } = await startSvNodes(1);
  const middleman = await beforeSequencer(sequencers[0] ?? "", onTestFinished);
  const other = await newParticipant([middleman.url]);
  await ready(other);
  const bob = await newActor(other, "bob");
  // The digest that it chains anew would be accepted: there is no other SV.
  middleman.behave("forge");
  const submitted = bob.client.submitAndWait({ body: createPreference(bob.party) });
  await until(() => !other.isReady(), "the sequencer is not followed any more");
  await until(() => other.missing()?.includes("changed on its way") ?? false, "the reason is told");
  middleman.behave("honest");
  await submitted;
  expect(await listActive(bob.client, bob.party)).toHaveLength(1);
});

test("a sequencer cannot take the place of another SV", async () => {
  const { svs, sequencers } = await startSvNodes(4);
  const [{ identity, sequencerUrl }, second] = svs as [SvNode, SvNode];
  const disguise = { identity, impersonated: second.identity.id };
  const impostor = await beforeSequencer(sequencerUrl, onTestFinished, disguise);
  impostor.behave("impostor");
  // It is asked first: the SV itself comes to a place that is taken, unless a proof is needed.
  const other = await newParticipant([impostor.url]);
  await until(() => other.missing()?.includes("another namespace key") ?? false, "its proof does not hold");
  const admin = adminClient(other.url);
  await admin.setSequencerConnections({ body: { urls: [impostor.url, ...sequencers.slice(1)] } });
  await ready(other);
  await newActor(other, "bob");
});

test("a sequencer that drops accepted entries is no longer asked first", async () => {
  const { sequencers } = await startSvNodes(4);
  const swallowing = await beforeSequencer(sequencers[0] ?? "", onTestFinished);
  const other = await newParticipant([swallowing.url, ...sequencers.slice(1)]);
  await ready(other);
  swallowing.behave("swallow");
  const bob = await newActor(other, "bob");
  expect(swallowing.swallowed()).toBe(1);
  await bob.client.submitAndWait({ body: createPreference(bob.party) });
  expect(swallowing.swallowed()).toBe(1);
});

test("a sequencer that answers empty pages at once is not polled in a tight loop", async () => {
  const { sequencers } = await startSvNodes(4);
  const hasty = await beforeSequencer(sequencers[3] ?? "", onTestFinished);
  const pauses: number[] = [];
  const set: Timers["set"] = (callback, milliseconds) => {
    pauses.push(milliseconds);
    return systemHost.timers.set(callback, milliseconds);
  };
  const system = { ...systemHost, timers: { ...systemHost.timers, set } };
  const other = await newParticipant([...sequencers.slice(0, 3), hasty.url], { system });
  await ready(other);
  await until(() => hasty.followed() > 1, "it is followed");
  hasty.behave("hasty");
  const [before, earlier] = [hasty.followed(), pauses.length];
  // Calls are waited for as long as `ANSWER_MILLISECONDS`.
  const isRest = (milliseconds: number) =>
    milliseconds > ANSWER_MILLISECONDS + 500 && milliseconds <= FOLLOW_MILLISECONDS;
  await until(
    () => pauses.slice(earlier).some(isRest),
    "the participant pauses for the rest of the wait it asked for",
  );
  expect(hasty.followed() - before).toBeLessThanOrEqual(5);
});

test("pages that are too large are asked for in smaller parts", async () => {
  const { sequencers } = await startSvNodes(1);
  const heavy = await beforeSequencer(sequencers[0] ?? "", onTestFinished);
  const dataFolder = temporaryFolder();
  const first = await newParticipant([heavy.url], { dataFolder });
  const second = await newParticipant(sequencers, { nodeIdentifier: "second" });
  await Promise.all([ready(first), ready(second)]);
  const carol = await newActor(first, "carol");
  const bob = await newActor(second, "bob");
  await first.close();
  for (let i = 0; i < 10; i++) {
    await bob.client.submitAndWait({ body: createPreference(bob.party, { provider: carol.party }) });
  }
  heavy.behave("heavy");
  const again = await newParticipant([heavy.url], { dataFolder });
  await ready(again);
  expect(await listActive(again.as("carol"), carol.party)).toHaveLength(10);
});
