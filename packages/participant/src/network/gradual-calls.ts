/**
 * Calls of one server, few at once to begin with, and one more with each answer. A server on Node accepts one new connection in
 * each turn of its event loop. Of many that are opened together, the last one waits for as many turns as there are others, and its
 * call with it; a connection that is open is free again after a turn or two.
 */
export class GradualCalls {
  readonly #first: number;
  readonly #waiting: (() => void)[] = [];
  /** The calls that may be under way at once. */
  #limit: number;
  #underWay = 0;

  constructor(first: number) {
    this.#first = first;
    this.#limit = first;
  }

  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.#underWay < this.#limit) this.#underWay++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      const answer = await call();
      if (this.#waiting.length > 0) this.#limit++;
      return answer;
    } finally {
      this.#underWay--;
      this.#handOver();
    }
  }

  #handOver(): void {
    while (this.#underWay < this.#limit) {
      const begin = this.#waiting.shift();
      if (begin === undefined) break;
      this.#underWay++;
      begin();
    }
    // Connections that nobody uses are closed after a while.
    if (this.#underWay === 0) this.#limit = this.#first;
  }
}
