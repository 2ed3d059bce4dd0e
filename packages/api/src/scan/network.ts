/** The network: its DSO, its SVs, its scans and sequencers. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { ContractWithState } from "../splice/contract.ts";
import { SpliceInstanceNames } from "../splice/instance-names.ts";
import { int64 } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime } from "../wire/texts.ts";

export const DsoPartyId = z.object({ dso_party_id: z.string() });

export const DsoInfo = z
  .object({
    /** The user and the party of the SV that answers: they differ from scan to scan. */
    sv_user: z.string(),
    sv_party_id: z.string(),
    dso_party_id: z.string(),
    /** The number of confirmations that an action of the DSO needs. */
    voting_threshold: int64,
    latest_mining_round: ContractWithState,
    amulet_rules: ContractWithState,
    dso_rules: ContractWithState,
    sv_node_states: z.array(ContractWithState),
    initial_round: orNull(z.string()),
  })
  .meta({ id: "DsoInfo" });
export type DsoInfo = z.output<typeof DsoInfo>;

const ScanList = z.object({
  scans: z.array(
    z.object({
      domainId: z.string(),
      scans: z.array(z.object({ publicUrl: z.string(), svName: z.string() })),
    }),
  ),
});

const SequencerList = z.object({
  domainSequencers: z.array(
    z.object({
      domainId: z.string(),
      sequencers: z.array(
        z.object({
          /** −1 for a sequencer that has a serial. */
          migrationId: int64,
          synchronizerSerial: orNull(int64),
          id: z.string(),
          url: z.string(),
          svName: z.string(),
          /** Members connect to it from then on. */
          availableAfter: dateTime,
        }),
      ),
    }),
  ),
});

export const scanNetwork = defineEndpoints({ tags: ["external", "scan"], auth: "none" })({
  getDsoInfo: {
    method: "GET",
    path: "/v0/dso",
    summary: "The DSO: its rules, its SVs, its latest round",
    success: json(DsoInfo),
    errors: [429, 500, 503],
  },
  getDsoPartyId: {
    method: "GET",
    path: "/v0/dso-party-id",
    summary: "The party that operates the network",
    success: json(DsoPartyId),
    errors: [429, 503],
  },
  listDsoScans: {
    method: "GET",
    path: "/v0/scans",
    summary: "The scans of all SVs, by synchronizer",
    success: json(ScanList),
    errors: [429, 503],
  },
  listDsoSequencers: {
    method: "GET",
    path: "/v0/dso-sequencers",
    summary: "The sequencers of all SVs, by synchronizer",
    success: json(SequencerList),
    errors: [429, 503],
  },
  getSpliceInstanceNames: {
    method: "GET",
    path: "/v0/splice-instance-names",
    tags: ["internal", "scan"],
    summary: "The names that applications show for the network, its coin and its name service",
    success: json(SpliceInstanceNames),
    errors: [429, 500, 503],
  },
});
