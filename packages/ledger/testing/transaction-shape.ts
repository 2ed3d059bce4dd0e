/** The nodes of the last transaction in order: `["AmuletRules_Transfer AmuletRules", "create Amulet"]`. */
import type { Sandbox } from "./sandbox.ts";

export function shapeOf({ lastTransaction }: Sandbox): readonly string[] {
  if (lastTransaction === null) throw new Error("nothing was submitted yet");
  return lastTransaction.nodes.map((node) =>
    node.kind === "create"
      ? `create ${entityOf(node.contract.templateId)}`
      : `${node.choice} ${entityOf(node.templateId)}`,
  );
}

function entityOf(templateId: string): string {
  return templateId.slice(templateId.lastIndexOf(":") + 1);
}
