import { expect, test } from "vitest";
import { SvQuorum } from "./sv-quorum.ts";

const ids = (count: number) => Array.from({ length: count }, (_, i) => `sv-${i + 1}`);

function quorum(svs: number, { urls = svs, threshold = null as number | null } = {}) {
  const made = new SvQuorum({ urls, threshold });
  made.adopt(ids(svs));
  return made;
}

test.each([
  [1, 1, 1],
  [2, 2, 1],
  [3, 2, 1],
  [4, 3, 2],
  [6, 4, 2],
  [7, 5, 3],
  [10, 7, 4],
])("of %i SVs %i must deliver an item, and %i have an honest one among them", (svs, history, voices) => {
  for (const urls of [1, svs, svs + 5]) {
    const { history: delivered, voices: told } = quorum(svs, { urls });
    expect([delivered, told]).toEqual([history, voices]);
  }
});

test("any two quorums share more SVs than may be faulty, and f silent SVs stop nothing", () => {
  for (let n = 1; n <= 40; n++) {
    const { history, voices } = quorum(n);
    const f = voices - 1;
    expect(2 * history - n).toBeGreaterThan(f);
    if (n > 3) expect(history).toBeLessThanOrEqual(n - f);
  }
});

test("nothing is agreed on before the SVs are known", () => {
  const { history, svs } = new SvQuorum({ urls: 4, threshold: 1 });
  expect([history > 1_000_000, svs]).toEqual([true, null]);
});

test.each([
  [1, 1, 1, 3],
  [2, 2, 2, 3],
  [3, 3, 2, null],
  [4, 4, 2, null],
])("a threshold of %i of four SVs counts instead of the quorum", (threshold, history, voices, undercut) => {
  const made = quorum(4, { threshold });
  expect([made.history, made.voices, made.undercut]).toEqual([history, voices, undercut]);
});

test("a network of a liar alone is not joined by a participant with four addresses", () => {
  const toJoin = (svs: number, urls: number) => new SvQuorum({ urls, threshold: null }).toJoin(svs);
  expect([toJoin(1, 4), toJoin(4, 4), toJoin(4, 1), toJoin(1, 1)]).toEqual([2, 3, 3, 1]);
});
