/** The items that participants can take from four SVs, by the real agreement. */
import { sha256 } from "@callsign/node";
import { STREAM_START, StreamAgreement } from "../../packages/participant/src/agreement/stream-agreement.ts";
import { SvQuorum } from "../../packages/participant/src/agreement/sv-quorum.ts";
import { itemsOf, remember } from "./entries.ts";

const SVS = ["sv-1", "sv-2", "sv-3", "sv-4"];

/** All orders in which four SVs can be heard. */
const ORDERS: readonly (readonly number[])[] = permute([0, 1, 2, 3]);

function permute(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) =>
    permute(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}

/**
 * The last entries that a participant takes if the four SVs deliver these histories, in any order and in pages of any size: the
 * first one with bodies, the others digests, and bodies that the first one does not deliver.
 */
export function takeableBy(threshold: number | null): (histories: readonly string[]) => readonly string[] {
  const quorum = new SvQuorum({ urls: SVS.length, threshold });
  quorum.adopt(SVS);
  const take = (histories: readonly string[], order: readonly number[], limit: number): string => {
    const agreement = new StreamAgreement({
      ...{ hash: sha256, sources: SVS.length, quorum, position: STREAM_START },
    });
    const longest = Math.max(...histories.map(({ length }) => length));
    let taken = 0;
    const ask = (source: number, bodies: boolean) => {
      const after = agreement.nextAfter(source, bodies) ?? 0;
      const items = itemsOf(histories[source] ?? "").slice(after, after + limit);
      agreement.offer(source, bodies ? items : items.map((item) => ({ ...item, body: null })));
      taken = agreement.take().items.at(-1)?.offset ?? taken;
    };
    for (let round = 0; round < longest; round += limit) {
      for (const source of order) {
        ask(source, source === order[0]);
        for (const holder of agreement.lackingBody?.holders ?? []) ask(holder, true);
      }
    }
    const { digest } = agreement.agreed;
    return (histories.find((history) => itemsOf(history)[taken - 1]?.digest === digest) ?? "").slice(
      0,
      taken,
    );
  };
  const takeAll = remember((key): readonly string[] => {
    const histories = key.split(",");
    const ends = ORDERS.flatMap((order) => [take(histories, order, 9), take(histories, order, 1)]);
    return [...new Set(ends)].filter((end) => end !== "");
  });
  return (histories) => takeAll([...histories].sort().join(","));
}
