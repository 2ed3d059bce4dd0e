/**
 * Everything that the web application needs to know of the server that it came from. The server answers it at
 * `GET /config.json`, on the page's own origin. A page whose service is null is not offered.
 */
export interface WebConfig {
  /** Where the page opens: what its host name stands for. */
  readonly home: WebHome;
  /** Of the network, such as `Canton Network`, `Canton Coin`, `CC`, `Canton Name Service`, `CNS`. */
  readonly names: {
    readonly network: string;
    readonly coin: string;
    readonly coinAcronym: string;
    readonly nameService: string;
    readonly nameServiceAcronym: string;
  };
  /** Base addresses, with the API's prefix: paths on the page's origin, such as `/api/validator`. */
  readonly services: {
    readonly validator: string | null;
    readonly scan: string | null;
    readonly sv: string | null;
    readonly ledger: string | null;
    /** The developers' API of a local network, and only there. */
    readonly localNetwork: string | null;
  };
  /** Origins of the operator's other UIs, which a confirmed payment may lead back to. */
  readonly returnOrigins: readonly string[];
  /**
   * The scan of each SV by the SV's name: base addresses on the page's origin, so that the page can compare their answers.
   * Absent where the server has a way to its own scan alone.
   */
  readonly scans?: Readonly<Record<string, string>>;
  /** Null where nobody can log in here: only public pages are offered. */
  readonly login: WebLogin | null;
}

export type WebHome = "names" | "wallet" | "network" | "operator";

export interface WebLogin {
  /** The OpenID provider's issuer. */
  readonly authority: string;
  readonly clientId: string;
  /** The audience that tokens are asked for; null asks for none. */
  readonly audience: string | null;
  readonly scope: string;
}
