import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { employeesQuery } from '../api/shared-queries.ts';
import type { Call } from '../api/schema.d.ts';
import { exactTime } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import colours from '../ui/badge.module.css';
import { classes } from '../ui/classes.ts';
import { type Icon, SMALL } from '../ui/icon.ts';
import {
  ArrowRightLeft,
  BellRing,
  Bot,
  Disc2,
  Grid3x3,
  Pause,
  Phone,
  PhoneIncoming,
  PhoneOff,
  Voicemail,
  Volume2,
} from '../ui/icons/index.ts';
import { QueryState } from '../ui/query-state.tsx';
import { useTimeline } from './call-queries.ts';
import styles from './call-page.module.css';
import { mainSteps, type Step, type StepKind, timelineSteps } from './timeline-text.ts';

const SHAPES: Readonly<Record<StepKind, Icon>> = {
  arrived: PhoneIncoming,
  key: Grid3x3,
  heard: Volume2,
  ringing: BellRing,
  held: Pause,
  answered: Phone,
  transfer: ArrowRightLeft,
  assistant: Bot,
  voicemail: Voicemail,
  recording: Disc2,
  ended: PhoneOff,
};

/** The main steps of a call; all of them on request. */
export function Timeline({ call, person }: { call: Call; person: string }): ReactNode {
  const timeline = useTimeline(call);
  const employees = useQuery(employeesQuery);
  const known = new Map([...call.employees, ...(employees.data ?? [])].map(({ id, name }) => [id, name]));
  const names = {
    person,
    number: call.main_number_name || call.main_number_formatted,
    direction: call.direction,
    employee: (id: string) => known.get(id),
  };
  return (
    <section className={styles['part']} aria-label={t('Timeline')}>
      <h2 className={styles['heading']}>{t('Timeline')}</h2>
      <QueryState query={timeline} skeleton={null}>
        {(entries) => <Steps steps={timelineSteps(entries, names)} />}
      </QueryState>
    </section>
  );
}

function Steps({ steps }: { steps: readonly Step[] }): ReactNode {
  const [showsAll, setShowsAll] = useState(false);
  const main = mainSteps(steps);
  const shown = showsAll ? steps : main;
  return (
    <>
      <ol className={styles['steps']}>
        {shown.map((step, index) => (
          <StepLine key={index} step={step} />
        ))}
      </ol>
      {steps.length > main.length && (
        <button
          type="button"
          className={styles['more']}
          onClick={() => setShowsAll(!showsAll)}
          aria-expanded={showsAll}
        >
          {showsAll ? t('Show the main steps') : t('Show all {count} steps', { count: steps.length })}
        </button>
      )}
    </>
  );
}

function StepLine({ step }: { step: Step }): ReactNode {
  const Shape = SHAPES[step.kind];
  return (
    <li className={styles['step']}>
      <span className={classes(styles['step-icon'], colours[step.kind === 'answered' ? 'good' : 'neutral'])}>
        <Shape {...SMALL} />
      </span>
      <bdi>{step.text}</bdi>
      <time dateTime={step.at}>{exactTime(new Date(step.at))}</time>
    </li>
  );
}
