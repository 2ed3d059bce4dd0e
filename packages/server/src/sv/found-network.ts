/**
 * The founding of a network: one entry that makes its members, the DSO and the first contracts, signed by every key
 * of every founding SV. What a founder leaves unsaid is the ledger's default.
 */
import {
  type AmuletConfig,
  DEFAULT_AMULET_PRICE,
  type Decimal,
  defaultAmuletConfig,
  defaultAnsConfig,
  defaultDsoConfig,
  dsoNamespaceOf,
  type Envelope,
  type FoundNetwork,
  type PartyId,
  parsePartyId,
  relTime,
} from "@callsign/ledger";
import { sha256 } from "../identity/keys.ts";
import { type MemberIdentity, signEntry } from "../identity/member-identity.ts";

export interface FoundingMember {
  readonly identity: MemberIdentity;
  /** What the network calls the SV, such as in `<name>.sv.cns`; `sv-1`, `sv-2`, … unless given. */
  readonly name?: string;
  /** What its party's id begins with; the node's identifier unless given. */
  readonly partyHint?: string;
  readonly rewardWeight?: bigint;
}

export interface NetworkFounding {
  readonly svs: readonly FoundingMember[];
  /** Whether the network's clock may be moved forward. */
  readonly movableClock: boolean;
  /** Whether everybody may tap coin. */
  readonly isDevNet: boolean;
  readonly acronym?: string;
  readonly synchronizerName?: string;
  readonly dsoHint?: string;
  readonly migrationId?: bigint;
  readonly amuletPrice?: Decimal;
  /** Half the life of a round. */
  readonly tickMicroseconds?: bigint;
  readonly initialRound?: bigint;
  /** In dollars. */
  readonly entryFee?: Decimal;
  readonly entryLifetimeMicroseconds?: bigint;
  /** How long before the end an entry can be renewed. */
  readonly renewalMicroseconds?: bigint;
  readonly voteCooldownMicroseconds?: bigint;
  /** How many bytes a member may send for free in a burst window. */
  readonly freeTrafficBytes?: bigint;
}

const PROTOCOL_VERSION = 1n;
const REWARD_WEIGHT = 10_000n;

/** What the first submission to an empty log must be. */
export function foundNetwork(founding: NetworkFounding): Envelope {
  const keys = founding.svs.flatMap(({ identity }) => [identity.namespaceKey, identity.signingKey]);
  return signEntry({ tag: "FoundNetwork", value: foundingContent(founding) }, keys);
}

/** The party that an SV acts as. */
export function svPartyOf({ identity, partyHint = identity.nodeIdentifier }: FoundingMember): PartyId {
  const party = parsePartyId(`${partyHint}::${identity.namespace}`);
  if (party.ok) return party.value;
  throw new Error(`the party of SV ${identity.nodeIdentifier} cannot be named: ${party.error}`);
}

function foundingContent(founding: NetworkFounding): FoundNetwork {
  const { svs, synchronizerName = "global-domain", initialRound = null } = founding;
  const namespaceKeys = svs.map(({ identity }) => identity.namespaceKey.publicKey);
  const synchronizerId = `${synchronizerName}::${dsoNamespaceOf(sha256, namespaceKeys)}`;
  const amulet = defaultAmuletConfig(synchronizerId);
  const tickDuration = durationOr(founding.tickMicroseconds, amulet.tickDuration);
  const dso = defaultDsoConfig(synchronizerId);
  return {
    protocolVersion: PROTOCOL_VERSION,
    synchronizerName,
    dsoHint: founding.dsoHint ?? "DSO",
    acronym: founding.acronym ?? "cns",
    migrationId: founding.migrationId ?? 0n,
    movableClock: founding.movableClock,
    isDevNet: founding.isDevNet,
    amuletPrice: founding.amuletPrice ?? DEFAULT_AMULET_PRICE,
    round0Duration: tickDuration,
    initialRound,
    amuletConfig: withFreeTraffic({ ...amulet, tickDuration }, founding.freeTrafficBytes),
    ansRulesConfig: {
      ...defaultAnsConfig,
      entryFee: founding.entryFee ?? defaultAnsConfig.entryFee,
      entryLifetime: durationOr(founding.entryLifetimeMicroseconds, defaultAnsConfig.entryLifetime),
      renewalDuration: durationOr(founding.renewalMicroseconds, defaultAnsConfig.renewalDuration),
    },
    dsoRulesConfig: {
      ...dso,
      voteCooldownTime: durationOr(founding.voteCooldownMicroseconds, dso.voteCooldownTime),
    },
    svs: svs.map((sv, i) => ({
      name: sv.name ?? `sv-${i + 1}`,
      partyHint: sv.partyHint ?? sv.identity.nodeIdentifier,
      nodeIdentifier: sv.identity.nodeIdentifier,
      namespaceKey: sv.identity.namespaceKey.publicKey,
      signingKeys: [sv.identity.signingKey.publicKey],
      rewardWeight: sv.rewardWeight ?? REWARD_WEIGHT,
    })),
  };
}

function withFreeTraffic(config: AmuletConfig, burstAmount: bigint | undefined): AmuletConfig {
  if (burstAmount === undefined) return config;
  const { decentralizedSynchronizer } = config;
  const { fees } = decentralizedSynchronizer;
  const baseRateTrafficLimits = { ...fees.baseRateTrafficLimits, burstAmount };
  return {
    ...config,
    decentralizedSynchronizer: { ...decentralizedSynchronizer, fees: { ...fees, baseRateTrafficLimits } },
  };
}

type Duration = { readonly microseconds: bigint };

function durationOr<T extends Duration | null>(microseconds: bigint | undefined, otherwise: T): T | Duration {
  return microseconds === undefined ? otherwise : relTime(microseconds);
}
