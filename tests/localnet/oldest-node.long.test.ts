// The oldest Node that the program accepts runs all of it: whoever has that one is promised that it works.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { OLDEST_NODE } from "../../packages/cli/src/node-version.js";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { askForService } from "../support/ask-for-service.ts";
import { Child } from "../support/child-process.ts";
import { LocalNetworkProcess, MAIN, startQuietly } from "../support/local-network-process.ts";

const NAME = "alice.unverified.cns";

test("a name is bought on the oldest Node, and is there after a kill, on it and on the Node of the tests", {
  timeout: 180_000,
}, async (context) => {
  const node = await askForService<string>("oldest-node", context);
  const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  expect(stdout).toMatch(new RegExp(`^v${RegExp.escape(OLDEST_NODE)}\\.`));

  const folder = join(temporaryFolder(), "data");
  const start = async (): Promise<LocalNetworkProcess> => {
    const child = new Child({ node, script: MAIN }, "--any-ports", "--json", "--data", folder);
    onTestFinished(() => child.kill());
    return await LocalNetworkProcess.of(child);
  };
  const first = await start();
  await first.validator().tap({ body: { amount: "5" } });
  const asked = await first.validator().createAnsEntry({ body: { name: NAME, url: "", description: "" } });
  await first
    .validator()
    .acceptSubscriptionRequest({ params: { contract_id: asked.subscriptionRequestCid } });
  await first.settle();
  const owner = await first.owner(NAME);
  expect(owner).toMatch(/^app_user/);
  await first.kill();

  const second = await start();
  expect(await second.owner(NAME, 2)).toBe(owner);
  expect(await second.owner("nobody.unverified.cns")).toBe(null);
  expect((await second.stop()).code).toBe(0);

  const third = await LocalNetworkProcess.of(startQuietly(folder));
  expect(await third.owner(NAME, 3)).toBe(owner);
});
