import { api, ok } from '../api/client.ts';
import { language } from '../i18n/locale.ts';
import { session } from '../session.ts';

/** Whose push messages this browser shows: it is added again with each sign-in of the same employee. */
const KEY = 'parley.push';

export const canShowPushMessages = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** Asks for the permission, subscribes at the browser's push service and adds the browser. False when it was not permitted. */
export async function addThisBrowser(publicKey: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  await navigator.serviceWorker.register('/assets/worker.js', { scope: '/dashboard/' });
  const { pushManager } = await navigator.serviceWorker.ready;
  const known = await pushManager.getSubscription();
  if (known && !wasMadeFor(known, publicKey)) await known.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { endpoint = '', keys = {} } = subscription.toJSON();
  const body = { endpoint, keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' }, language };
  await ok(api.POST('/api/v1/push_subscriptions', { body }));
  localStorage.setItem(KEY, session.employeeId);
  return true;
}

/** The push service then refuses what is sent to the browser. */
export async function forgetThisBrowser(): Promise<void> {
  localStorage.removeItem(KEY);
  const registration = await navigator.serviceWorker.getRegistration('/dashboard/');
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** With a new sign-in: adds the browser again for the employee who turned it on, and forgets it for anybody else. */
export async function renewPushSubscription(): Promise<void> {
  const employeeId = canShowPushMessages ? localStorage.getItem(KEY) : null;
  if (employeeId === null) return;
  if (employeeId !== session.employeeId) return forgetThisBrowser();
  if (Notification.permission !== 'granted') return;
  const { public_key: publicKey } = await ok(api.GET('/api/v1/push_subscriptions'));
  await addThisBrowser(publicKey);
}

function wasMadeFor({ options }: PushSubscription, publicKey: string): boolean {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === publicKey;
}
