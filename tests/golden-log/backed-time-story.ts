/**
 * The story behind the golden log of protocol version 4: a network of version 3 activates it. Clocks are wrong, stamps are forged
 * or missing, SVs change keys, strangers come in crowds, a validator is licensed, the set of
 * SVs changes, and a snapshot is attested.
 */

import type { LogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, HOUR, SECOND } from "../../packages/ledger/src/values/duration.ts";
import { addDuration, MAX_TIME, type Time } from "../../packages/ledger/src/values/time.ts";
import { attestSnapshot } from "../../packages/ledger/testing/attest-snapshot.ts";
import { attest, joinSv, leaveSv } from "../../packages/ledger/testing/change-svs.ts";
import { DsoActor } from "../../packages/ledger/testing/dso-actor.ts";
import { EconomyDso } from "../../packages/ledger/testing/economy-dso.ts";
import {
  type SimulatedMember,
  SimulatedNetwork,
  signStamp,
} from "../../packages/ledger/testing/simulated-network.ts";
import { anyCommand } from "../../packages/ledger/testing/transition-fixture.ts";
import { WalletActor } from "../../packages/ledger/testing/wallet-actor.ts";

export function tellBackedTimeStory(movableClock = false): readonly LogEntry[] {
  return new BackedTimeStory(movableClock).tell();
}

class BackedTimeStory {
  readonly #network: SimulatedNetwork;

  constructor(movableClock: boolean) {
    this.#network = new SimulatedNetwork({ terms: { protocolVersion: 3n, movableClock } });
  }

  tell(): readonly LogEntry[] {
    const network = this.#network;
    const early = network.registerMember("early");
    network.advance(HOUR);
    this.#activate();
    this.#wrongClocks();
    this.#forgedStamps(early);
    network.rotateKey(this.#sv(1), "second key of sv2");
    for (const sv of [0, 1, 2]) this.#stampAt(sv, network.clock + SECOND);
    network.moveClock(30n * DAY);
    for (const sv of [0, 1]) this.#stampAt(sv, network.clock + SECOND);
    this.#strangers();
    network.advance(DAY);
    this.#license();
    this.#changeSvs();
    this.#attestSnapshots();
    return network.log;
  }

  #sv(place: number): SimulatedMember {
    return this.#network.svs[place] as SimulatedMember;
  }

  #activate(): void {
    const { id } = this.#sv(0);
    const value = { ...this.#network.once(id), version: 4n };
    const keys = this.#network.svs.map(({ signingKey }) => signingKey);
    this.#network.append({ tag: "ActivateVersion", value }, keys);
  }

  /** An entry of no worth, with a stamp that may count. */
  #stampAt(sv: number, micros: bigint): void {
    const { clock } = this.#network;
    this.#network.clock = micros as Time;
    this.#network.applyEntry(this.#network.sequence({ content: "nothing", signatures: [] }, sv));
    if (micros < clock + DAY) return;
    this.#network.clock = clock;
  }

  /** One SV is a year ahead, one in the year 9999, one behind; the others go on. */
  #wrongClocks(): void {
    const { clock } = this.#network;
    this.#stampAt(0, clock + 365n * DAY);
    this.#stampAt(3, MAX_TIME);
    for (let second = 1n; second <= 3n; second++) {
      this.#stampAt(1, clock + second * SECOND);
      this.#stampAt(2, clock + second * SECOND);
    }
    this.#stampAt(0, clock - HOUR);
    for (const sv of [0, 1, 3]) this.#stampAt(sv, clock + 10n * SECOND);
  }

  #forgedStamps(stranger: SimulatedMember): void {
    const network = this.#network;
    const later = addDuration(network.clock, 20n * SECOND);
    const append = (stamp: Partial<LogEntry>) => {
      const { stampedBy, ...plain } = network.sequence({ content: "nothing", signatures: [] });
      network.applyEntry({ ...plain, ...stamp });
    };
    const place = () => network.state.head.entryHash;
    append({ stampedAt: null });
    append({ stampedAt: later });
    append({ stampedAt: later, stampedBy: signStamp(stranger.signingKey, place(), later) });
    append({ stampedAt: later, stampedBy: signStamp(this.#sv(0).namespaceKey, place(), later) });
    append({ stampedAt: later, stampedBy: signStamp(this.#sv(0).signingKey, "0".repeat(64), later) });
    append({ stampedAt: later, stampedBy: signStamp(this.#sv(0).signingKey, place(), later) });
  }

  /** More than the network takes in; the first one sends what it may and a little more. */
  #strangers(): void {
    const network = this.#network;
    const members = Array.from({ length: 12 }, (_, i) => network.registerMember(`stranger-${i}`));
    const [first] = members as [SimulatedMember];
    for (let i = 0; i < 40; i++)
      network.submit(first, { actAs: [first.party], commands: [anyCommand(first.party)] });
  }

  /** An SV joins, another leaves, and the SVs before attest both sets; an SV that joined and a wrong signature do not count. */
  #changeSvs(): void {
    const network = this.#network;
    const dso = new DsoActor(network);
    const [one, two, three, four] = network.svs as [
      SimulatedMember,
      SimulatedMember,
      SimulatedMember,
      SimulatedMember,
    ];
    const five = network.registerMember("sv5");
    joinSv(dso, five);
    for (const sv of [one, two, five, three, four]) attest(network, sv);
    attest(network, two, "another set");
    for (const sv of [4, 3, 2]) this.#stampAt(sv, network.clock + SECOND);
    leaveSv(dso, two.party);
    this.#stampAt(1, network.clock + SECOND);
    for (const sv of [one, two, five, three]) attest(network, sv);
    network.advance(HOUR);
  }

  /** A quorum attests a snapshot, one SV another, and one an entry that it has attested before. */
  #attestSnapshots(): void {
    const network = this.#network;
    const claim = { sequence: BigInt(network.state.head.sequence - 5), digest: "d".repeat(64) };
    const [one, two, ...others] = network.svs as [SimulatedMember, SimulatedMember, ...SimulatedMember[]];
    attestSnapshot(network, one, { ...claim, digest: "e".repeat(64) });
    for (const sv of [two, ...others, two]) attestSnapshot(network, sv, claim);
    network.advance(DAY);
  }

  #license(): void {
    const validator = this.#network.registerMember("validator");
    new EconomyDso(new DsoActor(this.#network)).onboard(validator.party);
    new WalletActor(this.#network, validator, "ann").tap(decimal("100.0"));
    for (let i = 0; i < 10; i++)
      this.#network.submit(validator, { actAs: [validator.party], commands: [anyCommand(validator.party)] });
  }
}
