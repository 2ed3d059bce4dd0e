/** The network's directory: its scans, its sequencers, and the names by which it is shown to people. */
import { formatInstanceNames, type InstanceNames, unexpectedError } from "@callsign/api";
import { formatInstant } from "@callsign/ledger";
import { Refusal } from "@callsign/node";
import { listScans, listSequencers } from "../contracts/sv-directory.ts";
import type { ScanIndex } from "../rows/scan-index.ts";
import type { ScanHandlers } from "./scan-handlers.ts";

export const DEFAULT_INSTANCE_NAMES: InstanceNames = {
  networkName: "Splice",
  networkFaviconUrl: "https://www.hyperledger.org/hubfs/hyperledgerfavicon.png",
  amuletName: "Amulet",
  amuletNameAcronym: "AMT",
  nameServiceName: "Amulet Name Service",
};

export function directoryRoutes(index: () => ScanIndex, names: InstanceNames) {
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
      return formatInstanceNames(names, network.acronym);
    },
  } satisfies ScanHandlers;
}
