// A network of 0.1.0 is upgraded process by process, SVs first; a name is bought after each step.

import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { ownAddress, readOperatingPage, writeValuesFiles } from "../documents/operating-page.ts";
import { Child } from "../support/child-process.ts";
import { signToken } from "../support/sign-token.ts";
import { checkOut } from "./release-checkout.ts";

const PRESENT = join(import.meta.dirname, "../../packages/cli/src/main.ts");
const address = ownAddress(2);
const token = signToken({ sub: "alice", aud: "https://validator.example.com" }, { secret: "unsafe" });

type Role = "sv" | "participant" | "validator";
const PROBES: Readonly<Record<Role, number>> = { sv: 5000, participant: 7500, validator: 5003 };

async function call(path: string, body: object): Promise<Record<string, string>> {
  const answer = await fetch(`http://${address}:5003/api/validator/v0${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(answer.status, `${path}: ${await answer.clone().text()}`).toBe(200);
  return (await answer.json()) as Record<string, string>;
}

async function findName(name: string): Promise<boolean> {
  const url = `http://${address}:5012/api/scan/v0/ans-entries/by-name/${name}.unverified.cns`;
  const answer = await fetch(url).catch(() => null);
  return answer?.status === 200;
}

async function buy(name: string): Promise<void> {
  await call("/wallet/tap", { amount: "10.0" });
  const { subscriptionRequestCid } = await call("/entry/create", { name, url: "", description: "" });
  await call(`/wallet/subscription-requests/${subscriptionRequestCid}/accept`, {});
  await until(() => findName(name), `${name} is live`);
}

async function isReady(role: Role): Promise<boolean> {
  const answer = await fetch(`http://${address}:${PROBES[role]}/readyz`).catch(() => null);
  return answer?.status === 200;
}

test("a network of 0.1.0 goes on while SVs, validator and participant are upgraded one by one", async (context) => {
  const earlier = checkOut("b8c3436", temporaryFolder());
  if (earlier === null) return context.skip("the history of this clone lacks 0.1.0, commit b8c3436");
  const folder = temporaryFolder();
  writeValuesFiles(readOperatingPage(folder, address), folder);
  const running = new Map<Role, Child>();
  const start = (role: Role, program: string) => {
    const child = new Child(program, role, "-f", join(folder, `${role}.yaml`));
    onTestFinished(() => child.kill());
    running.set(role, child);
  };
  const upgrade = async (role: Role) => {
    const end = await running.get(role)?.stop("SIGTERM");
    expect(end?.code, end?.errors).toBe(0);
    start(role, PRESENT);
    for (const each of running.keys()) await until(() => isReady(each), `the ${each} is ready`);
  };

  for (const role of ["sv", "participant", "validator"] as const) start(role, earlier);
  await until(() => isReady("validator"), "the validator is ready");
  await buy("first");
  await upgrade("sv");
  await buy("second");
  await upgrade("validator");
  await buy("third");
  await upgrade("participant");
  await buy("fourth");
  for (const name of ["first", "second", "third", "fourth"]) expect(await findName(name)).toBe(true);
});
