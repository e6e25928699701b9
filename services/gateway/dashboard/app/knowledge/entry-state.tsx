import { type ReactNode, useState } from 'react';
import type { KnowledgeEntry } from '../api/schema.d.ts';
import { calendarDate } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { wallClockIn } from '../i18n/zoned-time.ts';
import { Badge } from '../ui/badge.tsx';
import { entryState } from './entry-form.ts';

/** Whether assistants use an entry now, by the reader's calendar: it may be for numbers in several time zones. */
export function EntryState({ entry }: { entry: KnowledgeEntry }): ReactNode {
  const [today] = useState(() => wallClockIn(undefined, new Date()).slice(0, 10));
  const state = entryState(entry, today);
  if (state === 'off') return <Badge>{t('Not used')}</Badge>;
  const until = entry.valid_until;
  if (until === null) return <Badge tone="good">{t('In use')}</Badge>;
  const date = calendarDate(until);
  return state === 'expired' ? (
    <Badge tone="warn">{t('Ended {date}', { date })}</Badge>
  ) : (
    <Badge tone="good">{t('Until {date}', { date })}</Badge>
  );
}
