import { describe, expect, test } from "vitest";
import type { Endpoint } from "./endpoint.ts";
import { findEndpoint, methodsOf } from "./find-endpoint.ts";
import { ledgerApi } from "./ledger/api.ts";
import { formatPath, listPathParameters, matchSegments, parsePathTemplate } from "./path-template.ts";
import { scanApi } from "./scan/api.ts";

describe("an operation is found by method and path", () => {
  test.each([
    ["GET", "/v0/ans-entries/by-name/a%2Fb", "lookupAnsEntryByName", { name: "a%2Fb" }],
    ["GET", "/v0/ans-entries", "listAnsEntries", {}],
    ["HEAD", "/v0/dso", "getDsoInfo", {}],
  ])("%s %s is %s", (method, path, id, params) => {
    expect(findEndpoint(scanApi, method, path)).toMatchObject({ kind: "found", endpoint: { id }, params });
  });

  test.each([
    "/v0/ans-entries/by-name/",
    "/v0/ans-entries/by-name/a/b",
    "/v0/ans-entries/",
    "/v0/ANS-entries",
    "/",
    "",
    "v0/dso",
  ])("%j is no path of scan", (path) => {
    expect(findEndpoint(scanApi, "GET", path)).toEqual({ kind: "unknown-path" });
  });

  test("the fixed path is meant before a parameter, in whatever order they stand", () => {
    const endpoints = Object.fromEntries(Object.entries(ledgerApi.endpoints).reverse());
    for (const api of [ledgerApi, { ...ledgerApi, endpoints }]) {
      expect(findEndpoint(api, "GET", "/v2/parties/participant-id")).toMatchObject({
        endpoint: { id: "getParticipantId" },
      });
    }
    expect(findEndpoint(ledgerApi, "GET", "/v2/parties/alice%3A%3A1220")).toMatchObject({
      endpoint: { id: "getParties" },
      params: { party: "alice%3A%3A1220" },
    });
  });

  test("a fixed path with a method that only the parameter's path has is that of the parameter", () => {
    expect(findEndpoint(ledgerApi, "PATCH", "/v2/parties/participant-id")).toMatchObject({
      endpoint: { id: "updatePartyDetails" },
      params: { party: "participant-id" },
    });
  });

  test.each([ledgerApi, scanApi])("$name finds each of its operations", (api) => {
    for (const endpoint of Object.values<Endpoint>(api.endpoints)) {
      const path = endpoint.path.replaceAll(/\{[^}]*\}/g, "1");
      expect(findEndpoint(api, endpoint.method, path)).toMatchObject({ kind: "found", endpoint });
    }
  });

  test("another method is told which ones there are", () => {
    const { getParties, updatePartyDetails } = ledgerApi.endpoints;
    const endpoints = [getParties, updatePartyDetails];
    expect(findEndpoint(ledgerApi, "DELETE", "/v2/parties/alice")).toEqual({
      kind: "wrong-method",
      endpoints,
    });
    expect(methodsOf(endpoints)).toEqual(["GET", "PATCH"]);
  });

  test("the ledger API overlooks a slash at the end", () => {
    expect(findEndpoint(ledgerApi, "GET", "/v2/version/")).toMatchObject({ kind: "found" });
    expect(findEndpoint(ledgerApi, "GET", "/")).toEqual({ kind: "unknown-path" });
  });
});

describe("a path template", () => {
  const template = "/v2/users/{user-id}/rights";

  test("is fixed parts and parameters", () => {
    expect(parsePathTemplate(template)).toEqual([
      { literal: "v2" },
      { literal: "users" },
      { parameter: "user-id" },
      { literal: "rights" },
    ]);
    expect(listPathParameters(template)).toEqual(["user-id"]);
  });

  test("gives a path, and matches it", () => {
    const path = formatPath(template, { "user-id": "a/b c" });
    expect(path).toBe("/v2/users/a%2Fb%20c/rights");
    const match = (given: string) => matchSegments(parsePathTemplate(template), given.slice(1).split("/"));
    expect(match(path)).toEqual({ "user-id": "a%2Fb%20c" });
    expect(match("/v2/users//rights")).toBeUndefined();
  });
});
