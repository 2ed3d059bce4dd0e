import { expect, test } from "vitest";
import { unknownLedgerPath, wrongLedgerMethod } from "./rejections.ts";
import { findWebsocketToken, formatWebsocketProtocols } from "./websocket.ts";

test("a token travels among the subprotocols", () => {
  expect(formatWebsocketProtocols("a.b.c")).toEqual(["jwt.token.a.b.c", "daml.ws.auth"]);
  expect(formatWebsocketProtocols(undefined)).toEqual(["daml.ws.auth"]);
  expect(findWebsocketToken("jwt.token.a.b.c, daml.ws.auth")).toBe("a.b.c");
  expect(findWebsocketToken("daml.ws.auth,jwt.token.a.b.c")).toBe("a.b.c");
  expect(findWebsocketToken("daml.ws.auth")).toBeUndefined();
  expect(findWebsocketToken(undefined)).toBeUndefined();
});

test("a path or method that no operation has gets Canton's answer", () => {
  expect(unknownLedgerPath("GET", "http://localhost/v2/x")).toEqual({
    status: 404,
    headers: { "content-type": "application/json" },
    body: '{"errors":["HttpMethod(GET), uri: http://localhost/v2/x"],"status":404,"ledgerApiError":null}',
  });
  expect(wrongLedgerMethod(["GET", "PATCH"])).toMatchObject({
    status: 405,
    headers: { allow: "GET, PATCH" },
    body: "Method Not Allowed",
  });
});
