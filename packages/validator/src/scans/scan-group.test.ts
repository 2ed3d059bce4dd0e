// Real HTTP to scans that lie, hang, fail, stop or lag.

import type { IncomingMessage, ServerResponse } from "node:http";
import { parseTime, type Time } from "@callsign/ledger";
import { type Host, silentLog, systemHost } from "@callsign/node";
import { afterEach, describe, expect, test } from "vitest";
import { listen } from "../../../api/testing/table-server.ts";
import { VirtualHost } from "../../../node/testing/virtual-host.ts";
import { SCAN_PATIENCE } from "../limits/limits.ts";
import { rejectionOf } from "../routes/rejections.ts";
import type { ScanPatience } from "./scan-connection.ts";
import { ScanGroup } from "./scan-group.ts";
import { dsoPartyId, entryByName } from "./scan-lookups.ts";

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

const DSO = `DSO::1220${"0f".repeat(32)}`;
const answer =
  (body: unknown, status = 200): Behaviour =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
const honest = answer({ dso_party_id: DSO });
const lie = answer({ dso_party_id: `mallory::1220${"66".repeat(32)}` });
const hang: Behaviour = () => undefined;
const fail = answer({ error: "An unexpected error occurred." }, 500);
const stop: Behaviour = (request) => request.destroy();
const nonsense: Behaviour = (_, response) => void response.writeHead(200).end("<html>");

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function groupOf(
  behaviours: readonly Behaviour[],
  patience: Partial<ScanPatience> = {},
  host: Host = systemHost,
  waitFor: () => Time | null = () => null,
) {
  const asked: number[] = behaviours.map(() => 0);
  const servers = await Promise.all(
    behaviours.map((behave, i) =>
      listen((request, response) => {
        asked[i] = (asked[i] ?? 0) + 1;
        behave(request, response);
      }),
    ),
  );
  const urls = servers.map(({ url }) => `${url}/api/scan`);
  const group = new ScanGroup({
    urls,
    host,
    log: silentLog,
    patience: { ...SCAN_PATIENCE, ...patience },
    waitFor,
  });
  closing.push(() => group.close(), ...servers.map(({ close }) => close));
  return { group, asked };
}

async function rejectionOfRead(read: Promise<unknown>) {
  const error: unknown = await read.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const rejection = rejectionOf(error);
  if (rejection === null) throw error ?? new Error("it was answered");
  return { status: rejection.status, body: JSON.parse(rejection.body) };
}

test("four honest scans: two are asked, and that is enough", async () => {
  const { group, asked } = await groupOf([honest, honest, honest, honest], { hedge: 60_000 });
  expect(await group.read(dsoPartyId)).toEqual({ dso_party_id: DSO });
  expect(asked.reduce((a, b) => a + b)).toBe(2);
});

describe.each([
  ["lies", lie],
  ["hangs", hang],
  ["fails", fail],
  ["is stopped", stop],
  ["talks nonsense", nonsense],
])("one of four %s", (_, bad) => {
  test("reads give the honest answer without waiting for it, and it is soon asked last", async () => {
    // A read that waited for it would exceed the time of the test.
    const { group, asked } = await groupOf([honest, bad, honest, honest], { call: 60_000, read: 120_000 });
    for (let i = 0; i < 12; i++) expect(await group.read(dsoPartyId)).toEqual({ dso_party_id: DSO });
    expect(asked[1]).toBeLessThanOrEqual(2);
  });
});

/** With a clock that stands still, however slow the machine is, every scan's answer is waited for. */
const ONE_ROUND = { read: 0 };

describe("more than f bad scans", () => {
  test("give no answer if two lie differently and two fail", async () => {
    const other = answer({ dso_party_id: `eve::1220${"66".repeat(32)}` });
    const { group } = await groupOf([lie, other, fail, stop], ONE_ROUND, new VirtualHost());
    const { status, body } = await rejectionOfRead(group.read(dsoPartyId));
    const [sentence, kinds = ""] = (body as { error: string }).error.split(". ");
    expect([status, sentence]).toEqual([
      502,
      "Failed to reach consensus from 4 Scan nodes, requiring 2 matching responses",
    ]);
    const said = new Map(
      kinds
        .replace(/\.$/, "")
        .split("; ")
        .map((each) => each.split(/ (.*)/) as [string, string]),
    );
    const [first, second, third, fourth] = group.urls.map((url) => said.get(url) ?? "");
    const answered = /^answered with status 200 and digest [0-9a-f]{8} without a record time$/;
    expect([first, second]).toEqual([expect.stringMatching(answered), expect.stringMatching(answered)]);
    expect(first).not.toBe(second);
    expect([third, fourth]).toEqual(["gave no answer (status 500)", "gave no answer (network)"]);
    expect(kinds).not.toMatch(/mallory|eve/);
  });

  test("give no answer if only one scan can be reached", async () => {
    const { group } = await groupOf([honest, stop, stop, stop], ONE_ROUND, new VirtualHost());
    const { status, body } = await rejectionOfRead(group.read(dsoPartyId));
    expect(status).toBe(502);
    expect(body.error).toContain(
      "Only 1 scan instances can be used (out of 4 configured ones), which are fewer than the necessary 2 to achieve BFT guarantees. ",
    );
    expect(body.error.match(/gave no answer \(network\)/g)).toHaveLength(3);
  });

  test("of two or three scans are an error as soon as answers differ", async () => {
    const { group, asked } = await groupOf([honest, lie, honest], ONE_ROUND, new VirtualHost());
    expect(await rejectionOfRead(group.read(dsoPartyId))).toMatchObject({ status: 502 });
    expect(asked.every((times) => times > 0)).toBe(true);
  });

  test("delay one read of two scans, and then none for a while", async () => {
    const host = new VirtualHost();
    const { group, asked } = await groupOf([honest, hang], { others: 500, hedge: 20 }, host);
    const startRead = () => {
      let isDone = false;
      const read = group.read(dsoPartyId).finally(() => {
        isDone = true;
      });
      return { read, isDone: () => isDone };
    };
    const first = startRead();
    await expect.poll(() => asked).toEqual([1, 1]);
    await host.advance(480);
    expect(first.isDone()).toBe(false);
    await host.advance(20);
    expect(await first.read).toEqual({ dso_party_id: DSO });
    const later = startRead();
    await host.advance(20);
    expect(await later.read).toEqual({ dso_party_id: DSO });
  });
});

describe("a name that nobody holds", () => {
  const none = (text: string) => answer({ error: text }, 404);

  test("is an answer, in whatever words", async () => {
    const { group } = await groupOf([none("No ans entry found"), none("nothing"), hang, stop]);
    expect(await group.read(entryByName("alice.unverified.cns"))).toBeNull();
  });

  test("is not what a scan says that has not started yet", async () => {
    const starting = [
      none("The requested resource could not be found: /x"),
      none("No DsoRules contract found"),
    ];
    const entry = {
      contract_id: null,
      user: DSO,
      name: "dso.cns",
      url: "",
      description: "",
      expires_at: null,
    };
    const { group } = await groupOf([...starting, answer({ entry }), answer({ entry })]);
    expect(await group.read(entryByName("dso.cns"))).toEqual(entry);
  });
});

test("a refusal that scans agree on is passed on, with keys in any order and nulls left out or not", async () => {
  const bad = answer({ error: "A name has at most 2066 characters." }, 400);
  const { group } = await groupOf([bad, hang, bad, stop]);
  expect(await rejectionOfRead(group.read(entryByName("x")))).toEqual({
    status: 400,
    body: { error: "A name has at most 2066 characters." },
  });
  const one = { entry: { user: DSO, name: "dso.cns", url: "", description: "" } };
  const other = {
    entry: { expires_at: null, description: "", url: "", name: "dso.cns", user: DSO, contract_id: null },
  };
  const two = await groupOf([answer(one), hang, answer(other), stop]);
  expect(await two.group.read(entryByName("dso.cns"))).toMatchObject({ name: "dso.cns" });
});

test("a disagreement that passes ends in an answer", async () => {
  let calls = 0;
  const late: Behaviour = (request, response) => (++calls > 2 ? honest : lie)(request, response);
  const { group } = await groupOf([honest, stop, stop, late]);
  expect(await group.read(dsoPartyId)).toEqual({ dso_party_id: DSO });
});

test("scans are asked to wait for the record time that was seen, and one scan alone does not move the time on", async () => {
  const wanted = new Set<string | undefined>();
  const at =
    (time: string): Behaviour =>
    (request, response) => {
      wanted.add(request.headers["x-callsign-wait-for"] as string | undefined);
      response.setHeader("x-callsign-record-time", time);
      honest(request, response);
    };
  const time = (text: string) => {
    const parsed = parseTime(text);
    if (!parsed.ok) throw new Error(parsed.error);
    return parsed.value;
  };
  const servers = await Promise.all(
    ["2026-01-01T00:00:05Z", "2099-01-01T00:00:00Z", "2026-01-01T00:00:06Z", "2026-01-01T00:00:04Z"].map(
      (text) => listen(at(text)),
    ),
  );
  const seen = "2026-01-01T00:00:03.5Z";
  const urls = servers.map(({ url }) => url);
  const group = new ScanGroup({ urls, host: systemHost, log: silentLog, waitFor: () => time(seen) });
  closing.push(() => group.close(), ...servers.map(({ close }) => close));
  for (let i = 0; i < 40; i++) await group.read(dsoPartyId);
  expect(group.recordTime()).toBe(time("2026-01-01T00:00:06Z"));
  expect([...wanted]).toEqual([seen]);
});

test("equal reads in flight are joined; a later one, another read, or one that must see more asks anew", async () => {
  const { group, asked } = await groupOf([honest, honest, honest, honest], { hedge: 60_000 });
  const calls = () => asked.reduce((a, b) => a + b);
  const other = { ...dsoPartyId, what: "something else" };
  const answers = await Promise.all(Array.from({ length: 16 }, () => group.read(dsoPartyId)));
  expect(answers).toEqual(Array.from({ length: 16 }, () => ({ dso_party_id: DSO })));
  expect(calls()).toBe(2);
  await Promise.all([group.read(dsoPartyId), group.read(other)]);
  expect(calls()).toBe(6);
});

test("a caller that gives up leaves the others of a joined read their answer", async () => {
  const released = Promise.withResolvers<void>();
  const slow: Behaviour = (request, response) => void released.promise.then(() => honest(request, response));
  const { group, asked } = await groupOf([slow], {}, new VirtualHost());
  const leaving = new AbortController();
  const left = group.read(dsoPartyId, leaving.signal);
  const stayed = group.read(dsoPartyId, new AbortController().signal);
  leaving.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  released.resolve();
  expect(await stayed).toEqual({ dso_party_id: DSO });
  expect(asked).toEqual([1]);
});

test("a read that all callers have given up ends, and the next caller asks anew", async () => {
  const { group, asked } = await groupOf([fail]);
  const leaving = new AbortController();
  const left = group.read(dsoPartyId, leaving.signal);
  await expect.poll(() => asked[0]).toBeGreaterThan(0);
  leaving.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  const before = asked[0] ?? 0;
  const again = new AbortController();
  const next = group.read(dsoPartyId, again.signal);
  await expect.poll(() => asked[0]).toBeGreaterThan(before);
  again.abort(new Error("gone too"));
  await expect(next).rejects.toThrow("gone too");
});

test("a read that waits for a later record time does not join one that waits for an earlier", async () => {
  let wanted = 1n;
  const { group, asked } = await groupOf([honest], {}, systemHost, () => wanted as never);
  const first = group.read(dsoPartyId);
  wanted = 2n;
  await Promise.all([first, group.read(dsoPartyId)]);
  expect(asked).toEqual([2]);
});
