import type { DatabaseSync } from "node:sqlite";
import type { AnyTemplateDeclaration } from "@callsign/ledger";
import { ReplicaDamaged } from "@callsign/synchronizer";
import { AGENDA_KINDS } from "../kinds/agenda-kinds.ts";

/** Template ids are long: rows name their kind by a number that the table gives out. */
export class KindNumbers {
  readonly #numbers = new Map<AnyTemplateDeclaration, bigint>();
  readonly #templates = new Map<bigint, AnyTemplateDeclaration>();

  constructor(database: DatabaseSync) {
    const numbers = new Map<string, bigint>();
    // The index of texts may have changed on disk: a second number for a kind would hide the rows of the first.
    for (const { number, template } of database.prepare("select * from sv_kind not indexed").iterate())
      numbers.set(template as string, number as bigint);
    const insert = database.prepare(
      "insert into sv_kind (template) values (?) on conflict do nothing returning number",
    );
    for (const { template } of AGENDA_KINDS) {
      const number = numbers.get(template.id) ?? insert.get(template.id)?.["number"];
      if (number === undefined) throw new ReplicaDamaged(`the table sv_kind has lost ${template.id}`);
      this.#numbers.set(template, number as bigint);
      this.#templates.set(number as bigint, template);
    }
  }

  numberOf(template: AnyTemplateDeclaration): bigint {
    const number = this.#numbers.get(template);
    if (number === undefined) throw new Error(`${template.id} is no kind of the SV's agenda`);
    return number;
  }

  templateOf(number: bigint): AnyTemplateDeclaration {
    const template = this.#templates.get(number);
    if (template === undefined) throw new Error(`the SV's agenda has no kind ${number}`);
    return template;
  }
}
