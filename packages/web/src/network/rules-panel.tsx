import type { DsoInfo } from "@callsign/api";
import { useRead } from "../calls/use-calls.ts";
import { Fact, Facts, Panel } from "../design/layout.tsx";
import { ReadView } from "../design/read-view.tsx";
import { PartyText } from "../design/texts.tsx";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import {
  type AmuletRulesPayload,
  type AnsRulesPayload,
  type DsoRulesPayload,
  millisecondsOf,
  readPayload,
} from "./payloads.ts";

/** Fees, the rules for names, and the rules of the network. */
export function RulesPanel({ dso }: { readonly dso: DsoInfo }) {
  return (
    <div className="columns">
      <FeesPanel dso={dso} />
      <NameRulesPanel />
      <NetworkRulesPanel dso={dso} />
    </div>
  );
}

function FeesPanel({ dso }: { readonly dso: DsoInfo }) {
  const { network } = useWords();
  const show = useFormat();
  const { transferConfig, decentralizedSynchronizer } = rulesOf(dso);
  return (
    <Panel title={network.fees}>
      <Facts>
        <Fact term={network.transferFee}>
          {network.ofAmount(show.percent(transferConfig.transferFee.initialRate))}
        </Fact>
        <Fact term={network.createFee}>{show.usd(transferConfig.createFee.fee)}</Fact>
        <Fact term={network.holdingFee}>{show.usd(transferConfig.holdingFee.rate)}</Fact>
        <Fact term={network.lockFee}>{show.usd(transferConfig.lockHolderFee.fee)}</Fact>
        <Fact term={network.trafficPrice}>{show.usd(decentralizedSynchronizer.fees.extraTrafficPrice)}</Fact>
      </Facts>
    </Panel>
  );
}

function NameRulesPanel() {
  const { network } = useWords();
  const show = useFormat();
  const read = useRead("scan", "POST /v0/ans-rules", { body: {} });
  return (
    <Panel title={network.nameRules}>
      <ReadView read={read} waiting={network.readingRules}>
        {({ ans_rules_update: { contract } }) => {
          if (contract === null) return null;
          const { config } = readPayload<AnsRulesPayload>(contract);
          return (
            <Facts>
              <Fact term={network.nameFee}>{show.usd(config.entryFee)}</Fact>
              <Fact term={network.lifetime}>{show.length(millisecondsOf(config.entryLifetime))}</Fact>
              <Fact term={network.renewal}>
                {network.beforeExpiry(show.length(millisecondsOf(config.renewalDuration)))}
              </Fact>
            </Facts>
          );
        }}
      </ReadView>
    </Panel>
  );
}

function NetworkRulesPanel({ dso }: { readonly dso: DsoInfo }) {
  const { network } = useWords();
  const show = useFormat();
  const { tickDuration, issuanceCurve, packageConfig } = rulesOf(dso);
  const { config } = readPayload<DsoRulesPayload>(dso.dso_rules.contract);
  const { isDevNet } = readPayload<AmuletRulesPayload>(dso.amulet_rules.contract);
  return (
    <Panel title={network.rules}>
      <Facts>
        <Fact term={network.dso}>
          <PartyText party={dso.dso_party_id} />
        </Fact>
        <Fact term={network.kind}>{isDevNet ? network.devNet : network.production}</Fact>
        <Fact term={network.tick}>{show.length(millisecondsOf(tickDuration))}</Fact>
        <Fact term={network.issuance}>{show.coin(issuanceCurve.initialValue.amuletToIssuePerYear)}</Fact>
        <Fact term={network.voteTimeout}>{show.length(millisecondsOf(config.voteRequestTimeout))}</Fact>
        <Fact term={network.packages}>
          <span className="small soft">
            {Object.entries(packageConfig)
              .map(([name, version]) => `${name} ${version}`)
              .join(", ")}
          </span>
        </Fact>
      </Facts>
    </Panel>
  );
}

function rulesOf(dso: DsoInfo) {
  return readPayload<AmuletRulesPayload>(dso.amulet_rules.contract).configSchedule.initialValue;
}
