import { openLocalValidator } from "../networks/connection.ts";
import type { RunningNetwork } from "../networks/find-local-network.ts";
import type { CommandCall } from "../networks/network-command.ts";

/** The parties of the local network's users by their names, and that of the SVs together as `dso`. */
export async function listParties(
  network: RunningNetwork,
  call: CommandCall,
): Promise<Readonly<Record<string, string>>> {
  const clients = await Promise.all(
    network.nodes.map(({ user }) => openLocalValidator(network, { ...call, own: { as: user } })),
  );
  const users = network.nodes.map(async ({ user }, i) => [
    user,
    (await clients[i]?.userStatus())?.party_id ?? "",
  ]);
  const dso = clients[0]?.scanProxyGetDsoPartyId();
  return { ...Object.fromEntries(await Promise.all(users)), dso: (await dso)?.dso_party_id ?? "" };
}
