/** A setting that cannot be used. The findings of a configuration are reported together. */

export interface SettingFinding {
  readonly key: string;
  /** As given; omitted where it may be a secret. */
  readonly value?: string;
  readonly problem: string;
  /** The remedy, in the imperative. */
  readonly fix: string;
}

export class SettingsRefused extends Error {
  override readonly name = "SettingsRefused";
  readonly findings: readonly SettingFinding[];

  constructor(findings: readonly SettingFinding[]) {
    super(findings.map(({ key, problem, fix }) => `${key}: ${problem}: ${fix}`).join("\n"));
    this.findings = findings;
  }
}

const SHOWN_CHARACTERS = 300;

/** The value as a message shows it. */
export function shown(value: unknown): string {
  return (typeof value === "string" ? JSON.stringify(value) : String(value)).slice(0, SHOWN_CHARACTERS);
}
