/**
 * Tokens of several services side by side, as the upstream suite JsonApiAuthIT asserts them: one believes a scope, one
 * an audience, and two more give privileges to whoever has theirs.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { call, errorOf, type RawAnswer } from "../participant/call.ts";
import { createPreference } from "../participant/preferences.ts";
import { signToken } from "../support/sign-token.ts";
import { failureIn } from "./failure.ts";
import { now } from "./identity-providers.ts";
import { ledgerOfFile } from "./ledger.ts";

const SCOPE = "ExpectedTargetScope";
const AUDIENCE = "ExpectedTargetAudience";
const PRIVILEGED_SCOPE = "Privileged-Scope";
const PRIVILEGED_AUDIENCE = "Privileged-Audience";
const ADMIN_TOKEN = crypto.randomUUID() + crypto.randomUUID();
const WILDCARD_AUDIENCE = "Wildcard-Audience";

const secrets = {
  scope: crypto.randomUUID(),
  audience: crypto.randomUUID(),
  privilegedScope: crypto.randomUUID(),
  privilegedAudience: crypto.randomUUID(),
  wildcard: crypto.randomUUID(),
};
type Service = keyof typeof secrets;
const kind = "hs256";

const ledger = ledgerOfFile({
  auth: [
    { kind: "admin-token", token: ADMIN_TOKEN },
    { kind, secret: secrets.scope, scope: SCOPE },
    { kind, secret: secrets.audience, audience: AUDIENCE },
    { kind, secret: secrets.privilegedScope, scope: PRIVILEGED_SCOPE, privilege: "admin" },
    { kind, secret: secrets.privilegedAudience, audience: PRIVILEGED_AUDIENCE, privilege: "admin" },
    { kind, secret: secrets.wildcard, audience: WILDCARD_AUDIENCE, privilege: "wildcard" },
  ],
});
const ADMIN = "participant_admin";
const USER = "random-party-user";
const EPHEMERAL = "PrivilegedUser";
let party: string;

/** Claims of tokens for each service: the required ones, more, fewer, other ones, and all. */
const targets: Record<Exclude<Service, "wildcard">, Record<string, Record<string, unknown>>> = {
  scope: {
    right: { scope: SCOPE },
    more: { scope: `${SCOPE} additionalScope` },
    none: {},
    wrong: { scope: "scope1 scope2" },
    mixed: { aud: AUDIENCE, scope: `${PRIVILEGED_SCOPE} ${SCOPE}` },
  },
  audience: {
    right: { aud: AUDIENCE },
    more: { aud: [AUDIENCE, "additionalAud"] },
    none: {},
    wrong: { aud: ["aud1", "aud2"] },
    mixed: { aud: AUDIENCE, scope: `${PRIVILEGED_SCOPE} ${SCOPE}` },
  },
  privilegedScope: {
    right: { scope: PRIVILEGED_SCOPE },
    more: { scope: `${PRIVILEGED_SCOPE} additionalScope` },
    none: {},
    wrong: { scope: "scope1 scope2" },
    mixed: { aud: AUDIENCE, scope: `${SCOPE} ${PRIVILEGED_SCOPE}` },
  },
  privilegedAudience: {
    right: { aud: PRIVILEGED_AUDIENCE },
    more: { aud: [PRIVILEGED_AUDIENCE, "audience1"] },
    none: {},
    wrong: { aud: ["audience1", "audience2"] },
    mixed: { aud: [AUDIENCE, PRIVILEGED_AUDIENCE], scope: SCOPE },
  },
};
const ordinary = ["scope", "audience"] as const;
const privileged = ["privilegedScope", "privilegedAudience"] as const;
const admins = [
  ...ordinary.map((service) => [service, ADMIN] as const),
  ...privileged.map((service) => [service, EPHEMERAL] as const),
];

beforeAll(async () => {
  const authorization = `Bearer ${ADMIN_TOKEN}`;
  const post = (path: string, body: unknown) => call(ledger.participant.url + path, { authorization, body });
  await post("/v2/users", { user: { id: USER } });
  const { json } = await post("/v2/parties", { userId: USER });
  party = (json as { partyDetails: { party: string } }).partyDetails.party;
});

function sign(service: Service, claims: Record<string, unknown>): string {
  return signToken({ exp: now() + 300, ...claims }, { secret: secrets[service] });
}

/** Needs an admin. */
function adminCall(token: string): Promise<RawAnswer> {
  return call(`${ledger.participant.url}/v2/parties`, { method: "GET", authorization: `Bearer ${token}` });
}

/** Needs the right to act as a party. */
function partyCall(token: string): Promise<RawAnswer> {
  const authorization = `Bearer ${token}`;
  return call(`${ledger.participant.url}/v2/commands/submit-and-wait`, {
    authorization,
    body: createPreference(party),
  });
}

test("allow access to an endpoint requiring admin rights with fall-back authorization", async () => {
  expect((await adminCall(ADMIN_TOKEN)).status).toBe(200);
  expect((await adminCall(`${ADMIN_TOKEN}x`)).status).toBe(401);
  expect((await partyCall(ADMIN_TOKEN)).status).toBe(403);
});

describe.each(admins)("tokens of the service %s", (service, sub) => {
  const target = targets[service];

  test("allow access to an endpoint requiring admin rights with admin token", async () => {
    expect((await adminCall(sign(service, { sub, ...target["right"] }))).status).toBe(200);
  });

  test("deny access to an endpoint requiring party rights with admin token", async () => {
    expect(failureIn(await partyCall(sign(service, { sub, ...target["right"] }))).status).toBe(403);
  });

  test("allow access to an endpoint with a token with additional audiences/scopes", async () => {
    expect((await adminCall(sign(service, { sub, ...target["more"] }))).status).toBe(200);
  });

  test("deny access to an endpoint with a token without audience/scope", async () => {
    expect(failureIn(await adminCall(sign(service, { sub, ...target["none"] }))).status).toBe(401);
  });

  test("deny access to an endpoint with a token with wrong intended audience/scope", async () => {
    const refused = failureIn(await adminCall(sign(service, { sub, ...target["wrong"] })));
    expect(refused).toMatchObject({ status: 401, code: "NA", context: {} });
  });

  test("allow access to an endpoint with a token that mixes expected audiences/scopes", async () => {
    expect((await adminCall(sign(service, { sub, ...target["mixed"] }))).status).toBe(200);
  });

  test("deny access to an endpoint with an expired token", async () => {
    const token = sign(service, { sub, ...target["right"], exp: now() - 86_400 });
    expect(failureIn(await adminCall(token)).status).toBe(401);
  });
});

describe.each(ordinary)("users of the service %s", (service) => {
  const right = targets[service]["right"];

  test("deny access to an endpoint requiring admin rights with user token", async () => {
    const refused = failureIn(await adminCall(sign(service, { sub: USER, ...right })));
    expect(refused).toMatchObject({ status: 403, context: {} });
  });

  test("allow access to an endpoint requiring party rights with user token", async () => {
    expect((await partyCall(sign(service, { sub: USER, ...right }))).status).toBe(200);
  });

  test("deny access to an endpoint with an token for an unknown user", async () => {
    const refused = failureIn(await adminCall(sign(service, { sub: "unknown_user", ...right })));
    expect(refused).toMatchObject({ status: 403, context: { ledger_api_error: "invalid token" } });
  });

  test("deny access with the secret of one service and the audience or scope of another", async () => {
    const others = [PRIVILEGED_SCOPE, PRIVILEGED_AUDIENCE, service === "scope" ? AUDIENCE : SCOPE];
    for (const other of others) {
      const token = sign(service, {
        sub: ADMIN,
        scope: service === "scope" ? "x" : other,
        aud: service === "scope" ? other : "x",
      });
      expect(failureIn(await adminCall(token)).status).toBe(401);
    }
  });
});

test("deny unauthenticated access: a bearer without a token is a mistake", async () => {
  const url = `${ledger.participant.url}/v2/parties`;
  for (const authorization of ["Bearer", "Bearer "]) {
    expect(errorOf(await call(url, { method: "GET", authorization })).status).toBe(400);
  }
  expect(errorOf(await call(url, { method: "GET" })).status).toBe(401);
});

test("a wildcard may do everything, without being a user", async () => {
  const token = sign("wildcard", { sub: EPHEMERAL, aud: WILDCARD_AUDIENCE });
  expect((await adminCall(token)).status).toBe(200);
  expect((await partyCall(token)).status).toBe(200);
});

test("a subject that is no user id is told so, also where it may everything", async () => {
  for (const [service, claims] of [
    ["audience", { aud: AUDIENCE }],
    ["wildcard", { aud: WILDCARD_AUDIENCE }],
  ] as const) {
    const refused = failureIn(await adminCall(sign(service, { sub: "who am i?", ...claims })));
    expect(refused).toMatchObject({ status: 400, code: "INVALID_TOKEN" });
    expect(refused.context).toMatchObject({ ledger_api_error: "invalid token" });
  }
});

test("a token without a subject is refused", async () => {
  expect(failureIn(await adminCall(sign("wildcard", { aud: WILDCARD_AUDIENCE }))).status).toBe(401);
});
