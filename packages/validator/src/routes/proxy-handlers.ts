/**
 * Lookups on which several scans agree. Headers of an answer name the scans that agree and the record time at which they
 * do. An answer that looks as it does on scan is sent on as its bytes came.
 */
import {
  type Endpoint,
  forwardedToScan,
  type ProxiedId,
  proxiedId,
  registryApi,
  type UntypedRequest,
} from "@callsign/api";
import { type Call, RawJson, Refusal, Reply } from "@callsign/node";
import { ValidatorError, type ValidatorProblem } from "../errors/validator-error.ts";
import { evidenceHeaders } from "../scans/agreed-answer.ts";
import type { ScanGroup } from "../scans/scan-group.ts";
import {
  dsoInfo,
  dsoPartyId,
  entriesByPrefix,
  entryByName,
  entryByParty,
  holdingsSummary,
  latestAmuletRules,
  latestAnsRules,
  rounds,
} from "../scans/scan-lookups.ts";
import type { ScanRead } from "../scans/scan-read.ts";
import { rejectionOf } from "./rejections.ts";
import type { Served } from "./running.ts";

/** Operations that look as they do on scan. */
const FORWARDED = { ...forwardedToScan, ...registryApi.endpoints };

type Calls = Pick<Call<unknown>, "signal">;

/** Some of the proxy's shapes are its own: rules and rounds whole, rounds in lists. */
export function proxyHandlers(scans: ScanGroup) {
  const proxy = new ScanProxy(scans);
  return {
    ...forwardingHandlers(proxy),
    scanProxyGetDsoInfo: (_, call) => proxy.forward(dsoInfo, call),
    scanProxyGetHoldingsSummaryAt: ({ body }, call) =>
      proxy.lookUp(holdingsSummary(body), call, {
        shape: (summary) => summary,
        missing: { kind: "scan-rejection", status: 404, message: "Summary not found for given parameters" },
      }),
    scanProxyListAnsEntries: ({ query }, call) => proxy.forward(entriesByPrefix(query), call),
    scanProxyLookupAnsEntryByName: ({ params: { name } }, call) =>
      proxy.lookUp(entryByName(name), call, {
        shape: (entry) => ({ entry }),
        missing: { kind: "entry-not-found", by: "name", sought: name },
      }),
    scanProxyLookupAnsEntryByParty: ({ params: { party } }, call) =>
      proxy.lookUp(entryByParty(party), call, {
        shape: (entry) => ({ entry }),
        missing: { kind: "entry-not-found", by: "party", sought: party },
      }),
    scanProxyGetAnsRules: (_, call) =>
      proxy.reshape(latestAnsRules, call, (ans_rules_update) => ({ ans_rules_update })),
    scanProxyGetDsoPartyId: (_, call) => proxy.forward(dsoPartyId, call),
    scanProxyGetAmuletRules: (_, call) =>
      proxy.reshape(latestAmuletRules, call, (amulet_rules) => ({ amulet_rules })),
    scanProxyGetOpenAndIssuingMiningRounds: (_, call) =>
      proxy.reshape(rounds, call, ({ open, issuing }) => ({
        open_mining_rounds: [...open],
        issuing_mining_rounds: [...issuing],
      })),
  } satisfies Partial<Served>;
}

/** Agreed answers as replies, with their evidence. */
class ScanProxy {
  readonly #scans: ScanGroup;

  constructor(scans: ScanGroup) {
    this.#scans = scans;
  }

  /** The answer, which looks as it does on scan. */
  async forward<T>(read: ScanRead<T>, call: Calls): Promise<Reply<T>> {
    const { value, text, headers } = await this.#agree(read, call);
    return new Reply<T>(text === null ? value : new RawJson(text), { headers });
  }

  /** The same; null is the refusal `missing`. */
  async lookUp<T, B>(
    read: ScanRead<T | null>,
    call: Calls,
    { shape, missing }: { readonly shape: (value: T) => B; readonly missing: ValidatorProblem },
  ): Promise<Reply<B>> {
    const { value, text, headers } = await this.#agree(read, call);
    if (value === null) throw refusal(missing, headers);
    return new Reply<B>(text === null ? shape(value) : new RawJson(text), { headers });
  }

  /** An answer that looks different here. */
  async reshape<T, B>(read: ScanRead<T>, call: Calls, shape: (value: T) => B): Promise<Reply<B>> {
    const { value, headers } = await this.#agree(read, call);
    return new Reply<B>(shape(value), { headers });
  }

  async #agree<T>(read: ScanRead<T>, { signal }: Calls) {
    const agreed = await this.#scans.agree(read, signal);
    const headers = evidenceHeaders(agreed);
    const { said } = agreed;
    if (said.kind === "value") return { value: said.value, text: agreed.text, headers };
    const { status, message } = said;
    throw refusal({ kind: "scan-rejection", status, message }, headers);
  }
}

function refusal(problem: ValidatorProblem, headers: Readonly<Record<string, string>>): Error {
  const error = new ValidatorError(problem);
  const rejection = rejectionOf(error);
  return rejection === null ? error : new Refusal(rejection).withHeaders(headers);
}

type Forwarding = Pick<Served, ProxiedId<keyof typeof FORWARDED>>;

function forwardingHandlers(proxy: ScanProxy): Forwarding {
  type Handler = (request: UntypedRequest, call: Calls) => Promise<Reply<unknown>>;
  const handlers = Object.values<Endpoint>(FORWARDED).map((endpoint): [string, Handler] => [
    proxiedId(endpoint.id),
    ({ params, query, body }, call) => {
      const request = { params: params ?? {}, query: query ?? {}, body };
      const requests = [{ endpoint, request, substitute: undefined }];
      return proxy.forward({ what: `"${endpoint.summary}"`, requests, decode: ([answer]) => answer }, call);
    },
  ]);
  return Object.fromEntries(handlers) as unknown as Forwarding;
}
