/** The pages of an operator: of the SV and of the validator behind this host. */

import type { ComponentType } from "react";
import { Redirect, Route, Switch } from "wouter";
import { useWebConfig } from "../config/web-config.ts";
import { Page } from "../design/layout.tsx";
import { PageTabs } from "../design/page-tabs.tsx";
import type { Words } from "../words/words.ts";
import { useWords } from "../words/words.ts";
import { AutomationsPanel } from "./automations-panel.tsx";
import { RightsGate } from "./rights-gate.tsx";
import { SvOverview } from "./sv/sv-overview.tsx";
import { SvPrice } from "./sv/sv-price.tsx";
import { SvValidators } from "./sv/sv-validators.tsx";
import { SvVotes } from "./sv/sv-votes.tsx";
import { ValidatorOverview } from "./validator/validator-overview.tsx";
import { ValidatorUsers } from "./validator/validator-users.tsx";

export type Operated = "sv" | "validator";

interface OperatorTab {
  readonly path: string;
  readonly of: Operated;
  readonly label: (words: Words["operator"]) => string;
  readonly content: ComponentType;
}

const TABS: readonly OperatorTab[] = [
  { path: "/operator/sv", of: "sv", label: ({ tabs }) => tabs.sv, content: SvOverview },
  { path: "/operator/sv/validators", of: "sv", label: ({ tabs }) => tabs.validators, content: SvValidators },
  { path: "/operator/sv/votes", of: "sv", label: ({ tabs }) => tabs.votes, content: SvVotes },
  { path: "/operator/sv/price", of: "sv", label: ({ tabs }) => tabs.price, content: SvPrice },
  {
    path: "/operator/sv/automations",
    of: "sv",
    label: ({ tabs }) => tabs.svAutomations,
    content: () => <AutomationsPanel service="sv" />,
  },
  {
    path: "/operator/validator",
    of: "validator",
    label: ({ tabs }) => tabs.validator,
    content: ValidatorOverview,
  },
  {
    path: "/operator/validator/users",
    of: "validator",
    label: ({ tabs }) => tabs.users,
    content: ValidatorUsers,
  },
  {
    path: "/operator/validator/automations",
    of: "validator",
    label: ({ tabs }) => tabs.validatorAutomations,
    content: () => <AutomationsPanel service="validator" />,
  },
];

export function OperatorPage() {
  const { operator } = useWords();
  const { services } = useWebConfig();
  const tabs = TABS.filter(({ of }) => services[of] !== null);
  return (
    <Page title={operator.title} lead={operator.lead}>
      <PageTabs
        label={operator.tabsLabel}
        tabs={tabs.map(({ path, label }) => ({ href: path, label: label(operator) }))}
      />
      <Switch>
        {tabs.map(({ path, of, content: Content }) => (
          <Route key={path} path={path}>
            <RightsGate key={of} service={of}>
              <Content />
            </RightsGate>
          </Route>
        ))}
        <Route>
          <Redirect to={tabs[0]?.path ?? "/"} replace />
        </Route>
      </Switch>
    </Page>
  );
}
