/**
 * The whole local network, four SVs and three nodes in a process of its own: transactions a second that users create through
 * the JSON Ledger API, each counted when it has been acknowledged; and what is left of that when twice as much is asked for.
 */
import { runSections, type Section } from "./measure.ts";
import { measureNetwork } from "./network-load/measure-network.ts";
import { measureOverload } from "./network-load/measure-overload.ts";

const LEAST = 600;

async function throughput(): Promise<Section> {
  const value = await measureNetwork();
  return {
    rows: [
      {
        what: "transactions, submit-and-wait, 32 at once",
        ...{ value, unit: "a second", target: `≥ ${LEAST}`, met: value >= LEAST },
      },
    ],
    note: "Contracts that users create at all three participants. The users have a process of their own, on the same cores.",
  };
}

await runSections("network", { throughput, overload: measureOverload });
