// Every operation of the proxy, over two scans that answer with the examples of the API's table.

import {
  AGREED_SCANS_HEADER,
  type Api,
  type Endpoint,
  findEndpoint,
  RECORD_TIME_HEADER,
  registryApi,
  scanApi,
  validatorApi,
} from "@callsign/api";
import { RawJson, Refusal, type Reply, silentLog, systemHost } from "@callsign/node";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { completeExamples } from "../../../api/testing/example.ts";
import { registryExamples } from "../../../api/testing/examples/registry.ts";
import {
  alice,
  amuletRules,
  ansRules,
  openRound,
  synchronizer,
} from "../../../api/testing/examples/samples.ts";
import { scanExamples } from "../../../api/testing/examples/scan.ts";
import { validatorExamples } from "../../../api/testing/examples/validator.ts";
import { listen } from "../../../api/testing/table-server.ts";
import { ScanGroup } from "../scans/scan-group.ts";
import { proxyHandlers } from "./proxy-handlers.ts";

const AT = "2026-01-01T00:00:00Z";
const withState = (contract: unknown) => ({ contract, domain_id: synchronizer });
const { getDsoInfo } = scanExamples;
const dsoRules = { ...getDsoInfo.response.dso_rules.contract, payload: { svs: [[alice, {}]] } };
/** Answers of scans to requests that name nothing as cached. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    Object.entries({ ...scanExamples, ...registryExamples }).map(([id, { response }]) => [id, response]),
  ),
  getDsoInfo: { ...getDsoInfo.response, dso_rules: withState(dsoRules) },
  getAnsRules: { ans_rules_update: withState(ansRules) },
  getAmuletRules: { amulet_rules_update: withState(amuletRules) },
  getOpenAndIssuingMiningRounds: {
    time_to_live_in_microseconds: 1,
    open_mining_rounds: { one: withState(openRound("4")) },
    issuing_mining_rounds: {},
  },
};

type Handler = (request: object, call: { signal: AbortSignal }) => Promise<Reply<unknown>>;
/** The text of a scan's answer to an operation. */
type Form = (answer: unknown) => string;

const compact: Form = (answer) => JSON.stringify(answer);
const spacious: Form = (answer) => JSON.stringify(answer, null, 1);

const forms: Form[] = [];
const arrived: string[] = [];
let status = 200;
let servers: Awaited<ReturnType<typeof listen>>[];
let group: ScanGroup;
let handlers: Readonly<Record<string, Handler>>;

function operationOf(method: string, url: string): string {
  const [path = ""] = url.split("?");
  const api: Api = path.startsWith(scanApi.basePath) ? scanApi : registryApi;
  const found = findEndpoint(api, method, path.slice(api.basePath.length));
  return found.kind === "found" ? found.endpoint.id : "";
}

beforeAll(async () => {
  servers = await Promise.all(
    [0, 1].map((i) =>
      listen(({ method = "", url = "", headers: { upgrade } }, response) => {
        // These scans have no lookup channel.
        if (upgrade !== undefined) return void response.writeHead(404).end();
        const id = operationOf(method, url);
        arrived.push(id);
        const headers = { "content-type": "application/json", [RECORD_TIME_HEADER]: AT };
        const body = status === 200 ? ANSWERS[id] : { error: "There is none." };
        response.writeHead(status, headers).end(forms[i]?.(body));
      }),
    ),
  );
  group = new ScanGroup({ urls: servers.map(({ url }) => url), host: systemHost, log: silentLog });
  handlers = proxyHandlers(group) as unknown as typeof handlers;
});
afterAll(async () => {
  await group.close();
  for (const { close } of servers) await close();
});
beforeEach(() => {
  arrived.length = 0;
  status = 200;
  forms.splice(0, 2, spacious, spacious);
});

const examples = completeExamples(validatorExamples);
const ids = Object.keys(proxyHandlers({} as ScanGroup));
const RESHAPED = new Set([
  "scanProxyGetAnsRules",
  "scanProxyGetAmuletRules",
  "scanProxyGetOpenAndIssuingMiningRounds",
]);

function call(id: string, signal = new AbortController().signal): Promise<Reply<unknown>> {
  const handler = handlers[id];
  if (handler === undefined) throw new Error(`${id} has no handler`);
  return handler(examples[id]?.received ?? {}, { signal });
}

function evidence() {
  const scans = servers.map(({ url }) => `${url}/api/scan`);
  return { scans: scans.sort(), at: AT };
}

function evidenceOf(headers: Readonly<Record<string, string>>) {
  const scans = (headers[AGREED_SCANS_HEADER] ?? "").split(", ").sort();
  return { scans, at: headers[RECORD_TIME_HEADER] };
}

test("the proxy has the 14 operations of Splice's, the registry's and those under /ext/v1", () => {
  const paths: Readonly<Record<string, Endpoint>> = validatorApi.endpoints;
  const ours = ids.filter((id) => paths[id]?.path.includes("/ext/v1/"));
  expect(ours).toHaveLength(6);
  expect(ids).toHaveLength(14 + Object.keys(registryApi.endpoints).length + ours.length);
});

describe.each(ids)("%s", (id) => {
  test("16 equal requests at once ask each scan once, and their answers name both scans and the record time", async () => {
    const answers = await Promise.all(Array.from({ length: 16 }, () => call(id)));
    expect(arrived).toHaveLength(2);
    for (const { headers } of answers) expect(evidenceOf(headers)).toEqual(evidence());
  });

  test("a caller that goes leaves another one its answer", async () => {
    const leaving = new AbortController();
    const left = call(id, leaving.signal);
    const stayed = call(id);
    leaving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    expect(evidenceOf((await stayed).headers)).toEqual(evidence());
    expect(arrived).toHaveLength(2);
  });
});

test.each(ids.filter((id) => !RESHAPED.has(id)))(
  "%s: bytes on which scans agree are sent on as they came",
  async (id) => {
    const { answer } = await call(id);
    const [asked = ""] = arrived;
    expect(answer).toEqual(new RawJson(spacious(ANSWERS[asked])));
  },
);

test("a field that only one scan has does not pass, although the answers agree otherwise", async () => {
  forms.splice(0, 2, compact, (answer) => compact({ ...(answer as object), evil: true }));
  for (let i = 0; i < 4; i++) {
    const { answer } = await call("scanProxyGetDsoPartyId");
    expect(answer).toEqual(ANSWERS["getDsoPartyId"]);
  }
});

test("a lookup that finds nothing has its evidence too", async () => {
  status = 404;
  const error: unknown = await call("scanProxyLookupAnsEntryByName").catch((reason: unknown) => reason);
  if (!(error instanceof Refusal)) throw error;
  expect(error.rejection.status).toBe(404);
  expect(evidenceOf(error.rejection.headers)).toEqual(evidence());
});

test("a refusal on which scans agree has its evidence too", async () => {
  status = 400;
  const error: unknown = await call("scanProxyListAnsEntries").catch((reason: unknown) => reason);
  if (!(error instanceof Refusal)) throw error;
  expect([error.rejection.status, JSON.parse(error.rejection.body)]).toEqual([
    400,
    { error: "There is none." },
  ]);
  expect(evidenceOf(error.rejection.headers)).toEqual(evidence());
});
