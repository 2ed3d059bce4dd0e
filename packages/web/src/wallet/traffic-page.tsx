import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { makeId } from "../browser/page-host.ts";
import { readNetworkClock } from "../calls/network-clock.ts";
import { useChange, useRead } from "../calls/use-calls.ts";
import { useWebConfig } from "../config/web-config.ts";
import { ActionButton } from "../design/action.tsx";
import { Field } from "../design/field.tsx";
import { Fact, Facts, Figure, Figures, Panel } from "../design/layout.tsx";
import { ErrorNotice, Notice, Waiting } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { PartyText, TimeText } from "../design/texts.tsx";
import { coinOfUsd, compareAmounts, readTypedAmount, shareOf } from "../register/amounts.ts";
import { useAmuletRules, useCoinPrice } from "../register/network-facts.ts";
import { textAt } from "../register/payload-fields.ts";
import { PriceText } from "../register/price-text.tsx";
import { useParty } from "../register/wallet-gate.tsx";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import { megabytesOf, toBytes } from "./megabytes.ts";
import { useLack } from "./use-lack.ts";
import { WalletFrame } from "./wallet-frame.tsx";

const REQUEST_LIFETIME_MILLISECONDS = 600_000;
const WATCH_MILLISECONDS = 1500;

/** `/wallet/traffic`: the bytes that the validator of this wallet may send, and more of them for coin. */
export function TrafficPage() {
  const { wallet } = useWords();
  const rules = useAmuletRules();
  return (
    <WalletFrame place="traffic" lead={wallet.traffic.lead}>
      <ReadView read={rules} waiting={wallet.traffic.waiting}>
        {({ amulet_rules: { contract, domain_id } }) => {
          const config = ["configSchedule", "initialValue", "decentralizedSynchronizer"] as const;
          const synchronizer = domain_id ?? textAt(contract.payload, ...config, "activeSynchronizer");
          return (
            <>
              <TrafficState synchronizer={synchronizer} />
              <BuyTraffic
                synchronizer={synchronizer}
                usdPerMegabyte={textAt(contract.payload, ...config, "fees", "extraTrafficPrice")}
                minBytes={textAt(contract.payload, ...config, "fees", "minTopupAmount")}
              />
            </>
          );
        }}
      </ReadView>
    </WalletFrame>
  );
}

function TrafficState({ synchronizer }: { readonly synchronizer: string }) {
  const { wallet } = useWords();
  const { scan } = useWebConfig().services;
  if (scan === null) return <Notice>{wallet.traffic.noScan}</Notice>;
  return <KnownTrafficState synchronizer={synchronizer} />;
}

function KnownTrafficState({ synchronizer }: { readonly synchronizer: string }) {
  const { wallet } = useWords();
  const format = useFormat();
  const party = useParty();
  const host = useRead("scan", "GET /v0/domains/{domain_id}/parties/{party_id}/participant-id", {
    params: { domain_id: synchronizer, party_id: party },
  });
  const member = host.data?.participant_id;
  const status = useRead(
    "scan",
    "GET /v0/domains/{domain_id}/members/{member_id}/traffic-status",
    { params: { domain_id: synchronizer, member_id: member ?? "" } },
    { isWanted: member !== undefined, everyMilliseconds: 10_000 },
  );
  const inMegabytes = (bytes: number) => `${format.decimal(megabytesOf(BigInt(bytes)), 3)} MB`;
  if (member === undefined) {
    return (
      <ReadView read={host} waiting={wallet.traffic.waiting}>
        {() => null}
      </ReadView>
    );
  }
  return (
    <ReadView read={status} waiting={wallet.traffic.waiting}>
      {({ traffic_status: { actual, target } }) => (
        <Figures>
          <Figure
            term={wallet.traffic.left}
            value={inMegabytes(Math.max(0, actual.total_limit - actual.total_consumed))}
            note={wallet.traffic.leftNote}
          />
          <Figure term={wallet.traffic.consumed} value={inMegabytes(actual.total_consumed)} />
          <Figure term={wallet.traffic.purchased} value={inMegabytes(target.total_purchased)} />
        </Figures>
      )}
    </ReadView>
  );
}

function BuyTraffic({
  synchronizer,
  usdPerMegabyte,
  minBytes,
}: {
  readonly synchronizer: string;
  readonly usdPerMegabyte: string;
  readonly minBytes: string;
}) {
  const { wallet } = useWords();
  const format = useFormat();
  const coinPrice = useCoinPrice();
  const operator = useRead("validator", "GET /v0/validator-user", {});
  const [typed, setTyped] = useState("1");
  const [tracking, setTracking] = useState<string | null>(null);
  const buy = useChange("validator", "POST /v0/wallet/buy-traffic-requests");
  const megabytes = readTypedAmount(typed);
  const bytes = megabytes === null ? null : toBytes(megabytes);
  const least = megabytesOf(BigInt(minBytes === "" ? "0" : minBytes));
  const isTooLittle = megabytes !== null && compareAmounts(megabytes, least) < 0;
  const usd = bytes === null ? null : shareOf(usdPerMegabyte, BigInt(bytes), 1_000_000n);
  const coin = usd === null || coinPrice === null ? null : coinOfUsd(usd, coinPrice);
  const lack = useLack(coin);
  const receiver = operator.data?.party_id;
  const isReady = bytes !== null && !isTooLittle && lack === null && receiver !== undefined;
  const problem = ((): string | null => {
    if (typed !== "" && megabytes === null) return wallet.amountProblem;
    if (isTooLittle) return wallet.traffic.tooLittle(format.decimal(least));
    return lack === null ? null : wallet.send.lack(format.coin(lack, 4));
  })();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || buy.isPending) return;
    const tracking_id = makeId();
    const body = {
      receiving_validator_party_id: receiver,
      domain_id: synchronizer,
      traffic_amount: bytes,
      tracking_id,
      expires_at: (readNetworkClock() + REQUEST_LIFETIME_MILLISECONDS) * 1000,
    };
    buy.mutate({ body }, { onSuccess: () => setTracking(tracking_id) });
  };
  return (
    <Panel title={wallet.traffic.buyTitle}>
      <form className="stack" onSubmit={submit}>
        <Field
          id="traffic-amount-field"
          label={wallet.traffic.amount}
          value={typed}
          onChange={setTyped}
          end="MB"
          inputMode="decimal"
          hint={wallet.traffic.priceHint(format.usd(usdPerMegabyte))}
          problem={problem}
        />
        <Facts>
          <Fact term={wallet.traffic.cost}>
            <PriceText price={{ usd, coin }} />
          </Fact>
          {receiver === undefined ? null : (
            <Fact term={wallet.traffic.forValidator}>
              <PartyText party={receiver} />
            </Fact>
          )}
        </Facts>
        {buy.error === null ? null : <ErrorNotice error={buy.error} />}
        {tracking === null ? null : <TrafficOutcome key={tracking} trackingId={tracking} />}
        <div>
          <ActionButton type="submit" isPending={buy.isPending} isDisabled={!isReady}>
            {buy.isPending ? wallet.traffic.buying : wallet.traffic.buy}
          </ActionButton>
        </div>
      </form>
    </Panel>
  );
}

/** The wallet pays the request by itself; its status tells when. */
function TrafficOutcome({ trackingId }: { readonly trackingId: string }) {
  const { wallet } = useWords();
  const [since] = useState(() => new Date(readNetworkClock()).toISOString());
  const [isOver, setOver] = useState(false);
  const read = useRead(
    "validator",
    "POST /v0/wallet/buy-traffic-requests/{tracking_id}/status",
    { params: { tracking_id: trackingId } },
    isOver ? {} : { everyMilliseconds: WATCH_MILLISECONDS },
  );
  const status = read.data;
  if (status !== undefined && status.status !== "created" && !isOver) setOver(true);
  const client = useQueryClient();
  useEffect(() => {
    // The figures above count the purchase.
    if (isOver) void client.invalidateQueries();
  }, [isOver, client]);
  if (status === undefined && read.error !== null) return <ErrorNotice error={read.error} />;
  if (status === undefined || status.status === "created") {
    return (
      <Waiting>
        {wallet.traffic.paying} <TimeText time={since} shows="distance" />
      </Waiting>
    );
  }
  if (status.status === "completed") return <Notice kind="good">{wallet.traffic.bought}</Notice>;
  return (
    <Notice kind="bad" title={wallet.traffic.failed}>
      <p>{status.rejection_reason ?? wallet.traffic.expired}</p>
    </Notice>
  );
}
