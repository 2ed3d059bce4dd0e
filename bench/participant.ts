/**
 * The participant: how fast it reads over HTTP, with a small ledger and with a large one made in bulk; how fast it
 * streams active contracts over a websocket; how long a submission takes and how many it takes in a second.
 * Against reads stand the same requests to a bare HTTP server with bodies of the same length, against the stream a bare
 * websocket, against submissions the bare commits of what they leave. Sections: `reads`, `submissions`.
 */
import { availableParallelism } from "node:os";
import { median, numberOption, type Row, runSections, type Section } from "./measure.ts";
import { type Call, HttpLoad } from "./participant-load/http-load.ts";
import { measureStream } from "./participant-load/measure-stream.ts";
import { measureSubmissions } from "./participant-load/measure-submissions.ts";
import { ServedLedger } from "./participant-load/served-ledger.ts";
import { MeasuredServer } from "./scan-load/measured-server.ts";

const SMALL_PARTIES = 100;
const LARGE_PARTIES = 100_000;
const SAMPLES = 7;
/** `--calls=500` takes fewer. */
const CALLS = numberOption("--calls", 1500);
const CONCURRENCY = 8;
/** With a million contracts, reads keep at least this much of their speed with a thousand. */
const SHARE = 0.7;

const reads: readonly (readonly [string, (ledger: ServedLedger, i: number) => Call])[] = [
  ["events-by-contract-id", (ledger, i) => ledger.eventsOfContract(i)],
  ["active contracts of a party", (ledger, i) => ledger.contractsOfParty(i)],
  ["updates of a party", (ledger, i) => ledger.updatesOfParty(i)],
  ["update-by-id", (ledger, i) => ledger.updateById(i)],
];

/** A bare HTTP server that answers each of the reads with a body of its length. */
async function startBare(ledger: ServedLedger): Promise<MeasuredServer> {
  const answers = await Promise.all(reads.map(([, make]) => ledger.load.call(make(ledger, 0))));
  const bodies = answers.map((answer) => `200:${Buffer.byteLength(answer)}`);
  return MeasuredServer.start("serve-fixed.ts", bodies, `0-${availableParallelism() - 1}`);
}

async function measureReads(): Promise<Section> {
  const small = await ServedLedger.make(SMALL_PARTIES);
  const large = await ServedLedger.make(LARGE_PARTIES);
  const bare = await startBare(large);
  const bareLoad = new HttpLoad(`http://127.0.0.1:${bare.port}`, large.token);
  const rows: Row[] = [];
  try {
    for (const [place, [what, make]] of reads.entries()) {
      const makeBare = (i: number) => {
        const { path, body } = make(large, i);
        return { path: `/${place}${path}`, body };
      };
      const measured = [
        { load: small.load, make: (i: number) => make(small, i), rates: [] as number[] },
        { load: large.load, make: (i: number) => make(large, i), rates: [] as number[] },
        { load: bareLoad, make: makeBare, rates: [] as number[] },
      ];
      // The first round warms up and is not counted; the servers take turns.
      for (let sample = 0; sample <= SAMPLES; sample++) {
        for (const each of measured) {
          const rate = await each.load.rate(CALLS, CONCURRENCY, (i) => each.make(sample * CALLS + i));
          if (sample > 0) each.rates.push(rate);
        }
      }
      const [few = 0, many = 0, floor = 0] = measured.map(({ rates }) => median(rates));
      rows.push(
        { what: `${what}, 1,000 contracts`, value: few, unit: "/s", floor },
        { what: `${what}, 1 million`, value: many, unit: "/s", floor },
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
    return { rows, note: READS };
  } finally {
    bareLoad.close();
    bare.stop();
    await small.stop();
    await large.stop();
  }
}

const READS =
  `Reads: ${CONCURRENCY} calls at a time over HTTP, medians of ${SAMPLES} rounds in turns; the participant has a process of its own.\n` +
  `The large ledger has ${LARGE_PARTIES.toLocaleString("en-US")} parties, made in bulk. The floor is the same requests to a bare HTTP server with bodies of the same length.`;

const SUBMISSIONS =
  "The floor of submissions is synced commits of the rows that one leaves at its participant, one by one.";

await runSections("participant", {
  reads: measureReads,
  submissions: async () => ({ rows: await measureSubmissions(), note: SUBMISSIONS }),
});
