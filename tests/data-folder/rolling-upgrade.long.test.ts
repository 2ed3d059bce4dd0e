// A network of 0.1.0 is upgraded process by process, SVs first, while it works. Each process is killed, and its successor
// at points of its first start; a name is bought after each step, and in the end every coin is there.

import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { ownAddress, readOperatingPage, writeValuesFiles } from "../documents/operating-page.ts";
import { Child } from "../support/child-process.ts";
import { signToken } from "../support/sign-token.ts";
import { checkOut } from "./release-checkout.ts";

const MINUTE = 60_000;
const PRESENT = join(import.meta.dirname, "../../packages/cli/src/main.ts");
const KILLED_START = join(import.meta.dirname, "killed-start.ts");
/** File operations before which a start is killed, by their number. */
const POINTS = [1, 2, 3, 4, 5, 6, 8, 11, 15, 20];
const address = ownAddress(2);
const VALIDATOR = `http://${address}:5003/api/validator/v0`;
const token = signToken({ sub: "alice", aud: "https://validator.example.com" }, { secret: "unsafe" });
const authorization = `Bearer ${token}`;

type Role = "sv" | "participant" | "validator";
const PROBES: Readonly<Record<Role, number>> = { sv: 5000, participant: 7500, validator: 5003 };

function send(path: string, body: object): Promise<Response> {
  const headers = { authorization, "content-type": "application/json" };
  return fetch(VALIDATOR + path, { method: "POST", headers, body: JSON.stringify(body) });
}

async function call(path: string, body: object): Promise<Record<string, string>> {
  const answer = await send(path, body);
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

/** Taps one dollar after the other until it is stopped; each is asked for until it is acknowledged. */
function tapSteadily(): { readonly stop: () => Promise<number> } {
  let isStopped = false;
  const tapOnce = async (command_id: string) => {
    const answer = await send("/wallet/tap", { amount: "1.0", command_id }).catch(() => null);
    // 409: it was done, and the answer was lost.
    return answer?.status === 200 || answer?.status === 409;
  };
  const working = (async () => {
    let done = 0;
    for (; !isStopped; done++) await until(() => tapOnce(`load-${done}`), `tap ${done} is done`, 5 * MINUTE);
    return done;
  })();
  return {
    stop: () => {
      isStopped = true;
      return working;
    },
  };
}

/** Alice's coin, with the fees for holding it, in units of the last digit. */
async function coin(): Promise<bigint> {
  const answer = await fetch(`${VALIDATOR}/wallet/balance`, { headers: { authorization } });
  const { effective_unlocked_qty, total_holding_fees } = (await answer.json()) as Record<string, string>;
  return [effective_unlocked_qty, total_holding_fees]
    .map((text = "") => BigInt(text.replace(".", "")))
    .reduce((sum, each) => sum + each);
}

test("a network of 0.1.0 that works goes on while it is killed and upgraded, process by process", {
  timeout: 15 * MINUTE,
}, async (context) => {
  const earlier = checkOut("b8c3436", temporaryFolder());
  if (earlier === null) return context.skip("the history of this clone lacks 0.1.0, commit b8c3436");
  const folder = temporaryFolder();
  writeValuesFiles(readOperatingPage(folder, address), folder);
  const running = new Map<Role, Child>();
  const start = (role: Role, program: string, ...first: readonly string[]) => {
    const child = new Child(program, ...first, role, "-f", join(folder, `${role}.yaml`));
    onTestFinished(() => child.kill());
    running.set(role, child);
    return child;
  };
  const allAreReady = async () => {
    for (const each of running.keys()) await until(() => isReady(each), `the ${each} is ready`, 2 * MINUTE);
  };
  const killed: string[] = [];
  /** The earlier one is killed, and so is the present one before several of its first file operations. */
  const upgrade = async (role: Role) => {
    await running.get(role)?.kill();
    for (const point of POINTS) {
      const child = start(role, KILLED_START, String(point));
      const end = await Promise.race([child.ended, until(() => isReady(role), "ready", MINUTE)]);
      if (end === undefined) break;
      expect([end.signal, end.errors]).toEqual(["SIGKILL", expect.not.stringContaining("    at ")]);
      killed.push(`${role}: ${end.lines.at(-1)}`);
    }
    await running.get(role)?.kill();
    start(role, PRESENT);
    await allAreReady();
  };

  for (const role of ["sv", "participant", "validator"] as const) start(role, earlier);
  await allAreReady();
  const load = tapSteadily();
  await buy("first");
  await upgrade("sv");
  await buy("second");
  await upgrade("validator");
  await buy("third");
  await upgrade("participant");
  await buy("fourth");
  const taps = await load.stop();
  for (const name of ["first", "second", "third", "fourth"]) expect(await findName(name)).toBe(true);
  expect(killed.filter((each) => each.includes("openDatabase")).length).toBeGreaterThanOrEqual(3);
  // A dollar is 200 coin. Each name was bought with ten dollars, and costs one.
  expect(await coin()).toBe(BigInt(taps + 4 * 9) * 200n * 10n ** 10n);
});
