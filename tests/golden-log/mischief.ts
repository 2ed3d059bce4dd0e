/** Entries that must not do what they try: each is refused or ignored, and the log goes on. */
import { RenewalPreference } from "../../packages/ledger/src/contracts/callsign-names/declarations/names.ts";
import { relTime } from "../../packages/ledger/src/contracts/rel-time.ts";
import { decodeText } from "../../packages/ledger/src/daml/daml-type.ts";
import { type Command, createCommand } from "../../packages/ledger/src/engine/command.ts";
import { EntryContent, type Submit } from "../../packages/ledger/src/transition/entry-content.ts";
import type { LogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import { formatContractId } from "../../packages/ledger/src/values/contract-id.ts";
import { DAY, HOUR } from "../../packages/ledger/src/values/duration.ts";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import { addDuration } from "../../packages/ledger/src/values/time.ts";
import { type MemberKey, memberKey } from "../../packages/ledger/testing/member-key.ts";
import type { SimulatedMember, SimulatedNetwork } from "../../packages/ledger/testing/simulated-network.ts";
import type { Random } from "../support/random.ts";

export class Mischief {
  readonly #network: SimulatedNetwork;
  readonly #member: SimulatedMember;
  /** Every trick is played once before any is played again. */
  #played = 0;

  constructor(network: SimulatedNetwork, member: SimulatedMember) {
    this.#network = network;
    this.#member = member;
  }

  commit(random: Random): void {
    const tricks = this.#tricks(random);
    tricks[this.#played++ % tricks.length]?.();
  }

  #tricks(random: Random): readonly (() => void)[] {
    const network = this.#network;
    const { id, party, signingKey } = this.#member;
    const [sv] = network.svs as [SimulatedMember];
    const signed = (content: EntryContent) => network.append(content, [signingKey]);
    const raw = (content: string) => network.applyEntry(network.sequence({ content, signatures: [] }));
    return [
      () => this.#copy(random.pick(network.log)),
      () => this.#copy(network.log.at(-1) as LogEntry),
      () => raw("nonsense"),
      () => raw(`["Tick",["${network.network.id}","${id}","spaced" ,"0"]]`),
      () => raw(network.log[0]?.content ?? ""),
      () => this.#submit({}, []),
      () => this.#submit({}, [memberKey("stranger")]),
      () => this.#submit({ network: "0".repeat(64) }),
      () => this.#submit({ member: "stranger::1220" }),
      () => this.#submit({ maxRecordTime: addDuration(network.now, -HOUR) }),
      () => this.#submit({ maxRecordTime: addDuration(network.now, 2n * DAY) }),
      () => this.#submit({ actAs: [network.dso] }),
      () => this.#submit({ actAs: [sv.party] }),
      () => this.#submit({ readAs: ["nobody::1220" as PartyId] }),
      () => this.#submit({ commands: [preference(party, "nobody::1220" as PartyId)] }),
      () => this.#submit({ commands: [preference(sv.party, party)] }),
      () => this.#submit({ commands: [] }),
      () => this.#submit({ commandId: "twice" }),
      () => this.#submit({ commandId: "twice" }),
      () => this.#submit({ minLedgerTime: addDuration(network.now, DAY) }),
      () => signed({ tag: "Tick", value: network.once(id) }),
      () => signed({ tag: "MoveClock", value: { ...network.once(id), forward: relTime(DAY) } }),
      () => network.moveClock(-DAY),
      () => signed({ tag: "ActivateVersion", value: { ...network.once(id), version: 2n } }),
      () => this.#activate(1n),
      () => signed({ tag: "HostParty", value: { ...network.once(id), party, hosts: [id], serial: 1n } }),
      () =>
        signed({
          tag: "HostParty",
          value: { ...network.once(id), party: sv.party, hosts: [id], serial: 2n },
        }),
      () => this.#registerAgain(),
    ];
  }

  #copy({ content, signatures }: LogEntry): void {
    this.#network.applyEntry(this.#network.sequence({ content, signatures }));
  }

  #submit(change: Partial<Submit>, keys: readonly MemberKey[] = [this.#member.signingKey]): void {
    const { party } = this.#member;
    const content = this.#network.submitContent(this.#member, {
      actAs: [party],
      commands: [preference(party, party)],
    });
    if (content.tag === "Submit")
      this.#network.append({ ...content, value: { ...content.value, ...change } }, keys);
  }

  #activate(version: bigint): void {
    const network = this.#network;
    const [sv] = network.svs as [SimulatedMember];
    network.append(
      { tag: "ActivateVersion", value: { ...network.once(sv.id), version } },
      network.svs.map(({ signingKey }) => signingKey),
    );
  }

  #registerAgain(): void {
    const { id, namespaceKey, signingKey } = this.#member;
    const registration = this.#network.log.find(({ content }) => content.startsWith(`["RegisterMember",`));
    const known = decodeText(EntryContent, registration?.content ?? "");
    if (known.tag !== "RegisterMember") return;
    const value = { ...known.value, ...this.#network.once(id), namespaceKey: namespaceKey.publicKey };
    this.#network.append({ tag: "RegisterMember", value }, [namespaceKey, signingKey]);
  }
}

function preference(subscriber: PartyId, walletProvider: PartyId): Command {
  const reference = formatContractId({ discriminator: "a".repeat(64), contentHash: "b".repeat(64) });
  return createCommand(RenewalPreference, { subscriber, walletProvider, reference, autoRenew: true });
}
