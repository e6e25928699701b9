import { t } from '../i18n/translate.ts';
import type { InboxThread } from './schema.d.ts';

/** What a thread's row says. The API's own labels, for calls and voicemails of which there are no words yet, are English. */
export function threadPreview({ preview, latest_item: latest }: InboxThread): string {
  if (latest.type === 'message') return preview;
  switch (preview) {
    case 'Missed call':
      return t('Missed call');
    case 'Incoming call':
      return t('Incoming call');
    case 'Outgoing call':
      return t('Outgoing call');
    case 'Voicemail':
      return t('Voicemail');
    default:
      return preview;
  }
}
