import { t } from '../i18n/translate.ts';

/** Shows a notification of the system when nobody looks at the window and it was allowed; answers how to close it. */
export function showCallNotification(number: string): () => void {
  if (!document.hidden || !('Notification' in window) || Notification.permission !== 'granted') return () => undefined;
  const notification = new Notification(t('Incoming call'), {
    body: number,
    tag: 'incoming call',
    requireInteraction: true,
  });
  notification.addEventListener('click', () => {
    window.focus();
    notification.close();
  });
  return () => notification.close();
}
