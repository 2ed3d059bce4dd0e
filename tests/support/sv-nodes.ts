/** SV nodes in this process: real logs, replicas, sequencers and scans over HTTP, on free ports. */

import { join } from "node:path";
import { sha256, systemHost } from "@callsign/node";
import { onTestFinished } from "vitest";
import {
  type AnyTemplateDeclaration,
  type Contract,
  type Time,
  timeFromMicros,
} from "../../packages/ledger/src/index.ts";
import { loadMemberIdentity } from "../../packages/node/src/identity/kept-identity.ts";
import { identityOf, type MemberIdentity } from "../../packages/node/src/identity/member-identity.ts";
import { SignatureChecks } from "../../packages/node/src/identity/signature-checks.ts";
import { createLog, type Log } from "../../packages/node/src/observability/log.ts";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import {
  type NetworkFounding,
  signFounding,
  svPartyOf,
} from "../../packages/sv/src/founding/sign-founding.ts";
import { type SvNode, startSvNode } from "../../packages/sv/src/sv-node.ts";
import type { SvNodeConfig } from "../../packages/sv/src/sv-node-config.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { ProcessPeers } from "../../packages/synchronizer/src/peers/process-peers.ts";

export function testLog(): Log {
  return createLog({ level: process.env["CALLSIGN_LOG"] === "1" ? "debug" : "silent" });
}

export function machineTime(): Time {
  return timeFromMicros(BigInt(Date.now()) * 1000n);
}

/** The keys of a member, the same at every call. */
export function identityNamed(name: string): MemberIdentity {
  return identityOf({
    nodeIdentifier: name,
    namespaceKey: sha256(`${name} namespace`),
    signingKey: sha256(`${name} signing`),
  });
}

/** One SV, named `sv-1` unless told otherwise, with the identity that its folder holds. The caller closes it. */
export function openSvNode(
  config: Pick<SvNodeConfig, "dataFolder" | "orderedLog"> & Partial<SvNodeConfig>,
): Promise<SvNode> {
  const { name = "sv-1", identity = loadMemberIdentity(config.dataFolder, name, systemHost) } = config;
  return startSvNode({
    ...{ name, identity, user: "sv", party: svPartyOf({ identity }) },
    ...{ host: "127.0.0.1", ports: { scan: 0, sequencer: 0, app: 0 } },
    ...{ clock: machineTime, checks: new SignatureChecks(), log: testLog() },
    ...config,
  });
}

export interface SvNodes {
  readonly svs: readonly SvNode[];
  readonly sequencers: readonly string[];
  /** Opens an SV that was closed again, or another one, on another port. */
  readonly reopen: (rank: number, more?: Partial<SvNodeConfig>) => Promise<SvNode>;
  /** The active contracts of a template, whoever signed them, as the first SV has them. */
  readonly list: (template: AnyTemplateDeclaration) => readonly Contract[];
}

/** A network of so many SVs, founded. */
export async function startSvNodes(
  count = 1,
  atEnd: AtEnd = onTestFinished,
  terms: Partial<NetworkFounding> = {},
  config: Partial<SvNodeConfig> = {},
): Promise<SvNodes> {
  const folder = temporaryFolder(atEnd);
  const orderedLog = new SqliteLog(join(folder, "log.sqlite"), systemHost);
  atEnd(() => orderedLog.close());
  const peers = new ProcessPeers();
  const svs: SvNode[] = [];
  const open = async (rank: number, more: Partial<SvNodeConfig> = {}) => {
    const name = `sv-${rank + 1}`;
    const place = { dataFolder: join(folder, name), orderedLog, name, peers };
    const node = await openSvNode({ ...config, ...place, ...more });
    atEnd(() => node.close());
    return node;
  };
  for (let rank = 0; rank < count; rank++) svs.push(await open(rank));
  const [first] = svs as [SvNode];
  const contracts = watchContracts(first);
  const founders = svs.map(({ identity }) => ({ identity }));
  const founding = { svs: founders, movableClock: true, isDevNet: true, ...terms };
  const sequence = await first.submit(signFounding(founding));
  for (const { replica } of svs) await replica.reach(sequence, AbortSignal.timeout(60_000));
  const list = ({ id }: AnyTemplateDeclaration) =>
    [...contracts.values()].filter(({ templateId }) => templateId === id);
  return { svs, sequencers: svs.map(({ sequencerUrl }) => sequencerUrl), reopen: open, list };
}

/** Every contract that there is from now on, until it is archived. */
function watchContracts({ replica }: SvNode): ReadonlyMap<string, Contract> {
  const active = new Map<string, Contract>();
  replica.onApplied((outcomes) => {
    for (const { created, archived } of outcomes) {
      for (const { contract } of created) active.set(contract.contractId, contract);
      for (const { contractId } of archived) active.delete(contractId);
    }
  });
  return active;
}
