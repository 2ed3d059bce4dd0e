// An SV's signing key is rotated while it works, and a rotation that was cut short ends after the next start.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type PrivateIdentity, signEntry, systemHost } from "@callsign/node";
import { expect, onTestFinished, test } from "vitest";
import { addDuration } from "../../packages/ledger/src/index.ts";
import { signingKeyOf } from "../../packages/node/src/identity/keys.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { signFounding } from "../../packages/sv/src/founding/sign-founding.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { openSvNode, startSvNodes } from "../support/sv-nodes.ts";

const ROTATE = { replaceUnknown: false };
const SECOND = 1_000_000n;

test("the other SVs have the new key alone, and the SV's entries count", async () => {
  const { svs } = await startSvNodes(4);
  const [first, ...others] = svs as [SvNode, ...SvNode[]];
  const old = first.identity.signingKey.publicKey;
  let [moves, isOver] = [0, false];
  const working = (async () => {
    while (!isOver) {
      await first.moveClock(SECOND);
      moves++;
    }
  })();
  await until(() => moves > 2, "it works");
  await first.keys?.rotate(ROTATE);
  const done = moves;
  await until(() => moves > done + 2, "it goes on");
  isOver = true;
  await working;
  const key = first.identity.signingKey.publicKey;
  expect(key).not.toBe(old);
  const { sequence } = first.replica.state.head;
  for (const { replica } of others) {
    await replica.reach(sequence, AbortSignal.timeout(60_000));
    const { signingKeys, keySerial } = replica.state.findMember(first.identity.id) ?? {};
    expect([signingKeys, keySerial]).toEqual([[key], 3n]);
  }
});

test("a rotation that was cut short at any step ends after the start", async () => {
  const folder = temporaryFolder();
  const orderedLog = new SqliteLog(join(folder, "log.sqlite"), systemHost);
  onTestFinished(() => orderedLog.close());
  const file = join(folder, "sv-1", "identity.json");
  const read = () => JSON.parse(readFileSync(file, "utf8")) as PrivateIdentity;
  const open = () => openSvNode({ dataFolder: join(folder, "sv-1"), orderedLog });
  let node = await open();
  onTestFinished(() => node.close());
  await node.submit(signFounding({ svs: [{ identity: node.identity }], movableClock: true, isDevNet: true }));
  let serial = 1n;
  const delegate = async (signingKeys: readonly string[]) => {
    const { id: member, namespaceKey } = node.identity;
    const { network } = node.replica.state;
    const header = { network: network?.id ?? "", member, submissionId: systemHost.randomness.uuid() };
    const maxRecordTime = addDuration(node.now(), 60n * SECOND);
    const keys = signingKeys.map(signingKeyOf);
    const value = {
      ...header,
      maxRecordTime,
      serial: ++serial,
      signingKeys: keys.map((key) => key.publicKey),
    };
    await node.submit(signEntry({ tag: "DelegateKeys", value }, [namespaceKey, ...keys]));
  };
  const steps: readonly (readonly [string, (old: string, next: string) => Promise<void>, bigint])[] = [
    ["the next key is kept", async () => undefined, 2n],
    ["the network has both", (old, next) => delegate([old, next]), 1n],
    ["the network has the next alone", (_, next) => delegate([next]), 0n],
  ];
  for (const [name, before, delegations] of steps) {
    const { signingKey, ...rest } = read();
    const nextSigningKey = signingKeyOf(signingKey).publicKey;
    await before(signingKey, nextSigningKey);
    await node.close();
    writeFileSync(file, JSON.stringify({ ...rest, signingKey, nextSigningKey }));
    node = await open();
    await until(() => read().nextSigningKey === undefined, `the rotation ends after: ${name}`);
    expect(read()).toEqual({ ...rest, signingKey: nextSigningKey });
    serial += delegations;
    expect(node.replica.state.findMember(node.identity.id)).toMatchObject({
      signingKeys: [signingKeyOf(nextSigningKey).publicKey],
      keySerial: serial,
    });
    await node.moveClock(SECOND);
  }
});
