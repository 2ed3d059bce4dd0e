/** Everything that the APIs of a local network tell: the answers of all reads, and the whole history and state behind them. */

import { expect } from "vitest";
import {
  type Api,
  ledgerApi,
  scanApi,
  sequencerApi,
  svApi,
  validatorApi,
} from "../../packages/api/src/index.ts";
import { NODE_NAMES } from "../../packages/localnet/src/ports.ts";
import type { Localnet } from "../../packages/localnet/src/start-localnet.ts";

/** Answers that tell of the process, or of the scan that a proxy happened to ask, and not of the ledger. */
const NOT_OF_THE_LEDGER = /^\/status$|\/automations$|^\/v0\/scan-proxy\/dso$|statistics\/lookups/;
const ALL = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } };
const PAGE = 2000;

interface Asked {
  readonly api: Api;
  /** With the API's prefix. */
  readonly url: string;
  readonly token: string;
}

interface Asking {
  readonly token: string;
  readonly method?: "POST";
  readonly body?: string;
}

/** By what was asked. */
export async function observe(net: Localnet): Promise<ReadonlyMap<string, unknown>> {
  const answers = new Map<string, unknown>();
  const keep = async (call: string, init: Asking) => {
    const { token, ...others } = init;
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(call, { ...others, headers });
    const body = readBody(await response.text());
    // A refusal has an id of its own.
    const answer = response.ok ? body : response.status;
    answers.set(`${others.method ?? "GET"} ${call} ${others.body ?? ""}`, answer);
    return answer;
  };
  const post = async (url: string, token: string, body: object) => {
    const found = await keep(url, { method: "POST", token, body: JSON.stringify(body) });
    expect([url, found]).toEqual([url, expect.any(Object)]);
    return found;
  };
  for (const { api, url, token } of listApis(net)) {
    for (const { method, path, params } of Object.values(api.endpoints))
      if (method === "GET" && params === undefined && !NOT_OF_THE_LEDGER.test(path))
        await keep(url + path, { token });
  }
  for (const name of NODE_NAMES) {
    const { ledgerUrl, validatorUrl, token } = net.nodes[name];
    const service = net.serviceToken;
    const { party_id: party } = (await keep(`${validatorUrl}/api/validator/v0/wallet/user-status`, {
      token,
    })) as { readonly party_id: string };
    const filtersByParty = { [party]: { cumulative: [ALL] } };
    const eventFormat = { filtersByParty, verbose: true };
    const { offset } = (await keep(`${ledgerUrl}/v2/state/ledger-end`, { token: service })) as {
      readonly offset: number;
    };
    const includeTransactions = { eventFormat, transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS" };
    await post(`${ledgerUrl}/v2/updates?limit=${PAGE}`, service, {
      ...{ beginExclusive: 0, endInclusive: offset, updateFormat: { includeTransactions } },
    });
    await post(`${ledgerUrl}/v2/state/active-contracts?limit=${PAGE}`, service, {
      ...{ activeAtOffset: offset, eventFormat },
    });
    await post(`${validatorUrl}/api/validator/v0/wallet/transactions`, token, { page_size: 1000 });
  }
  for (const { scanUrl } of net.svs) {
    const scan = `${scanUrl}/api/scan`;
    const names = (await keep(`${scan}/v0/ans-entries?page_size=1000`, { token: "" })) as {
      readonly entries: readonly { readonly name: string }[];
    };
    for (const { name } of names.entries) await keep(`${scan}/v0/ans-entries/by-name/${name}`, { token: "" });
    await post(`${scan}/v2/updates`, "", { page_size: 1000 });
  }
  return answers;
}

function listApis(net: Localnet): readonly Asked[] {
  const { serviceToken } = net;
  return [
    ...NODE_NAMES.flatMap((name) => {
      const { ledgerUrl, validatorUrl, token } = net.nodes[name];
      const validator = { api: validatorApi, url: `${validatorUrl}/api/validator` };
      return [
        { api: ledgerApi, url: ledgerUrl, token: serviceToken },
        { ...validator, token },
        { ...validator, token: serviceToken },
      ];
    }),
    ...net.svs.flatMap(({ scanUrl, sequencerUrl, appUrl }) => [
      { api: scanApi, url: `${scanUrl}/api/scan`, token: "" },
      { api: sequencerApi, url: sequencerUrl, token: "" },
      { api: svApi, url: `${appUrl}/api/sv`, token: serviceToken },
    ]),
  ];
}

function readBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
