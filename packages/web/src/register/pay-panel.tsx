import { makeId } from "../browser/page-host.ts";
import { CallError } from "../calls/call-error.ts";
import { useChange, useRead } from "../calls/use-calls.ts";
import { ActionButton } from "../design/action.tsx";
import { ErrorNotice, Notice } from "../design/notice.tsx";
import { PartyText } from "../design/texts.tsx";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import { compareAmounts, subtractAmounts, toCents, usdOfCoin } from "./amounts.ts";
import { useCoinPrice, useIsDevNet } from "./network-facts.ts";
import { useParty } from "./wallet-gate.tsx";

const BALANCE_EVERY_MILLISECONDS = 4000;
/** A name that takes the last coin of its wallet could not be renewed. */
const LEAST_TAP_USD = "10";

interface Attempt {
  readonly isPending: boolean;
  readonly error: unknown;
}

export interface PayPanelProps {
  /** The coin that it takes; null while the price in coin is unknown. */
  readonly coin: string | null;
  readonly pay: Attempt & { readonly start: () => void };
  readonly reject: Attempt & { readonly start: () => void };
  readonly payLabel: string;
  readonly payId: string;
}

/** Pays or rejects a request. A user with too little coin reads how much is missing and, where coin is free, taps it here. */
export function PayPanel({ coin, pay, reject, payLabel, payId }: PayPanelProps) {
  const { register } = useWords();
  const balance = useRead(
    "validator",
    "GET /v0/wallet/balance",
    {},
    { everyMilliseconds: BALANCE_EVERY_MILLISECONDS },
  );
  // The mutation lives here, because its notice goes as soon as the balance shows the coin, and the payment follows then.
  const tap = useChange("validator", "POST /v0/wallet/tap");
  const tapAndPay = (amount: string) =>
    tap.mutate({ body: { amount, command_id: makeId() } }, { onSuccess: pay.start });
  const available = balance.data?.effective_unlocked_qty ?? null;
  const isShort = coin !== null && available !== null && compareAmounts(available, coin) < 0;
  return (
    <div className="stack">
      {isShort ? (
        <MissingCoin
          coin={coin}
          available={available}
          tap={{ isPending: tap.isPending || pay.isPending, error: tap.error, start: tapAndPay }}
          payId={payId}
        />
      ) : (
        <PaymentError error={pay.error} />
      )}
      {reject.error === null ? null : <ErrorNotice error={reject.error} />}
      <div className="row">
        {isShort ? null : (
          <ActionButton
            id={payId}
            onPress={pay.start}
            isPending={pay.isPending || tap.isPending}
            isDisabled={reject.isPending}
          >
            {pay.isPending ? register.pay.paying : payLabel}
          </ActionButton>
        )}
        <ActionButton
          kind="danger"
          onPress={reject.start}
          isPending={reject.isPending}
          isDisabled={pay.isPending}
          id="request-reject-button"
        >
          {register.pay.reject}
        </ActionButton>
      </div>
    </div>
  );
}

/** A payment without an answer may have been made: it says so, and the page goes on looking. */
function PaymentError({ error }: { readonly error: unknown }) {
  const { register } = useWords();
  if (error === null) return null;
  if (error instanceof CallError && (error.kind === "too-slow" || error.kind === "unreachable")) {
    return (
      <Notice kind="warn" title={register.pay.unknownTitle}>
        <p>{register.pay.unknown}</p>
      </Notice>
    );
  }
  return <ErrorNotice error={error} />;
}

function MissingCoin({
  coin,
  available,
  tap,
  payId,
}: {
  readonly coin: string;
  readonly available: string;
  /** Takes so many dollars' worth, then pays. */
  readonly tap: Attempt & { readonly start: (usd: string) => void };
  readonly payId: string;
}) {
  const { register } = useWords();
  const format = useFormat();
  const party = useParty();
  const price = useCoinPrice();
  const isDevNet = useIsDevNet();
  const missing = subtractAmounts(coin, available);
  const missingUsd = price === null ? null : toCents(usdOfCoin(missing, price));
  const usd =
    missingUsd === null || compareAmounts(missingUsd, LEAST_TAP_USD) >= 0 ? missingUsd : LEAST_TAP_USD;
  return (
    <Notice kind="warn" title={register.pay.missingTitle(format.coin(missing))}>
      <p>{register.pay.missing(format.coin(coin), format.coin(available))}</p>
      {tap.error === null ? null : <ErrorNotice error={tap.error} />}
      {isDevNet && usd !== null ? (
        <>
          <p className="notice-words">{register.pay.tapHint}</p>
          <div>
            <ActionButton id={`${payId}-after-tap`} onPress={() => tap.start(usd)} isPending={tap.isPending}>
              {tap.isPending ? register.pay.tapping : register.pay.tapAndPay(format.usd(usd))}
            </ActionButton>
          </div>
        </>
      ) : (
        <>
          <p className="notice-words">{register.pay.receive}</p>
          <PartyText party={party} isLink={false} />
        </>
      )}
    </Notice>
  );
}
