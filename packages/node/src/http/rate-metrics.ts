/** The rates of calls on one port, under the names and labels that Splice's rate limiters have. */
import { counter, gauge } from "../observability/metric-declaration.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { CallerRates } from "./caller-rates.ts";
import type { CallRates } from "./listening.ts";

const CALLS = counter(
  "splice_rate_limiting_total",
  "Calls that a rate limit was asked about, by its answer: accepted or rejected.",
);
const LIMIT = gauge(
  "splice_rate_limiting_max_limit_per_second",
  "The rate of calls that one caller may reach.",
);

/** The same rates; their answers are counted. */
export function measureRates(
  rates: CallerRates,
  { perAddress, perUser }: CallRates,
  { metrics, service }: { readonly metrics: Metrics | undefined; readonly service: string },
): CallerRates {
  if (metrics === undefined) return rates;
  const counted = (limiter: string, rate: CallRates["perUser"], ask: CallerRates["countUser"]) => {
    if (rate === undefined) return ask;
    const labels = { http_service: service, limiter };
    metrics.labelled(labels).declare(LIMIT, () => rate.perSecond);
    const accepted = metrics.count(CALLS, { ...labels, result: "accepted" });
    const rejected = metrics.count(CALLS, { ...labels, result: "rejected" });
    return (caller: string | null) => {
      const retryAfter = ask(caller);
      (retryAfter === null ? accepted : rejected).add();
      return retryAfter;
    };
  };
  return {
    isSpent: rates.isSpent,
    isUserSpent: rates.isUserSpent,
    countAddress: counted("address", perAddress, (address) => rates.countAddress(address ?? "")),
    countUser: counted("user", perUser, rates.countUser),
  };
}
