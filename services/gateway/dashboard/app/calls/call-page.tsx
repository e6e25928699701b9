import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Call } from '../api/schema.d.ts';
import { dateAndTime } from '../i18n/format.ts';
import { phoneText } from '../i18n/phone-number.ts';
import { t } from '../i18n/translate.ts';
import { CallButton, useCallTo } from '../phone/call-button.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { duration } from '../ui/duration.ts';
import { MessageSquare } from '../ui/icons/index.ts';
import { Page } from '../ui/page.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { useShortcut } from '../ui/shortcuts.ts';
import { SkeletonRows } from '../ui/skeleton.tsx';
import text from '../ui/text.module.css';
import { Time } from '../ui/time.tsx';
import { AssistantMessage, LiveConversation } from './assistant-conversation.tsx';
import { CallbackBadge } from './callback-badge.tsx';
import { CallNote } from './call-note.tsx';
import styles from './call-page.module.css';
import { CallSummary } from './call-summary.tsx';
import { CallSupervision } from './call-supervision.tsx';
import { useCall, usePerson, useTimeline } from './call-queries.ts';
import { directionText, employeeNames, isInProgress, isWithAssistant, outcomeText, remoteNumber } from './call-text.ts';
import { OutcomeMark } from './outcome.tsx';
import { Recording } from './recording.tsx';
import { Timeline } from './timeline.tsx';

export default function CallPage({ id }: { id: string }): ReactNode {
  const call = useCall(id);
  const contact = usePerson(call.data);
  const name = contact?.name?.trim() || contact?.company_name?.trim() || undefined;
  return (
    <QueryState query={call} titleOfFailure={t('Calls')} skeleton={<SkeletonRows what={t('Loading…')} rows={4} />}>
      {(data) => {
        const number = remoteNumber(data);
        const person = name ?? (number === undefined ? t('unknown number') : phoneText(number));
        return (
          <Page
            title={t('Call with {person}', { person: name ?? number ?? t('unknown number') })}
            back={{ href: '~/dashboard/calls', label: t('Calls') }}
            actions={
              data.started_at && (
                <span className={text['meta']}>
                  <Time at={data.started_at} withTime />
                </span>
              )
            }
            aside={
              <>
                <CallSummary call={data} />
                <CallNote call={data} />
                <Facts call={data} />
                <Timeline call={data} person={person} />
              </>
            }
          >
            <Head call={data} name={name} contactId={contact?.id} />
            <CallSupervision call={data} />
            <LiveConversation call={data} personName={name} />
            <AssistantMessage call={data} />
            <Recording call={data} personName={name} refetch={async () => (await call.refetch()).data} />
          </Page>
        );
      }}
    </QueryState>
  );
}

function Head(props: { call: Call; name: string | undefined; contactId: string | undefined }): ReactNode {
  const { call, name } = props;
  const number = remoteNumber(call);
  const timeline = useTimeline(call);
  const leftVoicemail = timeline.data?.some(({ what }) => what === 'voicemail_left') ?? false;
  const answeredBy = employeeNames(call)[0];
  const words =
    !isInProgress(call) && call.direction === 'inbound' && call.answered_at !== null && answeredBy !== undefined
      ? t('Answered by {name}', { name: answeredBy })
      : outcomeText(call, leftVoicemail);
  const dial = useCallTo(number ?? '', call.main_number_id);
  useShortcut('c', dial);
  return (
    <div className={styles['head']}>
      <Avatar id={props.contactId ?? number ?? ''} name={name} size={48} />
      <div className={styles['who']}>
        <p className={styles['person']}>
          {props.contactId === undefined ? (
            <PhoneNumber value={number ?? ''} />
          ) : (
            <Link href={`~/dashboard/contacts/${encodeURIComponent(props.contactId)}`}>
              <bdi>{name ?? <PhoneNumber value={number ?? ''} />}</bdi>
            </Link>
          )}
        </p>
        <p className={styles['outcome']} role="status">
          <OutcomeMark call={call} leftVoicemail={leftVoicemail}>
            <span className={styles['direction']}>{directionText(call)}: </span>
            {words}
          </OutcomeMark>
          <span className={styles['meta']}>
            {call.duration !== null && <>{duration(call.duration)} · </>}
            <bdi>{call.main_number_name || call.main_number_formatted}</bdi>
          </span>
          <CallbackBadge callback={call.callback} />
        </p>
      </div>
      {number !== undefined && (
        <div className={styles['actions']}>
          <ButtonLink href={`~/dashboard/inbox/${encodeURIComponent(number)}`} icon={MessageSquare}>
            {t('Text')}
          </ButtonLink>
          <CallButton
            phoneNumber={number}
            from={call.main_number_id}
            variant={isWithAssistant(call) ? 'secondary' : 'primary'}
          />
        </div>
      )}
    </div>
  );
}

/** The facts that the heading does not show. */
function Facts({ call }: { call: Call }): ReactNode {
  const number = remoteNumber(call);
  const employees = employeeNames(call);
  return (
    <section className={styles['part']} aria-label={t('Participants')}>
      <h2 className={styles['heading']}>{t('Participants')}</h2>
      <dl className={styles['facts']}>
        <div>
          <dt>{t('Person')}</dt>
          <dd>
            <PhoneNumber value={number ?? ''} />
          </dd>
        </div>
        <div>
          <dt>{t('Number')}</dt>
          <dd>
            <Link href={`~/dashboard/numbers/${encodeURIComponent(call.main_number_id)}`} className={styles['link']}>
              <bdi>{call.main_number_name || call.main_number_formatted}</bdi>
            </Link>
          </dd>
        </div>
        <div>
          <dt>{t('Team')}</dt>
          <dd>{employees.length > 0 ? <bdi>{employees.join(', ')}</bdi> : t('Nobody')}</dd>
        </div>
        {call.assistant && (
          <div>
            <dt>{t('Assistant')}</dt>
            <dd>
              <bdi>{call.assistant.name}</bdi>
            </dd>
          </div>
        )}
        {call.started_at && (
          <div>
            <dt>{t('Started')}</dt>
            <dd>
              <time dateTime={call.started_at}>{dateAndTime(new Date(call.started_at))}</time>
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}
