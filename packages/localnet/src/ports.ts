/** The addresses of the local network. */

/** This machine alone: the tokens' secret is public. */
export const ADDRESS = "127.0.0.1";

export const NODE_NAMES = ["app-user", "app-provider", "sv"] as const;
export type NodeName = (typeof NODE_NAMES)[number];

export interface NodePorts {
  readonly ledger: number;
  readonly validator: number;
  readonly gateway: number;
}

export interface SvPorts {
  readonly scan: number;
  readonly sequencer: number;
  readonly app: number;
}

export interface Ports {
  readonly nodes: Readonly<Record<NodeName, NodePorts>>;
  readonly svs: readonly SvPorts[];
  /** Health, clock and misbehaving scans. */
  readonly development: number;
  /** The OpenID provider that people log in with. */
  readonly login: number;
  readonly metrics: number;
}

/** The ports of Splice LocalNet: clients written for it work unchanged. */
export const STANDARD_PORTS: Ports = {
  nodes: {
    "app-user": { ledger: 2975, validator: 2903, gateway: 2000 },
    "app-provider": { ledger: 3975, validator: 3903, gateway: 3000 },
    sv: { ledger: 4975, validator: 4903, gateway: 4000 },
  },
  svs: [0, 1, 2, 3].map((i) => ({ scan: 5012 + 100 * i, sequencer: 5008 + 100 * i, app: 5014 + 100 * i })),
  development: 5003,
  login: 5004,
  metrics: 10_013,
};

const ANY = { ledger: 0, validator: 0, gateway: 0 };

/** Free ports: several networks can run side by side. */
export const FREE_PORTS: Ports = {
  nodes: { "app-user": ANY, "app-provider": ANY, sv: ANY },
  svs: [0, 1, 2, 3].map(() => ({ scan: 0, sequencer: 0, app: 0 })),
  development: 0,
  login: 0,
  metrics: 0,
};
