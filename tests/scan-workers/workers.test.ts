import { RECORD_TIME_HEADER, WAIT_FOR_HEADER } from "@callsign/api";
import { beforeAll, describe, expect, test } from "vitest";
import { time } from "../../packages/ledger/src/values/time.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { until } from "../../packages/node/testing/until.ts";
import { lookupTargets } from "../scan/changing-names.ts";
import { askTogether, comparable, expectLive, type RawAnswer } from "../scan/raw-answers.ts";
import { Random } from "../support/random.ts";
import { ChangingScan, isRunning } from "./changing-scan.ts";

const SEED = 1;
const COMPARED = 400;
const TIMES = 40;

const recordTimeOf = ({ headers }: RawAnswer) =>
  headers.find(([name]) => name === RECORD_TIME_HEADER)?.[1] ?? "";

/** Each request twice in one turn of a worker: as most callers send it, and so that it is left to the general path. */
function requestsFor(targets: readonly string[]): readonly string[] {
  return targets.flatMap((target) => {
    const plain = `GET ${target} HTTP/1.1\r\nhost: localhost\r\n`;
    return [plain, `${plain}content-type: text/plain\r\n`];
  });
}

const atEnd = atEndOfFile();
let started: ChangingScan | null = null;
const scan = () => started as ChangingScan;

beforeAll(async () => {
  started = await ChangingScan.start({ seed: SEED }, atEnd);
});

// One scan for all: the tests run in their order, and the last one ends it.
describe("workers of a scan", () => {
  test(`answer as the process that writes at the same record time, while names change, from seed ${SEED}`, async () => {
    const { parties, url, general } = scan().listening;
    const random = new Random(SEED);
    const others = ["/v0/dso", "/v0/dso-party-id", "/v0/splice-instance-names", "/v0/no-such-operation"];
    const targets = [...lookupTargets(parties), ...others];
    const [port, generalPort] = [Number(new URL(url).port), Number(new URL(general).port)];
    const times = new Set<string>();
    let compared = 0;
    while (compared < COMPARED || times.size < TIMES) {
      const some = random.shuffle([...targets]).slice(0, 8);
      const heads = requestsFor(some);
      const [own, same] = await Promise.all([askTogether(port, heads), askTogether(generalPort, heads)]);
      for (const [i, answer] of own.entries()) {
        const target = some[i >> 1];
        if (answer.body.startsWith('{"entr')) expectLive(answer);
        const [twin, written] = [own[i ^ 1] as RawAnswer, same[i] as RawAnswer];
        expect({ target, ...comparable(answer) }).toEqual({ target, ...comparable(twin) });
        if (recordTimeOf(written) !== recordTimeOf(answer)) continue;
        expect({ target, ...comparable(answer) }).toEqual({ target, ...comparable(written) });
        times.add(recordTimeOf(answer));
        compared++;
      }
    }
  });

  test("wait for a record time that another process has acknowledged", async () => {
    const { url, general } = scan().listening;
    for (let i = 0; i < 10; i++) {
      const ahead = await fetch(`${general}/v0/dso-party-id`);
      const wanted = ahead.headers.get(RECORD_TIME_HEADER) ?? "";
      const waited = await fetch(`${url}/v0/dso-party-id`, { headers: { [WAIT_FOR_HEADER]: wanted } });
      const reached = waited.headers.get(RECORD_TIME_HEADER) ?? "";
      expect([waited.status, time(reached) >= time(wanted)]).toEqual([200, true]);
    }
  });

  test("tell listeners of changes of names", async () => {
    const { url } = scan().listening;
    const headers = { accept: "text/event-stream" };
    const { body } = await fetch(`${url}/api/scan/ext/v1/names/changes`, { headers });
    let seen = "";
    for await (const chunk of body ?? []) {
      seen += Buffer.from(chunk).toString();
      if (seen.includes("event: change")) break;
    }
    expect(seen).toContain("event: change");
  });

  test("have their metrics at the process that writes, by their numbers", async () => {
    const { metrics } = scan().listening;
    const text = await (await fetch(`${metrics}/metrics`)).text();
    for (const worker of ["1", "2"])
      expect(text).toMatch(new RegExp(`^process_cpu_seconds_total\\{.*worker="${worker}".*\\} [\\d.]+`, "m"));
  });

  test("are started again when they are killed, while the others answer", async () => {
    const [first = 0] = await scan().workers(2);
    process.kill(first, "SIGKILL");
    await until(() => scan().child.errors.includes("a worker ended"), "its end is noticed");
    const ask = () => fetch(`${scan().listening.url}/v0/dso-party-id`, { headers: { connection: "close" } });
    for (let i = 0; i < 4; i++) expect((await ask()).status).toBe(200);
    await scan().workers(3);
    await until(async () => (await scan().serving()) === 2, "both workers serve again");
  });

  test("end with the process that writes", async () => {
    const workers = await scan().workers(3);
    const { code } = await scan().child.stop("SIGTERM");
    expect(code).toBe(0);
    expect(workers.filter(isRunning)).toEqual([]);
  });
});
