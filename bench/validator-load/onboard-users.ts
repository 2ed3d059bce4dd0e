/** Onboards many users of a validator over HTTP, several at once: each registers with its own token. */
import { type Client, createClient, validatorApi } from "../../packages/api/src/index.ts";
import { makeToken } from "../../packages/localnet/src/tokens.ts";
import { systemHost } from "../../packages/node/src/system-host.ts";

export interface OnboardedUser {
  readonly name: string;
  readonly party: string;
  readonly client: ValidatorClient;
}

export type ValidatorClient = Client<typeof validatorApi.endpoints>;

export interface OnboardingLoad {
  readonly validatorUrl: string;
  /** The number of the first user. */
  readonly from: number;
  readonly count: number;
  readonly atOnce: number;
}

const { fetch } = systemHost.http.openClient();

export async function clientOf(validatorUrl: string, user: string): Promise<ValidatorClient> {
  const token = await makeToken(user);
  return createClient(validatorApi, { fetch, baseUrl: `${validatorUrl}/api/validator`, token: () => token });
}

export async function onboardUsers({ validatorUrl, from, count, atOnce }: OnboardingLoad) {
  const users: OnboardedUser[] = [];
  let next = from;
  const work = async () => {
    for (let i = next++; i < from + count; i = next++) {
      const name = `user-${String(i).padStart(6, "0")}`;
      const client = await clientOf(validatorUrl, name);
      const { party_id: party } = await client.register();
      users.push({ name, party, client });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return users;
}
