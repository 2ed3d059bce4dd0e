/** A log whose server can change: in a new term, and with a tail that is lost. Terms are checked as a real server does. */
import { systemHost } from "@callsign/node";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { signFounding } from "../../packages/sv/src/founding/sign-founding.ts";
import type { SvNode } from "../../packages/sv/src/sv-node.ts";
import type { SvNodeConfig } from "../../packages/sv/src/sv-node-config.ts";
import type {
  Appended,
  LogBatch,
  LogPage,
  OrderedLog,
} from "../../packages/synchronizer/src/log/ordered-log.ts";
import { SqliteLog } from "../../packages/synchronizer/src/log/sqlite-log.ts";
import { identityNamed, openSvNode } from "../support/sv-nodes.ts";

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

/** Four SVs on such a log, founded. */
export async function startOnChangingLog(peers: NonNullable<SvNodeConfig["peers"]>) {
  const log = new ChangingLog(new SqliteLog(":memory:", systemHost));
  const svs: SvNode[] = [];
  for (let rank = 0; rank < 4; rank++) {
    const name = `sv${rank + 1}`;
    const place = { dataFolder: temporaryFolder(), name, identity: identityNamed(name) };
    const node = await openSvNode({ ...place, orderedLog: log, logIsElsewhere: true, peers });
    onTestFinished(() => node.close());
    svs.push(node);
  }
  const [first] = svs as [SvNode];
  const founders = svs.map(({ identity }) => ({ identity }));
  const sequence = await first.submit(signFounding({ svs: founders, movableClock: true, isDevNet: true }));
  for (const { replica } of svs) await replica.reach(sequence, AbortSignal.timeout(60_000));
  return { log, svs: svs as [SvNode, SvNode, SvNode, SvNode] };
}
