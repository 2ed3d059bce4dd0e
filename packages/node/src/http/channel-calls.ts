/**
 * Calls that a lookup channel carries although their answers are not ready (decision 0069). Each passes the rules of its API
 * and waits for its handler, as a request would. Every refusal and every failure is left to a request, which tells the reason.
 */
import type { AnyRequest, ChannelAnswer, ChannelQuestion, Endpoint } from "@callsign/api";
import { type Answer, Reply } from "./answer.ts";
import type { CallSetting } from "./arrival.ts";
import { AuthorizedCall } from "./authorized-call.ts";
import type { CallMetrics } from "./call-metrics.ts";
import type { CallEnd } from "./calls.ts";
import { countUser } from "./count-user.ts";
import { dialectOf } from "./dialect.ts";
import { readIncoming } from "./incoming.ts";
import type { MountedApi } from "./mount-api.ts";
import { bodyOf } from "./write-result.ts";

interface Asker {
  readonly address: string;
  /** Aborted when the channel closes. */
  readonly end: CallEnd;
}

export class ChannelCalls {
  readonly #setting: CallSetting;
  readonly #metrics: CallMetrics | undefined;

  constructor(setting: CallSetting, metrics: CallMetrics | undefined) {
    this.#setting = setting;
    this.#metrics = metrics;
  }

  /** Null if the question has to be sent as a request; never rejects. */
  async answer(mount: MountedApi, question: ChannelQuestion, asker: Asker): Promise<ChannelAnswer | null> {
    const { calls, maxCalls, rates, system, timeoutMilliseconds } = this.#setting;
    const { address, end } = asker;
    const began = system.clock.elapsedMilliseconds();
    const mark = question.target.indexOf("?");
    const path = mark < 0 ? question.target : question.target.slice(0, mark);
    const endpoint = mount.channelled?.find((each) => each.path === path);
    if (endpoint === undefined || calls.count >= maxCalls || rates.isSpent(address)) return null;
    rates.countAddress(address);
    const late = system.timers.set(() => end.abort(), timeoutMilliseconds);
    let given: Answer<Endpoint> | undefined;
    const work = async () => {
      given = await this.#call(mount, endpoint, question, asker);
    };
    try {
      await calls.wait(end, work());
    } catch {
      return null;
    } finally {
      system.timers.clear(late);
    }
    const answer = given instanceof Reply ? given.answer : given;
    const [status, own] = given instanceof Reply ? [given.status, given.headers] : [200, {}];
    if (status !== 200) return null;
    this.#metrics?.record(mount, endpoint, { status, began });
    return { status, headers: { ...mount.headers?.(), ...own }, body: bodyOf(answer, endpoint).toString() };
  }

  async #call(
    mount: MountedApi,
    endpoint: Endpoint,
    { target, headers }: ChannelQuestion,
    { address, end }: Asker,
  ): Promise<Answer<Endpoint>> {
    const { rules, api } = mount;
    const { rates, system } = this.#setting;
    const dialect = dialectOf(api);
    const incoming = readIncoming({ method: endpoint.method, url: target, headers }, system);
    const mark = target.indexOf("?");
    const raw = {
      ...{ params: {}, search: mark < 0 ? "" : target.slice(mark + 1) },
      ...{ contentType: undefined, body: "" },
    };
    await mount.before?.(incoming);
    const identity = await rules.authenticate(endpoint, incoming);
    countUser(rules.userOf(identity), mount, incoming, rates);
    const request: AnyRequest = {
      ...{ id: endpoint.id, auth: endpoint.auth },
      params: dialect.params(endpoint, raw),
      query: dialect.query(endpoint, raw),
      body: dialect.body(endpoint, raw),
    };
    const caller = await rules.authorize(endpoint, request, identity, incoming);
    return mount.handle(endpoint, request, new AuthorizedCall(caller, incoming, () => address, end));
  }
}
