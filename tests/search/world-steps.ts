/** The steps of a small world. Terms are cleared and left by the product's own decisions. */
import { decideClearance } from "../../packages/synchronizer/src/peers/clear-term.ts";
import { beginningsOf, headOf } from "./entries.ts";
import type { Step } from "./explore.ts";
import { restores } from "./restore-steps.ts";
import {
  encode,
  hasLeft,
  replaceSv,
  type Server,
  termAt,
  termsIn,
  type World,
  type WorldRules,
  withServer,
} from "./small-world.ts";

/** The acknowledged history is given: a restore that calls itself whole is judged by it. */
export function* stepsOf(world: World, rules: WorldRules, acknowledged: string): Generator<Step> {
  yield* appends(world, rules);
  yield* copies(world, rules);
  if (world.servers.length < rules.terms) yield* losses(world);
  if (world.servers.length === 1) return;
  yield* statements(world, rules);
  yield* restores(world, rules, acknowledged);
}

function* appends(world: World, { places, liarAppends }: WorldRules): Generator<Step> {
  for (const [i, { log, isCleared }] of world.servers.entries()) {
    if (log.length >= places || !(isCleared || liarAppends)) continue;
    const longer = log + termAt(i);
    yield {
      state: encode(withServer(world, i, { log: longer, isCleared })),
      describe: () => `${isCleared ? "a sequencer" : "the liar"} appends ${longer} in term ${i + 1}`,
    };
  }
}

/** An SV copies the next entry of a server that it hears. A page may be long on its way. */
function* copies(world: World, { keepsToTerm }: WorldRules): Generator<Step> {
  for (const [i, sv] of world.svs.entries()) {
    const { copy } = sv;
    for (const [term, { log }] of world.servers.entries()) {
      if (log.length <= copy.length || !log.startsWith(copy)) continue;
      if (keepsToTerm && hasLeft(sv, term)) continue;
      const longer = log.slice(0, copy.length + 1);
      yield {
        state: encode(replaceSv(world, i, { copy: longer, ...(keepsToTerm ? termsIn(term, sv) : {}) })),
        describe: () => `the SV with ${copy} copies ${longer}`,
      };
    }
  }
}

/** Another server takes over, with a part of the log. */
function* losses(world: World): Generator<Step> {
  const { log } = world.servers.at(-1) as Server;
  const svs = world.svs.map((sv) => ({ ...sv, stated: null, shown: null }));
  for (const kept of beginningsOf(log)) {
    const servers = [...world.servers, { log: kept, isCleared: false }];
    yield {
      state: encode({ servers, svs }),
      describe: () => `term ${servers.length} begins with the log ${kept}`,
    };
  }
}

function* statements(world: World, { neededToClear, keepsToTerm }: WorldRules): Generator<Step> {
  const last = world.servers.length - 1;
  const { log, isCleared } = world.servers[last] as Server;
  for (const [i, sv] of world.svs.entries()) {
    const { copy, stated, shown } = sv;
    // An SV says nothing in a term that it has left.
    if (keepsToTerm && hasLeft(sv, last)) continue;
    const promise = keepsToTerm ? termsIn(last, sv) : {};
    if (stated === null && !isCleared)
      yield {
        state: encode(replaceSv(world, i, { stated: copy, ...promise })),
        describe: () => `the SV with ${copy} states what it holds`,
      };
    if (shown === null)
      yield {
        state: encode(replaceSv(world, i, { shown: copy, ...promise })),
        describe: () => `the SV with ${copy} shows its copy`,
      };
  }
  if (isCleared) return;
  // The liar says that it holds nothing beyond the log's end.
  const stated = new Map([["liar", headOf(log)]]);
  for (const [i, { stated: held }] of world.svs.entries())
    if (held !== null) stated.set(`sv-${i}`, headOf(held));
  const inLog = new Map(
    ["", ...beginningsOf(log)].map(headOf).map((each) => [each.sequence, each.entryHash]),
  );
  if (!decideClearance(stated, inLog, neededToClear).isCleared) return;
  const cleared = withServer(world, last, { log, isCleared: true });
  yield { state: encode(cleared), describe: () => `term ${last + 1} is cleared` };
}
