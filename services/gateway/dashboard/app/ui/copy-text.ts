import { t } from '../i18n/translate.ts';
import { announce } from './announcements.tsx';

/** Puts a text on the clipboard and says whether that worked. */
export function copyText(text: string): void {
  navigator.clipboard.writeText(text).then(
    () => announce(t('Copied.')),
    () => announce(t('This browser does not allow copying.')),
  );
}
