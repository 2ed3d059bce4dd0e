import { useState } from "react";
import { useParams, useSearchParams } from "wouter";
import { useWebConfig } from "../config/web-config.ts";
import { ActionLink } from "../design/action.tsx";
import { Page } from "../design/layout.tsx";
import { Nothing } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { useWords } from "../words/words.ts";
import { labelOf, suffixOf } from "./name-label.ts";
import { findRequestOf, isOpen } from "./name-request.ts";
import { RequestView } from "./request-view.tsx";
import { useNameRequests } from "./use-name-requests.ts";
import { WalletGate } from "./wallet-gate.tsx";

/** `/register/request/:id`: a request that can be left and come back to. */
export function RequestPage() {
  const { register } = useWords();
  const { id = "" } = useParams<{ id: string }>();
  return (
    <WalletGate title={register.request.pageTitle}>
      <WatchedRequest find={(requests) => requests.find((request) => request.id === id) ?? null} />
    </WalletGate>
  );
}

/** `/post-payment?entryName=`: where upstream's name service returns to behind a payment. */
export function PostPaymentPage() {
  const { register } = useWords();
  const { nameServiceAcronym } = useWebConfig().names;
  const [query] = useSearchParams();
  const suffix = suffixOf(nameServiceAcronym);
  const name = labelOf(query.get("entryName") ?? "", suffix) + suffix;
  return (
    <WalletGate title={register.request.pageTitle}>
      <WatchedRequest find={(requests) => findRequestOf(name, requests)} />
    </WalletGate>
  );
}

type Requests = NonNullable<ReturnType<typeof useNameRequests>["data"]>["requests"];

function WatchedRequest({ find }: { readonly find: (requests: Requests) => Requests[number] | null }) {
  const { register } = useWords();
  const [isWatching, setWatching] = useState(true);
  const read = useNameRequests(isWatching);
  const request = find(read.data?.requests ?? []);
  const isWanted = request !== null && isOpen(request);
  if (read.data !== undefined && isWanted !== isWatching) setWatching(isWanted);
  return (
    <Page
      title={request === null ? register.request.pageTitle : request.name}
      lead={register.request.pageLead}
    >
      <ReadView
        read={read}
        isEmpty={() => request === null}
        empty={
          <Nothing title={register.request.unknown}>
            <p>{register.request.unknownAdvice}</p>
            <ActionLink href="/my-names" kind="quiet">
              {register.outcome.toMyNames}
            </ActionLink>
          </Nothing>
        }
      >
        {() => (request === null ? null : <RequestView request={request} />)}
      </ReadView>
    </Page>
  );
}
