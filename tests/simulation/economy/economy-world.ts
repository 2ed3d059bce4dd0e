/**
 * A simulated network with an economy: validators with licences and wallets of their own, apps that may be featured,
 * a manager of the development fund, and a scan that counts what is collected.
 */

import { ValidatorRight } from "../../../packages/ledger/src/contracts/splice-amulet/declarations/amulet.ts";
import { onAmuletRules } from "../../../packages/ledger/src/contracts/splice-dso-governance/confirmed-actions.ts";
import {
  type ActionRequiringConfirmation,
  AmuletRules,
  createCommand,
  DsoRules,
  exerciseCommand,
  type PartyId,
  WalletAppInstall,
} from "../../../packages/ledger/src/index.ts";
import { decimal } from "../../../packages/ledger/src/values/decimal.ts";
import { openDatabase } from "../../../packages/node/src/database/open-database.ts";
import { ScanIndex } from "../../../packages/scan/src/rows/scan-index.ts";
import { ReplicaConsumers } from "../../../packages/synchronizer/src/replica/consumers.ts";
import { SqliteState } from "../../../packages/synchronizer/src/replica/sqlite-state.ts";
import { foundWorld, type World } from "../world.ts";
import { Account } from "./account.ts";
import { agree } from "./quorum-actions.ts";

export interface EconomyWorld extends World {
  readonly scan: ScanIndex;
  /** Users and the operators of validators. */
  readonly accounts: readonly Account[];
  readonly operators: readonly Account[];
  /** The SVs, which hold coin only by their rewards. */
  readonly svAccounts: readonly Account[];
}

/** Nobody runs out of traffic by accident: what is bought here is bought for its price. */
const FREE_TRAFFIC = 10n ** 12n;

export function foundEconomy(seed: number): EconomyWorld {
  const scan = new ScanIndex(new SqliteState(openDatabase(":memory:")));
  const consumers = new ReplicaConsumers(scan.state, [scan]);
  const world = foundWorld(seed, {
    terms: { freeTrafficBytes: FREE_TRAFFIC },
    observe: (outcome) => {
      consumers.absorb(outcome);
      scan.save();
    },
  });
  const { network, validators, wallets } = world;
  const operators = validators.map((member) => new Account(network, member, member.party));
  const users = wallets.map(({ member, party }) => new Account(network, member, party));
  for (const operator of operators) equip(world, operator, users);
  const svAccounts = network.svs.map((member) => new Account(network, member, member.party));
  const economy = { ...world, scan, operators, accounts: [...users, ...operators], svAccounts };
  const manager = world.random.pick(economy.accounts).party;
  agree(economy, nameManager(economy, manager), 1);
  return economy;
}

/** A licence, a wallet, coin to start with, and the rights to its users' rewards and its own. */
function equip({ network, dso, random }: World, operator: Account, users: readonly Account[]): void {
  const { party } = operator;
  const rules = network.only(DsoRules).contractId;
  const sponsor = random.pick(dso.svs);
  const onboarding = {
    sponsor: sponsor.party,
    validator: party,
    version: "0.6",
    contactPoint: "a@b.example",
  };
  sponsor.submit([exerciseCommand(DsoRules, rules, "DsoRules_OnboardValidator", onboarding)]);
  const dsoParty = network.dso;
  const install = { dsoParty, validatorParty: party, endUserName: "operator", endUserParty: party };
  operator.submit([createCommand(WalletAppInstall, install)]);
  const own = users.filter(({ member }) => member === operator.member).map((user) => user.party);
  for (const user of [party, ...own]) {
    const right = { dso: dsoParty, user, validator: party };
    operator.submitAs([party, user], [createCommand(ValidatorRight, right)]);
  }
  operator.batch([{ tag: "CO_Tap", value: { tapAmount: decimal("100000.0") } }]);
}

function nameManager({ network }: World, manager: PartyId): ActionRequiringConfirmation {
  const { initialValue: baseConfig } = network.only(AmuletRules).payload.configSchedule;
  const newConfig = { ...baseConfig, optDevelopmentFundManager: manager };
  return onAmuletRules({ tag: "CRARC_SetConfig", value: { newConfig, baseConfig } });
}
