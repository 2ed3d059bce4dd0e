/**
 * Tasks that are listed as due and of which nothing is to be done here: a name whose renewal is switched off, a request
 * of somebody else's wallet. There may be many, for months: each is asked about again only once something of its
 * owner's has changed, or a wallet was installed.
 */
import { WalletAppInstall } from "@callsign/ledger";
import type { Advance } from "../store/contract-rows.ts";

export class LeftTasks {
  readonly #owners = new Map<string, string>();
  #changes = 0;

  /** Grows with every change: what was asked before one may be answered otherwise after it. */
  get changes(): number {
    return this.#changes;
  }

  has(task: string): boolean {
    return this.#owners.has(task);
  }

  leave(task: string, owner: string): void {
    this.#owners.set(task, owner);
  }

  /** Whether some of them are to be asked about again. */
  advanced({ owners, touched }: Advance): boolean {
    this.#changes++;
    const before = this.#owners.size;
    if (touched.has(WalletAppInstall.entity)) this.#owners.clear();
    else for (const [task, owner] of this.#owners) if (owners.has(owner)) this.#owners.delete(task);
    return this.#owners.size < before;
  }

  /** Forgets all but these. */
  keepOnly(tasks: ReadonlySet<string>): void {
    for (const task of this.#owners.keys()) if (!tasks.has(task)) this.#owners.delete(task);
  }
}
