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
  const [dso, ...statuses] = await Promise.all([
    clients[0]?.scanProxyGetDsoPartyId(),
    ...clients.map((client) => client.userStatus()),
  ]);
  const users = network.nodes.map(({ user }, i) => [user, statuses[i]?.party_id ?? ""]);
  return { ...Object.fromEntries(users), dso: dso?.dso_party_id ?? "" };
}
