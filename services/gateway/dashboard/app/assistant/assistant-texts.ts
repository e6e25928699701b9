import type { Assistant } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';

/** What an assistant may be allowed, by the names in the API. */
export const actionTexts = (): readonly (readonly [keyof Assistant['actions'], string])[] => [
  ['transfer', t('Connect callers with people and teams')],
  ['take_message', t('Take messages')],
  ['request_callback', t('Arrange call-backs')],
  ['send_text', t('Send texts that are written in Knowledge, when the caller agrees')],
];
