/** Three SVs of three organisations, a process each, on one log; a participant and a validator beside them. */
import { randomInt } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { type TestContext, vi } from "vitest";
import {
  createClient,
  ledgerApi,
  participantAdminApi,
  scanApi,
  sequencerApi,
  validatorApi,
} from "../../packages/api/src/index.ts";
import { DsoRules, type PartyId, scanJson } from "../../packages/ledger/src/index.ts";
import type { AtEnd } from "../../packages/node/testing/at-end.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { runHere } from "../cli/run-here.ts";
import { fresh } from "../support/fresh.ts";
import { postgresLogValues } from "../support/log-values.ts";
import { type Machine, machineAt } from "../support/machines.ts";
import { sharedDatabase } from "../support/postgres.ts";
import { signToken } from "../support/sign-token.ts";
import { PRESENT, type RoleFiles, RoleProcess } from "./role-process.ts";

const SECRET = "unsafe";
const ONBOARDING = "acme-onboarding-secret";
const LEDGER = "https://ledger.example.com";
const VALIDATOR = "https://validator.example.com";

/** The parts in which such networks differ. SVs have the numbers 1 to 3, the participant 4, the validator 5, the scan 6. */
export interface SharedLogPlan {
  readonly folder: string;
  /** The keys of the log, for the process of that number. */
  readonly logOf: (number: number) => object;
  readonly machineOf: (number: number) => Machine;
  /** The folder of a process's data; one beside its values if omitted. */
  readonly dataFolderOf?: (number: number) => string;
  readonly environmentOf?: (number: number) => Readonly<Record<string, string>>;
  /** Keys of the network beside `isDevNet`. */
  readonly terms?: object;
  /** Further keys of every SV's process. */
  readonly svKeys?: object;
}

export class SharedLogNetwork {
  readonly svs: readonly RoleProcess[];
  readonly participant: RoleProcess;
  readonly validator: RoleProcess;
  /** A scan without an SV. */
  readonly lonelyScan: RoleProcess;
  readonly folder: string;
  readonly #plan: SharedLogPlan;
  readonly #added: RoleProcess[] = [];

  constructor(plan: SharedLogPlan) {
    this.folder = plan.folder;
    this.#plan = plan;
    this.svs = [1, 2, 3].map((number) => this.#sv(number, { expectedSecrets: expectedSecretsOf(number) }));
    this.lonelyScan = this.#process("scan", SharedLogNetwork.LONELY, {
      log: plan.logOf(SharedLogNetwork.LONELY),
    });
    const auth = { algorithm: "hs-256-unsafe", secret: SECRET };
    this.participant = this.#process("participant", 4, {
      nodeIdentifier: "acme-validator-1",
      auth: { targetAudience: LEDGER },
      callsign: { adminUser: "ledger-api-user", auth },
    });
    this.validator = this.#process("validator", 5, {
      svSponsorAddress: `http://${this.#address(1)}:5014`,
      scanAddress: `http://${this.#address(1)}:5012`,
      migration: { id: 0 },
      validatorPartyHint: "acme-validator-1",
      nodeIdentifier: "acme-validator-1",
      validatorWalletUsers: ["alice"],
      auth: { audience: VALIDATOR },
      callsign: {
        onboardingSecret: ONBOARDING,
        participantUrl: `http://${this.#address(4)}:7575`,
        auth,
        participantAuth: { type: "self-signed", user: "ledger-api-user", audience: LEDGER, secret: SECRET },
      },
    });
  }

  /** The number of the scan without an SV; those of the SVs are 1, 2 and 3. */
  static readonly LONELY = 6;

  /** Nothing is started. Skips if there is no PostgreSQL. */
  static async prepare(
    atEnd: AtEnd,
    skip: Pick<TestContext, "skip">,
    svKeys: object = {},
  ): Promise<SharedLogNetwork> {
    const log = postgresLogValues(await sharedDatabase(undefined, skip));
    const net = randomInt(16, 200);
    const network = new SharedLogNetwork({
      folder: temporaryFolder(atEnd),
      ...{ logOf: () => log, svKeys },
      machineOf: (number) => machineAt(`127.0.${net}.${number}`),
    });
    atEnd(() => network.kill());
    return network;
  }

  /** The keys of all three SVs, for one process that is all of them. */
  static readonly ALL_SVS: readonly object[] = [1, 2, 3].map((number) => ({
    name: `sv-${number}`,
    expectedSecrets: expectedSecretsOf(number),
  }));

  async kill(): Promise<void> {
    await Promise.all(this.processes().map((each) => each.stop("SIGKILL")));
  }

  processes(): readonly RoleProcess[] {
    return [...this.svs, ...this.#added, this.lonelyScan, this.participant, this.validator];
  }

  /** An SV of another organisation, with keys of its own. Its number is none of the others'. */
  addSv(number: number, keys: object): RoleProcess {
    const added = this.#sv(number, keys);
    this.#added.push(added);
    return added;
  }

  /** Lets the scan without an SV read the log, as a user who may do no more. */
  async restrictScan(): Promise<void> {
    const { schema } = this.#postgres;
    const login = { user: fresh("reader"), password: "readable" };
    await this.#onDatabase(
      `create role "${login.user}" login password '${login.password}'`,
      `grant usage on schema "${schema}" to "${login.user}"`,
      `grant select on all tables in schema "${schema}" to "${login.user}"`,
    );
    this.lonelyScan.change({ log: { postgres: login } });
  }

  /** The log's server lacks the last batches, as one without `fsync` does after a crash of its machine. */
  async loseTail(batches: number): Promise<void> {
    const { schema } = this.#postgres;
    await this.#onDatabase(
      `delete from "${schema}".batch where last_sequence in
        (select last_sequence from "${schema}".batch order by last_sequence desc limit ${batches})`,
    );
  }

  /** The draft of an activation, and the signatures of some SVs. Returns the words of `network activate`. */
  async signActivation(svs: readonly RoleProcess[]): Promise<readonly string[]> {
    const draft = join(this.folder, "activation.json");
    await this.succeed(svs[0] as RoleProcess, "network", "draft", "--activation", "--to", draft);
    const signatures = svs.map((_, i) => join(this.folder, `activation-signature-${i}.json`));
    for (const [i, sv] of svs.entries())
      await this.succeed(sv, "network", "sign", draft, "--to", signatures[i] as string);
    return ["network", "activate", draft, ...signatures];
  }

  /** Cards, the draft, and a signature of each SV. Returns the words of `network found`. */
  async sign(): Promise<readonly string[]> {
    const cards: string[] = [];
    const signatures: string[] = [];
    const draft = join(this.folder, "draft.json");
    for (const [i, sv] of this.svs.entries()) {
      const card = join(this.folder, `card-${i}.json`);
      writeFileSync(card, await this.succeed(sv, "identity", "show", "--json"));
      cards.push(card);
    }
    const [first] = this.svs as [RoleProcess];
    await this.#runOwn(first, "network", "draft", ...cards, "--to", draft);
    for (const [i, sv] of this.svs.entries()) {
      const signature = join(this.folder, `signature-${i}.json`);
      await this.#runOwn(sv, "network", "sign", draft, "--to", signature);
      signatures.push(signature);
    }
    return ["network", "found", draft, ...signatures];
  }

  /** A command of the SV's own program, which gives a draft its protocol version. The present one need not be started. */
  async #runOwn(sv: RoleProcess, ...words: readonly string[]): Promise<void> {
    if (sv.program === PRESENT) return void (await this.succeed(sv, ...words));
    const { code, output } = await sv.run(...words, "-f", sv.valuesFile);
    if (code !== 0) throw new Error(output);
  }

  /** The output of a command that is run with the values of a process. Throws if it fails. */
  async succeed(process: Pick<RoleProcess, "valuesFile">, ...words: readonly string[]): Promise<string> {
    const { exitCode, said, complained } = await runHere([...words, "-f", process.valuesFile]);
    if (exitCode === 0) return said;
    throw new Error(`callsign ${words.join(" ")} ended with ${exitCode}: ${complained}`);
  }

  scan(number: number) {
    return createClient(scanApi, { fetch, baseUrl: `http://${this.#address(number)}:5012/api/scan` });
  }

  appUrl(number: number): string {
    return `http://${this.#address(number)}:5014`;
  }

  sequencerUrl(number: number): string {
    return `http://${this.#address(number)}:5008`;
  }

  /** The parties of the SVs by their names, as the first SV's scan has them. */
  async svParties(): Promise<ReadonlyMap<string, PartyId>> {
    const { dso_rules } = await this.scan(1).getDsoInfo();
    const { svs } = DsoRules.record.fromJson(dso_rules.contract.payload, scanJson);
    return new Map(svs.map(([party, { name }]) => [name, party]));
  }

  /** The participant's ledger, as its administrator unless another user is named. */
  ledger(user = "ledger-api-user") {
    const token = async () => signToken({ sub: user, aud: LEDGER }, { secret: SECRET });
    return createClient(ledgerApi, { fetch, baseUrl: `http://${this.#address(4)}:7575`, token });
  }

  participantAdmin() {
    const token = async () => signToken({ sub: "ledger-api-user", aud: LEDGER }, { secret: SECRET });
    const baseUrl = `http://${this.#address(4)}:7575${participantAdminApi.basePath}`;
    return createClient(participantAdminApi, { fetch, baseUrl, token });
  }

  wallet(user = "alice") {
    const token = async () => signToken({ sub: user, aud: VALIDATOR }, { secret: SECRET });
    return createClient(validatorApi, {
      fetch,
      baseUrl: `http://${this.#address(5)}:5003/api/validator`,
      token,
    });
  }

  /** Resolves with its owner when the name is live at the first SV's scan. */
  async buy(chosen: string): Promise<string> {
    const wallet = this.wallet();
    await wallet.tap({ body: { amount: "10.0" } });
    const body = { name: `${chosen}.unverified.cns`, url: "", description: "" };
    const { subscriptionRequestCid, name } = await wallet.createAnsEntry({ body });
    await wallet.acceptSubscriptionRequest({ params: { contract_id: subscriptionRequestCid } });
    return this.ownerAt(1, name);
  }

  /** By the scan of an SV, as soon as it has the name. */
  ownerAt(number: number, name: string): Promise<string> {
    const find = () =>
      this.scan(number)
        .lookupAnsEntryByName({ params: { name } })
        .then(({ entry }) => entry.user)
        .catch(() => false as const);
    return vi.waitUntil(find, { interval: 50, timeout: 60_000 });
  }

  /** The protocol version as the sequencer of an SV has it. */
  async protocolVersionAt(number: number): Promise<number> {
    const baseUrl = this.sequencerUrl(number);
    return (await createClient(sequencerApi, { fetch, baseUrl }).getNetwork()).protocolVersion;
  }

  get #postgres() {
    return (this.#plan.logOf(1) as ReturnType<typeof postgresLogValues>).postgres;
  }

  async #onDatabase(...statements: readonly string[]): Promise<void> {
    const { hosts, user, password, databaseName: database } = this.#postgres;
    const [host, port] = (hosts[0] ?? "").split(":");
    const client = new pg.Client({ host, port: Number(port), user, password, database });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }

  #address(number: number): string {
    return this.#plan.machineOf(number).address;
  }

  #sv(number: number, keys: object): RoleProcess {
    return this.#process("sv", number, {
      svs: [{ name: `sv-${number}`, ...keys }],
      // A steady load is not to run out of traffic.
      network: { isDevNet: true, freeTrafficBytes: 1_000_000_000, ...this.#plan.terms },
      disableAuth: true,
      log: this.#plan.logOf(number),
      ...this.#plan.svKeys,
    });
  }

  #process(role: RoleFiles["role"], number: number, values: object): RoleProcess {
    const machine = this.#plan.machineOf(number);
    const { address } = machine;
    const folder = join(this.folder, address);
    mkdirSync(folder, { recursive: true });
    const { callsign = {}, ...others } = values as { readonly callsign?: object };
    const dataFolder = this.#plan.dataFolderOf?.(number) ?? join(folder, "data");
    const own = { address, dataFolder, ...callsign };
    const environment = this.#plan.environmentOf?.(number) ?? {};
    return new RoleProcess(machine, { role, folder, values: { ...others, callsign: own }, environment });
  }
}

function expectedSecretsOf(number: number): readonly string[] {
  return number === 1 ? [ONBOARDING] : [];
}
