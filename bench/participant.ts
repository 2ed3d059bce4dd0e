/**
 * The participant: how fast it reads over HTTP, with a small ledger and with a large one made in bulk; how fast it
 * streams active contracts over a websocket; how long a submission takes and how many it takes in a second.
 * Against reads stand bare statements on the same store, against submissions the bare commits of what they leave.
 */
import { median, type Row, report } from "./measure.ts";
import type { Call } from "./participant-load/http-load.ts";
import { measureStream } from "./participant-load/measure-stream.ts";
import { measureSubmissions } from "./participant-load/measure-submissions.ts";
import { ServedLedger } from "./participant-load/served-ledger.ts";

const SMALL_PARTIES = 100;
const LARGE_PARTIES = 100_000;
const SAMPLES = 7;
const CALLS = 1500;
const CONCURRENCY = 8;
/** With a million contracts, reads keep at least this much of their speed with a thousand. */
const SHARE = 0.7;

const reads: readonly (readonly [string, (ledger: ServedLedger, i: number) => Call])[] = [
  ["events-by-contract-id", (ledger, i) => ledger.eventsOfContract(i)],
  ["active contracts of a party", (ledger, i) => ledger.contractsOfParty(i)],
  ["updates of a party", (ledger, i) => ledger.updatesOfParty(i)],
  ["update-by-id", (ledger, i) => ledger.updateById(i)],
];

const small = await ServedLedger.make(SMALL_PARTIES);
const large = await ServedLedger.make(LARGE_PARTIES);
const rows: Row[] = [];
try {
  for (const [what, make] of reads) {
    const rates = { small: [] as number[], large: [] as number[] };
    // The first round warms up and is not counted; the two ledgers take turns.
    for (let sample = 0; sample <= SAMPLES; sample++) {
      for (const [size, ledger] of [
        ["small", small],
        ["large", large],
      ] as const) {
        const rate = await ledger.load.rate(CALLS, CONCURRENCY, (i) => make(ledger, sample * CALLS + i));
        if (sample > 0) rates[size].push(rate);
      }
    }
    const [few, many] = [median(rates.small), median(rates.large)];
    rows.push(
      { what: `${what}, 1,000 contracts`, value: few, unit: "/s", floor: small.bareReads },
      { what: `${what}, 1 million`, value: many, unit: "/s", floor: large.bareReads },
      {
        what: `${what}, 1 million against 1,000`,
        value: many / few,
        unit: "",
        target: `≥ ${SHARE}`,
        met: many / few >= SHARE,
      },
    );
  }
  rows.push(...(await measureStream(large)));
} finally {
  await small.stop();
  await large.stop();
}
rows.push(...(await measureSubmissions()));
report("participant", rows, [
  `Reads: ${CONCURRENCY} calls at a time over HTTP, medians of ${SAMPLES} rounds in turns; the participant has a process of its own.`,
  `The large ledger has ${LARGE_PARTIES.toLocaleString("en-US")} parties, made in bulk; its floor is one prepared statement by contract id, in process.`,
]);
