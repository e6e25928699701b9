import type { ReactNode } from 'react';
import type { AssistantSessionItem } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { classes } from '../ui/classes.ts';
import { duration } from '../ui/duration.ts';
import { type Icon, SMALL } from '../ui/icon.ts';
import {
  Bot,
  Grid3x3,
  Info,
  MessageSquare,
  PhoneCall,
  PhoneForwarded,
  PhoneOff,
  StickyNote,
} from '../ui/icons/index.ts';
import { Unseen } from '../ui/text.tsx';
import type { AssistantSession } from './assistant-queries.ts';
import { actionText, eventText, secondsOf, type SessionTurn, textsOf } from './assistant-text.ts';
import styles from './conversation.module.css';
import { Marked } from './find-in-transcript.tsx';
import { LineTime } from './transcript.tsx';

const SHAPES: Readonly<Record<string, Icon>> = {
  transfer_call: PhoneForwarded,
  take_message: StickyNote,
  request_callback: PhoneCall,
  send_text: MessageSquare,
  hand_over: PhoneForwarded,
  end_call: PhoneOff,
};

/** What was said and done in a conversation with an assistant, in order. */
export function ConversationItems(props: {
  session: AssistantSession;
  personName: string;
  /** Where turns are in the recording, in milliseconds by their sequence; the other ones cannot be jumped to. */
  startMs?: ReadonlyMap<number, number>;
  onJump?: ((seconds: number) => void) | undefined;
  /** They are marked. */
  words?: string;
}): ReactNode {
  const { session, personName, startMs, onJump, words = '' } = props;
  const { items, assistant } = session;
  const secondsAt = secondsOf(session, startMs);
  return items.map((item) => {
    const seconds = secondsAt.get(item.sequence) ?? 0;
    if (item.type !== 'turn') return <Step key={item.sequence} item={item} seconds={seconds} />;
    const speaker = item.speaker === 'assistant' ? assistant.name : personName;
    return (
      <Turn
        key={item.sequence}
        turn={item}
        seconds={seconds}
        speaker={speaker}
        words={words}
        onJump={startMs?.has(item.sequence) ? onJump : undefined}
      />
    );
  });
}

function Turn(props: {
  turn: SessionTurn;
  seconds: number;
  speaker: string;
  words: string;
  onJump: ((seconds: number) => void) | undefined;
}): ReactNode {
  const { turn, speaker, words } = props;
  const isAssistant = turn.speaker === 'assistant';
  if (turn.text === null && (!isAssistant || turn.spoken === null)) return null;
  const [heard = '', unheard = ''] = textsOf(turn);
  return (
    <li className={classes(styles['line'], turn.ended_at === null && styles['current'])}>
      <LineTime seconds={props.seconds} onJump={props.onJump} />
      <span className={classes(styles['speaker'], isAssistant ? styles['assistant'] : styles['person'])}>
        {isAssistant && <Bot {...SMALL} />}
        {isAssistant && <Unseen>{t('Assistant')} </Unseen>}
        <bdi>{speaker}</bdi>
      </span>
      <span className={styles['said']} dir="auto">
        <Marked text={heard} words={words} />
        {unheard && <Unheard text={unheard} words={words} />}
      </span>
    </li>
  );
}

/** What the caller did not hear is struck through. */
function Unheard(props: { text: string; words: string }): ReactNode {
  return (
    <>
      <Unseen> {t('Interrupted, not heard:')} </Unseen>
      <s>
        <Marked {...props} />
      </s>
    </>
  );
}

function Step(props: { item: Exclude<AssistantSessionItem, SessionTurn>; seconds: number }): ReactNode {
  const { item } = props;
  const [Shape, text] = stepOf(item);
  if (text === undefined) return null;
  return (
    <li className={classes(styles['line'], styles['step'])}>
      <span className={styles['time']}>{duration(props.seconds)}</span>
      <span className={styles['what']}>
        <Shape {...SMALL} />
        <bdi>{text}</bdi>
      </span>
    </li>
  );
}

function stepOf(item: Exclude<AssistantSessionItem, SessionTurn>): readonly [Icon, string | undefined] {
  if (item.type === 'action') return [SHAPES[item.action] ?? Info, actionText(item)];
  if (item.type === 'key') return [Grid3x3, t('Pressed {key}', { key: item.key })];
  return [Info, eventText(item)];
}
