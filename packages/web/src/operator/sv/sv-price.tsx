import type { WireContract } from "@callsign/api";
import { useState } from "react";
import { useChange, useRead } from "../../calls/use-calls.ts";
import { Field } from "../../design/field.tsx";
import { Panel } from "../../design/layout.tsx";
import { Nothing, Notice } from "../../design/notice.tsx";
import { ReadView } from "../../design/read-view.tsx";
import { Table } from "../../design/table.tsx";
import { PartyText, TimeText } from "../../design/texts.tsx";
import { useFormat } from "../../words/use-format.ts";
import { useWords } from "../../words/words.ts";
import { ChangeForm } from "../change-form.tsx";
import { nextVoteAfter, readPriceVote } from "./dso.ts";
import { VoteRefusal } from "./vote-refusal.tsx";

const DECIMAL = /^\d{1,28}(\.\d{1,10})?$/;

/** The SVs' votes on the price of coin, and this SV's own. */
export function SvPrice() {
  const { operator } = useWords();
  const format = useFormat();
  const votes = useRead("sv", "GET /v0/admin/sv/amulet-price/votes", {});
  return (
    <>
      <Panel title={operator.price.title}>
        <p className="soft">{operator.price.lead}</p>
        <PriceForm votes={votes.data?.amulet_price_votes ?? []} />
      </Panel>
      <Panel title={operator.price.votes}>
        <ReadView
          read={votes}
          isEmpty={({ amulet_price_votes }) => amulet_price_votes.length === 0}
          empty={<Nothing title={operator.price.none} />}
        >
          {({ amulet_price_votes }) => (
            <Table
              caption={operator.price.votes}
              rows={readVotes(amulet_price_votes)}
              keyOf={({ sv }) => sv}
              columns={[
                { title: operator.sv.name, cell: ({ sv }) => <PartyText party={sv} /> },
                {
                  title: operator.price.vote,
                  cell: ({ price }) =>
                    price === null ? (
                      <span className="soft">{operator.price.noVote}</span>
                    ) : (
                      format.usd(price)
                    ),
                },
                { title: operator.price.since, cell: ({ updatedAt }) => <TimeText time={updatedAt} /> },
              ]}
            />
          )}
        </ReadView>
      </Panel>
    </>
  );
}

/** By SV. */
function readVotes(votes: readonly WireContract[]) {
  return votes
    .map(({ payload }) => readPriceVote(payload))
    .sort((a, b) => a.sv.localeCompare(b.sv, "en", { numeric: true }));
}

function PriceForm({ votes }: { readonly votes: readonly WireContract[] }) {
  const { operator } = useWords();
  const dso = useRead("sv", "GET /v0/dso", {}).data;
  const own = readVotes(votes).find(({ sv }) => sv === dso?.sv_party_id);
  const nextVote = own === undefined ? null : nextVoteAfter(own.updatedAt, dso?.dso_rules.contract.payload);
  const [price, setPrice] = useState("");
  const vote = useChange("sv", "PUT /v0/admin/sv/amulet-price/vote");
  const isWrong = price !== "" && !DECIMAL.test(price);
  return (
    <ChangeForm
      button={operator.price.submit}
      change={vote}
      refusal={vote.error === null ? null : <VoteRefusal error={vote.error} nextVote={nextVote} />}
      isReady={price !== "" && !isWrong}
      onSubmit={() => vote.mutate({ body: { amulet_price: price } })}
      done={vote.isSuccess ? <Notice kind="good">{operator.price.done}</Notice> : null}
    >
      <Field
        label={operator.price.field}
        value={price}
        onChange={setPrice}
        hint={operator.price.hint}
        problem={isWrong ? operator.price.wrong : null}
        inputMode="decimal"
        end="USD"
        id="price-vote"
      />
    </ChangeForm>
  );
}
