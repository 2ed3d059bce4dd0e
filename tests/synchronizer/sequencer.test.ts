import { systemHost } from "@callsign/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Envelope, formatLogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import { addDuration, type Time } from "../../packages/ledger/src/values/time.ts";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import { START } from "../../packages/ledger/testing/transition-fixture.ts";
import type { Appended, LogBatch, OrderedLog } from "../../packages/synchronizer/src/log/ordered-log.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import {
  MalformedEnvelope,
  Sequencer,
  SequencerOverloaded,
} from "../../packages/synchronizer/src/sequencer/sequencer.ts";
import { readGoldenLog } from "../golden-log/golden-file.ts";
import { APPENDED, chainContents, findBreak, readEntries, readLog } from "./log-entries.ts";
import { openStreamReplica } from "./stream-replica.ts";

function openLog(): SqliteLog {
  const log = new SqliteLog(":memory:", systemHost);
  onTestFinished(() => log.close());
  return log;
}

function openSequencer(log: OrderedLog, clock: () => Time = () => START): Sequencer {
  return new Sequencer({ log, hash: sha256, clock });
}

function envelope(content: string): Envelope {
  return { content, signatures: [] };
}

/** A log whose appends go through the given hands; everything else is the real one. */
function intercept(log: OrderedLog, append: OrderedLog["append"]): OrderedLog {
  const { head, start, term, follow, trim, unwritable, close } = log;
  return { head, start, term, follow, trim, unwritable, close, append };
}

/** A log that appends nothing until it is told to. */
function heldLog(log: OrderedLog): { readonly held: OrderedLog; readonly release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = intercept(log, async (batch) => {
    await promise;
    return log.append(batch);
  });
  return { held, release: resolve };
}

describe("sequencers on one log", () => {
  test("give every submission one place, and tell its number, however many come at once", async () => {
    const log = openLog();
    const stamps: Time[][] = [];
    const sequencers = Array.from({ length: 4 }, (_, i) => {
      const handedOut: Time[] = [];
      stamps.push(handedOut);
      // Clocks that differ, and one that goes backwards.
      const step = i === 3 ? -1n : 7n;
      return openSequencer(log, () => {
        const stamp = addDuration(START, BigInt(i) * 1_000_000_000n + BigInt(handedOut.length) * step);
        handedOut.push(stamp);
        return stamp;
      });
    });
    const told = new Map<string, number>();
    const callers = Array.from({ length: 40 }, async (_, caller) => {
      const sequencer = sequencers[caller % 4] as Sequencer;
      for (let i = 0; i < 12; i++) {
        // Some wait for their answer, some send three at once.
        const contents = Array.from({ length: 1 + (caller % 3) }, (_each, j) => `${caller}/${i}/${j}`);
        const numbers = await Promise.all(contents.map((content) => sequencer.submit(envelope(content))));
        for (const [j, content] of contents.entries()) told.set(content, numbers[j] as number);
      }
    });
    await Promise.all(callers);
    const entries = await readLog(log);
    expect(findBreak(entries)).toBeNull();
    expect(entries).toHaveLength(told.size);
    expect(new Map(entries.map(({ content, sequence }) => [content, sequence]))).toEqual(told);
    for (const { content, stampedAt } of entries) {
      const sequencer = Number(content.slice(0, content.indexOf("/"))) % 4;
      expect(stamps[sequencer]).toContain(stampedAt);
    }
  });

  test("lose no race if the log tells its tail, and share its transaction", async () => {
    const log = openLog();
    const answers: Appended[] = [];
    const counted: OrderedLog = {
      ...intercept(log, async (batch) => {
        const answer = await log.append(batch);
        answers.push(answer);
        return answer;
      }),
      tail: log.tail,
    };
    const sequencers = Array.from({ length: 4 }, () => openSequencer(counted));
    for (let i = 0; i < 5; i++) {
      const numbers = sequencers.map((sequencer, j) => sequencer.submit(envelope(`${i}/${j}`)));
      expect(await Promise.all(numbers)).toEqual([1, 2, 3, 4].map((place) => 4 * i + place));
    }
    expect(answers).toEqual(Array.from({ length: 20 }, () => APPENDED));
    expect(findBreak(await readLog(log))).toBeNull();
  });

  test("feed replicas that agree about real submissions, copies sent through several included", async () => {
    const log = openLog();
    const { log: golden } = readGoldenLog();
    const sequencers = Array.from({ length: 4 }, () => openSequencer(log));
    const submissions = golden.flatMap(({ content, signatures }, i) => {
      const copies = i % 5 === 0 ? sequencers : [sequencers[i % 4] as Sequencer];
      return copies.map((sequencer) => sequencer.submit({ content, signatures }));
    });
    const numbers = await Promise.all(submissions);
    expect(new Set(numbers).size).toBe(submissions.length);
    const nodes = Array.from({ length: 4 }, () => openStreamReplica({ log }));
    await Promise.all(nodes.map((node) => node.catchUp()));
    const heads = nodes.map(({ replica }) => replica.state.head);
    expect(heads[0]?.sequence).toBe(submissions.length);
    expect(heads).toEqual(heads.map(() => heads[0]));
    for (const node of nodes) node.close();
  });
});

describe("a sequencer", () => {
  test("writes the golden log again, to the byte, from its envelopes and its stamps", async () => {
    const log = openLog();
    const { log: golden } = readGoldenLog();
    const stamps = golden.map(({ stampedAt }) => stampedAt).values();
    const sequencer = openSequencer(log, () => stamps.next().value ?? START);
    const numbers = golden.map(({ content, signatures }) => sequencer.submit({ content, signatures }));
    expect(await Promise.all(numbers)).toEqual(golden.map(({ sequence }) => sequence));
    expect(await readEntries(log, 0, golden.length)).toEqual(golden.map(formatLogEntry));
  });

  test("answers one who submits again as soon as it is answered", async () => {
    const sequencer = openSequencer(openLog());
    for (let i = 1; i <= 20; i++) expect(await sequencer.submit(envelope(`entry ${i}`))).toBe(i);
  });

  test("appends what waits in batches of at most 200", async () => {
    const log = openLog();
    const sizes: number[] = [];
    const sequencer = openSequencer(
      intercept(log, (batch) => {
        sizes.push(batch.entries.length);
        return log.append(batch);
      }),
    );
    await Promise.all(Array.from({ length: 1000 }, (_, i) => sequencer.submit(envelope(`entry ${i}`))));
    // The first was alone when it came; everybody else came while it was written.
    expect(sizes).toEqual([1, 200, 200, 200, 200, 199]);
  });

  test("makes smaller batches of long entries, and a batch of one that is as long as they may be", async () => {
    const log = openLog();
    const sizes: number[] = [];
    const sequencer = openSequencer(
      intercept(log, (batch) => {
        sizes.push(batch.entries.length);
        return log.append(batch);
      }),
    );
    const lengths = [1, 1_500_000, 1_500_000, 1_500_000, 4_000_000, 1, 1];
    await Promise.all(lengths.map((length) => sequencer.submit(envelope("x".repeat(length)))));
    expect(sizes).toEqual([1, 2, 1, 1, 2]);
  });

  test("chains a batch anew, with new stamps, when somebody else was faster", async () => {
    const log = openLog();
    let now = START;
    const sequencer = openSequencer(log, () => now);
    expect(await sequencer.submit(envelope("mine, first"))).toBe(1);
    const foreign = chainContents(await log.head(), ["theirs, first", "theirs, second"]);
    await log.append(foreign);
    now = addDuration(START, 5n);
    const late = [sequencer.submit(envelope("mine, second")), sequencer.submit(envelope("mine, third"))];
    expect(await Promise.all(late)).toEqual([4, 5]);
    const entries = await readLog(log);
    expect(findBreak(entries)).toBeNull();
    expect(entries.map(({ content }) => content)).toEqual([
      "mine, first",
      "theirs, first",
      "theirs, second",
      "mine, second",
      "mine, third",
    ]);
    expect(entries.map(({ stampedAt }) => (stampedAt ?? START) - START)).toEqual([0n, 0n, 0n, 5n, 5n]);
  });

  test("goes on from a log that has entries already", async () => {
    const log = openLog();
    await log.append(chainContents(await log.head(), ["one", "two"]));
    expect(await openSequencer(log).submit(envelope("three"))).toBe(3);
    expect(findBreak(await readLog(log))).toBeNull();
  });

  test("has answered everybody when it is closed", async () => {
    const log = openLog();
    const sequencer = openSequencer(log);
    const answers: number[] = [];
    for (let i = 0; i < 300; i++)
      void sequencer.submit(envelope(`entry ${i}`)).then((sequence) => answers.push(sequence));
    await sequencer.close();
    expect(answers).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
    expect(await log.head()).toMatchObject({ sequence: 300 });
    await sequencer.close();
  });
});

describe("too much at once", () => {
  test("is refused while 5000 submissions wait, and accepted again when they have been written", async () => {
    const log = openLog();
    const { held, release } = heldLog(log);
    const sequencer = openSequencer(held);
    // One is on its way, 5000 wait.
    const accepted = Array.from({ length: 5001 }, (_, i) => sequencer.submit(envelope(`entry ${i}`)));
    const refused = sequencer.submit(envelope("one too many"));
    await expect(refused).rejects.toThrow(SequencerOverloaded);
    await expect(refused).rejects.toThrow("5000 submissions wait already: try again in a second");
    release();
    expect(await Promise.all(accepted)).toEqual(Array.from({ length: 5001 }, (_, i) => i + 1));
    expect(await sequencer.submit(envelope("later"))).toBe(5002);
  });

  test("is refused while 64 million characters wait", async () => {
    const log = openLog();
    const { held, release } = heldLog(log);
    const sequencer = openSequencer(held);
    const first = sequencer.submit(envelope("first"));
    const long = "x".repeat(4_000_000);
    const accepted = Array.from({ length: 16 }, () => sequencer.submit(envelope(long)));
    await expect(sequencer.submit(envelope("small"))).rejects.toThrow("16 submissions wait already");
    release();
    await Promise.all([first, ...accepted]);
    expect(await sequencer.submit(envelope("small"))).toBe(18);
  });
});

describe("an envelope that could not be an entry", () => {
  const publicKey = "a".repeat(64);
  const signature = "b".repeat(128);
  const signed = (change: object) => ({
    content: "x",
    signatures: [{ publicKey, signature, ...change }],
  });

  test.each<[string, Envelope, string]>([
    ["a line break", envelope("one\ntwo"), "line break"],
    ["a line break at its end", envelope("one\n"), "line break"],
    ["the first half of a pair", envelope("one \ud83e"), "surrogate"],
    ["the second half of a pair", envelope("\udd9c two"), "surrogate"],
    ["halves in the wrong order", envelope("\udd9c\ud83e"), "surrogate"],
    ["too many characters", envelope("x".repeat(4_000_001)), "4000000 bytes"],
    ["too many bytes", envelope("ü".repeat(2_000_001)), "4000000 bytes"],
    ["no signature where one should be", signed({ signature: "" }), "128"],
    ["a short signature", signed({ signature: signature.slice(1) }), "128"],
    ["a signature in upper case", signed({ signature: signature.toUpperCase() }), "128"],
    ["a signature that ends the list", signed({ signature: `${signature}"],["` }), "128"],
    ["a line break in a signature", signed({ signature: `${signature}\n` }), "128"],
    ["a short key", signed({ publicKey: publicKey.slice(1) }), "64 lower-case"],
    ["a key that is not hex", signed({ publicKey: "g".repeat(64) }), "64 lower-case"],
    [
      "65 signatures",
      { content: "x", signatures: Array.from({ length: 65 }, () => ({ publicKey, signature })) },
      "65 signatures, and at most 64",
    ],
  ])("because of %s is refused before it reaches the log", async (_what, bad, words) => {
    const log = openLog();
    const sequencer = openSequencer(log);
    const answer = sequencer.submit(bad);
    await expect(answer).rejects.toThrow(MalformedEnvelope);
    await expect(answer).rejects.toThrow(words);
    expect(await log.head()).toMatchObject({ sequence: 0 });
    expect(await sequencer.submit(envelope("good"))).toBe(1);
  });

  test("is told from odd ones that could", async () => {
    const log = openLog();
    const sequencer = openSequencer(log);
    const odd: readonly Envelope[] = [
      envelope(""),
      envelope("🦜 \u2028 \u0000 \r"),
      envelope("x".repeat(4_000_000)),
      { content: "x", signatures: Array.from({ length: 64 }, () => ({ publicKey, signature })) },
    ];
    for (const each of odd) await sequencer.submit(each);
    const entries = await readLog(log);
    expect(entries.map(({ content, signatures }) => ({ content, signatures }))).toEqual(odd);
    expect(findBreak(entries)).toBeNull();
  });
});

describe("an append that fails", () => {
  /** Fails where it is told to, before or after the real log has the batch. */
  function failingLog(log: OrderedLog, failures: readonly ("before" | "after" | null)[]): OrderedLog {
    const plan = failures.values();
    return intercept(log, async (batch: LogBatch) => {
      const failure = plan.next().value ?? null;
      if (failure === "before") throw new Error("the disk is full");
      const answer = await log.append(batch);
      if (failure === "after") throw new Error("the connection was lost");
      return answer;
    });
  }

  test("rejects those whose entries it carried, and later ones go on", async () => {
    const log = openLog();
    const sequencer = openSequencer(failingLog(log, [null, "before"]));
    const submissions = Array.from({ length: 401 }, (_, i) => sequencer.submit(envelope(`entry ${i}`)));
    const results = await Promise.allSettled(submissions);
    const rejected = results.flatMap((result, i) => (result.status === "rejected" ? [i] : []));
    expect(rejected).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
    await expect(submissions[1]).rejects.toThrow("the disk is full");
    const numbers = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    expect(numbers).toEqual(Array.from({ length: 201 }, (_, i) => i + 1));
    expect(await sequencer.submit(envelope("later"))).toBe(202);
    expect(findBreak(await readLog(log))).toBeNull();
  });

  test("though the log has the batch does not break the chain for those behind it", async () => {
    const log = openLog();
    const sequencer = openSequencer(failingLog(log, ["after"]));
    await expect(sequencer.submit(envelope("perhaps"))).rejects.toThrow("the connection was lost");
    expect(await sequencer.submit(envelope("surely"))).toBe(2);
    const entries = await readLog(log);
    expect(entries.map(({ content }) => content)).toEqual(["perhaps", "surely"]);
    expect(findBreak(entries)).toBeNull();
  });

  test("because the log cannot say where it ends is tried anew by the next", async () => {
    const log = openLog();
    let failures = 1;
    const forgetful: OrderedLog = {
      ...intercept(log, log.append),
      head: () => (failures-- > 0 ? Promise.reject(new Error("no answer")) : log.head()),
    };
    const sequencer = openSequencer(forgetful);
    await expect(sequencer.submit(envelope("one"))).rejects.toThrow("no answer");
    expect(await sequencer.submit(envelope("two"))).toBe(1);
  });
});
