/** The way from a validator to its participant: address, token, user, rights. */
import { createClient, HttpError, ledgerApi } from "@callsign/api";
import { type Host, openTokenSource, withOutgoing } from "@callsign/node";
import type { JWTPayload } from "jose";
import { decodeJwt } from "jose/jwt/decode";
import type { ValidatorSetup } from "../settings/setups.ts";
import { type Examination, examine, fault, fine } from "./examination.ts";
import { examineClientTls } from "./examine-machine.ts";
import { examineServer } from "./examine-server.ts";

export async function examineParticipant(setup: ValidatorSetup, host: Host): Promise<readonly Examination[]> {
  const { participantUrl, participantAdminUrl, participantTls: tls } = setup.config;
  const [files, token] = await Promise.all([examineClientTls(tls, host), examineToken(setup, host)]);
  const before = [...files, ...token.examinations];
  if (files.some(({ isFine }) => !isFine)) return before;
  const own = tls === undefined ? host : withOutgoing(host, { tls });
  const [reached, admin] = await Promise.all([
    examineServer({
      ...{ what: "participant", role: "participant", url: participantUrl, host: own },
      unreachable:
        "Start the participant, and give its JSON Ledger API in participantAddress or callsign.participantUrl",
      wrong: "Give the participant's JSON Ledger API in participantAddress or callsign.participantUrl",
    }),
    participantAdminUrl === undefined
      ? []
      : examineServer({
          ...{ what: "admin API", role: "participant-admin", url: participantAdminUrl, host: own },
          unreachable: "Start the participant, and give its admin API in callsign.participantAdminUrl",
          wrong: "Give the participant's admin API in callsign.participantAdminUrl",
        }),
  ]);
  const isReached = reached[0]?.isFine === true;
  const user = token.token !== null && isReached ? await examineUser(setup, token.token, own) : [];
  return [...reached, ...admin, ...before, ...user];
}

interface ExaminedToken {
  /** Undefined: none is needed; null: there is none that would do. */
  readonly token: string | undefined | null;
  readonly examinations: readonly Examination[];
}

async function examineToken({ serviceUser }: ValidatorSetup, host: Host): Promise<ExaminedToken> {
  const { userId, credentials } = serviceUser;
  const what = "token for the participant";
  let token: string | undefined | null = null;
  const fix =
    credentials.kind === "client-credentials"
      ? "Look at the OpenID configuration URL, client id, client secret and audience"
      : "Look at callsign.participantAuth";
  const stopping = new AbortController();
  const examinations = await examine({ what, fix, host }, async () => {
    const given = await openTokenSource(credentials, { host, userId, stopping: stopping.signal }).token();
    const wrong =
      given === undefined ? undefined : findClaimFault(readClaims(given), { userId, credentials, host });
    if (wrong !== undefined) return [fault(what, ...wrong)];
    token = given;
    return [fine(what, given === undefined ? "none is needed" : `it names the user ${userId}`)];
  });
  stopping.abort();
  return { token, examinations };
}

function readClaims(token: string): JWTPayload | undefined {
  try {
    return decodeJwt(token);
  } catch {
    return undefined;
  }
}

interface ExpectedClaims extends Pick<ValidatorSetup["serviceUser"], "userId" | "credentials"> {
  readonly host: Host;
}

/** The problem and its remedy; undefined for claims that may do. */
function findClaimFault(
  claims: JWTPayload | undefined,
  { userId, credentials, host }: ExpectedClaims,
): readonly [said: string, fix: string] | undefined {
  if (claims === undefined) return ["it is no JSON Web Token", "Give a token of your OpenID provider"];
  const { sub = "", aud = [], exp } = claims;
  if (exp !== undefined && 1000 * exp < host.clock.wallMilliseconds())
    return [`it expired at ${new Date(1000 * exp).toISOString()}`, "Give a token that is still valid"];
  if (sub !== userId)
    return [`it names the user "${sub}", and ledger-api-user is "${userId}"`, "Make them equal"];
  const audiences = [aud].flat();
  if (credentials.kind !== "client-credentials" || audiences.includes(credentials.audience)) return undefined;
  const shown = audiences.length === 0 ? "no audience" : `the audience ${audiences.join(", ")}`;
  return [
    `it is for ${shown}, and ${credentials.audience} was asked for`,
    "Allow the client that audience at the OpenID provider, or give another one",
  ];
}

const ADMIN_FIX =
  "Name this user as the participant's administrator (participantAdminUserNameFrom, CANTON_PARTICIPANT_ADMIN_USER_NAME)";

function examineUser(
  { config, serviceUser }: ValidatorSetup,
  token: string | undefined,
  host: Host,
): Promise<readonly Examination[]> {
  const { userId } = serviceUser;
  const what = `user ${userId} of the participant`;
  const fix = "See that auth.targetAudience and auth.jwksUrl of the participant are those of the token";
  return examine({ what, fix, host }, async () => {
    const connections = host.http.openClient();
    try {
      const { fetch } = connections;
      const baseUrl = config.participantUrl;
      const client = createClient(ledgerApi, { fetch, timers: host.timers, baseUrl, token: () => token });
      const { rights } = await client.listUserRights({ params: { "user-id": userId } });
      const isAdmin = (rights ?? []).some(({ kind }) => "ParticipantAdmin" in kind);
      if (isAdmin) return [fine(what, "has the right ParticipantAdmin")];
      return [fault(what, "it lacks the right ParticipantAdmin", ADMIN_FIX)];
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      // The participant does not tell strangers why; its log does.
      if (error.status === 401)
        return [fault(what, "the participant refuses its token (401); its log says why", fix)];
      if (error.status === 403 || error.status === 404)
        return [
          fault(what, `it is unknown to the participant, or no administrator (${error.status})`, ADMIN_FIX),
        ];
      throw error;
    } finally {
      connections.close();
    }
  });
}
