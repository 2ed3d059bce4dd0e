// docs/scan-operations.md is true: it has every operation of Splice's scan, and says which of them are not offered.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Endpoint } from "../../packages/api/src/endpoint.ts";
import { formatPath } from "../../packages/api/src/path-template.ts";
import { formatQueryString } from "../../packages/api/src/query-string.ts";
import { scanApi } from "../../packages/api/src/scan/api.ts";
import { scanExamples } from "../../packages/api/testing/examples/scan.ts";
import { declaredPaths } from "../clients/declared-calls.ts";
import { worldOfFile } from "./served-world.ts";

interface Row {
  readonly operation: string;
  readonly id: string;
  readonly state: string;
}

const document = readFileSync(join(import.meta.dirname, "../../docs/scan-operations.md"), "utf8");
const rows: readonly Row[] = [...document.matchAll(/^\| `([^`]+)` \| `(\w+)` \| ([^|]+) \|/gm)].map(
  ([, operation = "", id = "", state = ""]) => ({ operation, id, state }),
);

const endpoints: Readonly<Record<string, Endpoint>> = scanApi.endpoints;
const UPSTREAM = "core-splice-client/dist/generated-clients/scan.d.ts";
/** Of a document that has no published client. */
const DOWNLOAD = "GET /v0/history/bulk/download/{object_key}";
const NOT_OFFERED = "not offered: 501";

describe("the table of scan's operations", () => {
  test("has the 78 operations that the published client declares, the health checks, and the download of bulk files", () => {
    const declared = declaredPaths(UPSTREAM, ["get", "post"]).map((path) => {
      const [method = "", ...rest] = path.split(" ");
      return `${method.toUpperCase()} ${rest.join(" ")}`;
    });
    expect(rows.map(({ operation }) => operation).sort()).toEqual([...declared, DOWNLOAD].sort());
    expect(rows.length).toBe(83);
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(["served", NOT_OFFERED]));
  });

  test("names every mounted operation by its id, except those of our own", () => {
    const mounted = Object.values(endpoints).filter(({ path }) => !path.startsWith("/ext/"));
    const table = rows.map(({ id, operation }) => [id, operation]);
    expect(table.sort()).toEqual(mounted.map(({ id, method, path }) => [id, `${method} ${path}`]).sort());
  });

  const world = worldOfFile();

  test.each(rows)("$operation is $state", async ({ id, state }) => {
    const endpoint = endpoints[id] as Endpoint;
    const { request = {} } = scanExamples[id as keyof typeof scanExamples] as { request?: Asked };
    const path = formatPath(endpoint.path, request.params ?? {}) + formatQueryString(request.query ?? {});
    const init =
      endpoint.method === "GET"
        ? {}
        : {
            method: endpoint.method,
            body: JSON.stringify(request.body ?? {}),
            headers: { "content-type": "application/json" },
          };
    const { status, text } = await world().get(`/api/scan${path}`, init);
    expect([status, text]).not.toEqual([404, expect.stringContaining("requested resource")]);
    expect(status === 501).toBe(state === NOT_OFFERED);
    if (status === 501)
      expect(JSON.parse(text)).toEqual({
        error: expect.stringMatching(/^This scan does not offer .+: .+\. Instead, .+\.$/),
      });
    else expect(status).toBeLessThan(500);
  });
});

interface Asked {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, unknown>;
  readonly body?: unknown;
}
