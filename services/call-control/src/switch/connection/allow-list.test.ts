import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { API_COMMANDS, EVENTS } from './allow-list.ts';

const directory = readFileSync(new URL('../../../../../deploy/freeswitch/conf/directory.xml', import.meta.url), 'utf8');
const listOf = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(directory)?.[1]?.split(' ');
/** The buffer size of mod_event_socket. */
const REPLY_BYTES_MAX = 511;

describe('the event-socket user of our switches', () => {
  it('the event-socket user of our switches may execute call-control’s commands, and nothing else', () => {
    expect(listOf('esl-allowed-api')).toEqual([...API_COMMANDS]);
    expect(listOf('esl-allowed-events')).toEqual([...EVENTS]);
  });

  it('the event-socket user of our switches gets a reply to the login that is not cut off', () => {
    const reply =
      `~Reply-Text: +OK accepted\nAllowed-Events: ${EVENTS.join(' ')}\n` +
      `Allowed-API: ${API_COMMANDS.join(' ')}\nAllowed-LOG: false\n\n`;
    expect(reply.length).toBeLessThanOrEqual(REPLY_BYTES_MAX);
  });
});
