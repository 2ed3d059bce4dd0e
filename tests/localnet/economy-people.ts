/** People who use a network over HTTP, through their validator and the JSON Ledger API, and the answers they got. */
import type { Command, WireContract } from "../../packages/api/src/index.ts";
import type { JsonValue } from "../../packages/ledger/src/index.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import type { NetworkClients } from "../support/network-clients.ts";
import { findAmuletRules, listOwnContracts, type OwnParty, submitAsUser } from "./own-commands.ts";

export const PEOPLE = ["app-user", "app-provider"] as const;
export type Person = (typeof PEOPLE)[number];

const OFFER = "#splice-wallet:Splice.Wallet.TransferOffer:TransferOffer";
const TRAFFIC = "#splice-wallet:Splice.Wallet.BuyTrafficRequest:BuyTrafficRequest";
const RULES = "#splice-amulet:Splice.AmuletRules:AmuletRules";
const RIGHT = "#splice-api-featured-app-v1:Splice.Api.FeaturedAppRightV1:FeaturedAppRight";
const RIGHT_OF_COIN = "#splice-amulet:Splice.Amulet:FeaturedAppRight";
const COIN = "#splice-amulet:Splice.Amulet:Amulet";
const LOCKED_COIN = "#splice-amulet:Splice.Amulet:LockedAmulet";
/** The least that can be bought. */
const TRAFFIC_BYTES = "200000";
/** Long after the end of any test. */
const NEVER = "2099-01-01T00:00:00Z";

interface RulesJson {
  readonly configSchedule: {
    readonly initialValue: { readonly decentralizedSynchronizer: { readonly activeSynchronizer: string } };
  };
}

interface CoinJson {
  readonly owner: string;
  readonly amount: { readonly initialAmount: string };
}

type Deed = "tap" | "name" | "accept" | "traffic" | "marker";

/** Calls tried and calls acknowledged: equal unless the network was killed in between. */
export class Deeds {
  readonly tried = { tap: 0, name: 0, accept: 0, traffic: 0, marker: 0 };
  readonly acknowledged = { tap: 0, name: 0, accept: 0, traffic: 0, marker: 0 };
  /** The acknowledged ones. */
  readonly names: { readonly name: string; readonly owner: Person }[] = [];
  turns = 0;

  async keep(deed: Deed, act: () => Promise<unknown>): Promise<void> {
    this.tried[deed]++;
    await act();
    this.acknowledged[deed]++;
  }
}

export class People {
  readonly deeds: Deeds;
  readonly #network: NetworkClients;
  readonly #parties = new Map<Person, string>();
  #dso = "";
  #synchronizer = "";

  constructor(network: NetworkClients, deeds: Deeds = new Deeds()) {
    this.#network = network;
    this.deeds = deeds;
  }

  /** They read their parties and tap coin; the first of them becomes a featured app. */
  async begin(): Promise<void> {
    const { dso_party_id } = await this.#network.scan().getDsoPartyId();
    this.#dso = dso_party_id;
    for (const person of PEOPLE) {
      const { party_id } = await this.#network.validator(person).userStatus();
      this.#parties.set(person, party_id);
      for (let i = 0; i < 3; i++) await this.#tap(person);
    }
    const rules = await findAmuletRules(this.#network);
    const { configSchedule } = rules.payload as unknown as RulesJson;
    this.#synchronizer = configSchedule.initialValue.decentralizedSynchronizer.activeSynchronizer;
    if ((await this.#active("app-user", RIGHT_OF_COIN)).length > 0) return;
    const feature = {
      templateId: RULES,
      contractId: rules.contract_id,
      choice: "AmuletRules_DevNet_FeatureApp",
      choiceArgument: { provider: this.party("app-user") },
    };
    await this.#submit("app-user", { ExerciseCommand: feature }, [rules]);
  }

  party(person: Person): string {
    return this.#parties.get(person) ?? "";
  }

  /** Everybody does everything once, all at the same time. */
  async act(): Promise<void> {
    this.deeds.turns++;
    const done = await Promise.allSettled([
      ...PEOPLE.map((person) => this.#tap(person)),
      ...PEOPLE.map((person) => this.#buyName(person, `${person}-${this.deeds.turns}`)),
      this.#acceptOffers(),
      this.#offer(),
      this.#requestTraffic(this.deeds.turns % 2 === 0 ? "app-user" : "app-provider"),
      this.#mark(),
    ]);
    const failed = done.find((each) => each.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  /** The last offers are accepted, too. */
  async finish(): Promise<void> {
    await this.#network.settle();
    await this.#acceptOffers();
    await this.#network.settle();
  }

  /** All coin that the person's participant shows, locked or not. */
  async coins(person: Person): Promise<bigint> {
    const free = await this.#active(person, COIN);
    const locked = await this.#active(person, LOCKED_COIN);
    const own = [
      ...free.map(({ argument }) => argument as unknown as CoinJson),
      ...locked.map(({ argument }) => (argument as unknown as { readonly amulet: CoinJson }).amulet),
    ].filter(({ owner }) => owner === this.party(person));
    return own.reduce((sum, { amount }) => sum + decimal(amount.initialAmount), 0n);
  }

  async #tap(person: Person): Promise<void> {
    await this.deeds.keep("tap", () => this.#network.validator(person).tap({ body: { amount: "10" } }));
  }

  async #buyName(person: Person, label: string): Promise<void> {
    const client = this.#network.validator(person);
    const body = { name: `${label}.unverified.cns`, url: "", description: "" };
    const { name, subscriptionRequestCid: contract_id } = await client.createAnsEntry({ body });
    await this.deeds.keep("name", () => client.acceptSubscriptionRequest({ params: { contract_id } }));
    this.deeds.names.push({ name, owner: person });
  }

  async #offer(): Promise<void> {
    const [sender, receiver] = this.deeds.turns % 2 === 0 ? PEOPLE : PEOPLE.toReversed();
    await this.#create(sender as Person, OFFER, {
      sender: this.party(sender as Person),
      receiver: this.party(receiver as Person),
      dso: this.#dso,
      amount: { amount: "12.3456789012", unit: "AmuletUnit" },
      description: "thanks",
      expiresAt: NEVER,
      trackingId: `offer-${this.deeds.turns}`,
    });
  }

  /** Whatever one is offered; the sender's wallet pays by itself. */
  async #acceptOffers(): Promise<void> {
    for (const person of PEOPLE) {
      for (const { contractId, argument } of await this.#active(person, OFFER)) {
        if ((argument as { readonly receiver?: string }).receiver !== this.party(person)) continue;
        const choice = { choice: "TransferOffer_Accept", choiceArgument: {} };
        const accept = { ExerciseCommand: { templateId: OFFER, contractId, ...choice } };
        await this.deeds.keep("accept", () => this.#submit(person, accept));
      }
    }
  }

  async #requestTraffic(person: Person): Promise<void> {
    const { participantId } = await this.#network.ledger(person).getParticipantId();
    const request = {
      dso: this.#dso,
      endUserParty: this.party(person),
      expiresAt: NEVER,
      trackingId: `traffic-${this.deeds.turns}`,
      trafficAmount: TRAFFIC_BYTES,
      memberId: `PAR::${participantId}`,
      synchronizerId: this.#synchronizer,
      migrationId: "0",
    };
    await this.deeds.keep("traffic", () => this.#create(person, TRAFFIC, request));
  }

  /** The featured app says that it was used. */
  async #mark(): Promise<void> {
    const [right] = await this.#active("app-user", RIGHT_OF_COIN);
    if (right === undefined) throw new Error("the app is not featured");
    const marker = {
      templateId: RIGHT,
      contractId: right.contractId,
      choice: "FeaturedAppRight_CreateActivityMarker",
      choiceArgument: { beneficiaries: [{ beneficiary: this.party("app-provider"), weight: "1.0" }] },
    };
    await this.deeds.keep("marker", () => this.#submit("app-user", { ExerciseCommand: marker }));
  }

  async #create(person: Person, templateId: string, createArguments: JsonValue): Promise<void> {
    await this.#submit(person, { CreateCommand: { templateId, createArguments } });
  }

  async #submit(person: Person, command: Command, disclosed: readonly WireContract[] = []): Promise<void> {
    await submitAsUser(this.#network, this.#own(person), command, disclosed);
  }

  #active(person: Person, templateId: string) {
    return listOwnContracts(this.#network, this.#own(person), templateId);
  }

  #own(person: Person): OwnParty {
    return { node: person, party: this.party(person) };
  }
}
