/** The SVs of a network in one process, on one ordered log. The first start founds the network. */
import { join } from "node:path";
import { timeFromMicros } from "@callsign/ledger";
import { Closing, type Host, loadMemberIdentity, SignatureChecks } from "@callsign/node";
import { type SvNode, signFounding, startSvNode, svPartyOf } from "@callsign/sv";
import { SqliteLog } from "@callsign/synchronizer";
import type { SvSetup } from "../settings/setups.ts";
import type { Role, RoleParts, RunningRole } from "./run-role.ts";

export function svRole(setup: SvSetup): Role {
  return { name: "sv", setup, start: (parts) => startNetwork(setup, parts) };
}

async function startNetwork(setup: SvSetup, parts: RoleParts): Promise<RunningRole> {
  const closing = new Closing();
  try {
    const svs = await startSvs(setup, parts, closing);
    return {
      addresses: Object.fromEntries(
        svs.flatMap(({ name, node }) => [
          [`scan of ${name}`, `${node.scanUrl}/api/scan`],
          [`sequencer of ${name}`, node.sequencerUrl],
          [`SV app of ${name}`, `${node.appUrl}/api/sv`],
        ]),
      ),
      missing: () => firstReason(svs, ({ missing }) => missing()),
      unwritable: () => firstReason(svs, ({ unwritable }) => unwritable()),
      close: () => closing.close(),
    };
  } catch (error) {
    await closing.close();
    throw error;
  }
}

interface NamedSv {
  readonly name: string;
  readonly node: SvNode;
}

function firstReason(svs: readonly NamedSv[], ask: (node: SvNode) => string | null): string | null {
  for (const { name, node } of svs) {
    const reason = ask(node);
    if (reason !== null) return `${name}: ${reason}`;
  }
  return null;
}

async function startSvs(
  setup: SvSetup,
  { host, log, metrics }: RoleParts,
  closing: Closing,
): Promise<readonly NamedSv[]> {
  const { dataFolder, network, tls, callRates } = setup;
  const { acronym, spliceInstanceNames, ...terms } = network;
  host.files.makeFolder(dataFolder);
  const orderedLog = closing.add(new SqliteLog(join(dataFolder, "log.sqlite"), host));
  const checks = new SignatureChecks();
  const clock = machineTime(host);
  const members = setup.svs.map(({ name, rewardWeight }) => ({
    name,
    ...(rewardWeight === undefined ? {} : { rewardWeight }),
    identity: loadMemberIdentity(join(dataFolder, name), name, host),
  }));
  const svs: NamedSv[] = [];
  for (const [rank, sv] of setup.svs.entries()) {
    const member = members[rank];
    if (member === undefined) throw new Error("every SV has an identity");
    const { name, ports, publicUrls = {}, operators, expectedSecrets } = sv;
    const node = await startSvNode({
      ...{ name, identity: member.identity, party: svPartyOf(member), user: operators[0] ?? name },
      dataFolder: join(dataFolder, name),
      ...{ orderedLog, clock, checks, rank, ports, publicUrls },
      host: setup.host,
      ...(tls === undefined ? {} : { tls }),
      ...(callRates === undefined ? {} : { callRates }),
      ...(spliceInstanceNames === undefined ? {} : { spliceInstanceNames }),
      system: host,
      log: log.child({ node: name }),
      metrics: metrics.labelled({ sv: name }),
      app: { auth: setup.auth, operators, expectedSecrets },
    });
    svs.push({ name, node: closing.add(node) });
  }
  if ((await orderedLog.head()).sequence === 0) {
    const founding = { ...terms, svs: members, ...(acronym === undefined ? {} : { acronym }) };
    await svs[0]?.node.submit(signFounding(founding));
  }
  return svs;
}

function machineTime({ clock }: Host) {
  return () => timeFromMicros(BigInt(clock.wallMilliseconds()) * 1000n);
}
