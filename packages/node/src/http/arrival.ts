/** A call that has arrived at its operation, and the port that it arrived at. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AnyRequest, Endpoint } from "@callsign/api";
import type { Host } from "../host/host.ts";
import type { Log } from "../observability/log.ts";
import type { BodyBudget } from "./body-budget.ts";
import type { Incoming } from "./call.ts";
import type { CallerRates } from "./caller-rates.ts";
import type { Calls } from "./calls.ts";
import type { FindForeignCaller } from "./local-caller.ts";
import type { MountedApi } from "./mount-api.ts";
import type { RefusalLog } from "./refusal-log.ts";
import type { RoutedOperation } from "./routes.ts";

export interface CallSetting {
  readonly timeoutMilliseconds: number;
  readonly maxCalls: number;
  readonly findForeign: FindForeignCaller;
  readonly budget: BodyBudget;
  readonly calls: Calls;
  readonly rates: CallerRates;
  /** A fault of the port itself that does not keep it from answering; null if there is none. */
  readonly warning: () => string | null;
  readonly system: Host;
  readonly log: Log;
  readonly refusals: RefusalLog;
}

/** A request with its answer, on a port. */
export interface Arriving {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly incoming: Incoming;
  readonly setting: CallSetting;
}

export class Arrival implements Arriving {
  readonly mount: MountedApi;
  readonly endpoint: Endpoint;
  /** Of the path, still percent-encoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly incoming: Incoming;
  readonly setting: CallSetting;
  /** The user of a valid token, once it is known. */
  user: string | null = null;
  /** The request of an administrative operation, while it is carried out. */
  audited: AnyRequest | null = null;

  constructor(
    { mount, endpoint, params }: RoutedOperation,
    { request, response, incoming, setting }: Arriving,
  ) {
    this.mount = mount;
    this.endpoint = endpoint;
    this.params = params;
    this.request = request;
    this.response = response;
    this.incoming = incoming;
    this.setting = setting;
  }
}
