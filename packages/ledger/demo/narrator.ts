/** Prints a story: what day it is in the simulated network, what happens, and what everybody owns then. */
import { formatDecimalShort } from "../src/values/decimal.ts";
import { DAY, HOUR, MINUTE } from "../src/values/duration.ts";
import type { Time } from "../src/values/time.ts";
import type { SimulatedNetwork } from "../testing/simulated-network.ts";
import type { WalletActor } from "../testing/wallet-actor.ts";

export class Narrator {
  readonly #network: SimulatedNetwork;
  readonly #beginning: Time;
  readonly #purses = new Map<string, WalletActor>();

  constructor(network: SimulatedNetwork) {
    this.#network = network;
    this.#beginning = network.now;
  }

  introduce(name: string, wallet: WalletActor): void {
    this.#purses.set(name, wallet);
  }

  chapter(title: string): void {
    print(`\n${title}`);
    print("─".repeat(title.length));
  }

  /** One event, with the day and time at which it happened. */
  tell(text: string): void {
    print(`  ${this.#when()}  ${text}`);
  }

  /** More about the event above. */
  detail(text: string): void {
    print(`${" ".repeat(17)}${text}`);
  }

  balances(): void {
    const purses = [...this.#purses].map(([name, wallet]) => {
      const locked = wallet.locked();
      const held = locked > 0n ? ` (and ${formatDecimalShort(locked)} locked)` : "";
      return `${name} ${formatDecimalShort(wallet.balance())}${held}`;
    });
    this.detail(`coins: ${purses.join(" · ")}`);
  }

  #when(): string {
    const since = this.#network.now - this.#beginning;
    const day = (since / DAY).toString().padStart(3);
    const hours = ((since % DAY) / HOUR).toString().padStart(2, "0");
    const minutes = ((since % HOUR) / MINUTE).toString().padStart(2, "0");
    return `day ${day} ${hours}:${minutes}`;
  }
}

// A reader that closes the pipe early, as `npm run story | head` does, ends the demo without an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
