/** SVs of protocol version 4 over HTTP: a node whose clock is wrong is not ready, and is ready again by itself. */
import { join } from "node:path";
import { systemHost } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../packages/api/src/client.ts";
import { sequencerApi } from "../../packages/api/src/sequencer/api.ts";
import { DAY } from "../../packages/ledger/src/values/duration.ts";
import { addDuration } from "../../packages/ledger/src/values/time.ts";
import { signEntry } from "../../packages/node/src/identity/member-identity.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { signFounding } from "../../packages/sv/src/founding/sign-founding.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { ProcessPeers } from "../../packages/synchronizer/src/peers/process-peers.ts";
import { identityNamed, machineTime, openSvNode } from "../support/sv-nodes.ts";

/** The first SV's clock is ahead by `skew`. */
async function startSvs(skew: { micros: bigint }): Promise<readonly SvNode[]> {
  const folder = temporaryFolder();
  const orderedLog = new SqliteLog(join(folder, "log.sqlite"), systemHost);
  onTestFinished(() => orderedLog.close());
  const peers = new ProcessPeers();
  const svs: SvNode[] = [];
  for (let rank = 0; rank < 4; rank++) {
    const name = `sv-${rank + 1}`;
    const clock = () => addDuration(machineTime(), rank === 0 ? skew.micros : 0n);
    const node = await openSvNode({ dataFolder: join(folder, name), orderedLog, name, peers, clock });
    onTestFinished(() => node.close());
    svs.push(node);
  }
  const founders = svs.map(({ identity }) => ({ identity }));
  const founding = { svs: founders, movableClock: true, isDevNet: true, protocolVersion: 4n };
  const sequence = await svs[1]?.submit(signFounding(founding));
  for (const { replica } of svs) await replica.reach(sequence ?? 0, AbortSignal.timeout(60_000));
  return svs;
}

/** Registers a member through the SV's sequencer; the answer. */
async function register(sv: SvNode, name: string): Promise<{ status: number; body: string }> {
  const member = identityNamed(name);
  const client = createClient(sequencerApi, { fetch, baseUrl: sv.sequencerUrl });
  const { network } = await client.getNetwork();
  const value = {
    ...{
      network,
      member: member.id,
      submissionId: name,
      maxRecordTime: addDuration(machineTime(), 60_000_000n),
    },
    nodeIdentifier: member.nodeIdentifier,
    namespaceKey: member.namespaceKey.publicKey,
    signingKeys: [member.signingKey.publicKey],
  };
  const envelope = signEntry({ tag: "RegisterMember", value }, [member.namespaceKey, member.signingKey]);
  const response = await fetch(`${sv.sequencerUrl}/v1/submissions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(envelope),
  });
  return { status: response.status, body: await response.text() };
}

test("an SV whose clock is a year ahead answers 503, is not ready, says why, and is ready again by itself", async () => {
  const skew = { micros: 365n * DAY };
  const [wrong, right] = (await startSvs(skew)) as readonly [SvNode, SvNode];
  const refused = await register(wrong, "alice");
  expect(refused.status).toBe(503);
  expect(refused.body).toContain("31536000 seconds ahead of the time that the network's SVs back");
  const probe = await fetch(`${wrong.sequencerUrl}/readyz`);
  expect(probe.status).toBe(503);
  expect(probe.headers.get("x-callsign-missing")).toContain("31536000 seconds ahead of");
  expect(wrong.missing()).toContain("31536000 seconds ahead of");
  // Other SVs take entries, at the right time.
  expect((await register(right, "bob")).status).toBe(200);
  expect(right.replica.state.head.recordTime).toBeLessThan(addDuration(machineTime(), DAY));
  skew.micros = 0n;
  expect((await register(wrong, "carol")).status).toBe(200);
  expect((await fetch(`${wrong.sequencerUrl}/readyz`)).status).toBe(200);
  expect(wrong.missing()).toBeNull();
});
