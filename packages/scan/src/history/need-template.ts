/** The template of a stored contract. Every one of them is in a package of the network. */
import { networkCatalogue, type Template } from "@callsign/ledger";

export function needTemplate(templateId: string): Template {
  const template = networkCatalogue.findTemplate(templateId);
  if (template === undefined) throw new Error(`no package of the network has ${templateId}`);
  return template;
}
