import type { Role } from '@parley/actor';
import { plainName } from '../mail/mailer.ts';
import type { Alert } from '../notifications/notification.ts';

/** What stopped with an employee. */
interface Stopped {
  readonly name: string;
  readonly role: Role | undefined;
  /** Names. */
  readonly apiKeys: readonly string[];
  readonly connectedApps: readonly string[];
  /** Names of the numbers that ring nobody now. */
  readonly businessNumbers: readonly string[];
}

/** A long list is shortened: the dashboard has all of it. */
const NAMED_MAX = 20;

/** Undefined when nothing stopped that admins have to know of. Every deactivation of an owner is something that they have to know of. */
export function deactivationAlert({ name, role, ...stopped }: Stopped): Alert | undefined {
  const { apiKeys, connectedApps, businessNumbers } = stopped;
  const hasCredentials = apiKeys.length + connectedApps.length > 0;
  if (role !== 'owner' && !hasCredentials && businessNumbers.length === 0) return undefined;
  const who = plainName(name);
  const sentences = [
    `${who} was deactivated: every session and phone of ${who} has ended.`,
    ...listed('These API keys, used within the last 30 days, do not work any more', apiKeys),
    ...listed('These connected apps, used within the last 30 days, do not work any more', connectedApps),
    ...(hasCredentials
      ? [`They work again when ${who} is reactivated within 30 days, and are removed after that.`]
      : []),
    ...listed('Calls to these business numbers ring nobody any more', businessNumbers),
  ];
  return { subject: `${who} was deactivated`, text: sentences.join(' ') };
}

function listed(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, NAMED_MAX).map((name) => plainName(name));
  const rest = names.length - shown.length;
  return [`${what}: ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`];
}
