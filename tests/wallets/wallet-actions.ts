/**
 * The actions of people on their wallets, by weight. An action adds the change that it must have made to the test's own sums,
 * or does nothing if it finds nothing to do. Calls are repeated until they are answered, and must take effect once.
 */
import { formatDecimal } from "@callsign/ledger";
import { type Decimal, decimal } from "../../packages/ledger/src/values/decimal.ts";
import { HOUR, MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { until } from "../../packages/node/testing/until.ts";
import type { Action, Stage } from "./action.ts";
import { payAnApp } from "./app-payment.ts";
import type { OpenOffer, Person, Units, WalletPeople } from "./wallet-people.ts";

/** A coin is worth half a cent. */
export const COINS_OF_DOLLAR = decimal("200");
export const NAME_PRICE = decimal("200");
/** 0.2 MB × 16.67 $ ÷ 0.005 $. */
const TRAFFIC_PRICE = decimal("666.8");
const TRAFFIC_BYTES = 200_000;

const isGone = ({ status }: { readonly status: number }) => status === 404;
const isThere = ({ status }: { readonly status: number }) => status === 409;
const never = () => false;

const textOf = (amount: Units) => formatDecimal(amount as Decimal);
/** Up to five coins, to the last digit. */
const someCoin = ({ random }: WalletPeople) => 1n + random.bigBelow(decimal("5"));
const byId = (contract_id: string) => ({ params: { contract_id } });

async function offer(
  { people, network }: Stage,
  from: Person,
  lifetime: bigint,
): Promise<OpenOffer | undefined> {
  const to = people.other(from);
  if (to === undefined) return undefined;
  const amount = someCoin(people);
  const body = {
    ...{
      receiver_party_id: to.party,
      amount: textOf(amount),
      description: "",
      tracking_id: people.id("offer"),
    },
    expires_at: Number(network.net.now() + lifetime),
  };
  const made = await from.node.insist(() => from.wallet.createTransferOffer({ body }), never);
  if (made === "done") return undefined;
  return { from, to, amount, contractId: made.offer_contract_id, trackingId: body.tracking_id };
}

/** The receiver's wallet may show the offer a moment later than the sender's. */
async function answer(to: Person, { contractId }: OpenOffer, call: () => Promise<unknown>): Promise<void> {
  const isSeen = async () => {
    const { offers } = await to.wallet.listTransferOffers();
    return offers.some(({ contract_id }) => contract_id === contractId);
  };
  await until(() => isSeen().catch(() => false), "the receiver sees the offer");
  await to.node.insist(call, isGone);
}

/** The receiver accepts or rejects, or the sender withdraws. Resolves true if the receiver accepted. */
async function answerTokens(
  { people, from, to }: { readonly people: WalletPeople; readonly from: Person; readonly to: Person },
  instruction: string,
): Promise<boolean> {
  const transfer = byId(instruction);
  const isSeen = async () => {
    const { transfers } = await to.wallet.listTokenStandardTransfers();
    return transfers.some(({ contract_id }) => contract_id === instruction);
  };
  await until(() => isSeen().catch(() => false), "the receiver sees the transfer");
  const fate = people.random.below(4);
  if (fate === 0) await to.node.insist(() => to.wallet.rejectTokenStandardTransfer(transfer), isGone);
  else if (fate === 1)
    await from.node.insist(() => from.wallet.withdrawTokenStandardTransfer(transfer), isGone);
  else await to.node.insist(() => to.wallet.acceptTokenStandardTransfer(transfer), isGone);
  return fate > 1;
}

async function buyName(person: Person, name: string): Promise<string> {
  const { node, wallet } = person;
  const body = { name, url: "", description: "" };
  const asked = await node.insist(() => wallet.createAnsEntry({ body }), never);
  if (asked === "done") throw new Error("a request for a name has no answer");
  const request = byId(asked.subscriptionRequestCid);
  // A repetition finds the request gone if its payment was collected meanwhile.
  await node.insist(() => wallet.acceptSubscriptionRequest(request), isGone);
  return asked.name;
}

export const ACTIONS: Readonly<Record<string, Action>> = {
  tap: {
    weight: 4,
    act: async ({ people }, person) => {
      const dollars = people.random.between(1, 9);
      const body = { amount: String(dollars), command_id: people.id("tap") };
      await person.node.insist(() => person.wallet.tap({ body }), never);
      people.earn(person, BigInt(dollars) * COINS_OF_DOLLAR);
      return true;
    },
  },
  offer: {
    weight: 4,
    act: async (stage, person) => {
      const made = await offer(stage, person, HOUR * 24n);
      if (made !== undefined) stage.people.offers.push(made);
      return made !== undefined;
    },
  },
  accept: {
    weight: 4,
    act: async ({ people }, person) => {
      const found = people.takeOffer(({ to }) => to === person);
      if (found === undefined) return false;
      await answer(person, found, () => person.wallet.acceptTransferOffer(byId(found.contractId)));
      people.move(found.from, person, found.amount);
      return true;
    },
  },
  reject: {
    weight: 1,
    act: async ({ people }, person) => {
      const found = people.takeOffer(({ to }) => to === person);
      if (found === undefined) return false;
      await answer(person, found, () => person.wallet.rejectTransferOffer(byId(found.contractId)));
      return true;
    },
  },
  withdraw: {
    weight: 1,
    act: async ({ people }, person) => {
      const found = people.takeOffer(({ from }) => from === person);
      if (found === undefined) return false;
      await person.node.insist(() => person.wallet.withdrawTransferOffer(byId(found.contractId)), isGone);
      return true;
    },
  },
  "accept and withdraw at once": {
    weight: 2,
    act: async ({ people }, person) => {
      const found = people.takeOffer(({ from }) => from === person);
      if (found === undefined) return false;
      const { to, contractId, trackingId, amount } = found;
      const offered = byId(contractId);
      const refused = ({ status }: { readonly status: number }) => status === 404 || status === 400;
      await Promise.all([
        to.node.insist(() => to.wallet.acceptTransferOffer(offered), refused).catch(() => undefined),
        person.node
          .insist(() => person.wallet.withdrawTransferOffer(offered), refused)
          .catch(() => undefined),
      ]);
      const tracking = { params: { tracking_id: trackingId } };
      let status = "";
      const isOver = async () => {
        ({ status } = await person.wallet.getTransferOfferStatus(tracking));
        return status === "completed" || status === "failed";
      };
      await until(() => isOver().catch(() => false), "the offer is over");
      if (status === "completed") people.move(person, to, amount);
      return true;
    },
  },
  "an offer that expires": {
    weight: 1,
    act: async (stage, person) => {
      const made = await offer(stage, person, MINUTE);
      if (made !== undefined) stage.people.expiring.add(made.contractId);
      return made !== undefined;
    },
  },
  preapprove: {
    weight: 2,
    act: async ({ people }, person) => {
      if (people.preapproved.has(person)) return false;
      people.preapproved.add(person);
      await person.node.insist(() => person.wallet.createTransferPreapproval(), isThere);
      return true;
    },
  },
  send: {
    weight: 4,
    act: async ({ people }, person) => {
      const to = people.other(person, [...people.preapproved]);
      if (to === undefined) return false;
      const amount = someCoin(people);
      const body = {
        receiver_party_id: to.party,
        amount: textOf(amount),
        deduplication_id: people.id("send"),
      };
      const none = await person.node
        .insist(() => person.wallet.transferPreapprovalSend({ body }), never)
        .then(
          () => false,
          // The preapproval is on its way.
          (error: unknown) => error instanceof Error && error.message.includes("no transfer preapproval"),
        );
      if (!none) people.move(person, to, amount);
      return !none;
    },
  },
  "send by the token standard": {
    weight: 4,
    act: async ({ people, network }, from) => {
      const to = people.other(from);
      if (to === undefined) return false;
      const amount = someCoin(people);
      const body = {
        ...{ receiver_party_id: to.party, amount: textOf(amount), description: "" },
        ...{ tracking_id: people.id("token"), expires_at: Number(network.net.now() + HOUR * 24n) },
      };
      const sent = await from.node.insist(() => from.wallet.createTokenStandardTransfer({ body }), never);
      if (sent === "done") throw new Error(`the transfer ${body.tracking_id} has no answer`);
      const instruction =
        "transfer_instruction_cid" in sent.output ? sent.output.transfer_instruction_cid : null;
      const isAccepted = instruction === null || (await answerTokens({ people, from, to }, instruction));
      if (isAccepted) people.move(from, to, amount);
      return true;
    },
  },
  traffic: {
    weight: 1,
    act: async ({ people, network }, person) => {
      const { amulet_rules } = await person.node
        .insist(() => person.wallet.scanProxyGetAmuletRules(), never)
        .then((found) => (found === "done" ? Promise.reject(new Error("no rules")) : found));
      const body = {
        ...{ receiving_validator_party_id: person.party, traffic_amount: TRAFFIC_BYTES },
        ...{ domain_id: amulet_rules.domain_id ?? "", tracking_id: people.id("traffic") },
        expires_at: Number(network.net.now() + HOUR * 24n),
      };
      await person.node.insist(() => person.wallet.createBuyTrafficRequest({ body }), never);
      people.earn(person, -TRAFFIC_PRICE);
      return true;
    },
  },
  name: {
    weight: 2,
    act: async ({ people }, person) => {
      const name = await buyName(person, people.id("name"));
      people.wanted.push({ name, buyers: [person] });
      return true;
    },
  },
  "a name that two want": {
    weight: 2,
    act: async ({ people }, person) => {
      const rival = people.other(person);
      if (rival === undefined) return false;
      const wanted = people.id("raced");
      const buyers = [person, rival];
      const bought = await Promise.all(
        // The later one may be told that the name is taken.
        buyers.map((buyer) => buyName(buyer, wanted).catch(() => null)),
      );
      const name = bought.find((each) => each !== null);
      if (name === undefined || name === null) throw new Error(`nobody got as far as to pay for ${wanted}`);
      people.wanted.push({ name, buyers: buyers.filter((_, place) => bought[place] !== null) });
      return true;
    },
  },
  "cancel a name": {
    weight: 1,
    act: async ({ people }, person) => {
      const [name] = [...people.owned].find(([, owner]) => owner === person) ?? [];
      if (name === undefined) return false;
      people.owned.delete(name);
      const listed = await person.node.insist(() => person.wallet.listSubscriptions(), never);
      const found =
        listed === "done"
          ? undefined
          : listed.subscriptions.find(({ subscription }) =>
              JSON.stringify(subscription.payload).includes(JSON.stringify(name).slice(1, -1)),
            );
      if (found === undefined || !("idle" in found.state)) throw new Error(`${name} has no subscription`);
      const { contract_id } = found.state.idle;
      await person.node.insist(() => person.wallet.cancelSubscriptionRequest(byId(contract_id)), never);
      people.cancelled.set(name, person);
      return true;
    },
  },
  "take up a name": {
    weight: 2,
    act: async ({ people }, person) => {
      const [name] = [...people.cancelled].find(([, holder]) => holder === person) ?? [];
      if (name === undefined) return false;
      people.cancelled.delete(name);
      await person.node.insist(() => person.wallet.takeUpAnsEntry({ body: { name } }), never);
      people.owned.set(name, person);
      return true;
    },
  },
  "pay an app": { weight: 2, act: payAnApp },
};
