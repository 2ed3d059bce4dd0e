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
