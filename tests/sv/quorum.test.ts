/** An SV's own submission is done once a quorum of the SVs has applied it. */
import { nextTurn, systemHost } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { signFounding } from "../../packages/sv/src/founding/sign-founding.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import type { LogPage, OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { ProcessPeers } from "../../packages/synchronizer/src/peers/process-peers.ts";
import { identityNamed, openSvNode } from "../support/sv-nodes.ts";

/** A follower of the log that gets no page while it is held back. */
class HeldBack {
  readonly log: OrderedLog;
  /** The end of the last page that it let pass. */
  given = 0;
  #open = Promise.withResolvers<void>();

  constructor(log: OrderedLog) {
    const { head, start, term, append, trim, unwritable, close } = log;
    const passes = async ({ head: { sequence } }: LogPage) => {
      await this.#open.promise;
      this.given = sequence;
    };
    const follow = async function* (after: number, signal: AbortSignal) {
      for await (const page of log.follow(after, signal)) {
        await passes(page);
        yield page;
      }
    };
    this.log = { head, start, term, append, trim, unwritable, close, follow };
    this.release();
  }

  hold(): void {
    this.#open = Promise.withResolvers();
  }

  release(): void {
    this.#open.resolve();
  }
}

const signal = AbortSignal.timeout(60_000);

test("a clock has moved once three of four SVs have applied it, not two", async () => {
  const log = new SqliteLog(":memory:", systemHost);
  const peers = new ProcessPeers();
  const held = Array.from({ length: 4 }, () => new HeldBack(log));
  const svs: SvNode[] = [];
  for (const [i, { log: orderedLog }] of held.entries()) {
    const place = {
      dataFolder: temporaryFolder(),
      name: `sv${i + 1}`,
      identity: identityNamed(`sv${i + 1}`),
    };
    const node = await openSvNode({ ...place, orderedLog, peers });
    onTestFinished(() => node.close());
    svs.push(node);
  }
  const [first, second, third, fourth] = svs as [SvNode, SvNode, SvNode, SvNode];
  const founders = svs.map(({ identity }) => ({ identity }));
  const founding = signFounding({ svs: founders, movableClock: true, isDevNet: true });
  const founded = await first.submit(founding);
  for (const { replica } of svs) await replica.reach(founded, signal);
  onTestFinished(() => {
    for (const each of held) each.release();
  });
  held[2]?.hold();
  held[3]?.hold();
  // An entry of before may have reached one of them alone, and be on its way to the other.
  await nextTurn(systemHost.timers);
  await third.replica.reach(held[2]?.given ?? 0, signal);
  await fourth.replica.reach(held[3]?.given ?? 0, signal);
  const before = third.replica.state.head.sequence;
  const beforeOfFourth = fourth.replica.state.head.sequence;
  let standing: number | null = null;
  const moved = first.moveClock(1_000_000n).then(() => {
    standing = third.replica.state.head.sequence;
  });
  // Later entries come and are applied by two SVs, and the first still waits.
  for (let i = 0; i < 3; i++) {
    const sequence = await second.submit({ content: `nonsense ${i}`, signatures: [] });
    await Promise.all([first, second].map(({ replica }) => replica.reach(sequence, signal)));
  }
  expect(standing).toBeNull();
  held[2]?.release();
  await moved;
  expect(standing).toBeGreaterThan(before);
  expect(fourth.replica.state.head.sequence).toBe(beforeOfFourth);
});
