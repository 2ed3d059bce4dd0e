/** The story of a release's fixture, told over the network's HTTP APIs alone, and the questions asked about it afterwards. */
import { type AskedNetwork, ask, type Question } from "../tests/data-folder/exchange.ts";

export interface StoryNetwork extends AskedNetwork {
  readonly settle: () => Promise<void>;
  readonly moveClock: (microseconds: bigint) => Promise<unknown>;
}

type Body = Record<string, unknown>;

const DAY = 86_400_000_000n;
const NODES = ["app-user", "app-provider", "sv"];
const NAMES = ["alice", "bob", "carol", "lapses", "poor", "given-up", "asked-for"];

/** Users, parties, an identity provider, names in every state, votes and secrets, over 101 days. */
export async function liveThrough(network: StoryNetwork): Promise<void> {
  const call = async (at: string, method: string, path: string, body?: Body) => {
    const { status, answer } = await ask(network, { at, method, path, body });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
    return answer;
  };
  const wallet = (node: string, method: string, path: string, body?: Body) =>
    call(`validator-${node}`, method, `/api/validator${path}`, body);
  const request = (node: string, name: string) =>
    wallet(node, "POST", "/v0/entry/create", { name, url: `https://${name}.example`, description: node });
  const buy = async (node: string, name: string) => {
    const { subscriptionRequestCid } = await request(node, name);
    await wallet(node, "POST", `/v0/wallet/subscription-requests/${subscriptionRequestCid}/accept`, {});
    await network.settle();
  };
  const subscription = async (node: string, name: string) => {
    const { subscriptions } = await wallet(node, "GET", "/v0/wallet/subscriptions");
    return (subscriptions as SubscriptionItem[]).find(({ subscription: { payload } }) =>
      payload.subscriptionData.description.includes(`"${name}.`),
    ) as SubscriptionItem;
  };
  const administer = (method: string, path: string, body?: Body) =>
    call("ledger-app-user", method, path, body);

  for (const [node, amount] of Object.entries({ "app-user": "20.0", "app-provider": "10.0", sv: "1.5" }))
    await wallet(node, "POST", "/v0/wallet/tap", { amount });
  await buy("app-user", "alice");
  await buy("app-user", "bob");
  await buy("app-provider", "carol");
  await buy("app-provider", "lapses");
  await buy("sv", "poor");
  const { subscriptionRequestCid } = await request("app-provider", "given-up");
  await wallet("app-provider", "POST", `/v0/wallet/subscription-requests/${subscriptionRequestCid}/reject`);
  const lapsing = await subscription("app-provider", "lapses");
  const renewal = `/ext/v1/wallet/subscriptions/${encodeURIComponent(lapsing.subscription.contract_id)}/auto-renewal`;
  await wallet("app-provider", "POST", renewal, { enabled: false });

  const { partyDetails } = await administer("POST", "/v2/parties", {
    partyIdHint: "treasury",
    localMetadata: { resourceVersion: "", annotations: { "acme.example/desk": "treasury" } },
  });
  const { party } = partyDetails as { readonly party: string };
  const user = {
    id: "clerk",
    primaryParty: party,
    metadata: { annotations: { "acme.example/desk": "names" } },
  };
  const canActAs = { kind: { CanActAs: { value: { party } } } };
  await administer("POST", "/v2/users", { user, rights: [canActAs] });
  const canReadAs = { kind: { CanReadAsAnyParty: { value: {} } } };
  await administer("POST", "/v2/users", { user: { id: "auditor" }, rights: [canReadAs] });
  await administer("POST", "/v2/users", { user: { id: "leaver" }, rights: [] });
  const leaver = { id: "leaver", isDeactivated: true };
  await administer("PATCH", "/v2/users/leaver", { user: leaver, updateMask: { paths: ["is_deactivated"] } });
  const issuer = "https://login.acme.example";
  const identityProviderConfig = {
    identityProviderId: "acme",
    issuer,
    jwksUrl: `${issuer}/keys`,
    audience: "acme",
    isDeactivated: true,
  };
  await administer("POST", "/v2/idps", { identityProviderConfig });
  const schedule = { cron: "0 0 3 1 1 ? 2090", maxDuration: "5m", retention: "48h" };
  await administer("PUT", "/api/participant-admin/v1/pruning/schedule", schedule);

  await call("sv-2", "PUT", "/api/sv/v0/admin/sv/amulet-price/vote", { amulet_price: "0.006" });
  await call("sv-1", "POST", "/api/sv/v0/admin/validator/onboarding/prepare", { expires_in: 172_800 });
  await network.settle();
  // alice and carol are renewed; poor cannot pay.
  await network.moveClock(62n * DAY);
  const { state } = await subscription("app-user", "bob");
  await wallet("app-user", "DELETE", `/v0/wallet/subscription-requests/${state.idle?.contract_id}`);
  await network.settle();
  // lapses and poor end.
  await network.moveClock(39n * DAY);
  await request("app-user", "asked-for");
  const onboarding = { expires_in: 172_800, party_hint: "acme-validator-1" };
  await call("sv-1", "POST", "/api/sv/v0/admin/validator/onboarding/prepare", onboarding);
  await network.settle();
}

interface SubscriptionItem {
  readonly subscription: {
    readonly contract_id: string;
    readonly payload: { readonly subscriptionData: { readonly description: string } };
  };
  readonly state: { readonly idle?: { readonly contract_id: string } };
}

/** Everything that the story has left: names, rounds, votes, wallets, users and contracts. */
export async function listQuestions(network: AskedNetwork): Promise<readonly Question[]> {
  const get = (at: string, ...paths: readonly string[]) => paths.map((path) => ({ at, method: "GET", path }));
  const statuses = await Promise.all(
    NODES.map(async (node) => {
      const question = {
        at: `validator-${node}`,
        method: "GET",
        path: "/api/validator/v0/wallet/user-status",
      };
      return String((await ask(network, question)).answer["party_id"]);
    }),
  );
  const ofScan = (number: number): readonly Question[] => [
    ...get(
      `scan-${number}`,
      ...NAMES.map((name) => `/api/scan/v0/ans-entries/by-name/${name}.unverified.cns`),
      ...statuses.map((party) => `/api/scan/v0/ans-entries/by-party/${encodeURIComponent(party)}`),
      ...["/api/scan/v0/ans-entries?page_size=100", "/api/scan/v0/dso", "/api/scan/v0/rewards-collected"],
      "/api/scan/v0/admin/validator/licenses?limit=100",
    ),
    {
      at: `scan-${number}`,
      method: "POST",
      path: "/api/scan/v0/open-and-issuing-mining-rounds",
      body: { cached_open_mining_round_contract_ids: [], cached_issuing_round_contract_ids: [] },
    },
  ];
  const ofNode = async (node: string, party: string): Promise<readonly Question[]> => {
    const at = `ledger-${node}`;
    const { offset } = (await ask(network, { at, method: "GET", path: "/v2/state/ledger-end" })).answer;
    const filter = { filtersByParty: { [party]: {} }, verbose: false };
    return [
      ...get(
        `validator-${node}`,
        ...["balance", "subscriptions", "subscription-requests", "user-status"].map(
          (each) => `/api/validator/v0/wallet/${each}`,
        ),
        "/api/validator/v0/entry/all",
      ),
      ...get(
        at,
        "/v2/state/ledger-end",
        "/v2/state/latest-pruned-offsets",
        "/v2/parties",
        "/v2/users",
        "/v2/idps",
      ),
      ...get(at, "/api/participant-admin/v1/pruning/schedule"),
      {
        at,
        method: "POST",
        path: "/v2/state/active-contracts",
        body: { activeAtOffset: offset, eventFormat: filter },
      },
      {
        ...{ at, method: "POST", path: "/v2/updates/flats?limit=20" },
        body: {
          beginExclusive: 0,
          endInclusive: offset,
          filter: { filtersByParty: { [party]: {} } },
          verbose: false,
        },
      },
    ];
  };
  const sequencers = [1, 2, 3, 4].flatMap((number) => get(`sequencer-${number}`, "/v1/network"));
  const nodes = await Promise.all(NODES.map((node, place) => ofNode(node, statuses[place] ?? "")));
  const rights = ["clerk", "auditor", "leaver"].map((user) => `/v2/users/${user}/rights`);
  return [
    ...sequencers,
    ...ofScan(1),
    ...ofScan(4),
    ...get(
      "sv-1",
      ...["onboarding/ongoing", "onboarding/all?limit=100", "licenses?limit=100"].map(
        (each) => `/api/sv/v0/admin/validator/${each}`,
      ),
      ...["open-mining-rounds", "amulet-price/votes", "voterequests"].map(
        (each) => `/api/sv/v0/admin/sv/${each}`,
      ),
    ),
    ...nodes.flat(),
    ...get("ledger-app-user", ...rights),
  ];
}
