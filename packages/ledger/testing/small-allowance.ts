/** A network whose free traffic is soon used up, with a member to use it. */
import { relTime } from "../src/contracts/rel-time.ts";
import { withFreeTraffic } from "../src/contracts/splice-amulet/rules/default-amulet-config.ts";
import type { Command } from "../src/engine/command.ts";
import type { Engine } from "../src/engine/interpret.ts";
import { accountOf, remaining } from "../src/transition/traffic.ts";
import { SECOND } from "../src/values/duration.ts";
import type { PartyId } from "../src/values/party-id.ts";
import { SimulatedNetwork } from "./simulated-network.ts";
import { foundingOf, testEngine } from "./transition-fixture.ts";

export function smallAllowance(burstAmount = 3_000n, burstWindow = 3_000n * SECOND) {
  const model = foundingOf(new SimulatedNetwork()).amuletConfig;
  const amuletConfig = withFreeTraffic(model, { burstAmount, burstWindow: relTime(burstWindow) });
  const network = new SimulatedNetwork({ founding: { amuletConfig } });
  const alice = network.registerMember("alice");
  const content = (commands: readonly Command[]) =>
    network.submitContent(alice, { actAs: [alice.party], commands });
  const left = () => remaining(accountOf(network.state, network.network, alice.id, network.now));
  return { network, alice, content, left };
}

/** Traffic is bought through contracts of the DSO; this lends its authority to every submission instead. */
export function lending(dso: PartyId): Engine {
  const engine = testEngine();
  return {
    ...engine,
    interpret: (request) => engine.interpret({ ...request, actAs: [...request.actAs, dso] }),
  };
}
