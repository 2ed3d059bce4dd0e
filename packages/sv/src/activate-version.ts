/**
 * The activation of this program's protocol version on a network whose SVs are stopped: a quorum of them signs an entry, which
 * is appended to the log. It is done when the replicas have applied it. A run that was killed is repeated: a version that is
 * active is not activated twice.
 */
import { addDuration, type Network, PROTOCOL_VERSION, requiredConfirmations } from "@callsign/ledger";
import { CannotStart, Closing, type Host, sha256 } from "@callsign/node";
import { catchUp, networkTime, Sequencer } from "@callsign/synchronizer";
import { signActivation } from "./founding/sign-activation.ts";
import { ENTRY_LIFETIME } from "./limits/limits.ts";
import { openCopies, openStoppedLog, type StoppedNetwork } from "./stopped-network.ts";

export interface ActivatedVersion {
  readonly version: bigint;
  /** Null if the network had the version before. */
  readonly activated: {
    readonly before: bigint;
    /** The number of the entry in the log. */
    readonly sequence: number;
    /** The SVs that have signed. */
    readonly signedBy: readonly string[];
    /** SVs that have not, and why. */
    readonly left: ReadonlyMap<string, string>;
  } | null;
}

export async function activateVersion(config: StoppedNetwork, host: Host): Promise<ActivatedVersion> {
  const version = PROTOCOL_VERSION;
  const closing = new Closing();
  try {
    const log = await openStoppedLog(config, { host, closing });
    const { copies, left } = await openCopies(config, log, { host, closing });
    const [source] = copies;
    const before = source?.index.state.network ?? null;
    if (source === undefined || before === null) throw new CannotStart(`no SV can sign (${describe(left)})`);
    if (before.protocolVersion >= version) return { version: before.protocolVersion, activated: null };
    checkQuorum(before, copies.length, left);
    const { replica } = source.core;
    const sequencer = closing.add(new Sequencer({ log, hash: sha256, clock: config.clock }));
    const maxRecordTime = addDuration(networkTime({ replica, clock: config.clock }), ENTRY_LIFETIME);
    const signers = copies.map(({ identity }) => identity);
    const sequence = await sequencer.submit(
      signActivation(signers, { network: before, version, maxRecordTime }, host),
    );
    await catchUp(replica, log);
    if (replica.state.network?.protocolVersion !== version)
      throw new Error(`entry ${sequence} of the log did not activate protocol version ${version}`);
    const signedBy = copies.map(({ name }) => name);
    return { version, activated: { before: before.protocolVersion, sequence, signedBy, left } };
  } finally {
    await closing.close();
  }
}

function checkQuorum({ svs }: Network, signers: number, left: ReadonlyMap<string, string>): void {
  const required = requiredConfirmations(svs.length);
  if (signers < required)
    throw new CannotStart(
      `${required} of ${svs.length} SVs must sign, and ${signers} can (${describe(left)})`,
    );
}

function describe(left: ReadonlyMap<string, string>): string {
  return [...left].map(([name, reason]) => `${name}: ${reason}`).join("; ");
}
