import { type ReactNode, useState } from 'react';
import { dateAndTime } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { SMALL } from '../ui/icon.ts';
import { Check, Clock, Zap } from '../ui/icons/index.ts';
import { Page } from '../ui/page.tsx';
import { CallSection } from './call-section.tsx';
import { ClockSection, useSandboxClock } from './clock-section.tsx';
import { useLeg } from './customer-leg.tsx';
import { CustomerPhoneSection } from './customer-phone-section.tsx';
import { FaultsSection } from './faults-section.tsx';
import { MailboxSection } from './mailbox-section.tsx';
import styles from './sandbox.module.css';
import { storeStartedCalls, readStartedCalls, type StartedCall } from './started-calls.ts';
import { TeamView } from './team-view.tsx';
import { TextSection } from './text-section.tsx';
import { currentStep, type TourStep } from './tour.ts';

export default function Sandbox(): ReactNode {
  const [calls, setCalls] = useState(() => readStartedCalls(sessionStorage));
  const leg = useLeg(calls[0]?.legId);
  const clock = useSandboxClock();
  const step = currentStep(leg.data);
  function change(next: readonly StartedCall[]): void {
    storeStartedCalls(sessionStorage, next);
    setCalls(next);
  }
  return (
    <Page
      title={t('Sandbox')}
      actions={
        <>
          <Button icon={Clock} onPress={() => show('clock')}>
            {clock.data ? dateAndTime(new Date(clock.data.now), new Date(0)) : t('Clock')}
          </Button>
          <span className={styles['to-faults']}>
            <Button variant="ghost" icon={Zap} onPress={() => show('faults')}>
              {t('What should fail')}
            </Button>
          </span>
        </>
      }
    >
      <Steps step={step} />
      <div className={styles['stage']}>
        <div className={styles['left']}>
          <CallSection calls={calls} onChange={change} />
        </div>
        <div className={styles['right']}>
          <TeamView callId={leg.data?.call_id ?? undefined} step={step} />
          <div className={styles['try']}>
            <TextSection />
            <CustomerPhoneSection />
            <MailboxSection />
          </div>
        </div>
      </div>
      <div className={styles['drawer']}>
        <ClockSection />
        <FaultsSection />
      </div>
    </Page>
  );
}

function show(id: string): void {
  const part = document.getElementById(id);
  part?.scrollIntoView({ block: 'nearest' });
  part?.querySelector<HTMLElement>('input, select')?.focus();
}

/** The tour: what to do first, second and third. */
function Steps({ step }: { step: TourStep }): ReactNode {
  const steps = [
    [t('Call your number'), t('You are the customer')],
    [t('Answer it'), t('Or let a coworker do it')],
    [t('Read what was said'), t('Recording, text and summary')],
  ] as const;
  return (
    <ol className={styles['steps']} aria-label={t('Tour')}>
      {steps.map(([title, detail], index) => {
        const isDone = index + 1 < step;
        const isCurrent = index + 1 === step;
        return (
          <li
            key={title}
            className={classes(styles['step'], isCurrent && styles['current'])}
            aria-current={isCurrent ? 'step' : undefined}
          >
            <span className={classes(styles['number'], isDone && styles['done'])}>
              {isDone ? <Check {...SMALL} /> : index + 1}
            </span>
            <span className={styles['step-words']}>
              <span className={styles['step-title']}>{title}</span>
              <span className={styles['quiet']}>{detail}</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
