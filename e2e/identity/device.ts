import { expect } from '@jest/globals';
import type { Reply } from '../support/api.ts';
import { tokenRequest } from './app.ts';
import { type Person, signIn } from './people.ts';
import type { Page } from './visitor.ts';

/** The client that every installation has. */
export const COMMAND_LINE = 'parley-cli';
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

export function requestDevice(fields: Record<string, string | string[]> = {}): Promise<Reply> {
  return tokenRequest({ client_id: COMMAND_LINE, scope: 'api', ...fields }, '/oauth/device_authorization');
}

export function pollDevice(deviceCode: string, clientId = COMMAND_LINE): Promise<Reply> {
  return tokenRequest({ grant_type: DEVICE_GRANT, client_id: clientId, device_code: deviceCode });
}

/** Opens the page, signing in if need be. */
export async function openDevicePage(person: Person, path = '/device'): Promise<Page> {
  const page = await person.open(path);
  return page.html.includes('>Sign in</button>') ? signIn(person, path) : page;
}

/** The page after a code was entered. */
export async function enterCode(person: Person, userCode: string): Promise<Page> {
  return person.press(await openDevicePage(person), 'Continue', { Code: userCode });
}

export async function allowDevice(person: Person, userCode: string): Promise<void> {
  expect((await person.press(await enterCode(person, userCode), 'Allow')).text).toContain('is allowed');
}

export async function denyDevice(person: Person, userCode: string): Promise<void> {
  expect((await person.press(await enterCode(person, userCode), 'Deny')).text).toContain('is denied');
}
