import { AmuletRules } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet-rules.ts";
import { exerciseCommand } from "../../../packages/ledger/src/engine/command.ts";
import { decimal } from "../../../packages/ledger/src/values/decimal.ts";
import type { PartyId } from "../../../packages/ledger/src/values/party-id.ts";
import { usableRound } from "../../../packages/ledger/testing/open-rounds.ts";
import type { Submission } from "../../../packages/ledger/testing/simulated-network.ts";
import type { World } from "../world.ts";

/** A tap, which succeeds for any receiver that acts itself: used to try false authority. */
export function tapFor(world: World, receiver: PartyId): Pick<Submission, "commands" | "disclose"> {
  const { network } = world;
  const rules = network.only(AmuletRules).contractId;
  const openRound = usableRound(network);
  const argument = { receiver, amount: decimal("1.0"), openRound };
  return {
    commands: [exerciseCommand(AmuletRules, rules, "AmuletRules_DevNet_Tap", argument)],
    disclose: [rules, openRound],
  };
}
