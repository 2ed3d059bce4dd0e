/** A log whose server can change: in a new term, and with a tail that is lost. Terms are checked as a real server does. */
import type {
  Appended,
  LogBatch,
  LogPage,
  OrderedLog,
} from "../../packages/synchronizer/src/log/ordered-log.ts";

export class ChangingLog implements OrderedLog {
  #log: OrderedLog;
  #term = "term 1";
  /** The terms of the batches that were appended. */
  readonly terms: (string | undefined)[] = [];

  constructor(log: OrderedLog) {
    this.#log = log;
  }

  /** Another server takes over, with another log if one is given. */
  change(term: string, log = this.#log): void {
    this.#term = term;
    this.#log = log;
  }

  readonly unwritable = () => this.#log.unwritable();
  readonly head = () => this.#log.head();
  readonly start = () => this.#log.start();
  readonly term = async () => this.#term;
  readonly trim = (upTo: number) => this.#log.trim(upTo);
  readonly close = () => this.#log.close();

  readonly append = async (batch: LogBatch): Promise<Appended> => {
    const { term, ...untermed } = batch;
    if (term !== undefined && term !== this.#term)
      return { appended: false, head: await this.#log.head(), term: this.#term };
    const answer = await this.#log.append(untermed);
    if (!answer.appended) return { ...answer, term: this.#term };
    this.terms.push(term);
    return answer;
  };

  follow(after: number, signal: AbortSignal): AsyncIterable<LogPage> {
    return this.#log.follow(after, signal);
  }
}
