import type { enNetwork } from "../en/network.ts";

export const deNetwork: typeof enNetwork = {
  title: "Network",
  lead: "Diesen Bereich gibt es noch nicht.",
};
