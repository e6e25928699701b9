import type { ReactNode } from 'react';
import type { Call, CallTranscriptSegment } from '../api/schema.d.ts';
import { phoneText } from '../i18n/phone-number.ts';
import { t } from '../i18n/translate.ts';
import { classes } from '../ui/classes.ts';
import { duration } from '../ui/duration.ts';
import { QueryState } from '../ui/query-state.tsx';
import { useTranscript } from './call-queries.ts';
import { isChanging, isInProgress, remoteNumber } from './call-text.ts';
import { FindInTranscript, Marked } from './find-in-transcript.tsx';
import styles from './transcript.module.css';

interface TranscriptProps {
  readonly call: Call;
  readonly personName: string | undefined;
  /** The position of the player. */
  readonly seconds: number;
  readonly onJump: ((seconds: number) => void) | undefined;
}

/** What was said in a call, and a field to find words in it. */
export function Transcript(props: TranscriptProps): ReactNode {
  const { data: segments = [] } = useTranscript(props.call);
  return (
    <FindInTranscript texts={segments.map(({ text }) => text)}>
      {({ words, field }) => <TranscriptSection {...props} words={words} field={field} />}
    </FindInTranscript>
  );
}

export function TranscriptSection(
  props: TranscriptProps & {
    /** They are marked. */
    words: string;
    field?: ReactNode;
    /** So many segments are shown elsewhere. */
    from?: number;
  },
): ReactNode {
  const { call } = props;
  const transcript = useTranscript(call);
  const segments = (transcript.data ?? []).slice(props.from);
  return (
    <section className={styles['transcript']} aria-label={t('Transcript')}>
      <div className={styles['head']}>
        <h2>{t('Transcript')}</h2>
        {props.field}
      </div>
      {call.transcription_segments === null ? (
        <p className={styles['quiet']}>{missingTranscript(call)}</p>
      ) : (
        <QueryState query={transcript}>
          {() =>
            segments.length === 0 ? (
              <p className={styles['quiet']}>{t('Nothing was said.')}</p>
            ) : (
              <ol className={styles['lines']}>
                {segments.map((segment, index) => (
                  <Line key={index} segment={segment} {...props} />
                ))}
              </ol>
            )
          }
        </QueryState>
      )}
    </section>
  );
}

function Line(props: TranscriptProps & { segment: CallTranscriptSegment; words: string }): ReactNode {
  const { speaker, text, start_ms: start, end_ms: end } = props.segment;
  const isPerson = speaker === remoteNumber(props.call);
  const isSpoken = props.seconds * 1000 >= start && props.seconds * 1000 < end;
  return (
    <li className={styles['line']} aria-current={isSpoken || undefined}>
      <LineTime seconds={start / 1000} onJump={props.onJump} />
      <bdi className={classes(styles['speaker'], isPerson ? styles['person'] : styles['employee'])}>
        {isPerson ? (props.personName ?? phoneText(speaker)) : speaker}
      </bdi>
      <span className={styles['said']} dir="auto">
        <Marked text={text} words={props.words} />
      </span>
    </li>
  );
}

/** When something was said; it plays the recording from there. */
export function LineTime(props: { seconds: number; onJump: ((seconds: number) => void) | undefined }): ReactNode {
  const { seconds, onJump } = props;
  if (!onJump) return <span className={styles['time']}>{duration(seconds)}</span>;
  return (
    <button
      type="button"
      className={classes(styles['time'], styles['jump'])}
      aria-label={t('Play from {time}', { time: duration(seconds) })}
      onClick={() => onJump(seconds)}
    >
      {duration(seconds)}
    </button>
  );
}

function missingTranscript(call: Call): string {
  if (isInProgress(call)) return t('Written after the call.');
  return isChanging(call, Date.now()) ? t('The call is being transcribed…') : t('There is no transcript.');
}
