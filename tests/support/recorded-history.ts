/** The history that wallets get from a sandbox's transactions, as a participant of their parties would tell them. */
import type { TransactionItem, Transaction as Update } from "../../packages/api/src/index.ts";
import { networkCatalogue } from "../../packages/ledger/src/contracts/network-catalogue.ts";
import { projectLedgerEffects } from "../../packages/ledger/src/engine/projection.ts";
import type { Transaction } from "../../packages/ledger/src/engine/transaction.ts";
import { ledgerJson } from "../../packages/ledger/src/index.ts";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import { addDuration, formatInstant } from "../../packages/ledger/src/values/time.ts";
import type { TokenNetwork } from "../../packages/ledger/testing/token-fixture.ts";
import { derivePage } from "../../packages/validator/src/history/derive-page.ts";
import type { TrackedOutcome } from "../../packages/validator/src/history/derive-tracked.ts";
import { type KnownFacts, noFacts } from "../../packages/validator/src/history/known-contracts.ts";

export class RecordedHistory {
  readonly tracked: TrackedOutcome[] = [];
  /** Errors of updates that were not understood. */
  readonly failures: unknown[] = [];
  readonly #network: TokenNetwork;
  readonly #parties: ReadonlySet<PartyId>;
  readonly #known: KnownFacts = noFacts();
  readonly #items = new Map<string, TransactionItem[]>();
  #offset = 0;

  constructor(network: TokenNetwork, parties: readonly PartyId[]) {
    this.#network = network;
    this.#parties = new Set(parties);
    const { sandbox } = network;
    const submit = sandbox.submit.bind(sandbox);
    sandbox.submit = (commands, as) => {
      const outcome = submit(commands, as);
      if (outcome.kind === "transaction") this.#record(outcome.transaction);
      return outcome;
    };
  }

  /** Oldest first. */
  itemsOf(party: PartyId): readonly TransactionItem[] {
    return this.#items.get(party) ?? [];
  }

  /** Those since the last call, oldest first. */
  takeItems(party: PartyId): readonly TransactionItem[] {
    const items = this.itemsOf(party);
    this.#items.set(party, []);
    return items;
  }

  #record(transaction: Transaction): void {
    const update = this.#toUpdate(transaction);
    if (update.events.length === 0) return;
    const page = derivePage([update], this.#known, {
      dso: this.#network.dso,
      acronym: "cns",
      parties: this.#parties,
      onFailure: (error) => this.failures.push(error),
    });
    for (const { party, item } of page.items) {
      const items = this.#items.get(party) ?? [];
      this.#items.set(party, [...items, item]);
    }
    this.tracked.push(...page.tracked);
    for (const [id, contract] of page.learned.contracts) this.#known.contracts.set(id, contract);
    for (const [reference, name] of page.learned.names) this.#known.names.set(reference, name);
    for (const id of page.forgotten) this.#known.contracts.delete(id);
  }

  #toUpdate(transaction: Transaction): Update {
    const offset = ++this.#offset;
    const events = projectLedgerEffects(transaction, this.#parties).map(
      (projected): Update["events"][number] => {
        const { witnesses, acsDelta } = projected;
        const shared = { offset, witnessParties: [...witnesses], acsDelta };
        if (projected.kind === "created") {
          const { contract, value, nodeId, signatories, observers } = projected.node;
          const { declaration, payload } = templateOf(contract.templateId);
          const event = {
            ...{ ...shared, nodeId, contractId: contract.contractId, templateId: contract.templateId },
            ...{ contractKey: null, contractKeyHash: "", createdEventBlob: "", interfaceViews: [] },
            createArgument: payload.toJson(value, ledgerJson),
            ...{ signatories: [...signatories], observers: [...observers] },
            createdAt: formatInstant(contract.createdAt),
            packageName: declaration.package.name,
            representativePackageId: declaration.package.id,
          };
          return { CreatedEvent: event };
        }
        const { node } = projected;
        const { contractId, templateId, interfaceId, choice, consuming, nodeId } = node;
        const event = {
          ...{ ...shared, nodeId, contractId, templateId, interfaceId, choice, consuming },
          choiceArgument: node.argument.type.toJson(node.argument.value, ledgerJson),
          exerciseResult: node.result.type.toJson(node.result.value, ledgerJson),
          ...{ actingParties: [...node.actingParties], lastDescendantNodeId: node.lastDescendant },
          ...{ packageName: templateOf(templateId).declaration.package.name, implementedInterfaces: [] },
        };
        return { ExercisedEvent: event };
      },
    );
    const recordTime = formatInstant(addDuration(this.#network.sandbox.now, BigInt(offset)));
    return {
      updateId: `1220${String(offset).padStart(64, "0")}`,
      ...{ commandId: "", workflowId: "", effectiveAt: formatInstant(this.#network.sandbox.now) },
      ...{ events, offset, synchronizerId: "", traceContext: null, recordTime },
      ...{ externalTransactionHash: null, paidTrafficCost: null },
    };
  }
}

function templateOf(templateId: string) {
  const template = networkCatalogue.findTemplate(templateId);
  if (template === undefined) throw new Error(`no template ${templateId} is known`);
  return template;
}
