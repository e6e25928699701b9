import { t } from '../i18n/translate.ts';
import type { InboxThread } from './schema.d.ts';

/** What a thread's row says. The API's own labels, for calls and voicemails of which there are no words yet, are English. */
export function threadPreview({ preview, latest_item: latest }: InboxThread): string {
  const labels: Readonly<Record<string, string>> = {
    'Missed call': t('Missed call'),
    'Incoming call': t('Incoming call'),
    'Outgoing call': t('Outgoing call'),
    Voicemail: t('Voicemail'),
  };
  return latest.type === 'message' ? preview : (labels[preview] ?? preview);
}
