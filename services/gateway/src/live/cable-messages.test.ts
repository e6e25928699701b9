import { describe, expect, it } from '@jest/globals';
import { confirmation, disconnect, message, ping, rejection, sinceRead, welcome } from './action-cable.ts';
import {
  cableCommands,
  callsMessages,
  connectionMessages,
  eventsMessages,
  inSubscription,
  teamMessages,
} from './cable-messages.ts';
import { LIVE_REPORT_UPDATE, TEAM_UPDATES } from './updates.ts';

const IDENTIFIER = '{"channel":"TeamChannel"}';
const described = [
  ...connectionMessages,
  ...cableCommands,
  ...[...callsMessages, ...teamMessages, ...eventsMessages].map(inSubscription),
];

/** The described messages that a text is, without further fields. */
function namesOf(text: string): string[] {
  const sent: unknown = JSON.parse(text);
  const isExactly = (parsed: { data?: unknown }) => JSON.stringify(parsed.data) === JSON.stringify(sent);
  return described.filter(({ schema }) => isExactly(schema.safeParse(sent))).map(({ name }) => name);
}

describe('a message of the live channel', () => {
  it.each([
    ['welcome', welcome],
    ['ping', ping(new Date())],
    ['confirm_subscription', confirmation(IDENTIFIER)],
    ['reject_subscription', rejection(IDENTIFIER)],
    ['disconnect', disconnect('server_restart', true)],
    ['since_read', sinceRead(IDENTIFIER, true)],
    ['live_report_update', message(IDENTIFIER, LIVE_REPORT_UPDATE)],
    ['subscribe', JSON.stringify({ command: 'subscribe', identifier: IDENTIFIER })],
  ])('a message of the live channel is described, as %s and nothing else', (name, text) => {
    expect(namesOf(text)).toEqual([name]);
  });

  it('a message of the live channel about the team is described, whatever has changed', () => {
    for (const update of Object.values(TEAM_UPDATES))
      expect(namesOf(message(IDENTIFIER, update))).toEqual([JSON.parse(update).type]);
  });
});
