import { useRead } from "../../calls/use-calls.ts";
import { useWebConfig } from "../../config/web-config.ts";
import { Fact, Facts, Figure, Figures, Panel } from "../../design/layout.tsx";
import { Badge, ErrorNotice, Nothing } from "../../design/notice.tsx";
import { ReadView } from "../../design/read-view.tsx";
import { Table } from "../../design/table.tsx";
import { NameLink, PartyText, TimeText } from "../../design/texts.tsx";
import { useFormat } from "../../words/use-format.ts";
import { useWords } from "../../words/words.ts";
import { listLapses } from "../automation-order.ts";

/** The validator at a glance: its operator, its release, names that may lapse, and its traffic. */
export function ValidatorOverview() {
  const { services } = useWebConfig();
  return (
    <>
      <Standing />
      <Lapses />
      {services.ledger === null || services.scan === null ? null : <Traffic />}
    </>
  );
}

function Standing() {
  const words = useWords().operator.validator;
  const info = useRead("validator", "GET /v0/validator-user", {});
  const version = useRead("validator", "GET /version", {});
  const status = useRead("validator", "GET /status", {}, { everyMilliseconds: 10_000 });
  return (
    <Panel title={words.title}>
      <ReadView read={info}>
        {({ party_id, user_name, featured }) => (
          <Facts>
            <Fact term={words.party}>
              <PartyText party={party_id} />
            </Fact>
            <Fact term={words.user}>{user_name}</Fact>
            <Fact term={words.featured}>{featured ? words.yes : words.no}</Fact>
          </Facts>
        )}
      </ReadView>
      <ReadView read={status}>
        {(answer) =>
          "success" in answer ? (
            <p className="row">
              <Badge kind={answer.success.active ? "good" : "warn"}>
                {answer.success.active ? words.active : words.inactive}
              </Badge>
              {version.data === undefined ? null : (
                <span className="soft">{words.version(version.data.version)}</span>
              )}
            </p>
          ) : (
            <Badge kind="bad">{"failed" in answer ? answer.failed.error : words.starting}</Badge>
          )
        }
      </ReadView>
    </Panel>
  );
}

function Lapses() {
  const words = useWords().operator.lapses;
  const format = useFormat();
  const read = useRead("validator", "GET /v0/admin/automations", {}, { everyMilliseconds: 10_000 });
  return (
    <Panel title={words.title}>
      <p className="soft">{words.lead}</p>
      <ReadView
        read={read}
        isEmpty={({ automations }) => listLapses(automations).length === 0}
        empty={<Nothing title={words.none} />}
      >
        {({ automations }) => (
          <Table
            caption={words.title}
            rows={listLapses(automations)}
            keyOf={({ name }) => name}
            columns={[
              { title: words.name, cell: ({ name }) => <NameLink name={name} /> },
              { title: words.ends, cell: ({ endsAt }) => <TimeText time={endsAt} /> },
              { title: words.needed, cell: ({ needed }) => format.coin(needed) },
              { title: words.available, cell: ({ available }) => format.coin(available), align: "end" },
            ]}
          />
        )}
      </ReadView>
    </Panel>
  );
}

/** Of the participant, as a scan counts it. Free traffic is not in it. */
function Traffic() {
  const words = useWords().operator.traffic;
  const format = useFormat();
  const participant = useRead("ledger", "GET /v2/parties/participant-id", {});
  const connected = useRead("ledger", "GET /v2/state/connected-synchronizers", { query: {} });
  const domain = connected.data?.connectedSynchronizers?.[0]?.synchronizerId;
  const member = participant.data?.participantId;
  const read = useRead(
    "scan",
    "GET /v0/domains/{domain_id}/members/{member_id}/traffic-status",
    { params: { domain_id: domain ?? "", member_id: `PAR::${member}` } },
    { isWanted: domain !== undefined && member !== undefined, everyMilliseconds: 10_000 },
  );
  const error = participant.error ?? connected.error;
  return (
    <Panel title={words.title}>
      <p className="soft">{words.lead}</p>
      {error === null ? (
        <ReadView read={read}>
          {({ traffic_status: { actual, target } }) => (
            <Figures>
              <Figure term={words.bought} value={words.bytes(format.decimal(target.total_purchased))} />
              <Figure term={words.used} value={words.bytes(format.decimal(actual.total_consumed))} />
              <Figure
                term={words.left}
                value={words.bytes(format.decimal(Math.max(0, actual.total_limit - actual.total_consumed)))}
              />
            </Figures>
          )}
        </ReadView>
      ) : (
        <ErrorNotice error={error} />
      )}
    </Panel>
  );
}
