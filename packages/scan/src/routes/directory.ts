/** The network's directory: its scans, its sequencers, and the names by which it is shown to people. */
import { unexpectedError } from "@callsign/api";
import { formatInstant } from "@callsign/ledger";
import { Refusal } from "@callsign/node";
import { listScans, listSequencers } from "../contracts/sv-directory.ts";
import type { ScanIndex } from "../rows/scan-index.ts";
import type { ScanHandlers } from "./scan-handlers.ts";

/** The names that applications show in place of those of Splice. */
export interface SpliceInstanceNames {
  readonly networkName: string;
  readonly networkFaviconUrl: string;
  readonly amuletName: string;
  readonly amuletNameAcronym: string;
  readonly nameServiceName: string;
  /** The spelling of the ledger's acronym, such as `CNS`; another acronym than the ledger's is ignored. */
  readonly nameServiceNameAcronym?: string;
}

export const DEFAULT_INSTANCE_NAMES: SpliceInstanceNames = {
  networkName: "Splice",
  networkFaviconUrl: "https://www.hyperledger.org/hubfs/hyperledgerfavicon.png",
  amuletName: "Amulet",
  amuletNameAcronym: "AMT",
  nameServiceName: "Amulet Name Service",
};

export function directoryRoutes(index: () => ScanIndex, names: SpliceInstanceNames) {
  return {
    listDsoScans: () => ({
      scans: [...listScans(index().contracts)].map(([domainId, scans]) => ({
        domainId,
        scans: scans.map(({ url, svName }) => ({ publicUrl: url, svName })),
      })),
    }),
    listDsoSequencers: () => ({
      domainSequencers: [...listSequencers(index().contracts)].map(([domainId, sequencers]) => ({
        domainId,
        sequencers: sequencers.map(({ migrationId, synchronizerSerial, availableAfter, ...rest }) => ({
          ...rest,
          migrationId: Number(migrationId),
          synchronizerSerial: synchronizerSerial === null ? null : Number(synchronizerSerial),
          availableAfter: formatInstant(availableAfter),
        })),
      })),
    }),
    getSpliceInstanceNames: () => {
      const { network } = index();
      if (network === null) throw new Refusal(unexpectedError());
      return {
        network_name: names.networkName,
        network_favicon_url: names.networkFaviconUrl,
        amulet_name: names.amuletName,
        amulet_name_acronym: names.amuletNameAcronym,
        name_service_name: names.nameServiceName,
        name_service_name_acronym: spell(network.acronym, names.nameServiceNameAcronym),
      };
    },
  } satisfies ScanHandlers;
}

/** The ledger decides how names end: a configured text only decides about capital letters. */
function spell(acronym: string, configured: string | undefined): string {
  return configured?.toLowerCase() === acronym ? configured : acronym.toUpperCase();
}
