import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { InboxThread } from '../api/schema.d.ts';
import { liveReportQuery, unseenQuery } from '../api/shared-queries.ts';
import { threadPreview } from '../api/thread-preview.ts';
import { leftByAssistant } from '../calls/assistant-text.ts';
import { elapsed, number } from '../i18n/format.ts';
import { t, tn } from '../i18n/translate.ts';
import { useEmployees } from '../live/use-employees.ts';
import { CallButton } from '../phone/call-button.tsx';
import { isAdmin, session } from '../session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { duration } from '../ui/duration.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { type Icon, SMALL } from '../ui/icon.ts';
import { Bot, CircleCheck, Inbox, MessageSquare, PhoneMissed, Voicemail } from '../ui/icons/index.ts';
import { PageHeading } from '../ui/page.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { SkeletonBar } from '../ui/skeleton.tsx';
import { Checklist } from './checklist.tsx';
import { DayChart, DayLegend } from './day-chart.tsx';
import { atWork, waitingNow } from './figures.ts';
import styles from './home-page.module.css';
import { useCallsOfDay, useUnanswered } from './home-queries.ts';
import { OnDuty } from './on-duty.tsx';

export default function HomePage(): ReactNode {
  const { data: day } = useCallsOfDay();
  const { data: live } = useQuery(liveReportQuery);
  const { data: unseen } = useQuery(unseenQuery);
  const { data: employees } = useEmployees();
  const waiting = live && waitingNow(live.live.numbers);
  const hoursTitle = isAdmin ? t('Calls by hour') : t('Your calls by hour');
  const people = employees && atWork(employees);
  const unseenCount = unseen?.unseen_count;
  const { data: unanswered } = useUnanswered();
  const unansweredCount = unanswered && (unanswered.count ?? unseenCount);
  const firstName = session.name.split(' ')[0] ?? '';
  return (
    <div className={styles['page']} data-scroller>
      <header className={styles['head']}>
        <div>
          <PageHeading title={t('Home')} className={styles['title']}>
            <bdi>{greeting(firstName)}</bdi>
          </PageHeading>
          <p className={styles['lead']}>
            {unansweredCount === undefined
              ? ' '
              : unansweredCount === 0
                ? t('Nobody waits for an answer.')
                : tn(unansweredCount, '{count} person waits for an answer.', '{count} people wait for an answer.')}
          </p>
        </div>
        <div className={styles['open']}>
          <ButtonLink href="~/dashboard/inbox" icon={Inbox}>
            {t('Open inbox')}
          </ButtonLink>
        </div>
      </header>
      <dl className={styles['figures']}>
        <Figure label={t('Calls today')} value={day?.calls}>
          {day && t('{count} answered', { count: number(day.answered) })}
        </Figure>
        <Figure label={t('Waiting now')} value={waiting?.count}>
          {waiting && waiting.longestSecs !== null && t('longest {time}', { time: duration(waiting.longestSecs) })}
        </Figure>
        <Figure label={t('Unseen')} value={unseenCount}>
          {t('in the inbox')}
        </Figure>
        <Figure label={t('On the phone')} value={people?.onPhone}>
          {people && t('of {count} at work', { count: number(people.all) })}
        </Figure>
      </dl>
      <div className={styles['columns']}>
        <div className={styles['column']}>
          <NeedsAnswer />
          <section className={styles['block']} aria-label={hoursTitle}>
            <div className={styles['block-head']}>
              <h2>{hoursTitle}</h2>
              {day && <DayLegend hours={day.hours} />}
            </div>
            <div className={classes(styles['card'], styles['chart'])}>{day && <DayChart hours={day.hours} />}</div>
          </section>
        </div>
        <div>
          <Checklist otherwise={<OnDuty employees={employees ?? []} />} />
        </div>
      </div>
    </div>
  );
}

function Figure(props: { label: string; value: number | undefined; children?: ReactNode }): ReactNode {
  return (
    <div className={styles['figure']}>
      <dt>{props.label}</dt>
      <dd>
        {props.value === undefined ? (
          <SkeletonBar />
        ) : (
          <>
            <span className={styles['value']}>{number(props.value)}</span>
            <span className={styles['detail']}>{props.children}</span>
          </>
        )}
      </dd>
    </div>
  );
}

function NeedsAnswer(): ReactNode {
  const query = useUnanswered();
  return (
    <section className={styles['block']} aria-label={t('Needs an answer')}>
      <div className={styles['block-head']}>
        <h2>{t('Needs an answer')}</h2>
        <Link className={styles['link']} href="~/dashboard/inbox?unseen=true">
          {t('Show all')}
        </Link>
      </div>
      <div className={styles['card']}>
        <QueryState query={query}>
          {({ shown }) =>
            shown.length === 0 ? (
              <EmptyState icon={CircleCheck} title={t('Nobody waits.')}>
                {t('Calls and texts that nobody has seen are here.')}
              </EmptyState>
            ) : (
              <ul>
                {shown.map((thread) => (
                  <Waiting key={thread.phone_number} thread={thread} />
                ))}
              </ul>
            )
          }
        </QueryState>
      </div>
    </section>
  );
}

const SHAPES: Readonly<Record<InboxThread['latest_item']['type'], Icon>> = {
  call: PhoneMissed,
  voicemail: Voicemail,
  message: MessageSquare,
};

function Waiting({ thread }: { thread: InboxThread }): ReactNode {
  const { phone_number: phoneNumber, contact, latest_item: latest } = thread;
  const name = contact?.name?.trim() || contact?.company_name?.trim() || undefined;
  const href = `~/dashboard/inbox/${encodeURIComponent(phoneNumber)}`;
  const left = leftByAssistant(latest);
  const Shape = left === undefined ? SHAPES[latest.type] : Bot;
  return (
    <li className={styles['waiting']}>
      <Avatar id={contact?.id ?? phoneNumber} name={name} />
      <Link href={href} className={styles['who']}>
        <span className={styles['name']}>
          {name === undefined ? <PhoneNumber value={phoneNumber} /> : <bdi>{name}</bdi>}
        </span>
        <span className={classes(styles['preview'], latest.missed && styles['missed'])}>
          <Shape {...SMALL} />
          {left !== undefined && <span className={styles['left']}>{left} ·</span>}
          <bdi>{threadPreview(thread)}</bdi>
        </span>
      </Link>
      <span className={styles['ago']}>{elapsed(new Date(thread.last_activity_at))}</span>
      {latest.type === 'message' ? (
        <ButtonLink href={href} icon={MessageSquare} size="s">
          {t('Text')}
        </ButtonLink>
      ) : (
        <CallButton phoneNumber={phoneNumber} from={latest.business_number_id} size="s" />
      )}
    </li>
  );
}

function greeting(name: string): string {
  const hour = new Date().getHours();
  if (hour < 11) return t('Good morning, {name}', { name });
  if (hour < 17) return t('Good afternoon, {name}', { name });
  return t('Good evening, {name}', { name });
}
