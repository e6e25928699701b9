import type { ReactNode } from 'react';
import type { Call } from '../api/schema.d.ts';
import { Dot } from '../ui/badge.tsx';
import { classes } from '../ui/classes.ts';
import { type Icon, MEDIUM } from '../ui/icon.ts';
import { Bot, PhoneCall, PhoneIncoming, PhoneMissed, PhoneOff, PhoneOutgoing, Voicemail } from '../ui/icons/index.ts';
import { type Outcome, outcomeOf, outcomeText } from './call-text.ts';
import styles from './outcome.module.css';

const SHAPES: Readonly<Record<Outcome, readonly [Icon, 'good' | 'bad' | 'accent' | 'quiet']>> = {
  live: [PhoneCall, 'good'],
  voicemail: [Voicemail, 'accent'],
  answered: [PhoneIncoming, 'good'],
  assisted: [Bot, 'accent'],
  missed: [PhoneMissed, 'bad'],
  outgoing: [PhoneOutgoing, 'quiet'],
  unanswered: [PhoneOff, 'quiet'],
};

/** The outcome of a call as an icon and words. */
export function OutcomeMark(props: { call: Call; leftVoicemail: boolean; children?: ReactNode }): ReactNode {
  const { call, leftVoicemail } = props;
  const outcome = outcomeOf(call, leftVoicemail);
  const [Shape, tone] = SHAPES[outcome];
  return (
    <span className={classes(styles['outcome'], styles[tone], outcome === 'live' && styles['live'])}>
      <Shape {...MEDIUM} />
      <span className={styles['words']}>{props.children ?? outcomeText(call, leftVoicemail)}</span>
      {outcome === 'live' && <Dot tone="good" isLive />}
    </span>
  );
}
