/** The names that applications show for the network, its coin and its name service. */
import { z } from "zod";

export const SpliceInstanceNames = z.object({
  network_name: z.string(),
  network_favicon_url: z.string(),
  amulet_name: z.string(),
  amulet_name_acronym: z.string(),
  name_service_name: z.string(),
  /** Names of the network end in it, in small letters. */
  name_service_name_acronym: z.string(),
});
export type SpliceInstanceNames = z.output<typeof SpliceInstanceNames>;

/** The names as an operator configures them. */
export interface InstanceNames {
  readonly networkName: string;
  readonly networkFaviconUrl: string;
  readonly amuletName: string;
  readonly amuletNameAcronym: string;
  readonly nameServiceName: string;
  /** The spelling of the ledger's acronym, such as `CNS`; another acronym than the ledger's is ignored. */
  readonly nameServiceNameAcronym?: string;
}

/** The ledger decides how names end: the configured acronym only decides about capital letters. */
export function formatInstanceNames(names: InstanceNames, acronym: string): SpliceInstanceNames {
  const { nameServiceNameAcronym: spelling } = names;
  return {
    network_name: names.networkName,
    network_favicon_url: names.networkFaviconUrl,
    amulet_name: names.amuletName,
    amulet_name_acronym: names.amuletNameAcronym,
    name_service_name: names.nameServiceName,
    name_service_name_acronym:
      spelling?.toLowerCase() === acronym.toLowerCase() ? spelling : acronym.toUpperCase(),
  };
}
