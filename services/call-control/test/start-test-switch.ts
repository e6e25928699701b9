import { randomUUID } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { CommandReader, encodeApiResponse, encodeAuthRequest, encodeEvent, encodeReply } from '@parley/event-socket';

/** A switch's event socket as far as registrations and legs go that are created, bridged, parked and hung up. Nobody hears anything. */
export interface TestSwitch {
  /** The value for SWITCHES. */
  readonly url: string;
  readonly coreUuid: string;
  /** The connections that it has accepted so far. */
  readonly connections: number;
  /** The legs that exist; none is in the list of channels. */
  readonly legs: Set<string>;
  /** Which leg each of them is connected with. */
  readonly bridges: ReadonlyMap<string, string>;
  /** The legs that it was told to create, oldest first. */
  readonly created: readonly CreatedLeg[];
  /** A caller arrives from a carrier; the leg. */
  arrive(call: { from: string; to: string }): string;
  /** Whoever rings answers. */
  answer(legId: string): void;
  press(legId: string, digit: string): void;
  /** Ends a leg and reports it. */
  hangUp(legId: string, cause?: string): void;
  register(employeeId: string, callId: string): void;
  unregister(employeeId: string, callId: string): void;
  /** Drops the connections and takes no new ones. */
  stop(): Promise<void>;
}

interface CreatedLeg {
  readonly legId: string;
  /** Null for one that is no employee's. */
  readonly employeeId: string | null;
  readonly dialString: string;
}

export async function startTestSwitch(domain: string): Promise<TestSwitch> {
  const coreUuid = randomUUID();
  const registered = new Map<string, string>();
  const sockets = new Set<Socket>();
  const legs = new Set<string>();
  const bridges = new Map<string, string>();
  const created: CreatedLeg[] = [];
  let connections = 0;
  const contactOf = (employeeId: string) => `"" <sip:${employeeId}@127.0.0.1:5060>`;
  const escaped = (text: string) => text.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

  const emit = (headers: Record<string, string>) => {
    const event = { 'Core-UUID': coreUuid, ...headers };
    for (const socket of sockets) socket.write(encodeEvent(event, undefined, 'json'));
  };
  const park = (legId: string, more: Record<string, string> = { variable_app_call: 'known' }) =>
    emit({ 'Event-Name': 'CHANNEL_PARK', 'Unique-ID': legId, ...more });

  /** Every leg has `park_after_bridge`. */
  function separate(legId: string): string | undefined {
    const peer = bridges.get(legId);
    bridges.delete(legId);
    if (peer !== undefined) bridges.delete(peer);
    return peer;
  }

  function end(legId: string, cause: string): void {
    if (!legs.delete(legId)) return;
    emit({ 'Event-Name': 'CHANNEL_HANGUP_COMPLETE', 'Unique-ID': legId, 'Hangup-Cause': cause });
    const peer = separate(legId);
    if (peer !== undefined) park(peer);
  }

  function registrations(line: string): string {
    const entries = [...registered]
      .filter(([, employeeId]) => !line.includes(' user ') || line.endsWith(` ${employeeId}@${domain}`))
      .map(
        ([callId, employeeId]) =>
          `    <registration>\n        <call-id>${callId}</call-id>\n        <user>${employeeId}@${domain}</user>\n` +
          `        <contact>${escaped(contactOf(employeeId))}</contact>\n        <status>Registered(UDP)(unknown)</status>\n` +
          '        <network-ip>127.0.0.1</network-ip>\n        <network-port>5060</network-port>\n    </registration>\n',
      );
    return `<profile>\n  <registrations>\n${entries.join('')}  </registrations>\n</profile>\n`;
  }

  /** The answer of a command of the API about legs. */
  function control([command = '', legId = '', second = '']: readonly string[]): string {
    if (command === 'uuid_exists') return String(legs.has(legId));
    if (!legs.has(legId)) return '-ERR No such channel!';
    if (command === 'uuid_kill') end(legId, second);
    if (command === 'uuid_transfer') for (const moved of [legId, separate(legId)]) if (moved !== undefined) park(moved);
    if (command !== 'uuid_bridge') return '+OK';
    if (!legs.has(second)) return '-ERR Invalid uuid';
    for (const one of [legId, second]) separate(one);
    bridges.set(legId, second).set(second, legId);
    emit({ 'Event-Name': 'CHANNEL_BRIDGE', 'Bridge-A-Unique-ID': legId, 'Bridge-B-Unique-ID': second });
    return '+OK';
  }

  function originate(line: string): void {
    const legId = /origination_uuid=([^,}]+)/.exec(line)?.[1] ?? '';
    legs.add(legId);
    created.push({
      legId,
      employeeId: /app_employee=([^,}]+)/.exec(line)?.[1] ?? null,
      dialString: /\}(\S+) &/.exec(line)?.[1] ?? '',
    });
  }

  function answer(line: string): Buffer {
    if (line.startsWith('bgapi originate ')) originate(line);
    if (!line.startsWith('api ')) return encodeReply('+OK');
    if (line === 'api global_getvar core_uuid') return encodeApiResponse(coreUuid);
    if (line === 'api show channels as json') return encodeApiResponse('{"row_count":0}\n');
    if (line.startsWith('api uuid_')) return encodeApiResponse(control(line.split(' ').slice(1)));
    if (line.startsWith('api sched_del')) return encodeApiResponse('+OK');
    return encodeApiResponse(line.startsWith('api sofia xmlstatus') ? registrations(line) : 'false');
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
    bridges,
    created,
    get connections() {
      return connections;
    },
    arrive({ from, to }) {
      const legId = randomUUID();
      legs.add(legId);
      const caller = { 'Caller-Caller-ID-Number': from, 'Caller-Destination-Number': to };
      park(legId, { 'Call-Direction': 'inbound', ...caller });
      return legId;
    },
    answer(legId) {
      emit({ 'Event-Name': 'CHANNEL_ANSWER', 'Unique-ID': legId, variable_app_call: 'known' });
      park(legId);
    },
    press: (legId, digit) => emit({ 'Event-Name': 'DTMF', 'Unique-ID': legId, 'DTMF-Digit': digit }),
    hangUp(legId, cause = 'NORMAL_CLEARING') {
      legs.add(legId);
      end(legId, cause);
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
