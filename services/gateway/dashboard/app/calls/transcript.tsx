import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import type { Call, CallTranscriptSegment } from '../api/schema.d.ts';
import { phoneText } from '../i18n/phone-number.ts';
import { t } from '../i18n/translate.ts';
import { classes } from '../ui/classes.ts';
import { duration } from '../ui/duration.ts';
import { QueryState } from '../ui/query-state.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { useTranscript } from './call-queries.ts';
import { isChanging, isInProgress, remoteNumber } from './call-text.ts';
import { splitByHits } from './split-by-hits.ts';
import styles from './transcript.module.css';

export function Transcript(props: {
  call: Call;
  personName: string | undefined;
  /** The position of the player. */
  seconds: number;
  onJump: ((seconds: number) => void) | undefined;
  /** So many segments are shown elsewhere. */
  from?: number;
}): ReactNode {
  const { call } = props;
  const transcript = useTranscript(call);
  const [words, setWords] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const current = useRef(-1);
  const segments = (transcript.data ?? []).slice(props.from);
  const hits = words.trim()
    ? segments.flatMap(({ text }) => splitByHits(text, words)).filter(({ isHit }) => isHit)
    : [];

  function next(event: KeyboardEvent): void {
    const marks = list.current?.querySelectorAll('mark') ?? [];
    if (event.key !== 'Enter' || marks.length === 0) return;
    event.preventDefault();
    current.current = (current.current + 1) % marks.length;
    marks[current.current]?.scrollIntoView({ block: 'center' });
  }
  return (
    <section className={styles['transcript']} aria-label={t('Transcript')}>
      <div className={styles['head']}>
        <h2>{t('Transcript')}</h2>
        {segments.length > 0 && (
          <div className={styles['find']} role="presentation" onKeyDown={next}>
            <span role="status" className={styles['count']}>
              {words.trim() && t('{count} found', { count: hits.length })}
            </span>
            <SearchField
              label={t('Find in transcript')}
              value={words}
              onChange={(typed) => {
                current.current = -1;
                setWords(typed);
              }}
            />
          </div>
        )}
      </div>
      {call.transcription_segments === null ? (
        <p className={styles['quiet']}>{missingTranscript(call)}</p>
      ) : (
        <QueryState query={transcript}>
          {() =>
            segments.length === 0 ? (
              <p className={styles['quiet']}>{t('Nothing was said.')}</p>
            ) : (
              <ol ref={list} className={styles['lines']}>
                {segments.map((segment, index) => (
                  <Line key={index} segment={segment} words={words} {...props} />
                ))}
              </ol>
            )
          }
        </QueryState>
      )}
    </section>
  );
}

function Line(props: {
  segment: CallTranscriptSegment;
  call: Call;
  personName: string | undefined;
  words: string;
  seconds: number;
  onJump: ((seconds: number) => void) | undefined;
}): ReactNode {
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
        {splitByHits(text, props.words).map((part, index) =>
          part.isHit ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>,
        )}
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
