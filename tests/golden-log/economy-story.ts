/** The second part of the golden log's story, which began when the coin's economy was whole. */
import type { DsoActor } from "../../packages/ledger/testing/dso-actor.ts";
import type { WalletActor } from "../../packages/ledger/testing/wallet-actor.ts";
import { EconomyStage } from "./economy-stage.ts";
import { tellRewards } from "./reward-story.ts";
import { tellTokens } from "./token-story.ts";
import { tellVotes } from "./vote-story.ts";
import { tellWallets } from "./wallet-story.ts";

export function tellEconomy(dso: DsoActor, wallets: readonly WalletActor[]): void {
  const stage = new EconomyStage(dso, wallets);
  tellRewards(stage);
  tellWallets(stage);
  tellVotes(stage);
  tellTokens(stage);
}
