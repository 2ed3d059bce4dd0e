// The log of a whole network: refusals explained, traces joined, changes recorded, and no secret anywhere.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { SERVICE_USER, TOKEN_AUDIENCE } from "../../packages/localnet/src/tokens.ts";
import { createLog } from "../../packages/node/src/observability/log.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { readLogLines } from "../../packages/node/testing/log-lines.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { WebsocketReader } from "../../packages/node/testing/websocket-reader.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { signToken } from "../support/sign-token.ts";

const atEnd = atEndOfFile();
let network: LocalNetwork;
let file: string;

beforeAll(async () => {
  file = join(temporaryFolder(atEnd), "node.log");
  network = await LocalNetwork.start({ log: createLog({ level: "debug", file }) });
  atEnd(() => network.close());
});

const lines = () => readLogLines(file);

let traces = 0;

/** Calls as the user, in a trace of its own; the lines are those of that trace. */
async function call(url: string, user: string | null, init: RequestInit = {}) {
  const traceId = (++traces).toString(16).padStart(32, "a");
  const token = user === null ? null : signToken({ sub: user, aud: TOKEN_AUDIENCE });
  const answer = await fetch(url, {
    ...init,
    headers: {
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
      "content-type": "application/json",
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...init.headers,
    },
  });
  const ofTrace = () => lines().filter((line) => line["traceId"] === traceId);
  return { status: answer.status, text: await answer.text(), ofTrace };
}

const nodeOf = () => network.net.nodes["app-user"];

test("the log explains a redacted refusal of the ledger API", async () => {
  const denied = await call(`${nodeOf().ledgerUrl}/v2/users`, "app-user");
  expect([denied.status, JSON.parse(denied.text).code]).toEqual([403, "NA"]);
  expect(denied.ofTrace()).toMatchObject([
    {
      level: 40,
      status: 403,
      operation: "listUsers",
      user: "app-user",
      address: "127.0.0.1",
      reason: expect.stringMatching(/the rule ledger:admin-or-idp-admin is not met/),
    },
  ]);
  const token = signToken({ sub: "app-user", aud: "somebody-else" });
  const strange = await call(`${nodeOf().ledgerUrl}/v2/users`, null, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(strange.status).toBe(401);
  expect(strange.ofTrace()).toMatchObject([
    { level: 30, status: 401, reason: expect.stringMatching(/rejected: .*audience/) },
  ]);
});

test("the log explains a refusal of the validator, and its participant's lines have the same trace", async () => {
  const refused = await call(`${nodeOf().validatorUrl}/api/validator/v0/wallet/balance`, "stranger");
  expect([refused.status, refused.text]).toEqual([403, '{"error":"Authorization Failed for stranger"}']);
  expect(refused.ofTrace().filter(({ operation }) => operation === "getBalance")).toMatchObject([
    { level: 40, status: 403, user: "stranger", reason: expect.stringContaining("USER_NOT_FOUND") },
  ]);
  // The participant's answer to the validator.
  expect(refused.ofTrace()).toContainEqual(
    expect.objectContaining({ level: 20, status: 404, operation: "getUser", user: SERVICE_USER }),
  );
});

test("administrative changes leave audit records: who, what, with which outcome", async () => {
  const make = (user: string) =>
    call(`${nodeOf().ledgerUrl}/v2/users`, SERVICE_USER, {
      method: "POST",
      body: JSON.stringify({ user: { id: user, identityProviderId: "", isDeactivated: false }, rights: [] }),
    });
  const audits = ({ ofTrace }: Awaited<ReturnType<typeof call>>) =>
    ofTrace().filter(({ audit }) => audit === true);
  const made = await make("audited");
  expect(made.status).toBe(200);
  const shared = { level: 70, user: SERVICE_USER, address: "127.0.0.1", operation: "createUser" };
  expect(audits(made)).toMatchObject([
    { ...shared, outcome: "done", target: expect.stringContaining('"id":"audited"') },
  ]);
  expect(audits(await make("audited"))).toMatchObject([
    { ...shared, outcome: "failed", status: 409, reason: expect.stringContaining("already exists") },
  ]);
  const read = await call(`${nodeOf().ledgerUrl}/v2/users`, SERVICE_USER);
  expect([read.status, audits(read)]).toEqual([200, []]);
  const moved = await call(`${network.net.developmentUrl}/ext/v1/clock`, null, {
    method: "POST",
    body: JSON.stringify({ forwardSeconds: 1 }),
  });
  expect(audits(moved)).toMatchObject([
    { operation: "moveClock", outcome: "done", target: '{"forwardSeconds":1}' },
  ]);
});

test("no line has a secret, wherever a caller or the configuration puts one", async () => {
  const planted = (place: string) => `planted-${place}-5f0c1d`;
  const { ledgerUrl, validatorUrl } = nodeOf();
  const svUrl = `${network.net.svs[0]?.appUrl}/api/sv`;
  const valid = signToken({ sub: "app-user", aud: TOKEN_AUDIENCE, jti: planted("claim") });
  const invalid = `${valid.slice(0, -4)}AAAA`;
  const secrets = [planted("query"), planted("secret"), planted("json"), planted("header"), valid, invalid];
  for (const token of [valid, invalid, planted("header")]) {
    await call(`${ledgerUrl}/v2/users`, null, { headers: { authorization: `Bearer ${token}` } });
    await call(`${validatorUrl}/api/validator/v0/wallet/balance`, null, {
      headers: { authorization: `Bearer ${token}` },
    });
    await call(`${validatorUrl}/api/validator/v0/wallet/balance?access_token=${token}`, null);
    await call(`${svUrl}/v0/admin/validator/onboarding/ongoing`, null, {
      headers: { authorization: `Bearer ${token}` },
    });
    const reader = new WebsocketReader(`${ledgerUrl}/v2/updates`, {
      token,
      request: { secret: planted("secret") },
    });
    if (await reader.isOpened()) await reader.closed;
  }
  await call(`${validatorUrl}/nowhere?access_token=${planted("query")}`, null);
  await call(`${ledgerUrl}/nowhere?access_token=${planted("query")}`, null);
  const onboard = { candidate_id: "x", secret: planted("secret"), version: "0.1", contact_point: "" };
  for (const body of [
    JSON.stringify(onboard),
    JSON.stringify({ ...onboard, candidate_id: 7 }),
    `${planted("json")}`,
    `{"secret":"${planted("json")}",}`,
    JSON.stringify({ secret: [planted("secret")] }),
  ]) {
    await call(`${svUrl}/v0/onboard/validator`, null, { method: "POST", body });
  }
  const prepared = await network.sv().prepareValidatorOnboarding({ body: { expires_in: 3600 } });
  const issued = "secret" in prepared ? String(prepared.secret) : JSON.stringify(prepared);
  await until(
    () => lines().some(({ operation }) => operation === "prepareValidatorOnboarding"),
    "it is logged",
  );
  const keys = privateKeysIn(network.folder);
  expect(keys.length).toBeGreaterThan(5);
  const written = readFileSync(file, "utf8");
  const shown = [...secrets, issued, network.tokenOf("app-user"), ...keys].filter((secret) =>
    written.includes(secret),
  );
  expect(shown).toEqual([]);
});

/** The keys of every identity in the folder. */
function privateKeysIn(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return privateKeysIn(path);
    if (name !== "identity.json") return [];
    const { namespaceKey, signingKey } = JSON.parse(readFileSync(path, "utf8"));
    return [String(namespaceKey), String(signingKey)];
  });
}
