import type { ReactNode } from "react";
import { readNetworkClock } from "../calls/network-clock.ts";
import { useChange, useRead } from "../calls/use-calls.ts";
import { ActionButton, ActionLink } from "../design/action.tsx";
import { Panel } from "../design/layout.tsx";
import { Badge, ErrorNotice } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { type Column, Table } from "../design/table.tsx";
import { PartyText, TimeText, WrittenText } from "../design/texts.tsx";
import { textAt } from "../register/payload-fields.ts";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import { RequestLists } from "./request-lists.tsx";
import { type Offer, useOffers } from "./use-offers.ts";
import { WalletFrame } from "./wallet-frame.tsx";

/** `/wallet/offers`: coin that is offered to the user or by the user, and requests of applications. */
export function OffersPage() {
  const { wallet } = useWords();
  return (
    <WalletFrame place="offers" lead={wallet.offers.lead}>
      <OfferLists />
      <RequestLists />
      <AcceptedOffers />
    </WalletFrame>
  );
}

function OfferLists() {
  const { wallet } = useWords();
  const { reads, incoming, outgoing } = useOffers();
  const [offers, tokens] = reads;
  const isLoaded = offers.data !== undefined && tokens.data !== undefined;
  const waitsFor = offers.data === undefined ? offers : tokens;
  const list = (title: string, none: string, rows: readonly Offer[], isIncoming: boolean) => (
    <Panel title={title}>
      {isLoaded ? (
        rows.length === 0 ? (
          <p className="soft">{none}</p>
        ) : (
          <OfferTable caption={title} rows={rows} isIncoming={isIncoming} />
        )
      ) : (
        <ReadView<unknown> read={waitsFor}>{() => null}</ReadView>
      )}
    </Panel>
  );
  return (
    <>
      {list(wallet.offers.incoming, wallet.offers.noneIncoming, incoming, true)}
      {list(wallet.offers.outgoing, wallet.offers.noneOutgoing, outgoing, false)}
    </>
  );
}

function OfferTable({
  caption,
  rows,
  isIncoming,
}: {
  readonly caption: string;
  readonly rows: readonly Offer[];
  readonly isIncoming: boolean;
}) {
  const { wallet } = useWords();
  const format = useFormat();
  const columns: Column<Offer>[] = [
    {
      title: isIncoming ? wallet.offers.from : wallet.offers.to,
      cell: (offer) => <PartyText party={isIncoming ? offer.sender : offer.receiver} />,
    },
    {
      title: wallet.offers.amount,
      cell: ({ amount, isUsd }) => <strong>{isUsd ? format.usd(amount) : format.coin(amount)}</strong>,
    },
    {
      title: wallet.offers.description,
      cell: ({ description }) => <WrittenText text={description || wallet.offers.noDescription} />,
    },
    { title: wallet.offers.expires, cell: ({ expiresAt }) => <TimeText time={expiresAt} /> },
    {
      title: wallet.offers.actions,
      cell: (offer) => (isIncoming ? <IncomingActions offer={offer} /> : <WithdrawAction offer={offer} />),
    },
  ];
  return <Table caption={caption} rows={rows} keyOf={({ id }) => id} columns={columns} />;
}

function isOver({ expiresAt }: Offer): boolean {
  return new Date(expiresAt).getTime() <= readNetworkClock();
}

function IncomingActions({ offer }: { readonly offer: Offer }): ReactNode {
  const { wallet } = useWords();
  const base = useOfferChanges(offer);
  if (isOver(offer)) return <Badge kind="warn">{wallet.offers.over}</Badge>;
  const { accept, reject } = base;
  const error = accept.error ?? reject.error;
  return (
    <div className="stack">
      <div className="row">
        <ActionButton
          size="small"
          className="transfer-offer-accept"
          onPress={accept.start}
          isPending={accept.isPending}
          isDisabled={reject.isPending}
        >
          {wallet.offers.accept}
        </ActionButton>
        <ActionButton
          size="small"
          kind="danger"
          onPress={reject.start}
          isPending={reject.isPending}
          isDisabled={accept.isPending}
        >
          {wallet.offers.reject}
        </ActionButton>
      </div>
      {error === null ? null : <ErrorNotice error={error} />}
    </div>
  );
}

function WithdrawAction({ offer }: { readonly offer: Offer }): ReactNode {
  const { wallet } = useWords();
  const { withdraw } = useOfferChanges(offer);
  return (
    <div className="stack">
      <div className="row">
        <ActionButton size="small" kind="danger" onPress={withdraw.start} isPending={withdraw.isPending}>
          {wallet.offers.withdraw}
        </ActionButton>
        {isOver(offer) ? <Badge kind="warn">{wallet.offers.over}</Badge> : null}
      </div>
      {withdraw.error === null ? null : <ErrorNotice error={withdraw.error} />}
    </div>
  );
}

/** The answers to an offer, of either kind. */
function useOfferChanges({ id, kind }: Offer) {
  const request = { params: { contract_id: id } };
  const acceptOffer = useChange("validator", "POST /v0/wallet/transfer-offers/{contract_id}/accept");
  const rejectOffer = useChange("validator", "POST /v0/wallet/transfer-offers/{contract_id}/reject");
  const withdrawOffer = useChange("validator", "POST /v0/wallet/transfer-offers/{contract_id}/withdraw");
  const acceptToken = useChange("validator", "POST /v0/wallet/token-standard/transfers/{contract_id}/accept");
  const rejectToken = useChange("validator", "POST /v0/wallet/token-standard/transfers/{contract_id}/reject");
  const withdrawToken = useChange(
    "validator",
    "POST /v0/wallet/token-standard/transfers/{contract_id}/withdraw",
  );
  const isToken = kind === "token";
  const accept = isToken ? acceptToken : acceptOffer;
  const reject = isToken ? rejectToken : rejectOffer;
  const withdraw = isToken ? withdrawToken : withdrawOffer;
  return {
    accept: { ...accept, start: () => accept.mutate(request) },
    reject: { ...reject, start: () => reject.mutate(request) },
    withdraw: { ...withdraw, start: () => withdraw.mutate(request) },
  };
}

/** Offers that were accepted and that the sender's wallet pays next. */
function AcceptedOffers() {
  const { wallet } = useWords();
  const format = useFormat();
  const read = useRead(
    "validator",
    "GET /v0/wallet/accepted-transfer-offers",
    {},
    { everyMilliseconds: 5000 },
  );
  const offers = read.data?.accepted_offers ?? [];
  if (offers.length === 0) return null;
  return (
    <Panel title={wallet.offers.accepted}>
      <p className="soft">{wallet.offers.acceptedLead}</p>
      <Table
        caption={wallet.offers.accepted}
        rows={offers}
        keyOf={({ contract_id }) => contract_id}
        columns={[
          {
            title: wallet.offers.from,
            cell: ({ payload }) => <PartyText party={textAt(payload, "sender")} />,
          },
          {
            title: wallet.offers.to,
            cell: ({ payload }) => <PartyText party={textAt(payload, "receiver")} />,
          },
          {
            title: wallet.offers.amount,
            cell: ({ payload }) => format.coin(textAt(payload, "amount", "amount")),
          },
          {
            title: wallet.offers.expires,
            cell: ({ payload }) => <TimeText time={textAt(payload, "expiresAt")} />,
          },
        ]}
      />
      <div>
        <ActionLink href="/wallet/history" kind="quiet" size="small">
          {wallet.wholeHistory}
        </ActionLink>
      </div>
    </Panel>
  );
}
