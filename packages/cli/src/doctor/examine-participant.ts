/** The way from a validator to its participant: token, user, rights. */
import { createClient, ledgerApi } from "@callsign/api";
import { type Host, openTokenSource } from "@callsign/node";
import type { ValidatorSetup } from "../settings/setups.ts";
import { type Examination, examine, fault, fine } from "./examination.ts";
import { examineServer } from "./examine-server.ts";

export async function examineParticipant(setup: ValidatorSetup, host: Host): Promise<readonly Examination[]> {
  const { participantUrl: url, participantTls: tls } = setup.config;
  const own: Host =
    tls === undefined
      ? host
      : {
          ...host,
          http: { ...host.http, openClient: (options) => host.http.openClient({ tls, ...options }) },
        };
  const what = `participant ${url}`;
  const fix =
    "Start the participant, and give its JSON Ledger API in participantAddress or callsign.participantUrl";
  const reached = await examine({ what, fix, host }, () =>
    examineServer({ key: "participantAddress", role: "participant", url, host: own }),
  );
  const token = await examineToken(setup, host);
  if (token.token === null || reached.some(({ isFine }) => !isFine))
    return [...reached, ...token.examinations];
  const user = await examineUser(setup, token.token, own);
  return [...reached, ...token.examinations, ...user];
}

interface ExaminedToken {
  /** Undefined: none is needed; null: there is none. */
  readonly token: string | undefined | null;
  readonly examinations: readonly Examination[];
}

async function examineToken({ serviceUser }: ValidatorSetup, host: Host): Promise<ExaminedToken> {
  const { userId, credentials } = serviceUser;
  const what = "token for the participant";
  let token: string | undefined | null = null;
  const fix = "Look at the OpenID configuration URL, client id, client secret and audience";
  const examinations = await examine({ what, fix, host }, async () => {
    token = await openTokenSource(credentials, { host, userId }).token();
    return [fine(what, token === undefined ? "none is needed" : `it names the user ${userId}`)];
  });
  return { token, examinations };
}

function examineUser(
  { config, serviceUser }: ValidatorSetup,
  token: string | undefined,
  host: Host,
): Promise<readonly Examination[]> {
  const { userId } = serviceUser;
  const what = `user ${userId} of the participant`;
  const fix =
    "See that auth.targetAudience and auth.jwksUrl of the participant are those of the token, and that the user is its administrator (participantAdminUserNameFrom)";
  return examine({ what, fix, host }, async () => {
    const connections = host.http.openClient();
    try {
      const { fetch } = connections;
      const baseUrl = config.participantUrl;
      const client = createClient(ledgerApi, { fetch, timers: host.timers, baseUrl, token: () => token });
      const { rights } = await client.listUserRights({ params: { "user-id": userId } });
      const isAdmin = (rights ?? []).some(({ kind }) => "ParticipantAdmin" in kind);
      if (isAdmin) return [fine(what, "has the right ParticipantAdmin")];
      return [fault(what, "it lacks the right ParticipantAdmin", fix)];
    } finally {
      connections.close();
    }
  });
}
