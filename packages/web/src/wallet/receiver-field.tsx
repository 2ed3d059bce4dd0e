import type { AnsEntry } from "@callsign/api";
import { useRead } from "../calls/use-calls.ts";
import { useWebConfig } from "../config/web-config.ts";
import { Fact, Facts } from "../design/layout.tsx";
import { ErrorNotice, Notice, Waiting } from "../design/notice.tsx";
import { SuggestField } from "../design/suggest-field.tsx";
import { NameLink, PartyText, TimeText } from "../design/texts.tsx";
import { useSettled } from "../names/use-settled.ts";
import { suffixOf } from "../register/name-label.ts";
import { useParty } from "../register/wallet-gate.tsx";
import { useWords } from "../words/words.ts";
import { findKnownOwner } from "./known-owners.ts";
import { readReceiver } from "./read-receiver.ts";
import { useReceiverSuggestions } from "./receiver-suggestions.ts";

const REST_MILLISECONDS = 300;

export interface FoundReceiver {
  readonly party: string;
  /** Null if the user gave the party's id. */
  readonly entry: AnsEntry | null;
  /** The owner of the name when the user last sent to it, if that was another one. */
  readonly formerOwner: string | null;
}

/** The party behind what the user typed. Names are looked up by agreement of several scans. */
export function useReceiver(typed: string) {
  const party = useParty();
  const { nameServiceAcronym } = useWebConfig().names;
  const suffix = suffixOf(nameServiceAcronym);
  const wanted = readReceiver(typed, suffix);
  const rested = useSettled(typed, REST_MILLISECONDS);
  const name = wanted.kind === "name" && rested === typed ? wanted.name : null;
  const read = useRead(
    "validator",
    "POST /v0/scan-proxy/ext/v1/names/lookup",
    { body: { names: [name ?? ""], parties: [] } },
    { isWanted: name !== null, isAskedAnew: true },
  );
  // Coin goes to the owner of this moment: what was found before is no answer.
  const answer = name === null || read.isFetching ? undefined : read.data;
  const entry = answer?.names[0]?.entry ?? null;
  const isMissing = answer !== undefined && entry === null;
  const found = ((): FoundReceiver | null => {
    if (wanted.kind === "party") {
      return { party: wanted.party, entry: null, formerOwner: null };
    }
    if (entry === null || entry.name !== name) return null;
    const known = findKnownOwner(party, entry.name);
    return { party: entry.user, entry, formerOwner: known === entry.user ? null : known };
  })();
  return { wanted, read, found, isMissing, isSelf: found?.party === party };
}

export function ReceiverField({
  typed,
  onChange,
  receiver,
  autoFocus = false,
}: {
  readonly typed: string;
  readonly onChange: (typed: string) => void;
  readonly receiver: ReturnType<typeof useReceiver>;
  readonly autoFocus?: boolean;
}) {
  const { wallet } = useWords();
  const { wanted, read, found, isMissing, isSelf } = receiver;
  const suggestions = useReceiverSuggestions(typed);
  const problem = ((): string | null => {
    if (isSelf) return wallet.send.self;
    if (wanted.kind === "part-of-party") return wallet.send.noParty;
    return wanted.kind === "name" && isMissing ? wallet.send.noName(wanted.name) : null;
  })();
  return (
    <div className="stack">
      <SuggestField
        id="receiver-field"
        label={wallet.send.receiver}
        value={typed}
        onChange={onChange}
        hint={wallet.send.receiverHint}
        problem={problem}
        suggestions={suggestions}
        autoFocus={autoFocus}
      />
      {wanted.kind === "name" && found === null && !isMissing ? (
        read.error === null ? (
          <Waiting>{wallet.send.looking(wanted.name)}</Waiting>
        ) : (
          <ErrorNotice error={read.error} onRetry={() => void read.refetch()} />
        )
      ) : null}
      {found === null || isSelf ? null : <ReceiverFacts found={found} />}
    </div>
  );
}

export function ReceiverFacts({ found: { party, entry, formerOwner } }: { readonly found: FoundReceiver }) {
  const { wallet } = useWords();
  return (
    <>
      <Facts>
        {entry === null ? null : (
          <Fact term={wallet.send.name}>
            <NameLink name={entry.name} />
          </Fact>
        )}
        <Fact term={wallet.send.party}>
          <PartyText party={party} isWhole />
        </Fact>
        {entry?.expires_at == null ? null : (
          <Fact term={wallet.send.paidUntil}>
            <TimeText time={entry.expires_at} />
          </Fact>
        )}
      </Facts>
      {formerOwner === null ? null : (
        <Notice kind="bad" title={wallet.send.changedTitle}>
          <p>{wallet.send.changed}</p>
          <PartyText party={formerOwner} isWhole />
        </Notice>
      )}
    </>
  );
}
