/**
 * Packages made for tests of the engine, with templates and an interface. A paper does what its argument says,
 * so that a test can write down any transaction tree; an IOU is an ordinary contract with an `ensure` clause,
 * arithmetic and an interface; a machine fails in every way and makes transactions of any size.
 */
import { canonicalData } from "../src/daml/canonical-data.ts";
import { list } from "../src/daml/collections.ts";
import type { ValueOf } from "../src/daml/daml-type.ts";
import { record } from "../src/daml/record.ts";
import { contractId, int64, numeric, party, text, time as timeType } from "../src/daml/scalars.ts";
import { type Catalogue, createCatalogue } from "../src/engine/catalogue.ts";
import {
  consuming,
  type DamlPackage,
  declareInterface,
  declareTemplate,
  nonConsuming,
  type PayloadOf,
} from "../src/engine/declaration.ts";
import { abort, fail, requireThat } from "../src/engine/failure.ts";
import { type ChoiceCall, implement, implementInterface } from "../src/engine/template.ts";
import type { Update } from "../src/engine/update.ts";
import type { ContractId } from "../src/values/contract-id.ts";
import { decimal, divide, multiply } from "../src/values/decimal.ts";
import { MAX_INT64, int64 as toInt64 } from "../src/values/int64.ts";
import { expectParsed } from "../src/values/parsed.ts";
import { type PartyId, parsePartyId } from "../src/values/party-id.ts";
import { sha256 } from "./sha256.ts";

export const [alice, bob, carol, dave, erin] = ["alice", "bob", "carol", "dave", "erin"].map((hint) =>
  expectParsed(parsePartyId(`${hint}::1220${sha256(hint)}`)),
) as [PartyId, PartyId, PartyId, PartyId, PartyId];

export const assets: DamlPackage = { name: "test-assets", version: "1.0.0", id: "a".repeat(64) };
export const papers: DamlPackage = { name: "test-papers", version: "1.0.0", id: "b".repeat(64) };

/** A contract: the paper itself, one by its id, or the n-th that these steps created, counting from 0. */
export type Target = "self" | number | ContractId;

/** A step of a paper's choice. */
export type Step =
  | ({ readonly do: "create" } & PaperTerms)
  | ({ readonly do: "run" | "use"; readonly on: Target } & Run)
  | { readonly do: "fetch" | "archive" | "view"; readonly on: Target };

export interface PaperTerms {
  readonly signatories: readonly PartyId[];
  readonly observers?: readonly PartyId[];
  readonly text?: string;
}

export interface Run {
  readonly actors: readonly PartyId[];
  readonly watchers?: readonly PartyId[];
  readonly steps?: readonly Step[];
}

const run = { actors: list(party), watchers: list(party), steps: canonicalData } as const;

/** `Run` leaves the paper, `Use` uses it up. Both answer the ids of all contracts created on the way. */
export const Paper = declareTemplate({
  package: papers,
  module: "Test.Papers",
  entity: "Paper",
  fields: { signatories: list(party), observers: list(party), text },
  choices: { Run: nonConsuming(run, list(contractId)), Use: consuming(run, list(contractId)) },
});

export const AssetView = record({ owner: party, amount: numeric });

export const Asset = declareInterface({
  package: assets,
  module: "Test.Assets",
  entity: "Asset",
  view: AssetView,
  choices: {
    Asset_Give: consuming({ newOwner: party }, contractId),
    Asset_Ask: nonConsuming({ asker: party }, numeric),
  },
});

export const Iou = declareTemplate({
  package: papers,
  module: "Test.Ious",
  entity: "Iou",
  fields: { issuer: party, owner: party, amount: numeric },
  choices: {
    Iou_Multiply: nonConsuming({ factor: numeric }, numeric),
    Iou_Divide: nonConsuming({ divisor: numeric }, numeric),
  },
});

export const Machine = declareTemplate({
  package: papers,
  module: "Test.Machines",
  entity: "Machine",
  fields: { owner: party },
  choices: {
    Machine_Fail: nonConsuming({ how: text }, int64),
    Machine_Descend: nonConsuming({ levels: int64 }, int64),
    Machine_Fill: nonConsuming({ papers: int64, characters: int64 }, int64),
    Machine_Say: nonConsuming({ characters: int64 }, text),
    Machine_Time: nonConsuming({}, timeType),
    Machine_Ask: nonConsuming({ asset: contractId }, numeric),
    Machine_View: nonConsuming({ asset: contractId }, AssetView),
    Machine_Issue: nonConsuming({ amount: numeric }, contractId),
  },
});

type RunArgument = ValueOf<(typeof Paper)["choices"]["Run"]["argument"]>;
type RunCall = ChoiceCall<PayloadOf<typeof Paper>, RunArgument>;

function runSteps({ update, self, argument }: RunCall): readonly ContractId[] {
  const created: ContractId[] = [];
  const find = (target: Target): ContractId => {
    const found = target === "self" ? self : typeof target === "number" ? created[target] : target;
    return found ?? abort(`the steps created no contract ${target}`);
  };
  for (const step of argument.steps as readonly Step[]) {
    switch (step.do) {
      case "create":
        created.push(update.create(Paper, paperPayload(step)));
        break;
      case "run":
      case "use":
        created.push(
          ...update.exercise(Paper, find(step.on), step.do === "run" ? "Run" : "Use", runArgument(step)),
        );
        break;
      case "fetch":
        update.fetch(Paper, find(step.on));
        break;
      case "archive":
        update.archive(Paper, find(step.on));
        break;
      case "view":
        update.fetchView(Asset, find(step.on));
    }
  }
  return created;
}

const runRules = {
  controllers: (_: unknown, { actors }: RunArgument) => actors,
  observers: (_: unknown, { watchers }: RunArgument) => watchers,
  exercise: runSteps,
};

const paper = implement(Paper, {
  signatories: ({ signatories }) => signatories,
  observers: ({ observers }) => observers,
  choices: { Run: runRules, Use: runRules },
});

const iou = implement(Iou, {
  signatories: ({ issuer }) => [issuer],
  observers: ({ owner }) => [owner],
  ensure: ({ amount }) => (amount === decimal("13.0") ? abort("13 brings bad luck") : amount > 0n),
  choices: {
    Iou_Multiply: {
      controllers: ({ owner }) => [owner],
      exercise: ({ contract: { amount }, argument: { factor } }) => multiply(amount, factor),
    },
    Iou_Divide: {
      controllers: ({ owner }) => [owner],
      exercise: ({ contract: { amount }, argument: { divisor } }) => divide(amount, divisor),
    },
  },
  interfaces: [
    implementInterface(Iou, Asset, {
      view: ({ owner, amount }) => ({ owner, amount }),
      choices: {
        Asset_Give: {
          controllers: ({ owner }) => [owner],
          exercise: ({ update, contract, argument }) =>
            update.create(Iou, { ...contract, owner: argument.newOwner }),
        },
        Asset_Ask: {
          controllers: (_, { asker }) => [asker],
          exercise: ({ contract }) => contract.amount,
        },
      },
    }),
  ],
});

/** The failures of a machine, each of another kind. */
const breakdowns: Readonly<Record<string, (update: Update, self: ContractId) => bigint>> = {
  assertion: (update) => {
    requireThat("the machine works", update.now < 0n);
    return 0n;
  },
  abort: () => abort("the machine stopped"),
  funds: () =>
    fail("splice.lfdecentralizedtrust.org/insufficient-funds", "too little", { requiredAmount: "7" }),
  inputs: () => fail("splice.lfdecentralizedtrust.org/maximum-inputs-exceeded", "too many"),
  defect: () => {
    throw new TypeError("a wheel came off");
  },
  machine: () => {
    throw new RangeError("Maximum call stack size exceeded");
  },
  overflow: () => toInt64(MAX_INT64 + 1n),
  "division by zero": () => 1n / BigInt(0),
  "result out of range": () => MAX_INT64 + 1n,
  "argument out of range": (update, self) =>
    update.exercise(Machine, self, "Machine_Descend", { levels: -(2n ** 64n) }),
  "failure swallowed": (update, self) => {
    try {
      return update.exercise(Machine, self, "Machine_Fail", { how: "abort" });
    } catch {
      return 0n;
    }
  },
};

const machine = implement(Machine, {
  signatories: ({ owner }) => [owner],
  choices: {
    Machine_Fail: {
      controllers: ({ owner }) => [owner],
      exercise: ({ update, self, argument: { how } }) =>
        (breakdowns[how] ?? abort(`no breakdown ${how}`))(update, self),
    },
    Machine_Descend: {
      controllers: ({ owner }) => [owner],
      exercise: ({ update, self, argument: { levels } }) =>
        levels <= 0n ? 0n : update.exercise(Machine, self, "Machine_Descend", { levels: levels - 1n }),
    },
    Machine_Fill: {
      controllers: ({ owner }) => [owner],
      exercise: ({ update, contract: { owner }, argument }) => {
        const payload = paperPayload({ signatories: [owner], text: "x".repeat(Number(argument.characters)) });
        for (let i = 0n; i < argument.papers; i++) update.create(Paper, payload);
        return argument.papers;
      },
    },
    Machine_Say: {
      controllers: ({ owner }) => [owner],
      exercise: ({ argument: { characters } }) => "x".repeat(Number(characters)),
    },
    Machine_Time: { controllers: ({ owner }) => [owner], exercise: ({ update }) => update.now },
    Machine_Ask: {
      controllers: ({ owner }) => [owner],
      exercise: ({ update, contract, argument: { asset } }) =>
        update.exerciseInterface(Asset, asset, "Asset_Ask", { asker: contract.owner }),
    },
    Machine_View: {
      controllers: ({ owner }) => [owner],
      exercise: ({ update, argument: { asset } }) => update.fetchView(Asset, asset),
    },
    Machine_Issue: {
      controllers: ({ owner }) => [owner],
      exercise: ({ update, contract: { owner }, argument: { amount } }) =>
        update.create(Iou, { issuer: owner, owner, amount }),
    },
  },
});

export const testCatalogue: Catalogue = createCatalogue([
  { package: assets, templates: [], interfaces: [Asset] },
  { package: papers, templates: [paper, iou, machine], interfaces: [] },
]);

export function paperPayload({ signatories, observers = [], text: words = "" }: PaperTerms) {
  return { signatories, observers, text: words };
}

export function runArgument({ actors, watchers = [], steps = [] }: Run): RunArgument {
  return { actors, watchers, steps };
}
