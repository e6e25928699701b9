/** Full access as the employee; the only scope an app can have. `web` is for our own pages and never granted. */
export const API_SCOPE = 'api';

/** The granted scope, or undefined when something else is among what was asked for. */
export function grantableScope(asked: string): typeof API_SCOPE | undefined {
  const scopes = asked.split(' ').filter((scope) => scope !== '');
  return scopes.length > 0 && scopes.every((scope) => scope === API_SCOPE) ? API_SCOPE : undefined;
}
