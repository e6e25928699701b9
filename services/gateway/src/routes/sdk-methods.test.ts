import { describe, expect, it } from '@jest/globals';
import type { Clients } from '../peers/peers.ts';
import { publicEndpoints } from './public-api.ts';
import { assertSdkMethods } from './sdk-methods.ts';

const all = publicEndpoints({} as Clients, () => {}, '');
const operation = (path: string, sdkMethod?: string) => ({
  method: 'get' as const,
  path,
  ...(sdkMethod !== undefined && { sdkMethod }),
});

/** Names that clients are written against: those of the contract, which never change. */
const FIXED = [
  ...['contacts', 'employees', 'textSnippets', 'webhooks'].flatMap((noun) =>
    ['list', 'create', 'get', 'update', 'delete'].map((verb) => `${noun}.${verb}`),
  ),
  ...['list', 'get', 'update', 'delete'].map((verb) => `voicemails.${verb}`),
  ...['list', 'get', 'create', 'update', 'getActive'].map((verb) => `calls.${verb}`),
  ...['start', 'complete', 'cancel'].map((verb) => `calls.transfers.${verb}`),
  ...['send', 'get', 'search', 'retry'].map((verb) => `messages.${verb}`),
  ...['list', 'activity', 'markSeen', 'update'].map((verb) => `inbox.${verb}`),
  ...['list', 'get', 'update', 'setIncomingCallConfig', 'setOutsideBusinessHoursConfig', 'setNoAnswerConfig'].map(
    (verb) => `businessNumbers.${verb}`,
  ),
  ...['getTextingSettings', 'updateTextingSettings', 'closures.list'].map((verb) => `businessNumbers.${verb}`),
  ...['rotateSecret', 'test', 'deliveries.list', 'deliveries.retry', 'deliveries.retryAll'].map(
    (verb) => `webhooks.${verb}`,
  ),
  ...['list', 'get', 'types', 'send'].map((verb) => `events.${verb}`),
  'company.get',
  'company.update',
  'callerContext.get',
  'auditEvents.list',
  'reports.calls',
  'reports.messages',
  'reports.live',
];

describe('the methods of the SDKs', () => {
  it('the methods of the SDKs have the names that the contract fixes', () => {
    expect(all.map(({ sdkMethod }) => sdkMethod)).toEqual(expect.arrayContaining(FIXED));
  });

  it.each([
    ['an operation without a method', operation('/parcels'), 'GET /parcels does not declare its sdkMethod'],
    ['a method of one word', operation('/parcels', 'parcels'), 'parcels is no name of an SDK method'],
    ['a method in snake case', operation('/parcels', 'parcels.get_one'), 'is no name of an SDK method'],
    [
      'a method that another operation has',
      operation('/parcels', 'contacts.list'),
      'GET /parcels and GET /contacts have the same sdkMethod contacts.list',
    ],
    [
      'a method that continues another one',
      operation('/parcels', 'contacts.list.all'),
      'contacts.list.all continues the sdkMethod contacts.list',
    ],
  ])('the methods of the SDKs stop the start for %s', (_what, added, why) => {
    expect(() => assertSdkMethods(all)).not.toThrow();
    expect(() => assertSdkMethods([...all, added])).toThrow(why);
  });
});
