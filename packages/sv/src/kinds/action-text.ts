import { ActionRequiringConfirmation } from "@callsign/ledger";

const texts = new WeakMap<ActionRequiringConfirmation, string>();

/** The action's canonical text. Each action in memory is written once, because every decision compares it. */
export function actionText(action: ActionRequiringConfirmation): string {
  let text = texts.get(action);
  if (text === undefined) {
    text = ActionRequiringConfirmation.encode(action);
    texts.set(action, text);
  }
  return text;
}
