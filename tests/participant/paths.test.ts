/** Path prefixes for proxies, and content negotiation. */
import { expect, test } from "vitest";
import { newParticipant, readyParticipant } from "../support/participants.ts";
import { call, errorOf } from "./call.ts";

test.each(["/any/company/", "any/company"])(
  "paths work with the prefix %s and without it",
  async (pathPrefix) => {
    const participant = await readyParticipant({ pathPrefix });
    for (const base of [`${participant.url}/any/company`, participant.url]) {
      const version = await call(`${base}/v2/version`, { method: "GET" });
      expect([version.status, version.json]).toMatchObject([
        200,
        { version: expect.stringMatching(/^3\.5\./) },
      ]);
      expect(await call(`${base}/livez`, { method: "GET" })).toMatchObject({ status: 200, text: "" });
      const health = await call(`${base}/readyz`, { method: "GET" });
      expect(health.text).toBe("[+] ledger ok (SERVING)\nreadyz check passed\n");
    }
    expect((await call(`${participant.url}/any/v2/version`, { method: "GET" })).status).toBe(404);
  },
);

test("a prefix that no path can begin with is refused at the start", async () => {
  await expect(newParticipant(["http://127.0.0.1:9"], { pathPrefix: "a b" })).rejects.toThrow(/path prefix/);
});

test("a client that accepts no content type of the answer is refused", async () => {
  const { url } = await newParticipant(["http://127.0.0.1:9"]);
  const ask = (path: string, accept: string) => fetch(url + path, { headers: { accept } });
  for (const accept of ["application/json", "*/*", "text/html, application/*;q=0.5", "text/html,*/*;q=0.8"]) {
    expect((await ask("/v2/version", accept)).status).toBe(200);
  }
  for (const accept of ["text/html", "application/json;q=0", "image/*"]) {
    const answer = await ask("/v2/version", accept);
    const refused = errorOf({ status: answer.status, text: "", json: await answer.json() });
    expect([refused.status, refused.cause]).toEqual([406, expect.stringContaining(accept)]);
  }
  expect((await ask("/readyz", "text/plain")).status).toBe(503);
  expect((await ask("/readyz", "application/json")).status).toBe(406);
  expect((await ask("/livez", "image/png")).status).toBe(200);
});
