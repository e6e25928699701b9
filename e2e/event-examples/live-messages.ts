import WebSocket from 'ws';
import type { Company } from '../support/api.ts';
import type { LocalJson } from '../support/local-stack.ts';

/** Subscriptions to everything that the live channel has, and to something that it has not. */
const IDENTIFIERS = [
  { channel: 'CallsChannel' },
  { channel: 'TeamChannel', read_ms_ago: 1000 },
  { channel: 'ParcelsChannel' },
  { channel: 'EventsChannel' },
].map((identifier) => JSON.stringify(identifier));

export interface LiveMessages {
  /** What was sent in either direction, in order. */
  readonly messages: readonly LiveMessage[];
  close(): void;
}

export interface LiveMessage {
  readonly type?: string;
  readonly command?: string;
  readonly identifier?: string;
  readonly message?: { readonly type?: string };
}

/** Follows the live channel of a company. */
export function followLive(stack: LocalJson, { apiKey }: Company): LiveMessages {
  const messages: LiveMessage[] = [];
  const socket = new WebSocket(`${stack.base_url.replace('http', 'ws')}/cable`, ['actioncable-v1-json'], {
    headers: { 'X-Api-Key': apiKey },
  });
  const send = (command: LiveMessage) => {
    messages.push(command);
    socket.send(JSON.stringify(command));
  };
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as LiveMessage;
    messages.push(message);
    if (message.type === 'welcome') for (const identifier of IDENTIFIERS) send({ command: 'subscribe', identifier });
  });
  return {
    messages,
    close() {
      for (const identifier of IDENTIFIERS) send({ command: 'unsubscribe', identifier });
      socket.close();
    },
  };
}
