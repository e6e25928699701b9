import { memo, type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import type { Call, Contact } from '../api/schema.d.ts';
import { dayHeading, dayKey } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { CallButton } from '../phone/call-button.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { duration } from '../ui/duration.ts';
import { IconLink } from '../ui/icon-button.tsx';
import { MessageSquare } from '../ui/icons/index.ts';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { Cell, GroupRow, PageTable, Row, RowActions, Table } from '../ui/table.tsx';
import { Name, Unseen } from '../ui/text.tsx';
import { Time } from '../ui/time.tsx';
import { type RowPlace, VirtualRows } from '../ui/virtual-rows.tsx';
import styles from './call-list.module.css';
import { CallbackBadge } from './callback-badge.tsx';
import { directionText, employeeNames, outcomeOf, remoteNumber } from './call-text.ts';
import { OutcomeMark } from './outcome.tsx';
import { matchOf } from './search-match.ts';

const ROW_PX = 54;
const HEADING_PX = 36;
const COLUMNS = 7;

type Entry = { readonly key: string } & ({ readonly call: Call } | { readonly day: Date });

/** The calls by day; what a search has found comes by relevance instead. */
export function CallTable(props: {
  calls: readonly Call[];
  contacts: ReadonlyMap<string, Contact>;
  withVoicemail: ReadonlySet<string>;
  search: string;
}): ReactNode {
  const { calls, contacts, withVoicemail, search } = props;
  const entries = useMemo(() => entriesOf(calls, search === ''), [calls, search]);
  const columns = [
    { label: t('Person') },
    { label: t('Outcome') },
    { label: search ? t('Found') : t('About') },
    { label: t('Number') },
    { label: t('Who') },
    { label: t('Length'), align: 'end' as const },
    { label: t('Time'), align: 'end' as const },
  ];
  return (
    <PageTable className={styles['table']}>
      <Table label={t('Calls')} columns={columns}>
        <VirtualRows items={entries} keyOf={entryKey} estimate={(entry) => ('call' in entry ? ROW_PX : HEADING_PX)}>
          {(entry, place) =>
            'call' in entry ? (
              <CallRow
                call={entry.call}
                contact={contacts.get(remoteNumber(entry.call) ?? '')}
                leftVoicemail={withVoicemail.has(entry.call.id)}
                search={search}
                {...place}
              />
            ) : (
              <GroupRow columns={COLUMNS}>{dayHeading(entry.day)}</GroupRow>
            )
          }
        </VirtualRows>
      </Table>
    </PageTable>
  );
}

const entryKey = ({ key }: Entry) => key;

function entriesOf(calls: readonly Call[], byDay: boolean): readonly Entry[] {
  let last: string | undefined;
  return calls.flatMap((call): Entry[] => {
    const entry = { key: call.id, call };
    if (!byDay || !call.started_at) return [entry];
    const day = new Date(call.started_at);
    if (dayKey(day) === last) return [entry];
    last = dayKey(day);
    return [{ key: `day ${last} ${call.id}`, day }, entry];
  });
}

interface CallRowProps {
  readonly call: Call;
  readonly contact: Contact | undefined;
  readonly leftVoicemail: boolean;
  readonly search: string;
}

/** Thousands may be loaded: those that are shown already are not rendered again with every page or while one scrolls. */
const CallRow = memo(function CallRow(props: CallRowProps & RowPlace): ReactNode {
  const { call, contact, leftVoicemail, search, ...place } = props;
  const number = remoteNumber(call);
  const name = contact?.name?.trim() || contact?.company_name?.trim() || undefined;
  const isLive = outcomeOf(call) === 'live';
  return (
    <Row isLink {...place}>
      <Cell isName>
        <span className={styles['person']}>
          <Avatar id={contact?.id ?? number ?? ''} name={name} size={32} />
          <Link href={`/${call.id}`} className={styles['name']}>
            {name === undefined ? <PhoneNumber value={number ?? ''} /> : <Name>{name}</Name>}
          </Link>
        </span>
      </Cell>
      <Cell>
        <Unseen>{directionText(call)}: </Unseen>
        <OutcomeMark call={call} leftVoicemail={leftVoicemail} />
        <CallbackBadge callback={call.callback} />
      </Cell>
      <Cell>
        <About call={call} search={search} />
      </Cell>
      <Cell>
        <span className={styles['short']}>
          <bdi>{call.main_number_name || call.main_number_formatted}</bdi>
        </span>
      </Cell>
      <Cell>
        <span className={styles['short']}>
          <bdi>{employeeNames(call).join(', ')}</bdi>
        </span>
      </Cell>
      <Cell align="end">
        <span className={isLive ? styles['live'] : undefined}>
          {call.duration === null ? '' : duration(call.duration)}
        </span>
      </Cell>
      <Cell align="end">
        <span className={styles['time']}>{call.started_at && <Time at={call.started_at} {...timeForm(search)} />}</span>
        {number !== undefined && (
          <span className={styles['actions']}>
            <RowActions>
              <IconLink
                href={`~/dashboard/inbox/${encodeURIComponent(number)}`}
                label={t('Text')}
                icon={MessageSquare}
                showsLabel
              />
              <CallButton phoneNumber={number} from={call.main_number_id} iconOnly />
            </RowActions>
          </span>
        )}
      </Cell>
    </Row>
  );
});

const timeForm = (search: string) => (search ? { withTime: true } : { onlyTime: true });

/** The summary in a line; of what was searched for where it was found. */
function About({ call, search }: { call: Call; search: string }): ReactNode {
  if (!search)
    return (
      call.summary && (
        <span className={styles['about']}>
          <bdi>{call.summary}</bdi>
        </span>
      )
    );
  const match = matchOf(call, search);
  if (!match) return <span className={styles['quiet']}>{t('Found by its meaning')}</span>;
  return (
    <span className={styles['about']}>
      <span className={styles['quiet']}>{match.where === 'said' ? t('Said:') : t('In the summary:')} </span>
      <bdi>
        {match.before}
        <mark className={styles['hit']}>{match.hit}</mark>
        {match.after}
      </bdi>
    </span>
  );
}
