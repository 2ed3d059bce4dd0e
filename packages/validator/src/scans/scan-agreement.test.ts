// The agreement of groups of 1 to 7 scans over real HTTP: scans that lag, lie, start, fail or answer nonsense.

import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { RECORD_TIME_HEADER, WAIT_FOR_HEADER } from "@callsign/api";
import { formatTime, parseTime, timeFromMicros } from "@callsign/ledger";
import { createLog, silentLog, systemHost } from "@callsign/node";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { listen } from "../../../api/testing/table-server.ts";
import { readLogLines } from "../../../node/testing/log-lines.ts";
import { temporaryFolder } from "../../../node/testing/temporary-folder.ts";
import { SCAN_PATIENCE } from "../limits/limits.ts";
import { rejectionOf } from "../routes/rejections.ts";
import { evidenceHeaders } from "./agreed-answer.ts";
import type { ScanPatience } from "./scan-connection.ts";
import { ScanGroup } from "./scan-group.ts";
import { entryByName } from "./scan-lookups.ts";
import { showUrl } from "./show-url.ts";

const NAME = "alice.unverified.cns";
const MOST = 7;

interface Statement {
  /** The owner of the name; empty if the scan knows of none. */
  readonly owner: string;
  /** Null: the answer carries no record time. */
  readonly at: number | null;
}

/** Answers a request that wants this record time; null if it wants none. */
type Behaviour = (wanted: number | null, response: ServerResponse) => void;

function micros(header: string | string[] | undefined): number | null {
  const time = parseTime(String(header ?? ""));
  return time.ok ? Number(time.value) : null;
}

function state(response: ServerResponse, { owner, at }: Statement): void {
  if (at !== null) response.setHeader(RECORD_TIME_HEADER, formatTime(timeFromMicros(BigInt(at))));
  const entry = { contract_id: "00", user: owner, name: NAME, url: "", description: "", expires_at: null };
  const body = owner === "" ? { error: `No ans entry found for name: ${NAME}` } : { entry };
  response
    .writeHead(owner === "" ? 404 : 200, { "content-type": "application/json" })
    .end(JSON.stringify(body));
}

const plainly =
  (status: number, body: string): Behaviour =>
  (_, response) => {
    response.setHeader(RECORD_TIME_HEADER, formatTime(timeFromMicros(1n)));
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  };

const FAULTS: Readonly<Record<string, Behaviour>> = {
  error: plainly(500, '{"error":"An unexpected error occurred."}'),
  behind: plainly(503, '{"error":"This scan stands at an earlier record time"}'),
  overloaded: plainly(429, '{"error":"slow down"}'),
  starting: plainly(404, '{"error":"The requested resource could not be found: /x"}'),
  "without rules": plainly(404, '{"error":"No DsoRules contract found"}'),
  gateway: plainly(404, "404 page not found"),
  forbidden: plainly(403, '{"error":"not from your address"}'),
  redirect: plainly(302, '{"error":"elsewhere"}'),
  html: plainly(200, "<html>"),
  shapeless: plainly(200, '{"entry":{"user":7}}'),
  stop: (_, response) => void response.destroy(),
  hang: () => undefined,
};

/** `a@1`: owner a at record time 1; `a@1 b@2`: the second once record time 2 is asked for; `-@1`: nobody; else a fault. */
function behaviourOf(text: string): Behaviour {
  const fault = FAULTS[text];
  if (fault !== undefined) return fault;
  const statements = text.split(" ").map((each): Statement => {
    const [owner = "", at] = each.split("@");
    return { owner: owner === "-" ? "" : owner, at: at === undefined ? null : Number(at) };
  });
  return (wanted, response) => {
    const reached = statements.find(({ at }) => at === null || at >= (wanted ?? 0));
    if (reached === undefined) FAULTS["behind"]?.(wanted, response);
    else state(response, reached);
  };
}

const servers: { readonly url: string; readonly close: () => Promise<void> }[] = [];
const behaviours: Behaviour[] = [];
const asked: (number | null)[][] = [];
let group: ScanGroup | undefined;

beforeAll(async () => {
  for (let i = 0; i < MOST; i++)
    servers.push(
      await listen((request: IncomingMessage, response: ServerResponse) => {
        // These scans have no lookup channel.
        if (request.headers.upgrade !== undefined) return void response.writeHead(404).end();
        const wanted = micros(request.headers[WAIT_FOR_HEADER]);
        asked[i]?.push(wanted);
        behaviours[i]?.(wanted, response);
      }),
    );
});
afterEach(() => group?.close());
afterAll(() => Promise.all(servers.map(({ close }) => close())));

/** Scans are asked in the order in which they are given. */
let drawn = 0;
const host = {
  ...systemHost,
  randomness: { ...systemHost.randomness, fraction: () => (drawn = (drawn + 0.0001) % 1) },
};

function groupOf(given: readonly Behaviour[], patience: Partial<ScanPatience>, log = silentLog): ScanGroup {
  drawn = 0;
  behaviours.splice(0, MOST, ...given);
  asked.splice(0, MOST, ...given.map(() => []));
  const urls = servers.slice(0, given.length).map(({ url }) => url);
  group = new ScanGroup({ urls, host, log, patience: { ...SCAN_PATIENCE, ...patience } });
  return group;
}

/** The owner, `-` for nobody, or the status and text of a refusal; with the evidence of an answer. */
async function outcomeOf(scans: ScanGroup) {
  try {
    const agreed = await scans.agree(entryByName(NAME));
    const { said } = agreed;
    if (said.kind !== "value") throw new Error(`refused with ${said.status}`);
    const evidence = evidenceHeaders(agreed);
    const by = agreed.scans.map((url) => servers.findIndex((server) => url.startsWith(server.url))).sort();
    return { answer: said.value?.user ?? "-", by, at: agreed.at, evidence, problem: "" };
  } catch (error) {
    const rejection = rejectionOf(error);
    if (rejection === null) throw error;
    const { error: problem } = JSON.parse(rejection.body) as { error: string };
    return { answer: String(rejection.status), by: [], at: null, evidence: {}, problem };
  }
}

/** No row's outcome depends on these: hanging scans are given up early, and whoever answers is waited for. */
const PATIENT = { hedge: 50, others: 20_000, call: 60_000 };
const ONCE = { ...PATIENT, read: 0 };
const IMPATIENT = { ...PATIENT, others: 150 };

describe("an answer", () => {
  test.each([
    // One scan.
    [["a@1"], "a", PATIENT],
    [["-@1"], "-", PATIENT],
    [["starting"], "502", ONCE],
    [["error"], "502", ONCE],
    // Two and three: all are asked, and any disagreement is an error.
    [["a@1", "a@2"], "a", PATIENT],
    [["a@1", "b@1"], "502", PATIENT],
    [["a@1", "-@1"], "502", PATIENT],
    [["-@1", "starting"], "-", PATIENT],
    [["a@1", "starting"], "a", PATIENT],
    [["a@1", "gateway"], "a", PATIENT],
    [["a@1 b@2", "b@2"], "b", PATIENT],
    [["-@1 b@2", "b@2"], "b", PATIENT],
    [["a@1", "b@2"], "502", { ...PATIENT, read: 200 }],
    [["a@1", "lie@99"], "502", { ...PATIENT, read: 200 }],
    [["a@1", "a@1", "b@1"], "502", PATIENT],
    [["a@1", "lie@99", "lie@99"], "502", { ...PATIENT, read: 200 }],
    [["a@1", "a@1", "error"], "a", PATIENT],
    [["b@2", "a@1 b@2", "b@2"], "b", PATIENT],
    [["a@1", "a@1", "hang"], "a", IMPATIENT],
    // Four: two decide, all are asked once two differ.
    [["a@1", "a@1", "b@1", "b@1"], "a", PATIENT],
    [["a@1", "b@1", "a@1", "a@1"], "a", PATIENT],
    [["-@1", "a@1", "a@1", "a@1"], "a", PATIENT],
    [["a@1", "b@1", "a@1", "b@1"], "502", PATIENT],
    [["-@1", "b@1", "b@1", "-@1"], "502", PATIENT],
    [["a@1 b@2", "b@2", "a@1 b@2", "b@2"], "b", PATIENT],
    [["a@1", "b@1", "error", "stop"], "502", ONCE],
    [["a@1", "a@1", "starting", "starting"], "a", PATIENT],
    [["a@1", "starting", "starting", "starting"], "502", ONCE],
    [["starting", "starting", "starting", "starting"], "502", ONCE],
    [["without rules", "without rules", "a@1", "a@1"], "a", PATIENT],
    [["gateway", "gateway", "a@1", "a@1"], "a", PATIENT],
    [["forbidden", "forbidden", "a@1", "a@1"], "a", PATIENT],
    [["redirect", "redirect", "a@1", "a@1"], "a", PATIENT],
    [["html", "html", "a@1", "a@1"], "a", PATIENT],
    [["shapeless", "shapeless", "a@1", "a@1"], "a", PATIENT],
    [["overloaded", "behind", "a@1", "a@1"], "a", PATIENT],
    [["hang", "hang", "a@1", "a@1"], "a", IMPATIENT],
    [["error", "error", "error", "error"], "502", ONCE],
    [["a", "b", "a", "b"], "502", ONCE],
    // Seven: three decide.
    [["b@1", "a@1", "a@1", "a@1", "a@1", "a@1", "b@1"], "a", PATIENT],
    [["a@1", "b@1", "a@1", "b@1", "a@1", "b@1", "error"], "502", ONCE],
    [["a@1", "b@1", "c@1", "b@1", "a@1", "c@1", "a@1"], "a", PATIENT],
    [["a@1", "a@1", "b@1", "b@1", "c@1", "c@1", "d@1"], "502", PATIENT],
    [["b@2", "a@1 b@2", "b@2", "a@1 b@2", "b@2", "a@1 b@2", "stop"], "b", PATIENT],
    [["a@1", "a@1", "starting", "starting", "error", "html", "stop"], "502", ONCE],
  ])("of %j is %s", async (given, answer, patience) => {
    const outcome = await outcomeOf(groupOf(given.map(behaviourOf), patience));
    expect(outcome).toMatchObject({ answer });
    if (answer === "502") for (const text of given) expect(outcome.problem).not.toContain(`"${text}"`);
  });
});

test("names the scans that agree and the earliest of their record times", async () => {
  const outcome = await outcomeOf(groupOf(["a@5", "a@3", "error"].map(behaviourOf), PATIENT));
  expect([...outcome.by]).toEqual([0, 1]);
  expect(outcome.evidence[RECORD_TIME_HEADER]).toBe(formatTime(timeFromMicros(3n)));
  const named = (outcome.evidence["x-callsign-agreed-scans"] ?? "").split(", ").sort();
  expect(named).toEqual([0, 1].map((i) => `${servers[i]?.url}/api/scan`).sort());
});

test("names ten scans at most, in ASCII, and counts the others", () => {
  const scans = Array.from({ length: 34 }, (_, i) =>
    showUrl(`http://scän-${i}.example.com/${"x".repeat(500)}`),
  );
  const said = { kind: "refusal", status: 404, message: "", key: () => "" } as const;
  const text = evidenceHeaders({ said, text: null, scans, at: null })["x-callsign-agreed-scans"] ?? "";
  expect(text).toMatch(/^http:\/\/xn--scn-0-.*, and 24 more$/);
  expect(text).toMatch(/^[\x20-\x7e]{1,2100}$/);
});

test("scans that differ are asked again at the record time that enough of them have reached", async () => {
  const given = ["a@1 b@2", "b@2", "a@1 b@2", "b@2"].map(behaviourOf);
  expect(await outcomeOf(groupOf(given, PATIENT))).toMatchObject({ answer: "b", at: timeFromMicros(2n) });
  expect(asked.map((times) => times.at(-1))).toEqual([2, 2, 2, 2]);
  expect(asked.map((times) => times[0])).toEqual([null, null, null, null]);
});

test("after a disagreement all scans are asked for a while, so that two liars of four do not pass for being first", async () => {
  const scans = groupOf(["a@1", "lie@1", "a@1", "lie@1"].map(behaviourOf), PATIENT);
  expect(await outcomeOf(scans)).toMatchObject({ answer: "502" });
  behaviours.splice(0, 4, ...["lie@1", "lie@1", "a@1", "a@1"].map(behaviourOf));
  expect(await outcomeOf(scans)).toMatchObject({ answer: "502" });
  expect(asked.map((times) => times.length)).toEqual([2, 2, 2, 2]);
});

test("a 502 of scans that differ at one record time says that one of them lies, and repeats no body", async () => {
  const { problem } = await outcomeOf(groupOf(["a@1", "b@1"].map(behaviourOf), PATIENT));
  expect(problem).toMatch(/status 200 and digest [0-9a-f]{8} at record time 1970-01-01T00:00:00\.000001Z/);
  expect(problem).toMatch(/answers differ: at least one of these scans lies\.$/);
  expect(problem).not.toContain(NAME);
});

test("a scan that differs at the record time of the others is logged as a liar, one that lags is not", async () => {
  const file = join(temporaryFolder(), "log");
  const log = createLog({ level: "debug", file });
  const given = ["a@5", "lie@5", "a@5", "old@2"];
  expect(await outcomeOf(groupOf(given.map(behaviourOf), PATIENT, log))).toMatchObject({ answer: "a" });
  const liars = readLogLines(file).filter(({ msg }) => String(msg).startsWith("a scan lied"));
  expect(liars.map(({ scan }) => scan)).toEqual([`${servers[1]?.url}/api/scan`]);
});

describe("with random answers", () => {
  const truth = (at: number) => `owner-${Math.floor(at / 2)}`;
  const fault = fc.constantFrom(...Object.keys(FAULTS).filter((name) => name !== "hang"));
  const lie = fc.record({
    owner: fc.constantFrom("owner-0", "owner-1", "mallory", ""),
    at: fc.constantFrom(0, 1, 2, 3, 99),
  });
  const honest = fc.nat(5).map(
    (at): Behaviour =>
      (wanted, response) => {
        const reached = Math.max(at, wanted ?? 0);
        if (reached > 6) FAULTS["behind"]?.(wanted, response);
        else state(response, { owner: truth(reached), at: reached });
      },
  );
  const faulty = fc.oneof(
    fault.map((name) => FAULTS[name] as Behaviour),
    lie.map(
      (statement): Behaviour =>
        (_, response) =>
          state(response, statement),
    ),
  );

  test("no more than f bad scans change what the network said at the record time of the evidence or later", async () => {
    const world = fc.integer({ min: 1, max: MOST }).chain((n) => {
      const f = Math.floor((n - 1) / 3);
      return fc.tuple(
        fc.array(honest, { minLength: n - f, maxLength: n - f }),
        fc.array(faulty, { minLength: f, maxLength: f }),
      );
    });
    await fc.assert(
      fc.asyncProperty(world, fc.nat(), async ([good, bad], turn) => {
        const all = [...good, ...bad];
        const given = all.map((_, i) => all[(i + turn) % all.length] as Behaviour);
        const { answer, at, by } = await outcomeOf(groupOf(given, { ...PATIENT, read: 150 }));
        await group?.close();
        if (answer === "502") return;
        expect(at).not.toBeNull();
        const possible = [0, 1, 2, 3, 4, 5, 6].filter((time) => time >= Number(at)).map(truth);
        expect(possible).toContain(answer);
        expect(by.length).toBeGreaterThanOrEqual(Math.floor((given.length - 1) / 3) + 1);
      }),
      { numRuns: 40 },
    );
  });
});
