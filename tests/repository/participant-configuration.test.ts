// Keeps what docs/configuration.md says of a participant true: how tokens are believed, how streams are kept, its admin
// API, and what a pruning schedule may say.

import { describe, expect, test } from "vitest";
import type { Endpoint } from "../../packages/api/src/endpoint.ts";
import { participantAdminApi } from "../../packages/api/src/index.ts";
import { parseDuration } from "../../packages/api/src/wire/duration.ts";
import { MAX_DEDUPLICATION_PERIOD } from "../../packages/ledger/src/index.ts";
import { WEBSOCKET_LIMITS } from "../../packages/node/src/websockets/websocket-limits.ts";
import { CHECKPOINT_INTERVALS } from "../../packages/participant/src/limits/limits.ts";
import { parseCron } from "../../packages/participant/src/pruning/cron.ts";
import { CRON_FIELDS, type CronField } from "../../packages/participant/src/pruning/cron-field.ts";
import { parseSchedule } from "../../packages/participant/src/pruning/pruning-schedule.ts";
import { keysOf, read, rowsOf, sectionOf, stated } from "./configuration-page.ts";

const SERVICES = "packages/participant/src/access/token-services.ts";
const LIMITS = "packages/participant/src/limits/limits.ts";
const ADDRESS = "packages/participant/src/access/token-address.ts";
const VERIFIER = "packages/node/src/auth/token-verifier.ts";
const TIMES = "packages/node/src/auth/token-times.ts";
const KEYS = "| key | meaning | default |";

describe("tokens", () => {
  const section = sectionOf("Tokens");
  const namesOf = (path: string, name: string) => keysOf(path, name).map(([key]) => key);

  test("every kind of service is listed, with its keys", () => {
    const privilege = /^ +readonly (privilege)\?: Privilege;$/m.exec(read(SERVICES))?.[1] ?? "";
    const addressed = [...namesOf(ADDRESS, "TokenTarget"), privilege];
    const kinds = [VERIFIER, SERVICES].flatMap((path) =>
      [...read(path).matchAll(/readonly kind: "([\w-]+)"/g)].map(([, kind]) => kind),
    );
    const keys = [
      [...namesOf(VERIFIER, "SharedSecretKeys").slice(1), ...addressed],
      [...namesOf(VERIFIER, "KeySetKeys").slice(1), ...addressed],
      namesOf(SERVICES, "AdminTokenConfig").slice(1),
      [],
    ];
    const listed = rowsOf(section, "| kind | keys | accepted tokens |");
    expect(kinds).toHaveLength(keys.length);
    expect(listed.map(([kind, given]) => [kind, given])).toEqual(
      kinds.map((kind, i) => [kind, keys[i]?.join(", ")]),
    );
  });

  test("the algorithms, privileges and default rules are those of the source", () => {
    const algorithms = /TokenAlgorithm = (.*);/.exec(read("packages/node/src/auth/token-keys.ts"))?.[1];
    const privileges = /Privilege = (.*);/.exec(read("packages/participant/src/access/caller.ts"))?.[1];
    const words = `${algorithms} ${privileges}`.match(/\w+/g) ?? [];
    expect(words).toHaveLength(6);
    const audience = /PARTICIPANT_AUDIENCE = "(.*)"/.exec(read(ADDRESS))?.[1] ?? "-";
    const scope = /DEFAULT_SCOPE = "(.*)"/.exec(read(ADDRESS))?.[1] ?? "-";
    for (const word of [...words, `${audience}<id>`, scope]) expect(section).toContain(word);
    expect(section).toContain(`at least ${/MIN_ADMIN_TOKEN = (\d+);/.exec(read(LIMITS))?.[1]} characters`);
  });

  test("every key of token times is listed", () => {
    const leeway = namesOf(TIMES, "TokenLeeway").map((key) => `leeway.${key}`);
    const others = namesOf(TIMES, "TokenTimes").filter((key) => key !== "leeway");
    expect(leeway.length).toBeGreaterThan(3);
    expect(rowsOf(sectionOf("Token times"), KEYS).map(([key]) => key)).toEqual([...leeway, ...others]);
  });
});

test("every key of streams is listed, with its default", () => {
  const expected = [
    ...Object.entries(WEBSOCKET_LIMITS).map(([key, value]) => [`websockets.${key}`, value]),
    ...Object.entries(CHECKPOINT_INTERVALS).map(([key, value]) => [`checkpoints.${key}`, value]),
  ];
  const rows = rowsOf(sectionOf("Streams"), KEYS);
  expect(rows.map(([key = "", , value = ""]) => [key, stated(value, key)])).toEqual(expected);
});

test("every operation of the admin API is listed, with what it takes and answers", () => {
  const fieldsOf = (schema: unknown) =>
    Object.keys((schema as { readonly shape?: object } | undefined)?.shape ?? {}).join(", ");
  const expected = Object.values<Endpoint>(participantAdminApi.endpoints).map((endpoint) => {
    expect(endpoint.auth).toBe("ledger:admin");
    const { method, path, body, success } = endpoint;
    const answer = "schema" in success ? success.schema : undefined;
    return [`${method} ${participantAdminApi.basePath}${path}`, fieldsOf(body), fieldsOf(answer)];
  });
  const rows = rowsOf(sectionOf("The participant's admin API"), "| operation | body | answer |");
  expect(rows).toEqual(expected);
});

describe("pruning", () => {
  const section = sectionOf("Pruning");

  test("the schedule to begin with keeps thirty days", () => {
    const [, json = ""] = /```json\n(.*)\n```/.exec(section) ?? [];
    const schedule = parseSchedule(JSON.parse(json));
    expect(schedule).toMatchObject({
      ok: true,
      value: { retentionMicroseconds: 30n * 86_400_000_000n },
    });
  });

  test("accepted commands are kept for deduplication as long as the ledger asks for it", () => {
    expect(MAX_DEDUPLICATION_PERIOD).toBe(7n * 86_400_000_000n);
    expect(section).toContain("for seven days what tells that a command was accepted before");
  });

  test("the fields of a cron expression have these values and names", () => {
    const expected = Object.entries<CronField>(CRON_FIELDS).map(([field, { min, max, names }]) => [
      field,
      `${min} to ${max}`,
      names === undefined ? "" : `${names[0]} to ${names.at(-1)}`,
    ]);
    const rows = rowsOf(section, "| field | values | names |");
    expect(rows.map(([field = "", ...rest]) => [field.split(",")[0], ...rest])).toEqual(expected);
  });

  const header = "| expression | first after Sunday 2026-03-01, 12:34:56 | meaning |";
  test.each(rowsOf(section, header))("%s comes first at %s", (expression = "", first = "") => {
    const cron = parseCron(expression);
    if (!cron.ok) throw new Error(cron.error);
    const next = cron.value.nextAfter(BigInt(Date.UTC(2026, 2, 1, 12, 34, 56)) * 1000n);
    expect(new Date(Number((next ?? 0n) / 1000n)).toISOString().replace(".000", "")).toBe(first);
  });

  test("lengths of time have these units", () => {
    const rows = rowsOf(section, "| unit | also | seconds |");
    expect(rows.length).toBeGreaterThan(3);
    for (const [unit = "", also = "", seconds = ""] of rows) {
      const value = BigInt(seconds.replace(",", "")) * 1_000_000n;
      for (const each of [unit, ...also.split(", ")]) {
        for (const text of [`2${each}`, `2 ${each}`]) {
          expect(parseDuration(text)).toEqual({ ok: true, value: 2n * value });
        }
      }
    }
  });
});
