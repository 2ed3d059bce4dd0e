/** A store whose statements are timed, under the names that Canton's databases have. */
import type { Clock } from "../host/host.ts";
import { gauge, histogram, SECONDS } from "../observability/metric-declaration.ts";
import type { Metrics, Sample } from "../observability/metrics.ts";
import type { ConnectionFigures, Sql, Store } from "./store.ts";

const QUERY = histogram(
  "daml_db_query_duration_seconds",
  "Time of a statement that reads, its wait for the database included.",
  SECONDS,
);
const EXEC = histogram(
  "daml_db_exec_duration_seconds",
  "Time of a statement that writes, its wait for the database included.",
  SECONDS,
);
const COMMIT = histogram(
  "daml_db_commit_duration_seconds",
  "Time of a transaction until it is committed, its wait for the database included.",
  SECONDS,
);

export interface MeasuredStoreParts {
  /** The store's name in its metrics. */
  readonly name: string;
  readonly metrics: Metrics | undefined;
  readonly clock: Clock;
}

/** The same store, whose statements are timed. Without a registry it is the store itself. */
export function measureStore(store: Store, { name, metrics, clock }: MeasuredStoreParts): Store {
  if (metrics === undefined) return store;
  const labels = { name };
  const [query, exec, commit] = [QUERY, EXEC, COMMIT].map((timer) => metrics.histogram(timer, labels));
  const now = clock.elapsedMilliseconds;
  const timed = async <T>(timer: typeof query, begun: number, work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } finally {
      timer?.record((now() - begun) / 1000);
    }
  };
  if (store.connections !== undefined)
    declareConnections(metrics.labelled({ pool_name: name }), store.connections);
  const measured = (sql: Sql): Sql => ({
    all: (...given) => timed(query, now(), sql.all(...given)),
    get: (...given) => timed(query, now(), sql.get(...given)),
    run: (...given) => timed(exec, now(), sql.run(...given)),
  });
  return {
    ...store,
    ...measured(store),
    transaction: (work, options) =>
      timed(
        commit,
        now(),
        store.transaction((sql) => work(measured(sql)), options),
      ),
  };
}

/** The connections for reads; one more writes. */
function declareConnections(metrics: Metrics, connections: () => ConnectionFigures): void {
  const declareGauge = (name: string, help: string, read: () => number | readonly Sample[]) =>
    metrics.declare(gauge(`db_client_connections_${name}`, help), read);
  declareGauge("usage", "Connections to the database for reads, by state: used or idle.", () =>
    (["used", "idle"] as const).map((state) => ({ value: connections()[state], labels: { state } })),
  );
  declareGauge("max", "Connections to the database for reads that there may be.", () => connections().max);
  declareGauge(
    "pending_requests",
    "Reads that wait for a connection to the database.",
    () => connections().waiting,
  );
}
