import type { WireContract } from "@callsign/api";
import { type FormEvent, useState } from "react";
import { readNetworkClock } from "../calls/network-clock.ts";
import { useChange, useRead } from "../calls/use-calls.ts";
import { ActionButton } from "../design/action.tsx";
import { Field } from "../design/field.tsx";
import { Panel } from "../design/layout.tsx";
import { ErrorNotice, Nothing, Notice } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { Table } from "../design/table.tsx";
import { PartyText, TimeText, WrittenText } from "../design/texts.tsx";
import { classifyQuery } from "../names/classify-query.ts";
import { readTypedAmount } from "../register/amounts.ts";
import { ConfirmDialog } from "../register/confirm-dialog.tsx";
import { useAmuletRules } from "../register/network-facts.ts";
import { textAt } from "../register/payload-fields.ts";
import { useParty } from "../register/wallet-gate.tsx";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import { WalletFrame } from "./wallet-frame.tsx";

const DAY_MILLISECONDS = 86_400_000;
const MAX_REASON = 280;
const SHOWN_ENDED = 50;

/** `/wallet/development-fund`: coupons of the fund that the user gives as its manager, or is given. */
export function DevelopmentFundPage() {
  const { wallet } = useWords();
  return (
    <WalletFrame place="fund" lead={wallet.fund.lead}>
      <ManagerForm />
      <ActiveCoupons />
      <EndedCoupons />
    </WalletFrame>
  );
}

/** The network's rules name the manager; others see no form. */
function ManagerForm() {
  const party = useParty();
  const rules = useAmuletRules().data?.amulet_rules.contract.payload;
  const manager = textAt(rules, "configSchedule", "initialValue", "optDevelopmentFundManager");
  return manager === party ? <GiveCoupon /> : null;
}

function GiveCoupon() {
  const { wallet } = useWords();
  const [beneficiary, setBeneficiary] = useState("");
  const [typed, setTyped] = useState("");
  const [days, setDays] = useState("30");
  const [reason, setReason] = useState("");
  const give = useChange("validator", "POST /v0/wallet/development-fund-coupons/allocate");
  const amount = readTypedAmount(typed);
  const isParty = classifyQuery(beneficiary).kind === "party";
  const isDays = /^[1-9]\d{0,3}$/.test(days);
  const isReady = amount !== null && isParty && isDays && reason.trim() !== "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || give.isPending) return;
    const expiresAt = (readNetworkClock() + Number(days) * DAY_MILLISECONDS) * 1000;
    give.mutate({ body: { beneficiary: beneficiary.trim(), amount, expiresAt, reason: reason.trim() } });
  };
  return (
    <Panel title={wallet.fund.give}>
      <form className="stack" onSubmit={submit}>
        <Field
          label={wallet.fund.beneficiary}
          value={beneficiary}
          onChange={setBeneficiary}
          problem={beneficiary !== "" && !isParty ? wallet.send.noParty : null}
        />
        <Field
          label={wallet.offers.amount}
          value={typed}
          onChange={setTyped}
          inputMode="decimal"
          problem={typed !== "" && amount === null ? wallet.amountProblem : null}
        />
        <Field
          label={wallet.fund.days}
          value={days}
          onChange={setDays}
          inputMode="numeric"
          problem={isDays ? null : wallet.fund.daysProblem}
        />
        <Field label={wallet.fund.reason} value={reason} onChange={setReason} maxLength={MAX_REASON} />
        {give.error === null ? null : <ErrorNotice error={give.error} />}
        {give.isSuccess ? <Notice kind="good">{wallet.fund.given}</Notice> : null}
        <div>
          <ActionButton type="submit" isPending={give.isPending} isDisabled={!isReady}>
            {wallet.fund.give}
          </ActionButton>
        </div>
      </form>
    </Panel>
  );
}

function ActiveCoupons() {
  const { wallet } = useWords();
  const format = useFormat();
  const party = useParty();
  const [withdrawn, setWithdrawn] = useState<WireContract | null>(null);
  const read = useRead(
    "validator",
    "GET /v0/wallet/development-fund-coupons",
    {},
    { everyMilliseconds: 10_000 },
  );
  return (
    <Panel title={wallet.fund.active}>
      <ReadView
        read={read}
        isEmpty={({ active_development_fund_coupons: coupons }) => coupons.length === 0}
        empty={<Nothing title={wallet.fund.none} />}
      >
        {({ active_development_fund_coupons: coupons }) => (
          <Table
            caption={wallet.fund.active}
            rows={coupons}
            keyOf={({ contract_id }) => contract_id}
            columns={[
              {
                title: wallet.fund.beneficiary,
                cell: ({ payload }) => <PartyText party={textAt(payload, "beneficiary")} />,
              },
              {
                title: wallet.offers.amount,
                cell: ({ payload }) => format.coin(textAt(payload, "amount")),
              },
              {
                title: wallet.fund.reason,
                cell: ({ payload }) => <WrittenText text={textAt(payload, "reason")} />,
              },
              {
                title: wallet.offers.expires,
                cell: ({ payload }) => <TimeText time={textAt(payload, "expiresAt")} />,
              },
              {
                title: wallet.offers.actions,
                cell: (coupon) =>
                  textAt(coupon.payload, "fundManager") === party ? (
                    <ActionButton size="small" kind="danger" onPress={() => setWithdrawn(coupon)}>
                      {wallet.offers.withdraw}
                    </ActionButton>
                  ) : null,
              },
            ]}
          />
        )}
      </ReadView>
      {withdrawn === null ? null : <WithdrawCoupon coupon={withdrawn} onClose={() => setWithdrawn(null)} />}
    </Panel>
  );
}

function WithdrawCoupon({
  coupon: { contract_id },
  onClose,
}: {
  readonly coupon: WireContract;
  readonly onClose: () => void;
}) {
  const { wallet } = useWords();
  const [reason, setReason] = useState("");
  const withdraw = useChange("validator", "POST /v0/wallet/development-fund-coupons/{contract_id}/withdraw");
  return (
    <ConfirmDialog
      title={wallet.fund.withdrawTitle}
      action={wallet.offers.withdraw}
      isPending={withdraw.isPending}
      error={withdraw.error}
      onConfirm={() =>
        withdraw.mutate({ params: { contract_id }, body: { reason: reason.trim() } }, { onSuccess: onClose })
      }
      onClose={onClose}
    >
      <Field label={wallet.fund.reason} value={reason} onChange={setReason} maxLength={MAX_REASON} />
    </ConfirmDialog>
  );
}

function EndedCoupons() {
  const { wallet } = useWords();
  const format = useFormat();
  const read = useRead("validator", "GET /v0/wallet/development-fund-coupons/history", {
    query: { limit: SHOWN_ENDED },
  });
  return (
    <Panel title={wallet.fund.ended}>
      <ReadView
        read={read}
        isEmpty={({ development_fund_coupon_history: coupons }) => coupons.length === 0}
        empty={<Nothing title={wallet.fund.noneEnded} />}
      >
        {({ development_fund_coupon_history: coupons }) => (
          <Table
            caption={wallet.fund.ended}
            rows={coupons}
            keyOf={(coupon) =>
              `${coupon.createdAt} ${coupon.archivedAt} ${coupon.beneficiary} ${coupon.amount}`
            }
            columns={[
              {
                title: wallet.fund.endedAt,
                cell: ({ archivedAt }) => <TimeText time={archivedAt} shows="time" />,
              },
              {
                title: wallet.fund.beneficiary,
                cell: ({ beneficiary }) => <PartyText party={beneficiary} />,
              },
              { title: wallet.offers.amount, cell: ({ amount }) => format.coin(amount) },
              { title: wallet.fund.reason, cell: ({ reason }) => <WrittenText text={reason} /> },
              { title: wallet.fund.how, cell: ({ status }) => wallet.fund.ends[status] },
            ]}
          />
        )}
      </ReadView>
    </Panel>
  );
}
