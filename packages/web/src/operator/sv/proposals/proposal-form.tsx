/** The fields of each kind of proposal. */
import type { ReactNode } from "react";
import { useState } from "react";
import { useRead } from "../../../calls/use-calls.ts";
import { useWebConfig } from "../../../config/web-config.ts";
import { Choice, Field } from "../../../design/field.tsx";
import { shortenParty } from "../../../design/texts.tsx";
import { useWords } from "../../../words/words.ts";
import type { ProposalFacts, ProposalFields, ProposalKind } from "./proposal.ts";
import { COIN_SETTING_NAMES, DSO_SETTING_NAMES, type SettingName, settingOf } from "./rule-settings.ts";
import { parseSetting, readSetting } from "./rule-values.ts";

interface FormPart {
  readonly fields: ProposalFields;
  readonly set: (change: Partial<ProposalFields>) => void;
}

export function ProposalForm({
  kind,
  facts,
  isComplete,
  ...part
}: FormPart & {
  readonly kind: ProposalKind;
  readonly facts: ProposalFacts;
  /** True if the fields make an action. */
  readonly isComplete: boolean;
}): ReactNode {
  const words = useWords().operator.votes;
  const { fields, set } = part;
  switch (kind) {
    case "CRARC_SetConfig":
      return <RuleFields key={kind} {...part} names={COIN_SETTING_NAMES} config={facts.coinConfig} />;
    case "SRARC_SetConfig":
      return <RuleFields key={kind} {...part} names={DSO_SETTING_NAMES} config={facts.dsoConfig} />;
    case "SRARC_UpdateSvRewardWeight":
      return (
        <>
          <SvChoice {...part} facts={facts} />
          <Field
            id="vote-weight"
            label={words.weight}
            value={fields.weight}
            onChange={(weight) => set({ weight })}
            hint={words.weightHint(facts.svs.find(({ party }) => party === fields.sv)?.weight ?? null)}
            inputMode="numeric"
            problem={fields.weight !== "" && fields.sv !== "" && !isComplete ? words.wrongWeight : null}
          />
        </>
      );
    case "SRARC_OffboardSv":
      return <SvChoice {...part} facts={facts} />;
    case "SRARC_GrantFeaturedAppRight":
      return (
        <Field
          id="vote-provider"
          label={words.provider}
          value={fields.provider}
          onChange={(provider) => set({ provider })}
          hint={words.providerHint}
          problem={fields.provider !== "" && !isComplete ? words.wrong.party : null}
        />
      );
    case "SRARC_RevokeFeaturedAppRight":
      return <RightField {...part} isComplete={isComplete} />;
    case "other":
      return (
        <Field
          id="vote-json"
          label={words.kind}
          value={fields.json}
          onChange={(json) => set({ json })}
          hint={words.jsonHint}
          isMultiline
          problem={fields.json !== "" && !isComplete ? words.notJson : null}
        />
      );
  }
}

/** One value at a time is typed; those typed before stay. */
function RuleFields({
  fields: { edits },
  set,
  names,
  config,
}: FormPart & { readonly names: readonly SettingName[]; readonly config: unknown }) {
  const words = useWords().operator.votes;
  const [name, setName] = useState<SettingName>(names[0] ?? "tick");
  const setting = settingOf(name);
  const present = readSetting(config, setting);
  const typed = edits[name] ?? present;
  const isWrong = parseSetting(typed, setting) === undefined;
  return (
    <>
      <p className="soft small">{words.nameRulesFixed}</p>
      <Choice
        id="vote-setting"
        label={words.value}
        value={name}
        onChange={setName}
        options={names.map((value) => ({ value, label: words.settings[value] }))}
      />
      <Field
        id="vote-value"
        label={words.newValue}
        value={typed}
        onChange={(text) => set({ edits: { ...edits, [name]: text } })}
        hint={words.valueHint(present, setting.isOptional === true)}
        problem={isWrong ? words.wrong[setting.kind] : null}
        {...(setting.kind === "usd" ? { end: "USD", inputMode: "decimal" as const } : {})}
        {...(setting.kind === "count" ? { inputMode: "numeric" as const } : {})}
      />
    </>
  );
}

function SvChoice({ fields, set, facts }: FormPart & { readonly facts: ProposalFacts }) {
  const words = useWords().operator.votes;
  return (
    <Choice
      id="vote-sv"
      label={words.sv}
      value={fields.sv}
      onChange={(sv) => set({ sv })}
      options={[
        { value: "", label: words.chooseSv },
        ...facts.svs.map(({ name, party }) => ({ value: party, label: `${name} (${shortenParty(party)})` })),
      ]}
    />
  );
}

/** The rights that a scan knows, or a contract's id where there is no scan behind the page. */
function RightField({ fields, set, isComplete }: FormPart & { readonly isComplete: boolean }) {
  const words = useWords().operator.votes;
  const hasScan = useWebConfig().services.scan !== null;
  const read = useRead("scan", "GET /v0/featured-apps", {}, { isWanted: hasScan, isAskedAnew: true });
  const known = read.data?.featured_apps ?? null;
  if (known === null || known.length === 0) {
    return (
      <Field
        id="vote-right"
        label={words.right}
        value={fields.right}
        onChange={(right) => set({ right })}
        hint={known === null ? words.rightHint : words.noRights}
        problem={fields.right !== "" && !isComplete ? words.wrongRight : null}
      />
    );
  }
  return (
    <Choice
      id="vote-right"
      label={words.right}
      value={fields.right}
      onChange={(right) => set({ right })}
      options={[
        { value: "", label: words.chooseRight },
        ...known.map(({ contract_id, payload }) => ({
          value: contract_id,
          label: shortenParty(String(payload["provider"])),
        })),
      ]}
    />
  );
}
