import type { enWallet } from "../en/wallet.ts";

export const deWallet: typeof enWallet = {
  title: "Wallet",
  lead: "Diesen Bereich gibt es noch nicht.",
};
