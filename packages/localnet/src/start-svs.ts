/** The SVs of the local network on one ordered log; the first of them founds the network. */
import { join } from "node:path";
import { type Closing, loadMemberIdentity, SignatureChecks } from "@callsign/node";
import { type SvNode, signFounding, startSvNode, svPartyOf } from "@callsign/sv";
import type { SqliteLog } from "@callsign/synchronizer";

import { SV_NAMES } from "./data-folder.ts";
import type { NetworkParts } from "./localnet-options.ts";
import { Misbehaviour } from "./misbehaviour.ts";
import { splitAutomations } from "./paused-automations.ts";
import { ADDRESS, NODE_NAMES } from "./ports.ts";
import { AUTH, NODE_SETTINGS, SERVICE_USER } from "./tokens.ts";

/** Enough to try things out without buying traffic. */
const FREE_TRAFFIC_BYTES = 4_000_000_000n;

export interface StartedSvs {
  readonly svs: readonly SvNode[];
  /** One for each SV's scan. */
  readonly misbehaviours: readonly Misbehaviour[];
}

export async function startSvs(
  parts: NetworkParts,
  orderedLog: SqliteLog,
  closing: Closing,
): Promise<StartedSvs> {
  const { dataFolder, host, clock, log, tickMicroseconds, pausedAutomations = [] } = parts;
  // The SVs share the cache: one process checks each signature once.
  const checks = new SignatureChecks();
  const misbehaviours: Misbehaviour[] = [];
  const members = SV_NAMES.map((name) => ({
    name,
    identity: loadMemberIdentity(join(dataFolder, name), name, host),
  }));
  const svs: SvNode[] = [];
  for (const [rank, member] of members.entries()) {
    const node = await startSvNode({
      ...member,
      user: NODE_SETTINGS.sv.walletUser,
      dataFolder: join(dataFolder, member.name),
      party: svPartyOf(member),
      ...{ orderedLog, clock, checks, rank },
      host: ADDRESS,
      system: host,
      ports: parts.ports.svs[rank] ?? { scan: 0, sequencer: 0, app: 0 },
      log: log.child({ node: member.name }),
      metrics: parts.metrics,
      interceptScan: (index) => {
        const misbehaviour = new Misbehaviour(index, host.timers);
        misbehaviours.push(misbehaviour);
        return misbehaviour;
      },
      pausedAutomations: splitAutomations(pausedAutomations).svs,
      app: {
        auth: AUTH,
        operators: [NODE_SETTINGS.sv.walletUser, SERVICE_USER],
        // The first SV sponsors the network's validators.
        expectedSecrets: rank === 0 ? NODE_NAMES.map((name) => NODE_SETTINGS[name].onboardingSecret) : [],
      },
    });
    svs.push(closing.add(node));
  }
  if ((await orderedLog.head()).sequence === 0) {
    const { freeTrafficBytes = FREE_TRAFFIC_BYTES, acronym } = parts;
    const founding = { svs: members, movableClock: true, isDevNet: true, freeTrafficBytes };
    const chosen = {
      ...(tickMicroseconds === undefined ? {} : { tickMicroseconds }),
      ...(acronym === undefined ? {} : { acronym }),
    };
    await svs[0]?.submit(signFounding({ ...founding, ...chosen }));
  }
  return { svs, misbehaviours };
}
