import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { Call } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { Failure } from '../ui/query-state.tsx';
import { useAssistantSession } from './assistant-queries.ts';
import { ConversationItems } from './conversation-items.tsx';
import styles from './conversation.module.css';

/** Scrolled to its end within this distance, it follows what is said. */
const AT_END_PX = 24;

/** What a caller and an assistant say, while they speak. */
export function LiveTranscript(props: {
  call: Pick<Call, 'id' | 'state' | 'assistant'>;
  personName: string;
  isLow?: boolean;
}): ReactNode {
  const session = useAssistantSession(props.call);
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight;
  });
  return (
    <>
      {session.error && <Failure error={session.error} onRetry={session.refetch} />}
      <div
        ref={box}
        role="log"
        aria-label={t('Live transcript')}
        className={props.isLow ? styles['low-log'] : styles['log']}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls what has the focus
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < AT_END_PX;
        }}
      >
        {session.data ? (
          <ol className={styles['lines']}>
            <ConversationItems session={session.data} personName={props.personName} />
          </ol>
        ) : (
          <p className={styles['quiet']}>{t('Nothing was said yet.')}</p>
        )}
      </div>
    </>
  );
}
