// A network of three SVs on one PostgreSQL log is upgraded while it works: process by process, then to protocol version 5, which
// the earlier program does not know. The SV that is left behind stops and says so, and goes on with the present program.

import { expect, test } from "vitest";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { runHere } from "../cli/run-here.ts";
import { checkOut } from "../data-folder/release-checkout.ts";
import { tapSteadily } from "../support/steady-taps.ts";
import { totalCoin } from "../support/total-coin.ts";
import { PRESENT, type RoleProcess } from "./role-process.ts";
import { SharedLogNetwork } from "./shared-log-network.ts";

const MINUTE = 60_000;
/** The first commit whose SVs share a log. */
const EARLIER = "743867c6";

const atEnd = atEndOfFile();

test("a network of mixed programs works on while it is upgraded, and activates a version that some of them do not know", {
  timeout: 6 * MINUTE,
}, async (context) => {
  const earlier = checkOut(EARLIER, temporaryFolder());
  if (earlier === null) return context.skip(`the history of this clone lacks commit ${EARLIER}`);
  const network = await SharedLogNetwork.prepare(atEnd, context);
  const [first, second, third] = network.svs as [RoleProcess, RoleProcess, RoleProcess];
  const { lonelyScan, participant, validator } = network;
  for (const each of network.processes()) each.program = earlier;
  const founded = await first.run(...(await network.sign()), "-f", first.valuesFile);
  expect(founded, founded.output).toMatchObject({ code: 0 });
  for (const each of network.processes()) each.start();
  for (const each of network.processes()) await each.ready(fetch);
  expect(await network.protocolVersionAt(1)).toBe(3);
  const load = tapSteadily(network.wallet());
  await network.buy("first");

  const upgrade = async (process: RoleProcess) => {
    await process.stop("SIGKILL");
    process.program = PRESENT;
    process.start();
    await process.ready(fetch);
  };
  await upgrade(first);
  await upgrade(second);
  await network.buy("second");

  const activate = await network.signActivation([first, second]);
  const draft = activate[2] as string;
  const unknown = await runHere(["network", "sign", draft, "--to", `${draft}.3`, "-f", third.valuesFile]);
  expect(unknown.complained).toMatch(/is of an earlier release, which does not know this command/);
  const said = await network.succeed(first, ...activate);
  expect(said).toMatch(/^The network has protocol version 5 from entry \d+ on; it had 3\.\n {2}signed by: /);
  for (const behind of [third, lonelyScan]) {
    const isTold = async () => (await behind.missing(fetch))?.includes("use a newer program") === true;
    await until(isTold, "a process of the earlier program says that it cannot follow", MINUTE);
    expect(await behind.missing(fetch)).toMatch(
      /the network activated protocol version 5: use a newer program/,
    );
  }
  // The participant and the validator are still those of the earlier program.
  await network.buy("third");

  for (const each of [third, lonelyScan, participant, validator]) await upgrade(each);
  const owner = await network.buy("fourth");
  const taps = await load.stop();
  expect(taps).toBeGreaterThan(10);
  for (const number of [1, 2, 3]) expect(await network.protocolVersionAt(number)).toBe(5);
  for (const number of [1, 2, 3, SharedLogNetwork.LONELY])
    for (const name of ["first", "second", "third", "fourth"])
      expect(await network.ownerAt(number, `${name}.unverified.cns`)).toBe(owner);
  // A dollar is 200 coin. Each name was bought with ten dollars, and costs one.
  expect(await totalCoin(network.wallet())).toBe(BigInt(taps + 4 * 9) * 200n * 10n ** 10n);
});
