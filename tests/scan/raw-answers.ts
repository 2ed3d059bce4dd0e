/** Answers with their bytes and the order of their headers, as a socket gives them. */
import { connect } from "node:net";
import { RECORD_TIME_HEADER } from "@callsign/api";
import { expect, onTestFinished } from "vitest";
import { time } from "../../packages/ledger/src/values/time.ts";

export interface RawAnswer {
  readonly status: number;
  /** In their order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Sends the requests in one piece, so that the server answers them in one turn. */
export async function askTogether(port: number, heads: readonly string[]): Promise<readonly RawAnswer[]> {
  const socket = connect({ port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  const closed = new Promise((resolve, reject) => socket.once("close", resolve).once("error", reject));
  const last = heads.length - 1;
  const requests = heads.map((head, i) => `${head}${i === last ? "connection: close\r\n" : ""}\r\n`);
  // The server ends the connection. A caller that ends it may miss answers that take more than a turn.
  socket.write(requests.join(""));
  await closed;
  return splitAnswers(Buffer.concat(chunks));
}

function splitAnswers(bytes: Buffer): readonly RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const headEnd = rest.indexOf("\r\n\r\n");
    const [first = "", ...lines] = rest.subarray(0, headEnd).toString("latin1").split("\r\n");
    const headers = lines.map((line) => line.split(": ", 2) as [string, string]);
    const length = Number(headers.find(([name]) => name === "content-length")?.[1]);
    const end = headEnd + 4 + length;
    answers.push({
      status: Number(first.split(" ")[1]),
      headers,
      body: rest.subarray(headEnd + 4, end).toString(),
    });
    rest = rest.subarray(end);
  }
  return answers;
}

/** Node writes these for the connection, and the date may move on in between. */
const OF_THE_CONNECTION = new Set(["Date", "Connection", "Keep-Alive"]);

/** The trace of a refused call, which it has to itself. */
const TRACE_ID = /"(correlationId|traceId)":"[0-9a-f]{32}"/g;

export function comparable({ headers, status, body }: RawAnswer): RawAnswer {
  const kept = headers.filter(([name]) => !OF_THE_CONNECTION.has(name));
  return {
    status,
    headers: kept.map(([name, value]) => [name, name === "traceparent" ? "" : value]),
    body: status < 400 ? body : body.replace(TRACE_ID, ""),
  };
}

/** No answer shows an entry past the record time that it carries. */
export function expectLive({ status, headers, body }: RawAnswer): void {
  const recordTime = headers.find(([name]) => name === RECORD_TIME_HEADER)?.[1] ?? "";
  if (status !== 200) return;
  const { entry, entries = [entry] } = JSON.parse(body);
  for (const { expires_at: expiresAt } of entries)
    if (expiresAt !== null) expect(time(expiresAt)).toBeGreaterThanOrEqual(time(recordTime));
}
