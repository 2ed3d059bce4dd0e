import { useRead } from "../calls/use-calls.ts";
import { useWebConfig } from "../config/web-config.ts";
import { ActionLink } from "../design/action.tsx";
import { Figure, Figures, Panel } from "../design/layout.tsx";
import { Notice } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { PartyText } from "../design/texts.tsx";
import { addAmounts, usdOfCoin } from "../register/amounts.ts";
import { useCoinPrice, useIsDevNet } from "../register/network-facts.ts";
import { useParty } from "../register/wallet-gate.tsx";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import { FeaturedPanel } from "./featured-panel.tsx";
import { PreapprovalPanel } from "./preapproval-panel.tsx";
import { TapPanel } from "./tap-panel.tsx";
import { useHistory } from "./use-history.ts";
import { useWaitingAnswers } from "./use-offers.ts";
import { WalletFrame } from "./wallet-frame.tsx";
import { WalletHistoryTable } from "./wallet-history-table.tsx";

const BALANCE_EVERY_MILLISECONDS = 5000;
const NEWEST = 5;

/** `/wallet`: the balance, what waits for an answer, and the newest changes. */
export function OverviewPage() {
  return (
    <WalletFrame place="overview">
      <BalanceFigures />
      <WaitingAnswers />
      <div className="columns overview-panels">
        <AddressPanel />
        <TapIfFree />
        <PreapprovalPanel />
        <FeaturedPanel />
      </div>
      <NewestChanges />
    </WalletFrame>
  );
}

function BalanceFigures() {
  const { wallet } = useWords();
  const format = useFormat();
  const price = useCoinPrice();
  const balance = useRead(
    "validator",
    "GET /v0/wallet/balance",
    {},
    { everyMilliseconds: BALANCE_EVERY_MILLISECONDS },
  );
  const inUsd = (coin: string) => (price === null ? null : format.usd(usdOfCoin(coin, price), 2));
  return (
    <ReadView read={balance} waiting={wallet.balance.waiting}>
      {({ effective_unlocked_qty: available, effective_locked_qty: locked, round }) => (
        <Figures>
          <Figure
            id="wallet-balance-amulet"
            term={wallet.balance.available}
            value={format.coin(available, 4)}
            note={inUsd(available)}
          />
          <Figure term={wallet.balance.locked} value={format.coin(locked, 4)} note={inUsd(locked)} />
          <Figure
            id="wallet-balance-usd"
            term={wallet.balance.total}
            value={inUsd(addAmounts(available, locked)) ?? format.coin(addAmounts(available, locked), 4)}
            note={price === null ? wallet.balance.noPrice : wallet.balance.price(format.usd(price), round)}
          />
        </Figures>
      )}
    </ReadView>
  );
}

function WaitingAnswers() {
  const { wallet } = useWords();
  const count = useWaitingAnswers();
  if (count === 0) return null;
  return (
    <Notice kind="accent" title={wallet.waiting.title(count)}>
      <div>
        <ActionLink href="/wallet/offers" size="small">
          {wallet.waiting.look}
        </ActionLink>
      </div>
    </Notice>
  );
}

function AddressPanel() {
  const { wallet } = useWords();
  const party = useParty();
  const names = useRead("validator", "GET /v0/entry/all", {});
  const name = names.data?.entries.find(({ primary }) => primary === true) ?? names.data?.entries[0];
  return (
    <Panel title={wallet.address.title}>
      <p>{wallet.address.lead}</p>
      <PartyText party={party} isWhole />
      {name === undefined ? (
        names.data === undefined ? null : (
          <div>
            <ActionLink href="/register" kind="quiet" size="small">
              {wallet.address.getName}
            </ActionLink>
          </div>
        )
      ) : (
        <p>
          {wallet.address.name} <strong>{name.name}</strong>
        </p>
      )}
    </Panel>
  );
}

function TapIfFree() {
  return useIsDevNet() ? <TapPanel /> : null;
}

function NewestChanges() {
  const { wallet } = useWords();
  const { coin } = useWebConfig().names;
  const history = useHistory(NEWEST);
  return (
    <Panel
      title={wallet.newest}
      aside={
        <ActionLink href="/wallet/history" kind="plain" size="small">
          {wallet.wholeHistory}
        </ActionLink>
      }
    >
      <WalletHistoryTable
        history={history}
        rows={history.rows.slice(0, NEWEST)}
        empty={wallet.history.none}
        emptyAdvice={wallet.history.noneAdvice(coin)}
      />
    </Panel>
  );
}
