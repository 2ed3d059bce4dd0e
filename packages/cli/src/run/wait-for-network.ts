import type { BegunNetwork } from "@callsign/ledger";
import { CannotStart } from "@callsign/node";
import { findBegunNetwork } from "@callsign/sv";
import type { OrderedLog } from "@callsign/synchronizer";
import type { RoleParts } from "./role.ts";

/** Resolves with the network that the log begins, once it is founded. */
export async function waitForNetwork(
  log: OrderedLog,
  place: string,
  { waitFor, stopping }: Pick<RoleParts, "waitFor" | "stopping">,
): Promise<BegunNetwork> {
  if ((await log.head()).sequence === 0)
    waitFor(`the log is empty: ${place}. It waits for callsign network found`);
  const network = await findBegunNetwork(log, stopping);
  waitFor(null);
  if (network === null) throw new CannotStart(`the log does not begin with a network: ${place}`);
  return network;
}
