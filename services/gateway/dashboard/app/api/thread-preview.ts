import { t } from '../i18n/translate.ts';
import type { InboxThread } from './schema.d.ts';

/** What a thread's row says: what was written or said, or what happened, which the API says in English. */
export function threadPreview({ preview, latest_item: latest }: InboxThread): string {
  if (latest.type === 'voicemail' && preview === 'Voicemail') return t('Voicemail');
  if (latest.type !== 'call') return preview;
  if (latest.direction === 'outbound') return t('Outgoing call');
  return latest.missed ? t('Missed call') : t('Incoming call');
}
