/**
 * A validator on a participant of its own, which crashes at every point at which it changes anything: before and after each
 * commit to its store, and before and after each call that changes something at its participant or at its sponsor. Its store
 * is reached through its host alone, and the others through relays alone: a new write or submission is a new point.
 */
import { join } from "node:path";
import { HttpError, ledgerApi, participantAdminApi, svApi } from "@callsign/api";
import { silentLog } from "@callsign/node";
import { type Participant, startParticipant } from "@callsign/participant";
import { startValidator, type Validator, type ValidatorConfig } from "@callsign/validator";
import type { Api, Endpoint } from "../../packages/api/src/endpoint.ts";
import { AUTH, makeToken, SERVICE_USER } from "../../packages/localnet/src/tokens.ts";
import { CrashingHost, type Side } from "../support/crashing-host.ts";
import { type Fault, type FaultyParticipant, startFaultyParticipant } from "../support/faulty-participant.ts";
import type { LocalNetwork } from "../support/local-network.ts";
import { type ValidatorClient, validatorClient } from "../support/network-clients.ts";
import { caughtUp } from "../support/participants.ts";

/** Operations that change nothing, although they are not sent by GET. */
const READS = new Set(["listUpdates", "listActiveContracts", "getUpdateByOffset", "getUpdateById"]);
/** The statement that tests whether the store is writable. It changes no row. */
const TRIAL = "update store_version set version = version";
/** The number of crashes after which a start counts as stuck. */
const MOST_STARTS = 100;
const MOST_ATTEMPTS = 20;

export class CrashingValidator {
  /** Points at which it has crashed: side and name. */
  readonly crashedAt = new Set<string>();
  /** All points that it has come to, without their sides. */
  readonly seen = new Set<string>();
  /** Automations that have done something. */
  readonly active = new Set<string>();
  readonly participant: Participant;
  /** Statements that wrote to its store. */
  readonly statements = new Set<string>();
  /** The prefix of points: the same point in another scope is another point. */
  scope = "";
  isArmed = false;
  readonly #network: LocalNetwork;
  readonly #relays: { readonly participant: FaultyParticipant; readonly sponsor: FaultyParticipant };
  readonly #config: Partial<ValidatorConfig>;
  readonly #secret: string;
  readonly #sides: ReadonlySet<Side>;
  #host: CrashingHost;
  #validator: Validator | null = null;

  private constructor(
    network: LocalNetwork,
    parts: {
      readonly participant: Participant;
      readonly relays: { readonly participant: FaultyParticipant; readonly sponsor: FaultyParticipant };
      readonly secret: string;
      readonly config: Partial<ValidatorConfig>;
      readonly sides: readonly Side[];
    },
  ) {
    this.#network = network;
    this.participant = parts.participant;
    this.#relays = parts.relays;
    this.#secret = parts.secret;
    this.#config = { ...parts.config };
    this.#sides = new Set(parts.sides);
    this.#host = this.#makeHost();
    const { participant, sponsor } = parts.relays;
    participant.spoil = (...call) => this.#visitCall([ledgerApi, participantAdminApi], call);
    sponsor.spoil = (...call) => this.#visitCall([svApi], call);
  }

  static async open(
    network: LocalNetwork,
    { sides, config }: { readonly sides: readonly Side[]; readonly config: Partial<ValidatorConfig> },
  ): Promise<CrashingValidator> {
    const { net } = network;
    const participant = await startParticipant({
      dataFolder: join(network.folder, "crashing-participant"),
      nodeIdentifier: "crashing-participant",
      sequencers: net.svs.map(({ sequencerUrl }) => sequencerUrl),
      ...{ host: "127.0.0.1", port: 0, auth: AUTH, adminUsers: [SERVICE_USER], log: silentLog },
    });
    const relays = {
      participant: await startFaultyParticipant(participant.url),
      sponsor: await startFaultyParticipant(net.svs[0]?.appUrl ?? ""),
    };
    const { secret } = await network.sv().prepareValidatorOnboarding({ body: { expires_in: 172_800 } });
    return new CrashingValidator(network, { participant, relays, secret, config, sides });
  }

  async close(): Promise<void> {
    this.#host.crash();
    await this.#relays.participant.close();
    await this.#relays.sponsor.close();
    await this.participant.close();
  }

  get operator(): string {
    return this.#validator?.operatorParty() ?? "";
  }

  /** A client of the instance that runs now. */
  async as(user: string): Promise<ValidatorClient> {
    return validatorClient(this.#validator?.url ?? "", await makeToken(user));
  }

  /**
   * Does the work, and what follows from it. Whenever the validator crashes, it is started again, and the work is
   * repeated. A repetition succeeds as well, unless it is refused with that status because the work is done.
   */
  async run(work: () => Promise<unknown>, doneStatus?: number): Promise<void> {
    if (this.#validator === null) await this.#restart();
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      const host = this.#host;
      const isRepeated = attempt > 1;
      const doing = work()
        .catch((error: unknown) => {
          const isDone = isRepeated && error instanceof HttpError && error.status === doneStatus;
          if (!isDone) throw error;
        })
        .then(() => this.quiet());
      if ((await untilCrash(host, doing)) === "done") return;
      await this.#restart();
    }
    throw new Error(`the work is not done after ${MOST_ATTEMPTS} attempts`);
  }

  /** Resolves when no automation has a task left, and histories are as recent as the ledger. */
  async quiet(): Promise<void> {
    for (;;) {
      const end = await this.#ledgerEnd();
      await this.#network.net.settle();
      await caughtUp(this.participant, this.#network.net.svs);
      await this.#validator?.idle();
      for (const { automation, done } of this.#validator?.automations() ?? [])
        if (done > 0) this.active.add(automation);
      if ((await this.#ledgerEnd()) === end) return;
    }
  }

  /** Resolves when it has seen the participant's ledger, and has no task left. */
  async idle(): Promise<void> {
    await this.#validator?.idle();
  }

  /** Crashes here and now, and starts again with other settings. */
  async restartWith(change: Partial<ValidatorConfig>): Promise<void> {
    Object.assign(this.#config, change);
    this.#host.crash();
    await this.#restart();
  }

  async #ledgerEnd(): Promise<number> {
    const { svs } = this.#network.net;
    return svs[0]?.streamEnd(this.participant.participantId) ?? 0;
  }

  #makeHost(): CrashingHost {
    const host: CrashingHost = new CrashingHost({
      visit: (side, effect) => (effect === TRIAL ? false : this.#visit(host, side, shorten(effect))),
      onWrite: (statement) => this.statements.add(statement),
    });
    return host;
  }

  async #restart(): Promise<void> {
    for (let start = 1; start <= MOST_STARTS; start++) {
      const host = this.#host.isDead ? this.#makeHost() : this.#host;
      this.#host = host;
      const starting = this.#start(host).then(async (validator) => {
        this.#validator = validator;
        await validator.idle();
      });
      if ((await untilCrash(host, starting)) === "done") return;
    }
    throw new Error(`the validator does not start: it has crashed at ${[...this.crashedAt].join("\n")}`);
  }

  #start({ host }: CrashingHost): Promise<Validator> {
    const { net, folder } = this.#network;
    return startValidator(
      {
        dataFolder: join(folder, "crashing-validator"),
        ...{ host: "127.0.0.1", port: 0, auth: AUTH, log: silentLog, walletUsers: ["olga"] },
        participantUrl: this.#relays.participant.url,
        scans: net.svs.map(({ scanUrl }) => `${scanUrl}/api/scan`),
        serviceUser: { userId: SERVICE_USER, token: () => net.serviceToken },
        operatorPartyHint: "crashing-validator-1",
        onboarding: { svUrl: `${this.#relays.sponsor.url}/api/sv`, secret: this.#secret },
        ...this.#config,
      },
      host,
    );
  }

  /** Returns true if the validator crashes here. */
  #visit(host: CrashingHost, side: Side, name: string): boolean {
    if (host.isDead) return false;
    this.seen.add(name);
    const point = `${side} ${this.scope}${name}`;
    if (!this.isArmed || !this.#sides.has(side) || this.crashedAt.has(point)) return false;
    this.crashedAt.add(point);
    return true;
  }

  #visitCall(
    apis: readonly Api[],
    [path, body, method]: readonly [string, string, string],
  ): Fault | undefined {
    const name = nameOf(apis, path, { method, body });
    const host = this.#host;
    if (name === null) return undefined;
    if (this.#visit(host, "before", name)) {
      host.crash();
      return "hang";
    }
    return this.#visit(host, "after", name) ? { lost: host.crash } : undefined;
  }
}

async function untilCrash(host: CrashingHost, work: Promise<unknown>): Promise<"done" | "crashed"> {
  const done = work.then(
    () => "done" as const,
    (error: unknown) => {
      if (host.isDead) return "crashed" as const;
      throw error;
    },
  );
  return await Promise.race([host.crashed, done]);
}

const shorten = (statement: string) => statement.replace(/\s+/g, " ").trim().slice(0, 100);

/** The name of the point at which a call changes something; null for a read. */
function nameOf(
  apis: readonly Api[],
  path: string,
  { method, body }: { readonly method: string; readonly body: string },
): string | null {
  if (method === "GET") return null;
  const [given = ""] = path.split("?");
  const endpoint = apis
    .flatMap(({ endpoints, basePath }) => Object.values(endpoints).map((each) => ({ each, basePath })))
    .find(({ each, basePath }) => isCallOf(each, basePath, { method, given }))?.each;
  if (endpoint === undefined) return `${method} ${given}`;
  return READS.has(endpoint.id) ? null : `${endpoint.id}${commandsOf(body)}`;
}

function isCallOf(
  { method, path }: Endpoint,
  basePath: string,
  call: { readonly method: string; readonly given: string },
): boolean {
  const pattern = (basePath + path).replace(/\{[^}]+\}/g, "[^/]+");
  return method === call.method && new RegExp(`^${pattern}$`).test(call.given);
}

interface SentCommand {
  readonly CreateCommand?: { readonly templateId: string };
  readonly ExerciseCommand?: { readonly choice: string; readonly choiceArgument: unknown };
}

/** The choices and templates of a submission, and the operations of a batch. */
function commandsOf(body: string): string {
  const sent = body === "" ? {} : (JSON.parse(body) as { commands?: { commands?: readonly SentCommand[] } });
  const commands = sent.commands?.commands ?? [];
  const names = commands.map(({ CreateCommand, ExerciseCommand }) => {
    if (CreateCommand !== undefined) return CreateCommand.templateId.split(":").at(-1) ?? "";
    const argument = (ExerciseCommand?.choiceArgument ?? {}) as { operations?: readonly { tag: string }[] };
    const tags = (argument.operations ?? []).map(({ tag }) => tag);
    return [ExerciseCommand?.choice ?? "", ...tags].join(" ");
  });
  return names.map((name) => ` ${name}`).join("");
}
