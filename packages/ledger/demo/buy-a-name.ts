/** The shortest way to a name, for the README: a network, a wallet, one registration, and what the ledger keeps. */
import { AnsEntry } from "../src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { SubscriptionRequest } from "../src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import { ledgerJson } from "../src/daml/json-dialect.ts";
import { decimal } from "../src/values/decimal.ts";
import { DsoActor } from "../testing/dso-actor.ts";
import { SimulatedNetwork } from "../testing/simulated-network.ts";
import { WalletActor } from "../testing/wallet-actor.ts";
import { print } from "./narrator.ts";

const network = new SimulatedNetwork(); // four SVs, a DSO, rounds, a price of 0.005 USD
const alice = new WalletActor(network, network.registerMember("validator"), "alice");
alice.tap(decimal("250.0"));
alice.requestEntry({ name: "alice.unverified.cns" });
alice.accept(network.only(SubscriptionRequest).contractId); // 200 coins are locked
new DsoActor(network).settle(); // the SVs decide, confirm, collect

const entry = network.only(AnsEntry);
print(JSON.stringify(AnsEntry.record.toJson(entry.payload, ledgerJson), null, 2));

const again = alice.requestEntry({ name: "alice.unverified.cns" });
print(again.verdict.kind);
const tooPoor = alice.accept(network.only(SubscriptionRequest).contractId); // 50 coins are not enough
if (tooPoor.verdict.kind === "rejected") print(JSON.stringify(tooPoor.verdict.error, null, 2));
