// A network of 0.1.0 is upgraded process by process, SVs first and the participant before its validator, while it works. Each process
// is killed, and its successor at points of its first start; a name is bought after each step, and in the end every coin is there.

import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createClient, scanApi } from "../../packages/api/src/index.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { ownAddress, readOperatingPage, writeValuesFiles } from "../documents/operating-page.ts";
import { Child } from "../support/child-process.ts";
import { validatorClient } from "../support/network-clients.ts";
import { signToken } from "../support/sign-token.ts";
import { tapSteadily } from "../support/steady-taps.ts";
import { totalCoin } from "../support/total-coin.ts";
import { checkOut } from "./release-checkout.ts";

const MINUTE = 60_000;
const PRESENT = join(import.meta.dirname, "../../packages/cli/src/main.ts");
const KILLED_START = join(import.meta.dirname, "killed-start.ts");
/** File operations before which a start is killed, by their number. */
const POINTS = [1, 2, 3, 4, 5, 6, 8, 11, 15, 20];
const address = ownAddress(2);
const token = signToken({ sub: "alice", aud: "https://validator.example.com" }, { secret: "unsafe" });
const wallet = validatorClient(`http://${address}:5003`, token);
const scan = createClient(scanApi, { fetch, baseUrl: `http://${address}:5012/api/scan` });

type Role = "sv" | "participant" | "validator";
const PROBES: Readonly<Record<Role, number>> = { sv: 5000, participant: 7500, validator: 5003 };

function isLive(name: string): Promise<boolean> {
  return scan.lookupAnsEntryByName({ params: { name: `${name}.unverified.cns` } }).then(
    () => true,
    () => false,
  );
}

async function buy(name: string): Promise<void> {
  await wallet.tap({ body: { amount: "10.0" } });
  const { subscriptionRequestCid } = await wallet.createAnsEntry({
    body: { name, url: "", description: "" },
  });
  await wallet.acceptSubscriptionRequest({ params: { contract_id: subscriptionRequestCid } });
  await until(() => isLive(name), `${name} is live`);
}

async function isReady(role: Role): Promise<boolean> {
  const answer = await fetch(`http://${address}:${PROBES[role]}/readyz`).catch(() => null);
  return answer?.status === 200;
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
  const load = tapSteadily(wallet);
  await buy("first");
  await upgrade("sv");
  await buy("second");
  await upgrade("participant");
  await buy("third");
  await upgrade("validator");
  await buy("fourth");
  const taps = await load.stop();
  for (const name of ["first", "second", "third", "fourth"]) expect(await isLive(name)).toBe(true);
  expect(killed.filter((each) => each.includes("openDatabase")).length).toBeGreaterThanOrEqual(3);
  // A dollar is 200 coin. Each name was bought with ten dollars, and costs one.
  expect(await totalCoin(wallet)).toBe(BigInt(taps + 4 * 9) * 200n * 10n ** 10n);
});
