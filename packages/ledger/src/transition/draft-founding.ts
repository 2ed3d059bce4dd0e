/** The entry that founds a network, drafted: what its founders leave unsaid is the ledger's default. */
import { relTime } from "../contracts/rel-time.ts";
import {
  DEFAULT_AMULET_PRICE,
  defaultAmuletConfig,
  withFreeTraffic,
} from "../contracts/splice-amulet/rules/default-amulet-config.ts";
import { defaultAnsConfig } from "../contracts/splice-amulet-name-service/default-ans-config.ts";
import { defaultDsoConfig } from "../contracts/splice-dso-governance/default-dso-config.ts";
import { DEFAULT_ACRONYM } from "../names/entry-name.ts";
import type { Decimal } from "../values/decimal.ts";
import type { Hash } from "../values/hash.ts";
import type { FoundingSv, FoundNetwork } from "./entry-content.ts";
import { dsoNamespaceOf } from "./key.ts";
import { PROTOCOL_VERSION } from "./limits.ts";

/** The SV's name on the network is `sv-1`, `sv-2`, … and its party's hint the node's identifier, unless given. */
export type FoundingSvTerms = Pick<FoundingSv, "nodeIdentifier" | "namespaceKey" | "signingKeys"> &
  Partial<Pick<FoundingSv, "name" | "partyHint" | "rewardWeight">>;

export interface FoundingTerms {
  readonly svs: readonly FoundingSvTerms[];
  /** True if the network's clock may be moved forward. */
  readonly movableClock: boolean;
  /** True if every party may tap coin. */
  readonly isDevNet: boolean;
  /** The version of new networks if omitted. */
  readonly protocolVersion?: bigint;
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
  /** The time before its end from which an entry can be renewed. */
  readonly renewalMicroseconds?: bigint;
  readonly voteCooldownMicroseconds?: bigint;
  /** The bytes a member may send for free in a burst window. */
  readonly freeTrafficBytes?: bigint;
  /** The time by which a stamp may lead the other SVs' stamps; from protocol version 4 on. */
  readonly clockToleranceMicroseconds?: bigint;
}

const REWARD_WEIGHT = 10_000n;

export function draftFounding(hash: Hash, terms: FoundingTerms): FoundNetwork {
  const { svs, synchronizerName = "global-domain", initialRound = null } = terms;
  const namespaceKeys = svs.map(({ namespaceKey }) => namespaceKey);
  const synchronizerId = `${synchronizerName}::${dsoNamespaceOf(hash, namespaceKeys)}`;
  const amulet = defaultAmuletConfig(synchronizerId);
  const tickDuration = durationOr(terms.tickMicroseconds, amulet.tickDuration);
  const { burstAmount } = amulet.decentralizedSynchronizer.fees.baseRateTrafficLimits;
  const freeTraffic = { burstAmount: terms.freeTrafficBytes ?? burstAmount };
  const dso = defaultDsoConfig(synchronizerId);
  return {
    protocolVersion: terms.protocolVersion ?? PROTOCOL_VERSION,
    synchronizerName,
    dsoHint: terms.dsoHint ?? "DSO",
    acronym: terms.acronym ?? DEFAULT_ACRONYM,
    migrationId: terms.migrationId ?? 0n,
    movableClock: terms.movableClock,
    isDevNet: terms.isDevNet,
    amuletPrice: terms.amuletPrice ?? DEFAULT_AMULET_PRICE,
    round0Duration: tickDuration,
    initialRound,
    amuletConfig: withFreeTraffic({ ...amulet, tickDuration }, freeTraffic),
    ansRulesConfig: {
      ...defaultAnsConfig,
      entryFee: terms.entryFee ?? defaultAnsConfig.entryFee,
      entryLifetime: durationOr(terms.entryLifetimeMicroseconds, defaultAnsConfig.entryLifetime),
      renewalDuration: durationOr(terms.renewalMicroseconds, defaultAnsConfig.renewalDuration),
    },
    dsoRulesConfig: {
      ...dso,
      voteCooldownTime: durationOr(terms.voteCooldownMicroseconds, dso.voteCooldownTime),
    },
    svs: svs.map((sv, i) => ({
      ...sv,
      name: sv.name ?? `sv-${i + 1}`,
      partyHint: sv.partyHint ?? sv.nodeIdentifier,
      rewardWeight: sv.rewardWeight ?? REWARD_WEIGHT,
    })),
    clockTolerance: durationOr(terms.clockToleranceMicroseconds, null),
  };
}

type Duration = { readonly microseconds: bigint };

function durationOr<T extends Duration | null>(microseconds: bigint | undefined, otherwise: T): T | Duration {
  return microseconds === undefined ? otherwise : relTime(microseconds);
}
