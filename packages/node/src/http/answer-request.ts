/** A request from its arrival at a port to its route. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Rejection } from "@callsign/api";
import { answerCall } from "./answer-call.ts";
import { Arrival, type CallSetting } from "./arrival.ts";
import type { Incoming } from "./call.ts";
import type { CallMetrics } from "./call-metrics.ts";
import { callerAddressOf } from "./caller-address.ts";
import { preflightHeaders } from "./cors.ts";
import { type Dialect, dialectOf } from "./dialect.ts";
import type { Document } from "./documents.ts";
import type { FastLane } from "./fast-lane.ts";
import { isHealthCall } from "./health.ts";
import { readIncoming } from "./incoming.ts";
import { MAX_REASON_LENGTH } from "./limits.ts";
import { hostNameOf } from "./local-caller.ts";
import type { Route, Routes } from "./routes.ts";
import type { WebApplication } from "./web-application.ts";
import { describePages, type WebPages } from "./web-pages.ts";
import { writeAnswer } from "./write-answer.ts";

export interface AnsweringPort {
  readonly fastLane: FastLane;
  readonly routes: Routes;
  readonly setting: CallSetting;
  readonly metrics: CallMetrics | undefined;
  readonly web: { readonly application: WebApplication; readonly pages: WebPages } | undefined;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export function answerRequest(port: AnsweringPort, request: IncomingMessage, response: ServerResponse): void {
  const { fastLane, setting } = port;
  const began = setting.system.clock.elapsedMilliseconds();
  const found = fastLane.find(request);
  if (found === null) return void answerRouted(port, { request, response });
  const retryAfter = setting.rates.countAddress(callerAddressOf(request.socket));
  if (retryAfter === null) return void fastLane.write(found, { request, response, began });
  refuseTooOften(port, { request, response }, dialectOf(found.mount.api), retryAfter);
}

function answerRouted(port: AnsweringPort, { request, response }: Exchange): void {
  const { routes, setting, metrics, web } = port;
  const { url = "" } = request;
  const mark = url.indexOf("?");
  const incoming = readIncoming(request, setting.system);
  const route = routes.find(incoming.method, mark < 0 ? url : url.slice(0, mark));
  const retryAfter = isProbe(route) ? null : setting.rates.countAddress(callerAddressOf(request.socket));
  if (retryAfter !== null)
    return void refuseTooOften(port, { request, response }, routes.dialectOf(route), retryAfter);
  if (route.kind === "operation") {
    const arrival = new Arrival(route, { request, response, incoming, setting });
    return void (metrics === undefined ? answerCall(arrival) : metrics.measure(arrival, answerCall));
  }
  if (route.kind === "document") return void writeDocument(response, route.document);
  const preflighted = preflight(request, setting);
  if (preflighted !== null) return void writeAnswer(response, preflighted, { incoming });
  const refuse = (rejection: Rejection, reason: string) =>
    refuseRequest(setting, { request, response, incoming }, rejection, reason);
  if (route.kind === "refused") {
    const rejection = route.rejection(incoming.traceId);
    return void refuse(rejection, rejection.body);
  }
  if (web?.application.serves(request)) {
    const { host = "" } = request.headers;
    if (setting.findForeign(host, undefined) !== null)
      return void refuse(route.dialect.foreign("host", incoming.traceId), "a foreign host name");
    return void web.application.answer(request, response, describePages(web.pages, hostNameOf(host)));
  }
  const scheme = "encrypted" in request.socket ? "https" : "http";
  const absoluteUrl = `${scheme}://${request.headers.host ?? ""}${url}`;
  refuse(route.dialect.unknownPath(incoming.method, absoluteUrl), "no API of this port has the path");
}

function refuseTooOften(
  { setting }: AnsweringPort,
  { request, response }: Exchange,
  dialect: Dialect,
  retryAfter: number,
): void {
  const incoming = readIncoming(request, setting.system);
  const rejection = dialect.tooOften(incoming.traceId, retryAfter);
  refuseRequest(setting, { request, response, incoming }, rejection, "calls of one address");
}

function refuseRequest(
  { refusals }: CallSetting,
  { request, response, incoming }: Exchange & { readonly incoming: Incoming },
  rejection: Rejection,
  reason: string,
): void {
  const { method, url, traceId } = incoming;
  const address = callerAddressOf(request.socket);
  refusals.write(rejection.status, "other", () => ({ traceId, method, path: pathOf(url), address, reason }));
  writeAnswer(response, rejection, { incoming, isRefused: true });
}

function writeDocument(response: ServerResponse, { type, read }: Document): void {
  response.writeHead(200, { "content-type": type, "content-length": Buffer.byteLength(read()) }).end(read());
}

/** The path without the query, which may have a token. */
function pathOf(url: string): string {
  return (url.split("?")[0] ?? "").slice(0, MAX_REASON_LENGTH);
}

function isProbe(route: Route): boolean {
  return route.kind === "operation" && isHealthCall(route.endpoint);
}

function preflight(
  { method = "", headers }: IncomingMessage,
  { findForeign }: CallSetting,
): Rejection | null {
  const answered = preflightHeaders(method, headers);
  if (answered === null) return null;
  if (findForeign(headers.host, headers.origin) !== null) return null;
  return { status: 200, headers: answered, body: "" };
}
