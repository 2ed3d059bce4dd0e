/**
 * One SV with its app, and a participant on its network whose parties want to be validators. Its clock stands still
 * until it is told otherwise, and nothing but what a test does writes to the log: so every entry's record time is
 * known to the microsecond.
 */

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { systemHost } from "@callsign/node";
import { onTestFinished } from "vitest";
import { type Command, createClient, svApi } from "../../packages/api/src/index.ts";
import {
  addDuration,
  createCommand,
  type Time,
  timeFromMicros,
  ValidatorLicense,
  ValidatorOnboarding,
} from "../../packages/ledger/src/index.ts";
import { AUTH, makeToken, SERVICE_USER } from "../../packages/localnet/src/tokens.ts";
import { loadMemberIdentity } from "../../packages/node/src/identity/kept-identity.ts";
import { signEntry } from "../../packages/node/src/identity/member-identity.ts";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { until } from "../../packages/node/testing/until.ts";
import { SV_AUTOMATION_NAMES } from "../../packages/sv/src/automation/automations.ts";
import { signFounding, svPartyOf } from "../../packages/sv/src/founding/sign-founding.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import type { SvAppConfig } from "../../packages/sv/src/sv-node-config.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { statusOf } from "../support/call-outcome.ts";
import type { SvClient } from "../support/network-clients.ts";
import { ADMIN, newParticipant, ready, type TestParticipant } from "../support/participants.ts";
import { openSvNode } from "../support/sv-nodes.ts";

export const HOUR = 3_600_000_000n;

export interface SponsorOptions {
  readonly isDevNet?: boolean;
  readonly movableClock?: boolean;
  readonly app?: SvAppConfig;
  /** Pauses the expiry of onboardings too; DSO automations are paused anyway. */
  readonly keepsExpired?: boolean;
  readonly atEnd?: AtEnd;
}

export class Sponsor {
  readonly folder: string;
  readonly #options: SponsorOptions;
  readonly #log: SqliteLog;
  readonly #identity;
  #now = timeFromMicros(1_800_000_000_000_000n);
  #next: Time | null = null;
  #node: SvNode | undefined;
  #participant: TestParticipant | undefined;
  /** Of an operator. */
  token = "";
  /** From its next start on. */
  keepsExpired: boolean;

  private constructor(options: SponsorOptions) {
    const { atEnd = onTestFinished } = options;
    this.#options = options;
    this.keepsExpired = options.keepsExpired ?? false;
    this.folder = temporaryFolder(atEnd);
    this.#log = new SqliteLog(join(this.folder, "log.sqlite"), systemHost);
    atEnd(() => this.#log.close());
    this.#identity = loadMemberIdentity(join(this.folder, "sv-1"), "sv-1", systemHost);
    atEnd(() => this.#node?.close());
  }

  static async start(options: SponsorOptions = {}): Promise<Sponsor> {
    const sponsor = await Sponsor.begin(options);
    await sponsor.found();
    return sponsor;
  }

  /** It runs, and there is no network yet. */
  static async begin(options: SponsorOptions = {}): Promise<Sponsor> {
    const sponsor = new Sponsor(options);
    sponsor.token = await makeToken(SERVICE_USER);
    await sponsor.startNode();
    return sponsor;
  }

  async found(): Promise<void> {
    const { isDevNet = true, movableClock = true } = this.#options;
    const svs = [{ identity: this.#identity }];
    await this.node.submit(signFounding({ svs, movableClock, isDevNet }));
    await this.isReady();
  }

  /** Its participant finds the sequencer where it was. */
  async startNode(app: SvAppConfig = this.#options.app ?? {}, sequencer = 0): Promise<SvNode> {
    this.#node = await openSvNode({
      dataFolder: join(this.folder, "sv-1"),
      identity: this.#identity,
      orderedLog: this.#log,
      clock: () => this.#readClock(),
      ports: { scan: 0, sequencer, app: 0 },
      pausedAutomations: SV_AUTOMATION_NAMES.filter(
        (name) => name !== "expire-onboardings" || this.keepsExpired,
      ),
      app: { auth: AUTH, operators: [SERVICE_USER], ...app },
    });
    return this.#node;
  }

  get node(): SvNode {
    if (this.#node === undefined) throw new Error("the SV does not run");
    return this.#node;
  }

  get party(): string {
    return svPartyOf({ identity: this.#identity });
  }

  /** The participant whose parties want to be validators; started when it is first needed. */
  async participant(): Promise<TestParticipant> {
    if (this.#participant === undefined) {
      const { atEnd = onTestFinished } = this.#options;
      this.#participant = await newParticipant([this.node.sequencerUrl], {}, atEnd);
      await ready(this.#participant);
    }
    return this.#participant;
  }

  async newParty(hint: string): Promise<string> {
    const { admin } = await this.participant();
    const { partyDetails } = await admin.allocateParty({ body: { partyIdHint: hint } });
    return partyDetails.party;
  }

  async isReady(): Promise<void> {
    const ask = () => fetch(`${this.node.appUrl}/readyz`);
    await until(async () => (await ask()).status === 200, "the SV is ready");
  }

  /** As whoever has that token; as nobody with none. */
  as(token: string | undefined): SvClient {
    return createClient(svApi, { fetch, baseUrl: `${this.node.appUrl}/api/sv`, token: () => token });
  }

  get operator(): SvClient {
    return this.as(this.token);
  }

  get anybody(): SvClient {
    return this.as(undefined);
  }

  /** From now on entries are stamped with that time; nothing is written yet. */
  setClock(time: bigint): void {
    this.#now = time as Time;
  }

  /** The next read of the clock answers the first time, later ones the second. */
  setClockOnce(time: bigint, next: bigint): void {
    this.#now = time as Time;
    this.#next = next as Time;
  }

  #readClock(): Time {
    const now = this.#now;
    this.#now = this.#next ?? now;
    this.#next = null;
    return now;
  }

  /** A new secret, with the moment it expires at. */
  async prepare(
    hint: string | null = null,
  ): Promise<{ readonly secret: string; readonly expiresAt: bigint }> {
    const { secret } = await this.operator.prepareValidatorOnboarding({
      body: { expires_in: 172_800, party_hint: hint },
    });
    const { validator_onboardings } = await this.operator.listValidatorOnboardings({ query: { limit: 1 } });
    return { secret, expiresAt: microsOf(validator_onboardings[0]?.expires_at ?? "") };
  }

  /** The status that the party is answered with. */
  async onboard(party_id: string, secret: string): Promise<number> {
    return statusOf(this.anybody.onboardValidator({ body: { party_id, secret } }));
  }

  /** Puts a secret on the ledger as the SV would, however often. */
  async putOnLedger(candidateSecret: string): Promise<void> {
    const { node } = this;
    const { replica, identity } = node;
    const sv = svPartyOf({ identity: this.#identity });
    const expiresAt = addDuration(node.now(), 48n * HOUR);
    const sequence = await node.submit(
      signEntry(
        {
          tag: "Submit",
          value: {
            network: replica.state.network?.id ?? "",
            member: identity.id,
            submissionId: randomUUID(),
            maxRecordTime: addDuration(node.now(), HOUR),
            userId: "sv",
            commandId: randomUUID(),
            workflowId: "",
            actAs: [sv],
            readAs: [],
            deduplicateFrom: node.now(),
            minLedgerTime: null,
            commands: [createCommand(ValidatorOnboarding, { sv, candidateSecret, expiresAt })],
            disclosed: [],
          },
        },
        [identity.signingKey],
      ),
    );
    await replica.reach(sequence, AbortSignal.timeout(60_000));
  }

  /** The validator gives its license back. */
  async cancelLicense(party: string): Promise<void> {
    const { validator_licenses } = await this.operator.listValidatorLicenses();
    const license = validator_licenses.find(({ payload }) => payload["validator"] === party);
    if (license === undefined) throw new Error(`${party} has no license`);
    await this.#act(party, {
      ExerciseCommand: {
        templateId: license.template_id,
        contractId: license.contract_id,
        choice: "ValidatorLicense_Cancel",
        choiceArgument: { reason: "no longer needed" },
      },
    });
  }

  /** A license as it should be, but of a DSO that the party is itself. */
  async forgeLicense(party: string): Promise<void> {
    const createArguments = { dso: party, sponsor: party, validator: party };
    await this.#act(party, { CreateCommand: { templateId: ValidatorLicense.id, createArguments } });
  }

  async #act(party: string, command: Command): Promise<void> {
    const { admin } = await this.participant();
    await admin.grantUserRights({
      params: { "user-id": ADMIN },
      body: { userId: ADMIN, rights: [{ kind: { CanActAs: { value: { party } } } }] },
    });
    await admin.submitAndWait({ body: { commandId: randomUUID(), actAs: [party], commands: [command] } });
  }

  /** The parties that have a license, as often as they have one; newest first. */
  async validators(): Promise<readonly string[]> {
    const { validator_licenses } = await this.operator.listValidatorLicenses();
    return validator_licenses.map(({ payload }) => String(payload["validator"]));
  }

  /** The states of the secrets, newest first, as the operator sees them. */
  async states(): Promise<readonly string[]> {
    const { validator_onboardings } = await this.operator.listValidatorOnboardings();
    return validator_onboardings.map(({ state }) => state);
  }
}

/** `2026-03-01T00:00:00.123456Z` in microseconds. */
export function microsOf(text: string): bigint {
  const [, seconds = "", fraction = ""] = /^(.*?)(?:\.(\d+))?Z$/.exec(text) ?? [];
  return BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(fraction.padEnd(6, "0"));
}
