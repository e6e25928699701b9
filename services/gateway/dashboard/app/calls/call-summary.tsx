import type { ReactNode } from 'react';
import type { Call } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { copyText } from '../ui/copy-text.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { ClipboardCopy } from '../ui/icons/index.ts';
import { useAssistantSession } from './assistant-queries.ts';
import styles from './call-page.module.css';
import { isChanging, isInProgress } from './call-text.ts';

export function CallSummary({ call }: { call: Call }): ReactNode {
  const { data: session } = useAssistantSession(call);
  const summary = call.summary ?? session?.summary;
  return (
    <section className={styles['part']} aria-label={t('Summary')}>
      <div className={styles['part-head']}>
        <h2>{t('Summary')}</h2>
        {summary && <IconButton label={t('Copy summary')} icon={ClipboardCopy} onPress={() => copyText(summary)} />}
      </div>
      {summary ? (
        <p className={styles['summary']} dir="auto">
          {summary}
        </p>
      ) : (
        <p className={styles['quiet']}>{missingSummary(call)}</p>
      )}
    </section>
  );
}

function missingSummary(call: Call): string {
  if (isInProgress(call)) return t('Written after the call.');
  if (call.answered_at === null) return t('Nobody answered, so there is nothing to summarise.');
  return isChanging(call, Date.now()) ? t('The summary is being written.') : t('There is no summary.');
}
