import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Call, Employee } from '../api/schema.d.ts';
import { phoneText } from '../i18n/phone-number.ts';
import { t } from '../i18n/translate.ts';
import { useCall, usePerson } from '../calls/call-queries.ts';
import { isInProgress, isWithAssistant, remoteNumber } from '../calls/call-text.ts';
import { LiveTranscript } from '../calls/live-transcript.tsx';
import { OutcomeMark } from '../calls/outcome.tsx';
import { Timeline } from '../calls/timeline.tsx';
import { useEmployees } from '../live/use-employees.ts';
import { session } from '../session.ts';
import { announce } from '../ui/announcements.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { presenceTone, statusText } from '../team/employee-status.ts';
import { ArrowRight } from '../ui/icons/index.ts';
import { sandbox } from './sandbox-client.ts';
import styles from './sandbox.module.css';
import type { TourStep } from './tour.ts';

/** The team's view of the customer's call, with coworkers who can take it. */
export function TeamView({ callId, step }: { callId: string | undefined; step: TourStep }): ReactNode {
  return (
    <section className={styles['part']} aria-label={t('What the team sees')}>
      <h2>{t('What the team sees')}</h2>
      {callId === undefined ? (
        <p className={styles['quiet']}>
          {step === 1
            ? t('Press “Call a business number” on the phone. To answer yourself, switch on Available for calls first.')
            : t('The call is on its way.')}
        </p>
      ) : (
        <LiveCall callId={callId} />
      )}
      <Coworkers />
    </section>
  );
}

function LiveCall({ callId }: { callId: string }): ReactNode {
  const { data: call } = useCall(callId);
  const contact = usePerson(call);
  if (!call) return null;
  const name = contact?.name?.trim() || undefined;
  const person = name ?? phoneText(remoteNumber(call) ?? t('Unknown number'));
  return (
    <>
      <div className={styles['card']}>
        <Avatar id={contact?.id ?? remoteNumber(call) ?? ''} name={name} size={48} />
        <div className={styles['who']}>
          <p className={styles['person']}>
            <bdi>{person}</bdi>
          </p>
          <OutcomeMark call={call} leftVoicemail={false} />
        </div>
        <CallLink call={call} />
      </div>
      {isWithAssistant(call) && <LiveTranscript call={call} personName={person} isLow />}
      <div className={styles['timeline']}>
        <Timeline call={call} person={person} />
      </div>
    </>
  );
}

function CallLink({ call }: { call: Call }): ReactNode {
  return (
    <ButtonLink href={`~/dashboard/calls/${encodeURIComponent(call.id)}`} icon={ArrowRight}>
      {isInProgress(call) ? t('Open the call') : t('Read what was said')}
    </ButtonLink>
  );
}

/** Coworkers with simulated phones: one can bring them online and let them answer. */
function Coworkers(): ReactNode {
  const { data: employees = [] } = useEmployees();
  const coworkers = employees.filter(({ id }) => id !== session.employeeId);
  if (coworkers.length === 0) return null;
  return (
    <>
      <h3>{t('Coworkers')}</h3>
      <ul className={styles['coworkers']}>
        {coworkers.slice(0, 5).map((employee) => (
          <Coworker key={employee.id} employee={employee} />
        ))}
      </ul>
    </>
  );
}

function Coworker({ employee }: { employee: Employee }): ReactNode {
  const { id, name, status } = employee;
  const isAway = status === 'logged_out' || status === 'unknown';
  const act = useMutation({
    mutationFn: () => (status === 'ringing' ? sandbox.answerPhone(id) : sandbox.setPhone(id, isAway)),
    onError: (error) => announce(error.message),
  });
  return (
    <li className={styles['coworker']}>
      <Avatar id={id} name={name} size={32} presence={presenceTone(employee)} />
      <span className={styles['who']}>
        <bdi className={styles['coworker-name']}>{name}</bdi>
        <span className={styles['quiet']}>{statusText(employee)}</span>
      </span>
      {status !== 'on_call' && (
        <Button size="s" busy={act.isPending} onPress={() => act.mutate()}>
          {status === 'ringing'
            ? t('Let {name} answer', { name: name.split(' ')[0] ?? name })
            : isAway
              ? t('Go online')
              : t('Go offline')}
        </Button>
      )}
    </li>
  );
}
