/** The parts of a template's id that people read: `Splice.Amulet:Amulet` of `#splice-amulet:Splice.Amulet:Amulet`. */
export function shortenTemplate(templateId: string): { readonly name: string; readonly module: string } {
  const parts = templateId.split(":");
  return { name: parts.at(-1) ?? templateId, module: parts.at(-2) ?? "" };
}

/** Contract ids are long, and alike at their beginning. */
export function shortenId(id: string): string {
  return id.length <= 20 ? id : `${id.slice(0, 8)}…${id.slice(-8)}`;
}
