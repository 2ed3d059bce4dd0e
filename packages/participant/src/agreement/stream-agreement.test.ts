/** Agreement on the stream, fed with items. */

import { sha256 } from "@callsign/node";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DeliveredItem, STREAM_START, StreamAgreement } from "./stream-agreement.ts";
import { SvQuorum } from "./sv-quorum.ts";

function chain(bodies: readonly string[], after = STREAM_START): DeliveredItem[] {
  let { digest } = after;
  return bodies.map((body, i) => {
    const offset = after.offset + i + 1;
    digest = sha256(`${digest}\n${offset}\n${body}`);
    return { offset, digest, body, cause: null };
  });
}

/** Of a network with so many SVs, all of which are connected. */
function agreement(sources: number) {
  const quorum = new SvQuorum({ urls: sources, threshold: null });
  quorum.adopt(Array.from({ length: sources }, (_, i) => `sv-${i}`));
  return new StreamAgreement({ hash: sha256, sources, position: STREAM_START, quorum });
}

const honest = chain(["a", "b", "c"]);

function bare(items: readonly DeliveredItem[]): DeliveredItem[] {
  return items.map((item) => ({ ...item, body: null }));
}

describe("an item", () => {
  test("of a single sequencer is taken at once", () => {
    const one = agreement(1);
    expect(one.offer(0, honest)).toBeNull();
    expect(one.take().items.map(({ body }) => body)).toEqual(["a", "b", "c"]);
    expect(one.take().items).toEqual([]);
    expect(one.nextAfter(0)).toBe(3);
  });

  test("of four is taken once a third one delivers the same", () => {
    const four = agreement(4);
    for (const source of [2, 3]) four.offer(source, honest);
    expect(four.take().items).toEqual([]);
    expect(four.nextAfter(2)).toBe(3);
    four.offer(0, honest.slice(0, 2));
    expect(four.take().items.map(({ offset }) => offset)).toEqual([1, 2]);
    expect(four.agreed).toEqual({ offset: 2, digest: honest[1]?.digest });
  });

  test("that is agreed on need not be delivered by sequencers that lag", () => {
    const four = agreement(4);
    for (const source of [0, 1, 2]) four.offer(source, honest);
    four.take();
    expect(four.nextAfter(3)).toBe(3);
    expect(four.offer(3, honest)).toBeNull();
    expect(four.offer(3, chain(["d"], four.agreed))).toBeNull();
  });

  test("with two versions names the sequencers of the other one", () => {
    const four = agreement(4);
    expect(four.offer(1, chain(["a", "forged", "c"]))).toBeNull();
    for (const source of [0, 2]) four.offer(source, honest);
    expect(four.take().items.map(({ body }) => body)).toEqual(["a"]);
    four.offer(3, honest);
    const { items, dissenters } = four.take();
    expect(items.map(({ body }) => body)).toEqual(["b", "c"]);
    expect(dissenters).toEqual([1]);
  });

  test("keeps the text of an error only if f + 1 sequencers give the same", () => {
    const told = (cause: string) => honest.map((item) => ({ ...item, cause }));
    const four = agreement(4);
    for (const [source, text] of ["lie", "truth", "other"].entries()) four.offer(source, told(text));
    expect(four.take().items.map(({ cause }) => cause)).toEqual([null, null, null]);
    const other = agreement(4);
    other.offer(0, told("lie"));
    for (const source of [1, 2]) other.offer(source, told("truth"));
    expect(other.take().items.map(({ cause }) => cause)).toEqual(["truth", "truth", "truth"]);
  });
});

describe("an item whose digest a quorum delivers", () => {
  test("is taken with the body of one of them, and not before", () => {
    const four = agreement(4);
    for (const source of [0, 1, 2]) expect(four.offer(source, bare(honest))).toBeNull();
    expect(four.take().items).toEqual([]);
    expect(four.lackingBody).toEqual({ offset: 1, holders: [0, 1, 2] });
    expect([four.nextAfter(1, true), four.nextAfter(1, false)]).toEqual([0, 3]);
    expect(four.offer(1, honest.slice(0, 2))).toBeNull();
    expect(four.take().items.map(({ body }) => body)).toEqual(["a", "b"]);
    expect(four.lackingBody).toEqual({ offset: 3, holders: [0, 1, 2] });
    expect(four.nextAfter(1, true)).toBe(2);
  });

  test("is not taken with the body of a sequencer that delivers another digest", () => {
    const four = agreement(4);
    for (const source of [0, 1, 2]) four.offer(source, bare(honest));
    four.offer(3, chain(["forged"]));
    expect(four.take().items).toEqual([]);
    expect(four.lackingBody?.holders).toEqual([0, 1, 2]);
    four.offer(2, honest);
    const { items, dissenters } = four.take();
    expect([items.map(({ body }) => body), dissenters]).toEqual([["a", "b", "c"], [3]]);
  });

  test("lacks no body while fewer than a quorum have it", () => {
    const four = agreement(4);
    for (const source of [0, 1]) four.offer(source, bare(honest));
    expect(four.lackingBody).toBeNull();
  });
});

describe("a delivery is refused", () => {
  const cases: readonly [string, readonly DeliveredItem[]][] = [
    ["whose digest does not follow from its body", honest.map((item) => ({ ...item, body: "x" }))],
    ["that leaves out an offset", honest.slice(1)],
  ];
  test.each(cases)("%s", (_, items) => {
    const four = agreement(4);
    expect(four.offer(0, items)).toMatch(/offset/);
    expect(four.nextAfter(0)).toBe(0);
    expect(four.offer(0, honest)).toBeNull();
  });

  test("whose body is not the one that its digest was made of", () => {
    const four = agreement(4);
    expect(four.offer(0, bare(honest))).toBeNull();
    const forged = honest.map((item) => (item.offset === 2 ? { ...item, body: "x" } : item));
    expect(four.offer(0, forged)).toMatch(/offset 2 does not follow/);
    expect(four.nextAfter(0)).toBe(0);
  });

  test("that has another digest than the same sequencer delivered before", () => {
    const four = agreement(4);
    expect(four.offer(0, bare(honest))).toBeNull();
    expect(four.offer(0, chain(["a", "forged"]))).toMatch(/two items at offset 2/);
  });

  test("that follows another item than the same sequencer delivered before", () => {
    const four = agreement(4);
    const [forged] = bare(chain(["forged"])) as [DeliveredItem];
    const [first, second] = honest as [DeliveredItem, DeliveredItem];
    expect(four.offer(0, [forged])).toBeNull();
    expect(four.offer(0, bare([second]), first)).toMatch(/two items at offset 1/);
    expect(four.offer(0, honest, STREAM_START)).toBeNull();
  });

  test("that follows another item than the agreed one", () => {
    const four = agreement(4);
    for (const source of [0, 1, 2]) four.offer(source, honest.slice(0, 1));
    four.take();
    const [forged] = chain(["forged"]) as [DeliveredItem];
    expect(four.offer(3, [], forged)).toMatch(/offset 1 is not the agreed one/);
  });

  test("that differs from an agreed item", () => {
    const four = agreement(4);
    for (const source of [0, 1, 2]) four.offer(source, honest);
    four.take();
    expect(four.offer(3, chain(["a", "forged", "c"]))).toMatch(/offset 2 is not the agreed one/);
  });
});

test("a sequencer that runs ahead is not asked for more until the others follow", () => {
  const four = agreement(4);
  const many = chain(Array.from({ length: 2500 }, (_, i) => `${i}`));
  four.offer(0, many);
  expect(four.nextAfter(0)).toBeUndefined();
  for (const source of [1, 2]) four.offer(source, many);
  expect(four.take().items).toHaveLength(2500);
  expect(four.nextAfter(0)).toBe(2500);
});

test("the honest stream comes out once, in any order of deliveries and with one faulty sequencer of four", () => {
  const step = fc.record({
    source: fc.integer({ min: 0, max: 3 }),
    count: fc.integer({ min: 0, max: 4 }),
    lie: fc.boolean(),
    bodies: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 0, max: 3 }), (steps, liar) => {
      const stream = chain(Array.from({ length: 12 }, (_, i) => `item ${i}`));
      const four = agreement(4);
      const taken: string[] = [];
      for (const { source, count, lie, bodies } of steps) {
        const after = four.nextAfter(source, bodies) ?? 0;
        const items = stream.slice(after, after + count);
        const forged = items.map((item) => ({ ...item, body: `${item.body}!` }));
        const chained = chain(
          forged.map(({ body }) => body),
          { offset: after, digest: stream[after - 1]?.digest ?? STREAM_START.digest },
        );
        const told = source === liar && lie ? chained : items;
        const fault = four.offer(source, bodies ? told : bare(told));
        if (source !== liar) expect(fault).toBeNull();
        const { items: agreed, dissenters } = four.take();
        taken.push(...agreed.map(({ body }) => body));
        expect(dissenters.filter((dissenter) => dissenter !== liar)).toEqual([]);
      }
      expect(taken).toEqual(stream.slice(0, taken.length).map(({ body }) => body));
      for (const source of [0, 1, 2, 3].filter((each) => each !== liar)) {
        const after = four.nextAfter(source) ?? 0;
        expect(four.offer(source, stream.slice(after))).toBeNull();
      }
      taken.push(...four.take().items.map(({ body }) => body));
      expect(taken).toEqual(stream.map(({ body }) => body));
    }),
  );
});
