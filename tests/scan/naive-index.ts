/** The answers that scan should give, found the slow way: by searching all contracts of the state in memory. */
import { AnsEntry } from "../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { DsoRules } from "../../packages/ledger/src/contracts/splice-dso-governance/declarations/dso-rules.ts";
import { decodeText } from "../../packages/ledger/src/daml/daml-type.ts";
import type { AnyTemplateDeclaration, PayloadOf } from "../../packages/ledger/src/engine/declaration.ts";
import { formatTime, type Time } from "../../packages/ledger/src/values/time.ts";
import type { MemoryState } from "../../packages/ledger/testing/memory-state.ts";

export interface ShownEntry {
  readonly contract_id: string | null;
  readonly user: string;
  readonly name: string;
  readonly url: string;
  readonly description: string;
  readonly expires_at: string | null;
}

type Active<T extends AnyTemplateDeclaration> = PayloadOf<T> & { readonly contractId: string };

export class NaiveIndex {
  readonly #state: MemoryState;

  constructor(state: MemoryState) {
    this.#state = state;
  }

  findByName(name: string): ShownEntry | "not-found" {
    const lastsLongest = (a: { expiresAt: Time }, b: { expiresAt: Time }) =>
      Number(b.expiresAt - a.expiresAt);
    const registered = this.#visible()
      .filter((entry) => entry.name === name)
      .sort(lastsLongest)
      .map(show);
    return [...this.#wellKnown().filter((entry) => entry.name === name), ...registered][0] ?? "not-found";
  }

  findByParty(party: string): ShownEntry | "not-found" {
    const all = [...this.#wellKnown(), ...this.#registered()];
    return all.find(({ user }) => user === party) ?? "not-found";
  }

  list(prefix: string, limit: number): readonly ShownEntry[] {
    const bytes = Buffer.from(prefix);
    const matches = ({ name }: ShownEntry) => Buffer.from(name).subarray(0, bytes.length).equals(bytes);
    return [...this.#registered(), ...this.#wellKnown()].filter(matches).slice(0, limit);
  }

  /** The contracts of a template that the DSO signed, by id. */
  contracts(template: AnyTemplateDeclaration): readonly string[] {
    return this.#active(template).map(({ contractId }) => contractId);
  }

  #registered(): readonly ShownEntry[] {
    const entries = this.#visible().map(show);
    return entries.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
  }

  #visible() {
    return this.#active(AnsEntry).filter(({ expiresAt }) => expiresAt >= this.#state.head.recordTime);
  }

  #wellKnown(): readonly ShownEntry[] {
    const [rules] = this.#active(DsoRules);
    const { network } = this.#state;
    if (rules === undefined || network === null) return [];
    const entry = { contract_id: null, url: "", description: "", expires_at: null };
    return [
      { ...entry, user: network.dso, name: `dso.${network.acronym}` },
      ...rules.svs.map(([user, { name }]) => {
        return { ...entry, user, name: `${name.toLowerCase()}.sv.${network.acronym}` };
      }),
    ];
  }

  #active<T extends AnyTemplateDeclaration>(template: T): readonly Active<T>[] {
    return [...this.#state.contracts.values()]
      .filter(({ templateId }) => templateId === template.id)
      .map(({ contractId, payload }) => {
        return { ...(decodeText(template.record, payload) as PayloadOf<T>), contractId };
      })
      .filter((contract) => contract["dso"] === this.#state.network?.dso);
  }
}

function show(entry: Active<typeof AnsEntry>): ShownEntry {
  const { contractId, user, name, url, description, expiresAt } = entry;
  return { contract_id: contractId, user, name, url, description, expires_at: formatTime(expiresAt) };
}
