/**
 * The activation of a protocol version on a network that runs: SVs sign a draft, and one of them appends it. An SV's process
 * appends only what its own replica accepts and its own program can follow.
 */
import {
  type ActivateVersion,
  type Envelope,
  formatTime,
  type LedgerView,
  type Network,
  readContent,
  requiredConfirmations,
  type Signature,
  SUPPORTED_VERSIONS,
  signedMessage,
  type Time,
} from "@callsign/ledger";
import { CannotStart } from "@callsign/node";
import type { Replica } from "@callsign/synchronizer";
import type { SvSubmitter } from "./submission/sv-submitter.ts";
import type { SvNodeConfig } from "./sv-node-config.ts";

/** The network as an SV has it now. */
export interface NetworkStanding {
  readonly network: string;
  readonly protocolVersion: bigint;
  /** The versions that the SV's program applies. */
  readonly programVersions: readonly bigint[];
  /** The record time of an entry that would be appended now. */
  readonly now: Time;
}

export interface AppendedActivation {
  readonly version: bigint;
  /** Null if the network had the version before. */
  readonly entry: { readonly before: bigint; readonly sequence: number } | null;
  /** The ids of the SVs that have signed, and of the others. */
  readonly signedBy: readonly string[];
  readonly without: readonly string[];
}

/** Both throw `CannotStart` with the reason why there can be no activation. */
export interface NetworkActivation {
  readonly show: () => Promise<NetworkStanding>;
  /** Resolves once a quorum of the SVs has applied the entry. */
  readonly activate: (envelope: Envelope) => Promise<AppendedActivation>;
}

type ActivationConfig = Pick<SvNodeConfig, "checks" | "supportedVersions">;

interface ActivationParts {
  readonly replica: Replica;
  readonly submitter: SvSubmitter;
  /** Resolves once the replica has applied the log as it is now. */
  readonly catchUp: () => Promise<void>;
  readonly now: () => Time;
  readonly ended: AbortSignal;
}

export function openActivation(
  { checks, supportedVersions = SUPPORTED_VERSIONS }: ActivationConfig,
  { replica, submitter, catchUp, now, ended }: ActivationParts,
): NetworkActivation {
  const standing = async (): Promise<Network> => {
    await catchUp();
    if (replica.state.network === null) throw new CannotStart("the network is not founded yet");
    return replica.state.network;
  };
  return {
    show: async () => {
      const { id, protocolVersion } = await standing();
      return { network: id, protocolVersion, programVersions: supportedVersions, now: now() };
    },
    activate: async (envelope) => {
      const network = await standing();
      const activation = readActivation(envelope, network);
      const { version } = activation;
      const signers = listSigners(envelope, { checks, view: replica.state, network });
      if (network.protocolVersion >= version) return { version, entry: null, ...signers };
      checkActivation(activation, { network, signers, now: now(), supportedVersions });
      const { sequence, verdict } = await submitter.submitSigned(envelope, ended);
      if (verdict.kind === "rejected") throw new CannotStart(`the ledger refuses it: ${verdict.error.cause}`);
      if (verdict.kind === "ignored") throw new CannotStart(`the ledger ignores it: ${verdict.reason}`);
      return { version, entry: { before: network.protocolVersion, sequence }, ...signers };
    },
  };
}

function readActivation(envelope: Envelope, { id }: Network): ActivateVersion {
  const content = readContent(envelope, Buffer.byteLength(envelope.content));
  if (!("tag" in content) || content.tag !== "ActivateVersion")
    throw new CannotStart("the entry does not activate a protocol version: give a file of network draft");
  const { network } = content.value;
  if (network === id) return content.value;
  throw new CannotStart(`the draft is for network ${network}, and this one is ${id}: draft again here`);
}

type Signers = Pick<AppendedActivation, "signedBy" | "without">;

function listSigners(
  { content, signatures }: Envelope,
  { view, network, checks }: Pick<ActivationConfig, "checks"> & { view: LedgerView; network: Network },
): Signers {
  const message = signedMessage(content);
  const holds = ({ publicKey, signature }: Signature) => checks.verify(publicKey, message, signature);
  const keys = signatures.filter(holds).map(({ publicKey }) => publicKey);
  const hasSigned = (id: string) => view.findMember(id)?.signingKeys.some((key) => keys.includes(key));
  const { true: signedBy = [], false: without = [] } = Object.groupBy(network.svs, (id) =>
    hasSigned(id) === true ? "true" : "false",
  );
  return { signedBy, without };
}

interface ActivationFacts {
  readonly supportedVersions: readonly bigint[];
  readonly network: Network;
  readonly signers: Signers;
  readonly now: Time;
}

function checkActivation(
  { version, member, maxRecordTime }: ActivateVersion,
  { network, signers, now, supportedVersions }: ActivationFacts,
): void {
  const { signedBy, without } = signers;
  if (!supportedVersions.includes(version))
    throw new CannotStart(
      `this SV's program applies protocol versions ${supportedVersions.join(", ")}, and not ${version}: start a newer one`,
    );
  if (maxRecordTime < now)
    throw new CannotStart(
      `the draft could be appended until ${formatTime(maxRecordTime)}: draft again, and sign again`,
    );
  const required = requiredConfirmations(network.svs.length);
  if (signedBy.length < required)
    throw new CannotStart(
      `${required} of ${network.svs.length} SVs must sign, and ${signedBy.length} have: run network sign at ${without.join(", ")}`,
    );
  if (!signedBy.includes(member))
    throw new CannotStart(`${member} made the draft and has not signed it: run network sign there`);
}
