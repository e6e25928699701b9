import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { companyQuery, liveReportQuery } from '../api/shared-queries.ts';
import type { LiveReport } from '../api/schema.d.ts';
import { CallbackBadge } from '../calls/callback-badge.tsx';
import { exactTime, longDay, number, timeOfDay } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { wallClockIn } from '../i18n/zoned-time.ts';
import { useIsLive } from '../live/live-channel.ts';
import { lastDays } from '../reports/report-period.ts';
import { useCallReport } from '../reports/report-queries.ts';
import { useReportZone } from '../reports/use-report-zone.ts';
import { presenceTone, statusText } from '../team/employee-status.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Badge, Dot } from '../ui/badge.tsx';
import { classes } from '../ui/classes.ts';
import { duration } from '../ui/duration.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Maximize } from '../ui/icons/index.ts';
import { PageHeading } from '../ui/page.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Unseen } from '../ui/text.tsx';
import { useNow } from '../ui/use-now.ts';
import { AssistedCallers } from './assisted-callers.tsx';
import { boardOf, type Caller, urgency } from './board.ts';
import styles from './wallboard.module.css';

/** Longer than this nobody counts, and it would not fit. */
const DAY_SECS = 86_400;

/** The live state of the phones, readable from a distance. */
export default function Wallboard(): ReactNode {
  const wall = useRef<HTMLDivElement>(null);
  const { data: company } = useQuery(companyQuery);
  const report = useQuery(liveReportQuery);
  const now = useNow();
  const isCurrent = useIsLive() && !report.isError;
  return (
    <div ref={wall} className={styles['wall']} data-scroller>
      <div className={classes(styles['content'], !isCurrent && styles['stale'])}>
        <header className={styles['head']}>
          <PageHeading title={t('Live')} className={styles['title']}>
            <Unseen>{t('Live')} </Unseen>
            <bdi>{company?.name ?? t('Live')}</bdi>
          </PageHeading>
          {report.data && <OpenBadge report={report.data.live} />}
          {!isCurrent && report.data && (
            <span className={styles['as-of']}>
              {t('As of {time}', { time: exactTime(new Date(report.data.readAt)) })}
            </span>
          )}
          <span className={styles['day']}>{longDay(wallClockIn(undefined, new Date(now)).slice(0, 10))}</span>
          <span className={styles['clock']}>{timeOfDay(new Date(now))}</span>
          <IconButton
            label={t('Full screen')}
            icon={Maximize}
            onPress={() =>
              void (document.fullscreenElement ? document.exitFullscreen() : wall.current?.requestFullscreen())
            }
          />
        </header>
        <QueryState query={report}>
          {({ live, readAt }) => <Boards report={live} passedSecs={Math.max(0, (now - readAt) / 1000)} />}
        </QueryState>
      </div>
    </div>
  );
}

function OpenBadge({ report }: { report: LiveReport }): ReactNode {
  const { isOpen } = boardOf(report);
  return (
    <Badge tone={isOpen ? 'good' : 'neutral'}>
      <Dot tone={isOpen ? 'good' : 'neutral'} />
      {isOpen ? t('Open now') : t('Closed now')}
    </Badge>
  );
}

/** `passedSecs`: since the report was read. */
function Boards({ report, passedSecs }: { report: LiveReport; passedSecs: number }): ReactNode {
  const board = boardOf(report);
  const today = useCallReport(lastDays(1, useReportZone()), {
    group: 'day',
    businessNumberId: '',
    direction: 'inbound',
  });
  const totals = today.data?.totals;
  const longest = board.waiting[0] && board.waiting[0].waiting_secs + passedSecs;
  return (
    <>
      <dl className={styles['figures']}>
        <Figure label={t('Waiting')} value={number(board.waiting.length)} look={urgency(longest ?? 0)}>
          {longest === undefined ? t('Nobody waits') : t('longest {time}', { time: duration(longest) })}
        </Figure>
        <Figure label={t('In conversation')} value={number(board.inConversation)}>
          {t('{count} ringing', { count: number(board.ringing) })}
        </Figure>
        <Figure label={t('Available')} value={number(board.available)}>
          {t('of {count} at work', { count: number(board.atWork) })}
        </Figure>
        <Figure
          label={t('Answered in 20 s, today')}
          value={totals?.total ? String(Math.round((100 * totals.answered_within_20s) / totals.total)) : '–'}
          unit={totals?.total ? '%' : undefined}
        >
          {totals?.total
            ? t('{answered} of {count} calls', {
                answered: number(totals.answered_within_20s),
                count: number(totals.total),
              })
            : t('No calls yet')}
        </Figure>
      </dl>
      <AssistedCallers callers={board.assisted} at={report.at} passedSecs={passedSecs} />
      <div className={styles['boards']}>
        <section className={styles['box']} aria-label={t('Waiting now')}>
          <h2>{t('Waiting now')}</h2>
          {board.waiting.length === 0 ? (
            <p className={styles['nobody']}>{t('Nobody waits')}</p>
          ) : (
            <ol>
              {board.waiting.map((caller) => (
                <WaitingRow key={caller.call_id} caller={caller} secs={caller.waiting_secs + passedSecs} />
              ))}
            </ol>
          )}
          <ul className={styles['numbers']} aria-label={t('Numbers')}>
            {report.numbers.map(({ id, name, open, waiting, in_conversation: talking }) => (
              <li key={id}>
                <Dot tone={open ? 'good' : 'neutral'} />
                <bdi>{name}</bdi>
                {!open && <span>{t('Closed')}</span>}
                <span>{t('{count} waiting', { count: number(waiting.length) })}</span>
                <span>{t('{count} talking', { count: number(talking) })}</span>
              </li>
            ))}
          </ul>
        </section>
        <section className={styles['box']} aria-label={t('Team')}>
          <h2>{t('Team')}</h2>
          <ul className={styles['team']}>
            {report.employees.map((employee) => (
              <Coworker key={employee.id} employee={employee} at={report.at} passedSecs={passedSecs} />
            ))}
          </ul>
        </section>
      </div>
    </>
  );
}

function Figure(props: {
  label: string;
  value: string;
  unit?: string | undefined;
  look?: 'calm' | 'warn' | 'bad';
  children: ReactNode;
}): ReactNode {
  return (
    <div className={classes(styles['figure'], props.look && styles[props.look])}>
      <dt>{props.label}</dt>
      <dd className={styles['value']}>
        {props.value}
        {props.unit && <small>{props.unit}</small>}
      </dd>
      <dd>{props.children}</dd>
    </div>
  );
}

function WaitingRow({ caller, secs }: { caller: Caller; secs: number }): ReactNode {
  const name = caller.contact?.name?.trim() || caller.contact?.company_name?.trim();
  return (
    <li className={classes(styles['row'], styles[urgency(secs)])}>
      <span className={styles['position']}>{caller.position}</span>
      <span className={styles['who']}>
        <span className={styles['name']}>{name ? <bdi>{name}</bdi> : <PhoneNumber value={caller.from} />}</span>
        <bdi className={styles['second']}>{caller.number}</bdi>
      </span>
      <CallbackBadge callback={caller.callback} />
      <span className={styles['time']}>{duration(secs)}</span>
    </li>
  );
}

function Coworker(props: { employee: LiveReport['employees'][number]; at: string; passedSecs: number }): ReactNode {
  const { employee } = props;
  const { id, name, call } = employee;
  const tone = presenceTone(employee);
  const since = call?.since ?? (tone === 'neutral' ? null : employee.since);
  const secs = since === null ? undefined : (Date.parse(props.at) - Date.parse(since)) / 1000 + props.passedSecs;
  const other = call?.contact?.name?.trim() || call?.contact?.company_name?.trim();
  return (
    <li className={styles['row']}>
      <Avatar id={id} name={name} size={48} presence={tone} />
      <span className={styles['who']}>
        <bdi className={styles['name']}>{name}</bdi>
        <span className={classes(styles['second'], styles[`is-${tone}`])}>
          {call === null ? statusText(employee) : other ? <bdi>{other}</bdi> : <PhoneNumber value={call.with} />}
        </span>
      </span>
      {secs !== undefined && secs < DAY_SECS && <span className={styles['time']}>{duration(secs)}</span>}
    </li>
  );
}
