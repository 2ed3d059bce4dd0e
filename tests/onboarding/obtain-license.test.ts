// A validator shows its secret to its sponsor a limited number of times, and says meanwhile what it waits for.

import { json } from "node:stream/consumers";
import { type Log, systemHost } from "@callsign/node";
import { expect, onTestFinished, test, vi } from "vitest";
import { listen } from "../../packages/api/testing/table-server.ts";
import { parsePartyId } from "../../packages/ledger/src/index.ts";
import { ParticipantClient } from "../../packages/validator/src/ledger/participant-client.ts";
import { canActAs, grantRight } from "../../packages/validator/src/ledger/user-rights.ts";
import { type LicenseParts, obtainLicense } from "../../packages/validator/src/onboarding/obtain-license.ts";
import { ADMIN, tokenFor } from "../support/participants.ts";
import { Sponsor } from "./sponsor.ts";

const SECRET = "a-secret-that-nobody-may-see";

/** An SV that answers every validator with the same. */
async function stubbornSv(status: number, error: string) {
  const bodies: unknown[] = [];
  const { url, close } = await listen(async (incoming, outgoing) => {
    bodies.push(await json(incoming));
    outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error }));
  });
  onTestFinished(close);
  return { url: `${url}/api/sv`, bodies };
}

/** A party that wants a license from whoever is at that url, without waiting long. */
async function candidate(sponsor: Sponsor, svUrl: string) {
  const { url } = await sponsor.participant();
  const token = await tokenFor(ADMIN);
  const participant = new ParticipantClient({ url, userId: ADMIN, token: () => token, host: systemHost });
  const said: string[] = [];
  const lines: string[] = [];
  const write = (fields: object, message: string) => {
    lines.push(`${message} ${JSON.stringify(fields)}`);
  };
  const log: Log = { debug: write, info: write, warn: write, error: write, child: () => log };
  const party = parsePartyId(await sponsor.newParty("late"));
  const dso = parsePartyId((await sponsor.anybody.getDsoInfo()).dso_party_id);
  if (!party.ok || !dso.ok) throw new Error("a party without an id");
  await grantRight(participant, ADMIN, canActAs(party.value));
  const parts: LicenseParts = {
    participant,
    operatorParty: party.value,
    dso: dso.value,
    onboarding: { svUrl, secret: SECRET },
    contactPoint: "ops@validator.example",
    onWaiting: (reason) => said.push(reason),
    signal: AbortSignal.timeout(60_000),
    log,
    host: systemHost,
    backoff: { firstMilliseconds: 1, longestMilliseconds: 4 },
  };
  onTestFinished(() => participant.close());
  return { parts, said, lines };
}

test.each([
  [401, "Unknown secret.", "(this is about the configured onboarding secret)"],
  [503, "The SV is not ready.", ""],
])(
  "an SV that keeps answering %i is asked 120 times; a license that comes otherwise is enough",
  async (status, error, hint) => {
    const sponsor = await Sponsor.start();
    const sv = await stubbornSv(status, error);
    const { parts, said, lines } = await candidate(sponsor, sv.url);
    const obtaining = obtainLicense(parts);
    await vi.waitUntil(() => said.at(-1)?.includes("start the validator anew"), { timeout: 60_000 });
    expect(sv.bodies).toHaveLength(120);
    expect(new Set(sv.bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(sv.bodies[0]).toEqual({
      party_id: parts.operatorParty,
      secret: SECRET,
      version: expect.stringMatching(/^0\.6\./),
      contact_point: "ops@validator.example",
    });
    expect(said.at(-1)).toContain(`the sponsor SV at ${sv.url} answers ${status}: ${error} ${hint}`.trim());
    expect(said.at(-1)).toContain("It was tried 120 times");
    expect(said.at(-1)?.includes("(this is about")).toBe(hint !== "");
    expect(lines).toHaveLength(120);
    const { secret } = await sponsor.prepare();
    expect(await sponsor.onboard(parts.operatorParty, secret)).toBe(200);
    await obtaining;
    expect(sv.bodies).toHaveLength(120);
    for (const line of [...said, ...lines]) expect(line).not.toContain(SECRET);
  },
);

test("a validator with a license shows no secret to anybody", async () => {
  const sponsor = await Sponsor.start();
  const sv = await stubbornSv(500, "no");
  const { parts, said } = await candidate(sponsor, sv.url);
  const { secret } = await sponsor.prepare();
  const before = await parts.participant.ledgerEnd();
  expect(await sponsor.onboard(parts.operatorParty, secret)).toBe(200);
  await vi.waitUntil(async () => (await parts.participant.ledgerEnd()) > before, { timeout: 60_000 });
  await obtainLicense(parts);
  expect([sv.bodies, said]).toEqual([[], []]);
});

test("a license that comes while it tries is seen at once, and ends the trying", async () => {
  const sponsor = await Sponsor.start();
  const sv = await stubbornSv(503, "busy");
  const { parts } = await candidate(sponsor, sv.url);
  const obtaining = obtainLicense({ ...parts, backoff: { firstMilliseconds: 20, longestMilliseconds: 20 } });
  await vi.waitUntil(() => sv.bodies.length > 0, { timeout: 60_000 });
  const { secret } = await sponsor.prepare();
  expect(await sponsor.onboard(parts.operatorParty, secret)).toBe(200);
  await obtaining;
  expect(sv.bodies.length).toBeLessThan(120);
});

test("closing it ends the waiting, whatever it waits for", async () => {
  const sponsor = await Sponsor.start();
  const sv = await stubbornSv(503, "busy");
  const { parts, said } = await candidate(sponsor, sv.url);
  const closing = new AbortController();
  const obtaining = obtainLicense({ ...parts, signal: closing.signal });
  await vi.waitUntil(() => said.length > 0, { timeout: 60_000 });
  closing.abort(new Error("closed"));
  await expect(obtaining).rejects.toThrow("closed");
});
