/** The network of a process that runs on the configuration's data folder, and the SVs' identities in that folder. */
import { join } from "node:path";
import type { NetworkOfProcess } from "@callsign/api";
import { CannotStart, callProcess, findMemberIdentity, type Host, type MemberIdentity } from "@callsign/node";
import type { ActivationDraft } from "@callsign/sv";
import type { SvSetup } from "../settings/setups.ts";

const ANSWER_MILLISECONDS = 30_000;

export function askNetwork(
  { dataFolder }: Pick<SvSetup, "dataFolder">,
  host: Host,
): Promise<NetworkOfProcess> {
  const options = { timeoutMilliseconds: ANSWER_MILLISECONDS };
  return callProcess(dataFolder, (client) => client.getNetwork({}, options), host);
}

/** Throws `CannotStart` if the SV has none. */
export function getIdentity(
  name: string,
  { dataFolder }: Pick<SvSetup, "dataFolder">,
  host: Host,
): MemberIdentity {
  const folder = join(dataFolder, name);
  const identity = findMemberIdentity(folder, host);
  if (identity !== null) return identity;
  throw new CannotStart(`${folder} has no identity: set callsign.dataFolder to that of the SV`);
}

/**
 * An SV signs for the program that it runs: the network needs a quorum of SVs that can follow. Throws `CannotStart` for a
 * version that this program does not apply.
 */
export function checkActivation(
  { activation: { network, version } }: ActivationDraft,
  running: NetworkOfProcess,
): void {
  const { protocolVersion, programVersions } = running;
  if (network !== running.network)
    throw new CannotStart(`the draft is for network ${network}, and this SV's is ${running.network}`);
  if (version <= protocolVersion)
    throw new CannotStart(`the network has protocol version ${protocolVersion} already`);
  if (!programVersions.includes(Number(version)))
    throw new CannotStart(
      `the draft activates protocol version ${version}, and the program that runs applies ${programVersions.join(", ")}: ` +
        "start a release that knows it first",
    );
}
