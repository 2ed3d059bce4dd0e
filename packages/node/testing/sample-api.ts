/** A small API for tests of ports: a probe, an operation for users, a stream. The token is the user's name. */
import {
  type Api,
  defineEndpoints,
  empty,
  json,
  LedgerErrorBody,
  SpliceError,
  spliceError,
} from "@callsign/api";
import { ledgerError } from "@callsign/ledger";
import { z } from "zod";
import type { Incoming } from "../src/http/call.ts";
import { type MountedApi, mountApi } from "../src/http/mount-api.ts";
import { LedgerFailure, Refusal } from "../src/http/refusal.ts";
import { onAbort } from "../src/waiting/abort.ts";

const shared = { tags: ["t"], summary: "", errors: [] } as const;
const Greeting = z.object({ user: z.string() });

const endpoints = defineEndpoints({})({
  isLive: { ...shared, method: "GET", path: "/livez", auth: "none", success: empty },
  greet: {
    ...shared,
    method: "POST",
    path: "/v2/greet",
    auth: "ledger:public",
    body: z.object({ secret: z.string().default("") }),
    success: json(z.array(Greeting)),
    streamItem: Greeting,
  },
  change: { ...shared, method: "POST", path: "/v2/changes", auth: "ledger:admin", success: empty },
  find: {
    ...shared,
    method: "GET",
    path: "/v2/things/{thing}",
    auth: "none",
    params: z.object({ thing: z.string() }),
    success: json(Greeting),
  },
});

export type Thrower = (thing: string) => never;

/** `find` calls `onFind`, which throws. `change` ends when its caller does. */
export function mountSample(
  dialect: "ledger" | "splice",
  onFind: Thrower = notFound,
  onChange: () => void = () => undefined,
): MountedApi {
  const api: Api<typeof endpoints> = {
    ...{ name: "sample", title: "Sample", version: "1", description: "", basePath: "", tags: { t: "" } },
    ...{
      dialect,
      errorBody: dialect === "ledger" ? LedgerErrorBody : SpliceError,
      maxBodyBytes: 1000,
      endpoints,
    },
  };
  const refuse = (reason: string) =>
    dialect === "ledger"
      ? new LedgerFailure(ledgerError("UNAUTHENTICATED", reason))
      : new Refusal(spliceError(401, "The token is not valid"), reason);
  return mountApi(api, {
    authenticate: ({ auth }, incoming: Incoming): string | null => {
      if (auth === "none") return null;
      const user = /^Bearer ([a-z]+)$/.exec(incoming.authorization ?? "")?.[1];
      if (user === undefined || user === "nobody") throw refuse("the token names nobody");
      return user;
    },
    authorize: (_endpoint, _request, user) => {
      if (user === "mallory")
        throw dialect === "ledger"
          ? new LedgerFailure(ledgerError("PERMISSION_DENIED", "mallory lacks every right"))
          : new Refusal(spliceError(403, "Authorization Failed for mallory"), "mallory lacks every right");
      return user ?? "nobody";
    },
    handlers: {
      isLive: () => undefined,
      greet: (_, { caller }) => [{ user: caller }],
      change: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          onAbort(signal, () => reject(new Refusal(spliceError(503, "given up"))));
          onChange();
        }),
      find: ({ params }) => onFind(params.thing),
    },
    streams: {
      open: {
        greet: async function* (_, { caller }) {
          yield { user: caller };
        },
      },
      admit: () => undefined,
      renew: (user) => user,
      holderOf: (userId) => ({ userId, tokenExpiresAt: null, authority: () => "" }),
    },
  });
}

function notFound(thing: string): never {
  throw new Refusal(spliceError(404, `There is no ${thing}`));
}
