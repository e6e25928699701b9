import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { t } from '../i18n/translate.ts';
import { SearchField } from '../ui/search-field.tsx';
import styles from './find-in-transcript.module.css';
import { splitByHits } from './split-by-hits.ts';

/** What is looked for in what was said, and the field for it. */
export interface Finding {
  readonly words: string;
  readonly field: ReactNode;
}

/** `texts`: all that was said, in which the field finds words; the Enter key goes from one to the next. `children` marks them. */
export function FindInTranscript(props: {
  texts: readonly string[];
  children: (finding: Finding) => ReactNode;
}): ReactNode {
  const { texts } = props;
  const [words, setWords] = useState('');
  const box = useRef<HTMLDivElement>(null);
  const current = useRef(-1);
  const hits = words.trim() ? texts.flatMap((text) => splitByHits(text, words)).filter(({ isHit }) => isHit) : [];

  function next(event: KeyboardEvent): void {
    const marks = box.current?.querySelectorAll('mark') ?? [];
    if (event.key !== 'Enter' || marks.length === 0) return;
    event.preventDefault();
    current.current = (current.current + 1) % marks.length;
    marks[current.current]?.scrollIntoView({ block: 'center' });
  }
  const field = texts.length > 0 && (
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
  );
  return <div ref={box}>{props.children({ words, field })}</div>;
}

/** A text with what is looked for marked. */
export function Marked({ text, words }: { text: string; words: string }): ReactNode {
  return splitByHits(text, words).map((part, index) =>
    part.isHit ? (
      <mark key={index} className={styles['hit']}>
        {part.text}
      </mark>
    ) : (
      <span key={index}>{part.text}</span>
    ),
  );
}
