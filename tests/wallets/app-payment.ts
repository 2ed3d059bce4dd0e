/** A payment that an application asks a wallet for: accepted, then collected or given back by its receiver. */
import {
  AcceptedAppPayment,
  AppPaymentRequest,
  type ContractId,
  type PartyId,
  type Time,
} from "@callsign/ledger";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { HOUR } from "../../packages/ledger/src/values/duration.ts";
import { SERVICE_USER } from "../../packages/localnet/src/tokens.ts";
import { create, exercise } from "../../packages/validator/src/ledger/commands.ts";
import type { Action } from "./action.ts";

/** A person pays another one of the same node, whose administrator acts for both. */
export const payAnApp: Action["act"] = async ({ people, network }, sender) => {
  const { node, wallet } = sender;
  const app = people.other(
    sender,
    people.people.filter((each) => each.node === node),
  );
  if (app === undefined) return false;
  const amount = 1n + people.random.bigBelow(decimal("5"));
  const rules = await node.insist(
    () => wallet.scanProxyGetAmuletRules(),
    () => false,
  );
  const rounds = await node.insist(
    () => wallet.scanProxyGetOpenAndIssuingMiningRounds(),
    () => false,
  );
  if (rules === "done" || rounds === "done") return false;
  const description = people.id("payment");
  const [from, provider] = [sender.party as PartyId, app.party as PartyId];
  const request = {
    ...{ sender: from, provider, dso: String(rules.amulet_rules.contract.payload["dso"]) as PartyId },
    receiverAmounts: [{ receiver: provider, amount: { amount, unit: "AmuletUnit" } }],
    ...{ expiresAt: (network.net.now() + 24n * HOUR) as Time, description },
  };
  const submit = (
    commandId: string,
    command: ReturnType<typeof create>,
    disclosed: readonly (typeof rules.amulet_rules)[],
  ) =>
    node.insist(
      () =>
        node.ledger.submitAndWait({
          body: {
            ...{ commandId, userId: SERVICE_USER, actAs: [from, provider], readAs: [], commands: [command] },
            disclosedContracts: disclosed.map(({ contract, domain_id }) => ({
              templateId: contract.template_id,
              contractId: contract.contract_id,
              createdEventBlob: contract.created_event_blob,
              synchronizerId: domain_id ?? "",
            })),
          },
        }),
      ({ status }) => status === 409 || status === 404,
    );
  await submit(description, create(AppPaymentRequest, request as never), []);
  const listed = async () => {
    const { payment_requests } = await wallet.listAppPaymentRequests();
    return payment_requests.find(({ contract }) => contract.payload["description"] === description);
  };
  let asked: Awaited<ReturnType<typeof listed>>;
  while (asked === undefined) asked = await listed().catch(() => undefined);
  const { contract_id } = asked.contract;
  const accepted = await node.insist(
    () => wallet.acceptAppPaymentRequest({ params: { contract_id } }),
    () => false,
  );
  if (accepted === "done") return false;
  const { accepted_payment_contract_id: cid } = accepted;
  const payments = await node.insist(
    () => wallet.listAcceptedAppPayments(),
    () => false,
  );
  const made = payments === "done" ? [] : payments.accepted_app_payments;
  const payment = made.find(({ contract }) => contract.contract_id === cid)?.contract.payload;
  // A payment is collected with the round that it was made in.
  const round = rounds.open_mining_rounds.find(
    ({ contract }) => JSON.stringify(contract.payload["round"]) === JSON.stringify(payment?.["round"]),
  );
  if (round === undefined) throw new Error(`${description} was made in no open round`);
  const context = {
    amuletRules: rules.amulet_rules.contract.contract_id as ContractId,
    openMiningRound: round.contract.contract_id as ContractId,
    featuredAppRight: null,
  };
  const isCollected = people.random.chance(0.7);
  const choice = isCollected ? "AcceptedAppPayment_Collect" : "AcceptedAppPayment_Reject";
  await submit(`${description}-end`, exercise(AcceptedAppPayment, cid as ContractId, choice, { context }), [
    rules.amulet_rules,
    round,
  ]);
  if (isCollected) people.move(sender, app, amount);
  return true;
};
