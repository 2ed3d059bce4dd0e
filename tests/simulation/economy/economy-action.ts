/** One step of the economy, and how its contracts are picked. */
import type { AnyTemplateDeclaration, PartyId } from "../../../packages/ledger/src/index.ts";
import type { Outcome } from "../../../packages/ledger/src/transition/outcome.ts";
import { partyHint } from "../../../packages/ledger/src/values/party-id.ts";
import type { ActiveContract } from "../../../packages/ledger/testing/simulated-network.ts";
import { type Action, NOTHING, verdictOf } from "../actions/action.ts";
import type { Account } from "./account.ts";
import type { EconomyWorld } from "./economy-world.ts";

export type EconomyAction = Action<EconomyWorld>;

/** Somebody does something with a contract of a template that concerns them. */
export function withContract<T extends AnyTemplateDeclaration>(
  template: T,
  whose: (payload: ActiveContract<T>["payload"]) => PartyId,
  act: (account: Account, contract: ActiveContract<T>, world: EconomyWorld) => Outcome | null,
): EconomyAction["run"] {
  return (world) => {
    const contract = world.random.find(world.network.active(template));
    const account = world.accounts.find(
      ({ party }) => contract !== undefined && party === whose(contract.payload),
    );
    if (contract === undefined || account === undefined) return NOTHING;
    const outcome = act(account, contract, world);
    return outcome === null
      ? NOTHING
      : `${partyHint(account.party)} ${template.entity}: ${verdictOf(outcome)}`;
  };
}

/** One account does something. */
export function withAccount(
  act: (account: Account, world: EconomyWorld) => Outcome | null,
  accounts: (world: EconomyWorld) => readonly Account[] = (world) => world.accounts,
): EconomyAction["run"] {
  return (world) => {
    const account = world.random.find(accounts(world));
    const outcome = account === undefined ? null : act(account, world);
    return account === undefined || outcome === null
      ? NOTHING
      : `${partyHint(account.party)}: ${verdictOf(outcome)}`;
  };
}

/** The accounts on the same member as an account, itself included. */
export function neighbours({ accounts }: EconomyWorld, { member }: Account): readonly Account[] {
  return accounts.filter((other) => other.member === member);
}
