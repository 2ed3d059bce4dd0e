/** One SV without HTTP: a sequencer, a replica with agenda and the app's index, and automations. */
import type { DatabaseSync } from "node:sqlite";
import { sha256, silentLog, systemHost } from "@callsign/node";
import { Agenda, SvAutomations, type SvAutomationsParts, svPartyOf } from "@callsign/sv";
import { networkTime, type Replica, Sequencer, type SqliteLog } from "@callsign/synchronizer";
import type { Envelope, PartyId, Time } from "../../packages/ledger/src/index.ts";
import { time } from "../../packages/ledger/src/values/time.ts";
import type { SimulatedMember } from "../../packages/ledger/testing/simulated-network.ts";
import type { MemberIdentity } from "../../packages/node/src/identity/member-identity.ts";
import { AppIndex } from "../../packages/sv/src/app/app-index.ts";
import { SvSubmitter } from "../../packages/sv/src/submission/sv-submitter.ts";
import { type NamedConsumers, openReplica } from "../support/open-replica.ts";

const START = time("2026-01-01T00:00:00Z");

/** Real time passes from a fixed start. */
function clock(): Time {
  return (START + BigInt(Math.floor(performance.now() * 1000))) as Time;
}

export class UnservedSv {
  readonly identity: MemberIdentity;
  readonly party: PartyId;
  readonly member: SimulatedMember;
  readonly database: DatabaseSync;
  readonly agenda: Agenda;
  readonly replica: Replica;
  readonly sequencer: Sequencer;
  readonly #appIndex: AppIndex;
  automation: SvAutomations;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(identity: MemberIdentity, log: SqliteLog, consumers: NamedConsumers, file: string | undefined) {
    this.identity = identity;
    this.party = svPartyOf({ identity });
    this.member = { ...identity, party: this.party };
    const { database, replica, agenda, appIndex } = openReplica({ log, file }, (state) => ({
      agenda: new Agenda(state, sha256),
      appIndex: new AppIndex(state, this.party),
      ...consumers,
    }));
    this.database = database;
    this.replica = replica;
    this.agenda = agenda;
    this.#appIndex = appIndex;
    this.sequencer = new Sequencer({ log, hash: sha256, clock });
    this.automation = this.newAutomation();
    this.#running = this.replica.run(this.#stop.signal);
  }

  /** One more instance on the same database. */
  newAutomation(
    append: (envelope: Envelope) => Promise<number> = (envelope) => this.sequencer.submit(envelope),
    more: Partial<
      Pick<SvAutomationsParts, "amuletPrice" | "paused" | "beneficiaries" | "addresses" | "host">
    > = {},
  ) {
    const { replica, agenda, identity, party } = this;
    const { host = systemHost } = more;
    const now = () => networkTime({ replica, clock });
    const reach = (sequence: number, signal: AbortSignal) => replica.reach(sequence, signal);
    const submitter = new SvSubmitter({ identity, party, replica, append, reach, now, host });
    const secrets = this.#appIndex.onboardingsOf(party);
    const member = { id: identity.id, namespaceKey: identity.namespaceKey.publicKey };
    const parts = { replica, agenda, secrets, submitter, party, member, hash: sha256, host };
    return new SvAutomations({ ...parts, log: silentLog, ...more });
  }

  async close(): Promise<void> {
    await this.automation.stop();
    this.#stop.abort();
    await this.#running;
    await this.sequencer.close();
    this.database.close();
  }
}
