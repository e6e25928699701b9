import { randomUUID } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { CommandReader, encodeApiResponse, encodeAuthRequest, encodeEvent, encodeReply } from '@parley/event-socket';

/** A switch's event socket as far as registrations and the existence of legs go. */
export interface TestSwitch {
  /** The value for SWITCHES. */
  readonly url: string;
  readonly coreUuid: string;
  /** The connections that it has accepted so far. */
  readonly connections: number;
  /** The legs that exist; none is in the list of channels. */
  readonly legs: Set<string>;
  /** Ends a leg and reports it. */
  hangUp(legId: string): void;
  register(employeeId: string, callId: string): void;
  unregister(employeeId: string, callId: string): void;
  /** Drops the connections and takes no new ones. */
  stop(): Promise<void>;
}

export async function startTestSwitch(domain: string): Promise<TestSwitch> {
  const coreUuid = randomUUID();
  const registered = new Map<string, string>();
  const sockets = new Set<Socket>();
  const legs = new Set<string>();
  let connections = 0;
  const contactOf = (employeeId: string) => `"" <sip:${employeeId}@127.0.0.1:5060>`;
  const escaped = (text: string) => text.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

  function answer(line: string): Buffer {
    if (!line.startsWith('api ')) return encodeReply('+OK');
    if (line === 'api global_getvar core_uuid') return encodeApiResponse(coreUuid);
    if (line === 'api show channels as json') return encodeApiResponse('{"row_count":0}\n');
    if (line.startsWith('api uuid_exists ')) return encodeApiResponse(String(legs.has(line.split(' ')[2] ?? '')));
    if (!line.startsWith('api sofia xmlstatus')) return encodeApiResponse('false');
    const entries = [...registered].map(
      ([callId, employeeId]) =>
        `    <registration>\n        <call-id>${callId}</call-id>\n        <user>${employeeId}@${domain}</user>\n` +
        `        <contact>${escaped(contactOf(employeeId))}</contact>\n        <status>Registered(UDP)(unknown)</status>\n` +
        '        <network-ip>127.0.0.1</network-ip>\n        <network-port>5060</network-port>\n    </registration>\n',
    );
    return encodeApiResponse(`<profile>\n  <registrations>\n${entries.join('')}  </registrations>\n</profile>\n`);
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    connections += 1;
    const reader = new CommandReader();
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      for (const { line } of reader.push(chunk).items) socket.write(answer(line));
    });
    socket.write(encodeAuthRequest());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const emit = (headers: Record<string, string>) => {
    const event = { 'Core-UUID': coreUuid, ...headers };
    for (const socket of sockets) socket.write(encodeEvent(event, undefined, 'json'));
  };
  const emitRegistration = (subclass: string, employeeId: string, callId: string) =>
    emit({
      'Event-Name': 'CUSTOM',
      'Event-Subclass': subclass,
      'from-user': employeeId,
      'from-host': domain,
      contact: contactOf(employeeId),
      status: 'Registered(UDP)',
      'network-ip': '127.0.0.1',
      'network-port': '5060',
      'call-id': callId,
    });
  return {
    coreUuid,
    legs,
    get connections() {
      return connections;
    },
    hangUp(legId) {
      legs.delete(legId);
      emit({ 'Event-Name': 'CHANNEL_HANGUP_COMPLETE', 'Unique-ID': legId, 'Hangup-Cause': 'NORMAL_CLEARING' });
    },
    url: `esl://call-control:password@127.0.0.1:${(server.address() as AddressInfo).port}`,
    register(employeeId, callId) {
      registered.set(callId, employeeId);
      emitRegistration('sofia::register', employeeId, callId);
    },
    unregister(employeeId, callId) {
      registered.delete(callId);
      emitRegistration('sofia::unregister', employeeId, callId);
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
