/** A ledger made in bulk, and a participant that serves it. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SignJWT } from "jose";
import { type BulkLedger, makeLedger, READER } from "./bulk-ledger.ts";
import { type Call, HttpLoad } from "./http-load.ts";

const SECRET = "unsafe-for-benchmarks-only-0123456789";
const AUDIENCE = "https://ledger_api.example.com";
const SERVE = join(import.meta.dirname, "serve.ts");

export class ServedLedger {
  readonly bulk: BulkLedger;
  readonly load: HttpLoad;
  readonly url: string;
  readonly token: string;
  readonly #folder: string;
  readonly #child: ChildProcess;

  private constructor(parts: {
    readonly bulk: BulkLedger;
    readonly folder: string;
    readonly child: ChildProcess;
    readonly url: string;
    readonly token: string;
  }) {
    this.bulk = parts.bulk;
    this.#folder = parts.folder;
    this.#child = parts.child;
    this.url = parts.url;
    this.token = parts.token;
    this.load = new HttpLoad(parts.url, parts.token);
  }

  static async make(parties: number): Promise<ServedLedger> {
    const folder = mkdtempSync(join(tmpdir(), "callsign-participant-"));
    const bulk = await makeLedger(folder, parties);
    const child = spawn(process.execPath, [SERVE, folder, SECRET, AUDIENCE], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    process.once("exit", () => child.kill("SIGKILL"));
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.setEncoding("utf8").once("data", (said: string) => resolve(said.trim()));
      child.once("close", (code) => reject(new Error(`the participant ended with ${code}`)));
    });
    const token = await new SignJWT({ sub: READER, aud: AUDIENCE })
      .setProtectedHeader({ alg: "HS256" })
      .sign(new TextEncoder().encode(SECRET));
    return new ServedLedger({ bulk, folder, child, url, token });
  }

  eventsOfContract(i: number): Call {
    const contractId = pick(this.bulk.contractIds, i);
    return { path: "/v2/events/events-by-contract-id", body: { contractId, eventFormat: forAnyParty } };
  }

  contractsOfParty(i: number): Call {
    const eventFormat = { filtersByParty: { [pick(this.bulk.parties, i)]: {} } };
    const activeAtOffset = this.end;
    return { path: "/v2/state/active-contracts", body: { activeAtOffset, eventFormat } };
  }

  updatesOfParty(i: number): Call {
    const eventFormat = { filtersByParty: { [pick(this.bulk.parties, i)]: {} } };
    const transactionShape = "TRANSACTION_SHAPE_ACS_DELTA";
    const updateFormat = { includeTransactions: { eventFormat, transactionShape } };
    return { path: "/v2/updates", body: { beginExclusive: 0, endInclusive: this.end, updateFormat } };
  }

  updateById(i: number): Call {
    const transactionShape = "TRANSACTION_SHAPE_ACS_DELTA";
    const updateFormat = { includeTransactions: { eventFormat: forAnyParty, transactionShape } };
    const updateId = pick(this.bulk.updateIds, i);
    return { path: "/v2/updates/update-by-id", body: { updateId, updateFormat } };
  }

  /** Each party has three items in the stream. */
  get end(): number {
    return this.bulk.parties.length * 3;
  }

  async stop(): Promise<void> {
    this.load.close();
    const ended = new Promise((resolve) => this.#child.once("close", resolve));
    this.#child.kill("SIGTERM");
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const forAnyParty = { filtersByParty: {}, filtersForAnyParty: { cumulative: [] } };

/** Scattered over all of them, and the same every time. */
function pick<T>(list: readonly T[], i: number): T {
  const found = list[Number((BigInt(i) * 2_654_435_761n) % BigInt(list.length))];
  if (found === undefined) throw new Error("there is nothing to pick from");
  return found;
}
