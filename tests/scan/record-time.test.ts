import { describe, expect, test } from "vitest";
import { MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { addDuration, formatTime } from "../../packages/ledger/src/values/time.ts";
import { MAX_WAITING_CALLS } from "../../packages/scan/src/limits/limits.ts";
import { ServedWorld, worldOfFile } from "./served-world.ts";

const shared = worldOfFile();
const NAME = "alice.unverified.cns";
const PATH = `/v0/ans-entries/by-name/${NAME}`;
const waitingFor = (time: string): RequestInit => ({ headers: { "x-callsign-wait-for": time } });

describe("the record time of an answer", () => {
  test("is that of the last applied entry, whatever is answered", async () => {
    const world = await ServedWorld.start();
    const paths = [
      "/v0/ans-entries",
      PATH,
      "/v0/ans-entries?page_size=0",
      "/v0/ans-entries?page_size=x",
      "/v0/ans-entries/by-party/alice",
      "/v0/dso-party-id",
      "/v0/rewards-collected?round=7",
      "/readyz",
      "/livez",
      "/status",
      "/version",
    ];
    for (const path of paths) {
      const { headers } = await world.get(path);
      expect([path, headers.get("x-callsign-record-time")]).toEqual([path, formatTime(world.network.now)]);
    }
    const before = world.network.now;
    world.network.advance(MINUTE);
    await world.scan();
    const { headers } = await world.get(PATH);
    expect(headers.get("x-callsign-record-time")).toBe(formatTime(addDuration(before, MINUTE)));
  });
});

describe("a caller that names a record time", () => {
  test("is answered at once if it is reached already", async () => {
    const world = shared();
    const { status } = await world.get("/v0/dso-party-id", waitingFor(formatTime(world.network.now)));
    expect(status).toBe(200);
  });

  test("waits until the entry has been applied, and then sees what it did", async () => {
    const world = await ServedWorld.start();
    const alice = world.wallet("alice");
    world.buy(alice, { name: NAME });
    const wanted = formatTime(world.network.now);
    expect((await world.get(PATH)).status).toBe(404);
    let isAnswered = false;
    const waiting = world.get(PATH, waitingFor(wanted)).then((seen) => {
      isAnswered = true;
      return seen;
    });
    // Another call, sent later, is answered meanwhile.
    expect((await world.get(PATH)).status).toBe(404);
    expect(isAnswered).toBe(false);
    await world.scan();
    const { status, headers, text } = await waiting;
    expect(status).toBe(200);
    expect(JSON.parse(text).entry.user).toBe(alice.party);
    expect(headers.get("x-callsign-record-time")).toBe(wanted);
  });

  test("is not answered by an earlier entry, not even by a microsecond", async () => {
    const world = await ServedWorld.start({ maxWaitMilliseconds: 2000 });
    world.network.advance(MINUTE);
    const wanted = formatTime(addDuration(world.network.now, 1n));
    const waiting = world.get("/v0/dso-party-id", waitingFor(wanted));
    await world.scan();
    const { status, text } = await waiting;
    expect(status).toBe(503);
    expect(JSON.parse(text)).toEqual({
      error:
        `This scan stands at record time ${formatTime(world.network.now)}, and x-callsign-wait-for names ` +
        `${wanted}; it was not reached within 2 seconds: ask again`,
    });
  });

  test.each(["yesterday", "2026-01-01", "", "2026-13-01T00:00:00Z"])(
    "is refused if %j is no time",
    async (given) => {
      const world = shared();
      const { status, body } = await world.getJson("/v0/dso-party-id", waitingFor(given));
      expect(status).toBe(400);
      const { error } = body as { error: string };
      expect(error).toContain("x-callsign-wait-for");
      expect(error).toContain("2026-01-31T12:00:00.5Z");
    },
  );

  test("does not keep health from being answered", async () => {
    const world = shared();
    expect((await world.get("/readyz", waitingFor("2099-01-01T00:00:00Z"))).status).toBe(200);
  });

  test("is sent away when too many wait already, and those that left make room", async () => {
    const world = await ServedWorld.start({ maxWaitMilliseconds: 10_000 });
    const future = waitingFor("2099-01-01T00:00:00Z");
    const leave = new AbortController();
    const crowd = Array.from({ length: MAX_WAITING_CALLS }, () =>
      world.get("/v0/dso-party-id", { ...future, signal: leave.signal }).catch(() => "left"),
    );
    let refused: Response;
    do {
      // The crowd may still be arriving: who is not refused waits briefly and tries again.
      const brief = AbortSignal.timeout(100);
      refused = await fetch(`${world.url}/v0/dso-party-id`, { ...future, signal: brief }).catch(() =>
        Response.error(),
      );
    } while (refused.status !== 503);
    expect(await refused.text()).toContain("too many calls are waiting already");
    // Everybody else is answered.
    expect((await world.get("/v0/dso-party-id")).status).toBe(200);
    leave.abort();
    expect(await Promise.all(crowd)).toContain("left");
    const now = waitingFor(formatTime(world.network.now));
    expect((await world.get("/v0/dso-party-id", now)).status).toBe(200);
  });
});

describe("before scan is ready", () => {
  test("lookups are refused with 503, which is no word on any name", async () => {
    let lacking: string | null = "the network is not founded yet";
    const world = await ServedWorld.start({ missing: () => lacking });
    const error = "This scan instance has not yet loaded its updates history. Wait a short time and retry.";
    for (const path of [PATH, "/v0/dso", "/v0/rewards-collected"]) {
      expect(await world.getJson(path)).toEqual({ status: 503, body: { error } });
    }
    expect((await world.get("/readyz")).status).toBe(503);
    expect((await world.get("/livez")).status).toBe(200);
    expect((await world.get("/version")).status).toBe(200);
    expect(JSON.parse((await world.get("/status")).text)).toHaveProperty("not_initialized");
    lacking = null;
    expect((await world.get("/readyz")).status).toBe(200);
    expect((await world.get(PATH)).status).toBe(404);
  });
});

test("health, with and without the prefix", async () => {
  const world = shared();
  for (const prefix of ["", "/api/scan"]) {
    for (const path of ["/readyz", "/livez"]) {
      const { status, headers, text } = await world.get(prefix + path);
      expect({ status, text, length: headers.get("content-length") }).toEqual({
        status: 200,
        text: "",
        length: "0",
      });
    }
    const status = JSON.parse((await world.get(`${prefix}/status`)).text);
    expect(status).toEqual({
      success: {
        id: "scan sv-1",
        uptime: expect.stringMatching(/^PT(\d+H)?(\d+M)?\d+(\.\d{1,9})?S$/),
        ports: { admin: world.port },
        extra: null,
        active: true,
      },
    });
    const version = JSON.parse((await world.get(`${prefix}/version`)).text);
    expect(Object.keys(version)).toEqual(["version", "commit_ts"]);
  }
});
