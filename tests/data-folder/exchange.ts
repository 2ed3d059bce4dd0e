/** Calls to a network and their answers, recorded by one release and asked again of a later one. */

export interface Question {
  /** `scan-1`, `sv-4`, `sequencer-2`, `ledger-app-user`, `validator-sv`. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

export interface Exchange extends Question {
  readonly status: number;
  readonly answer: unknown;
}

/** The addresses of a local network, of whatever release. */
export interface AskedNetwork {
  readonly nodes: Readonly<
    Record<string, { readonly ledgerUrl: string; readonly validatorUrl: string; readonly token: string }>
  >;
  readonly svs: readonly {
    readonly scanUrl: string;
    readonly sequencerUrl: string;
    readonly appUrl: string;
  }[];
  readonly serviceToken: string;
}

export async function ask(network: AskedNetwork, { at, method, path, body }: Question) {
  const { url, token } = findServer(network, at);
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    answer: (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>,
  };
}

/** Fields that later releases have added to an answer, or tell the truth in: the others are compared. */
const LATER_FIELDS: Readonly<Record<string, readonly string[]>> = {
  "/api/validator/v0/entry/all": [
    ...["url", "description", "state", "autoRenewal", "nextPaymentFrom", "nextPaymentDueAt", "primary"],
  ],
  "/api/validator/v0/wallet/user-status": ["has_featured_app_right"],
};

/** Asks everything again, and answers the exchanges that came out otherwise. */
export async function listDifferences(
  network: AskedNetwork,
  recorded: readonly Exchange[],
): Promise<readonly unknown[]> {
  const different: unknown[] = [];
  for (const exchange of recorded) {
    const { path, status, answer } = exchange;
    const given = await ask(network, exchange);
    const format = (value: object) =>
      JSON.stringify(value, (key, each) => {
        if (LATER_FIELDS[path]?.includes(key)) return undefined;
        return path === "/v2/parties" && key === "partyDetails" ? listLocal(each) : each;
      });
    if (format(given) !== format({ status, answer })) different.push({ exchange, given });
  }
  return different;
}

/** Earlier releases listed no others. */
function listLocal(parties: readonly { readonly isLocal: boolean }[]) {
  return parties.filter(({ isLocal }) => isLocal);
}

function findServer({ nodes, svs, serviceToken }: AskedNetwork, at: string): { url: string; token: string } {
  const [kind = "", ...rest] = at.split("-");
  const name = rest.join("-");
  const sv = svs[Number(name) - 1];
  const node = nodes[name];
  const urls: Readonly<Record<string, string | undefined>> = {
    scan: sv?.scanUrl,
    sequencer: sv?.sequencerUrl,
    sv: sv?.appUrl,
    ledger: node?.ledgerUrl,
    validator: node?.validatorUrl,
  };
  return { url: urls[kind] ?? "", token: kind === "validator" ? (node?.token ?? "") : serviceToken };
}
