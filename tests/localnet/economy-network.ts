/**
 * A network of four SVs and two validators over HTTP, assembled so that one SV can be taken away and brought back
 * while the others go on. All of it runs in one process, as the SQLite log does; so an SV cannot be killed with a
 * signal of its own. What a kill would leave is made instead: its files are copied in one turn of the event loop,
 * in which nobody writes, while it is in the midst of its work; the node is then closed, what it wrote from that
 * moment on is thrown away, and it is started again on the copy.
 */

import { cpSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SignatureChecks, silentLog, systemHost } from "@callsign/node";
import { type Participant, startParticipant } from "@callsign/participant";
import { type SvNode, signFounding } from "@callsign/sv";
import { SqliteLog } from "@callsign/synchronizer";
import { startValidator, type Validator } from "@callsign/validator";
import { type Client, createClient } from "../../packages/api/src/client.ts";
import { ledgerApi } from "../../packages/api/src/ledger/api.ts";
import { scanApi } from "../../packages/api/src/scan/api.ts";
import { validatorApi } from "../../packages/api/src/validator/api.ts";
import { clockMover, settleAll } from "../../packages/localnet/src/clock-moves.ts";
import { SV_NAMES } from "../../packages/localnet/src/data-folder.ts";
import { makeToken, NODE_SETTINGS, SERVICE_USER } from "../../packages/localnet/src/tokens.ts";
import { AUTH } from "../support/local-network.ts";
import { openSvNode } from "../support/sv-nodes.ts";
import { PEOPLE, type Person, type ReachableNetwork } from "./economy-people.ts";

interface PersonNode {
  readonly participant: Participant;
  readonly validator: Validator;
  readonly token: string;
}

const HOST = "127.0.0.1";
const FREE_TRAFFIC_BYTES = 4_000_000_000n;
const ANY_PORTS = { scan: 0, sequencer: 0, app: 0 };

export class EconomyNetwork implements ReachableNetwork {
  readonly log: SqliteLog;
  /** The running SVs. */
  readonly running = new Map<number, SvNode>();
  readonly #folder: string;
  readonly #checks = new SignatureChecks();
  readonly #people = new Map<Person, PersonNode>();
  /** The ports by place, crashed SVs included: they come back to the same ones. */
  readonly #svs: SvNode[] = [];

  private constructor(folder: string) {
    this.#folder = folder;
    this.log = new SqliteLog(join(folder, "log.db"), systemHost);
  }

  static async start(folder: string): Promise<EconomyNetwork> {
    const network = new EconomyNetwork(folder);
    for (const place of SV_NAMES.keys()) network.#svs.push(await network.#open(place, ANY_PORTS));
    const founding = {
      svs: network.#svs.map(({ identity }) => ({ identity })),
      movableClock: true,
      isDevNet: true,
    };
    await network.first.submit(signFounding({ ...founding, freeTrafficBytes: FREE_TRAFFIC_BYTES }));
    for (const person of PEOPLE) network.#people.set(person, await network.#startPerson(person));
    await network.settle();
    return network;
  }

  get first(): SvNode {
    return this.#svs[0] as SvNode;
  }

  validator(person: Person): Client<typeof validatorApi.endpoints> {
    const { validator, token } = this.#person(person);
    return createClient(validatorApi, {
      fetch,
      baseUrl: `${validator.url}/api/validator`,
      token: () => token,
    });
  }

  ledger(person: Person): Client<typeof ledgerApi.endpoints> {
    const { participant, token } = this.#person(person);
    return createClient(ledgerApi, { fetch, baseUrl: participant.url, token: () => token });
  }

  scan(place: number): Client<typeof scanApi.endpoints> {
    return createClient(scanApi, { fetch, baseUrl: `${this.#svs[place]?.scanUrl}/api/scan` });
  }

  /** Resolves once no automation has anything to do. */
  settle(): Promise<void> {
    const validators = [...this.#people.values()].map(({ validator }) => validator);
    return settleAll(this.log, [...this.running.values()], validators, systemHost.timers);
  }

  /** Resolves once the automations have settled at the new time. */
  async moveClock(microseconds: bigint): Promise<void> {
    await clockMover(this.first, () => this.settle())(microseconds);
  }

  /**
   * An SV other than the first stops as if it had been killed at this very moment. One that forgets has nothing but
   * its keys afterwards, like an SV that starts for the first time when the network is old.
   */
  async crash(place: number, forgets = false): Promise<void> {
    const node = this.running.get(place);
    if (node === undefined || place === 0) throw new Error(`SV ${place + 1} cannot be taken away`);
    const folder = this.#folderOf(place);
    cpSync(folder, `${folder}-crashed`, { recursive: true });
    this.running.delete(place);
    await node.close();
    rmSync(folder, { recursive: true });
    renameSync(`${folder}-crashed`, folder);
    for (const file of forgets ? readdirSync(folder) : [])
      if (file.startsWith("replica.db")) rmSync(join(folder, file));
  }

  /** Starts the SV again with the files of its crash, on the same ports. */
  async restart(place: number): Promise<void> {
    const { scanUrl, sequencerUrl, appUrl } = this.#svs[place] as SvNode;
    const [scan, sequencer, app] = [scanUrl, sequencerUrl, appUrl].map((url) => Number(new URL(url).port));
    this.#svs[place] = await this.#open(place, {
      scan: scan ?? 0,
      sequencer: sequencer ?? 0,
      app: app ?? 0,
    });
  }

  /** The positions of the running replicas once all have reached the log's end. */
  async heads(): Promise<readonly { readonly sequence: number; readonly digest: string }[]> {
    const { sequence } = await this.log.head();
    const nodes = [...this.running.values()];
    const signal = AbortSignal.timeout(60_000);
    await Promise.all(nodes.map(({ replica }) => replica.reach(sequence, signal)));
    return nodes.map(({ replica }) => {
      const { head } = replica.state;
      return { sequence: head.sequence, digest: head.digest };
    });
  }

  async close(): Promise<void> {
    for (const { validator, participant } of this.#people.values()) {
      await validator.close();
      await participant.close();
    }
    for (const node of this.running.values()) await node.close();
    await this.log.close();
  }

  async #open(place: number, ports: typeof ANY_PORTS): Promise<SvNode> {
    const name = SV_NAMES[place] ?? "";
    const secrets = PEOPLE.map((person) => NODE_SETTINGS[person].onboardingSecret);
    const node = await openSvNode({
      ...{ name, ports, rank: place, user: NODE_SETTINGS.sv.walletUser, orderedLog: this.log },
      dataFolder: this.#folderOf(place),
      checks: this.#checks,
      app: { auth: AUTH, operators: [SERVICE_USER], expectedSecrets: place === 0 ? secrets : [] },
    });
    this.running.set(place, node);
    return node;
  }

  async #startPerson(person: Person): Promise<PersonNode> {
    const { walletUser, partyHint, onboardingSecret } = NODE_SETTINGS[person];
    const serviceToken = await makeToken(SERVICE_USER);
    const participant = await startParticipant({
      dataFolder: join(this.#folder, person, "participant"),
      nodeIdentifier: `${person}-participant`,
      sequencers: this.#svs.map(({ sequencerUrl }) => sequencerUrl),
      host: HOST,
      port: 0,
      auth: AUTH,
      adminUsers: [SERVICE_USER],
      log: silentLog,
    });
    const validator = await startValidator({
      dataFolder: join(this.#folder, person, "validator"),
      host: HOST,
      port: 0,
      participantUrl: participant.url,
      scans: this.#svs.map(({ scanUrl }) => `${scanUrl}/api/scan`),
      auth: AUTH,
      serviceUser: { userId: SERVICE_USER, token: () => serviceToken },
      walletUsers: [walletUser],
      operatorPartyHint: partyHint,
      onboarding: { svUrl: `${this.first.appUrl}/api/sv`, secret: onboardingSecret },
      log: silentLog,
    });
    return { participant, validator, token: await makeToken(walletUser) };
  }

  #folderOf(place: number): string {
    const folder = join(this.#folder, SV_NAMES[place] ?? "");
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  #person(person: Person): PersonNode {
    const found = this.#people.get(person);
    if (found === undefined) throw new Error(`${person} has not started`);
    return found;
  }
}
