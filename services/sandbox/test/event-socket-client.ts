import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { decodeEvent, encodeCommand, FrameReader, readReply, type Reply, type SocketEvent } from '@parley/event-socket';
import { waitUntil } from '@parley/testkit';

const ALL_EVENTS =
  'event json CHANNEL_CREATE CHANNEL_PROGRESS CHANNEL_PROGRESS_MEDIA CHANNEL_ANSWER CHANNEL_PARK CHANNEL_UNPARK CHANNEL_BRIDGE ' +
  'CHANNEL_UNBRIDGE CHANNEL_HANGUP CHANNEL_HANGUP_COMPLETE CHANNEL_EXECUTE CHANNEL_EXECUTE_COMPLETE DTMF PLAYBACK_START PLAYBACK_STOP ' +
  'RECORD_START RECORD_STOP BACKGROUND_JOB HEARTBEAT CUSTOM conference::maintenance sofia::register sofia::unregister sofia::expire';

/** A client of the event socket that keeps everything it gets. */
export class EventSocketClient {
  readonly events: SocketEvent[] = [];
  readonly notices: string[] = [];
  closed = false;
  readonly #socket: Socket;
  readonly #reader = new FrameReader();
  readonly #waiting: ((reply: Reply & { headers: ReadonlyMap<string, string> }) => void)[] = [];
  #jobs = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.on('close', () => (this.closed = true));
    socket.on('data', (chunk) => {
      const { items, error } = this.#reader.push(chunk);
      if (error) throw error;
      for (const frame of items) {
        const reply = readReply(frame);
        const event = decodeEvent(frame);
        if (reply) this.#waiting.shift()?.(reply);
        else if (event) this.events.push(event);
        else if (frame.headers.get('content-type') === 'text/disconnect-notice')
          this.notices.push(frame.body.toString());
      }
    });
  }

  static async connect(port: number): Promise<EventSocketClient> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new EventSocketClient(socket);
  }

  /** Signed in and subscribed to everything. */
  static async open(port: number, password: string): Promise<EventSocketClient> {
    const client = await EventSocketClient.connect(port);
    await client.command(`auth ${password}`);
    await client.command(ALL_EVENTS);
    return client;
  }

  command(line: string, headers?: Record<string, string>) {
    return new Promise<Reply & { headers: ReadonlyMap<string, string> }>((resolve) => {
      this.#waiting.push(resolve);
      this.#socket.write(encodeCommand(line, headers));
    });
  }

  async api(line: string): Promise<string> {
    return (await this.command(`api ${line}`)).text;
  }

  /** A background job; gives what it comes to. */
  job(line: string): Promise<string> {
    const id = `job-${(this.#jobs += 1)}`;
    void this.command(`bgapi ${line}`, { 'Job-UUID': id });
    return this.until(
      `job ${line}`,
      ({ name, headers }) => name === 'BACKGROUND_JOB' && headers['Job-UUID'] === id,
    ).then(({ body }) => body.trim());
  }

  play(uuid: string, file: string, id: string) {
    return this.execute(uuid, 'playback', file, id);
  }

  execute(uuid: string, application: string, argument: string, id: string) {
    return this.command(`sendmsg ${uuid}`, {
      'call-command': 'execute',
      'execute-app-name': application,
      'execute-app-arg': argument,
      'Event-UUID': id,
    });
  }

  async until(what: string, matches: (event: SocketEvent) => boolean): Promise<SocketEvent> {
    await waitUntil(() => this.events.some(matches), { what });
    return this.events.find(matches)!;
  }

  /** An event of a leg by its name; the `count`th of them. */
  async untilEvent(uuid: string, name: string, count = 1): Promise<SocketEvent> {
    const matching = () => this.events.filter((event) => event.name === name && event.headers['Unique-ID'] === uuid);
    await waitUntil(() => matching().length >= count, { what: `${name} of ${uuid}` });
    return matching()[count - 1]!;
  }

  untilAction(uuid: string, action: string): Promise<SocketEvent> {
    return this.until(
      `${action} of ${uuid}`,
      ({ headers }) => headers.Action === action && headers['Unique-ID'] === uuid,
    );
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** Events as short lines by leg, to compare with what was recorded from a real switch. */
export function linesByLeg(events: readonly SocketEvent[]): Record<string, string[]> {
  const names = new Map<string, string>();
  const nameOf = (uuid: string) => {
    const known = names.get(uuid);
    if (known) return known;
    const name = String.fromCodePoint(65 + names.size);
    names.set(uuid, name);
    return name;
  };
  const flow: Record<string, string[]> = {};
  for (const { name, headers, body } of events) {
    const line = lineOf(name, headers, body, nameOf);
    if (line === undefined) continue;
    const uuid = headers['Unique-ID'];
    (flow[uuid === undefined ? '-' : nameOf(uuid)] ??= []).push(line);
  }
  return flow;
}

const IGNORED_ACTIONS = ['play-file-member-done', 'play-file-done'];

function lineOf(
  name: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  nameOf: (uuid: string) => string,
): string | undefined {
  const { Application: application, 'Application-Response': response, 'Hangup-Cause': cause } = headers;
  if (application === 'sched_hangup' || name === 'HEARTBEAT') return undefined;
  if (name === 'CUSTOM') return IGNORED_ACTIONS.includes(headers.Action ?? '') ? undefined : headers.Action;
  if (name === 'BACKGROUND_JOB') {
    return `JOB ${body.trim().replace(/^(\+OK) (.+)$/, (_match, ok: string, uuid: string) => `${ok} ${nameOf(uuid)}`)}`;
  }
  const short = name.replace('CHANNEL_', '');
  switch (name) {
    case 'CHANNEL_EXECUTE':
      return `${short} ${application}`;
    case 'CHANNEL_EXECUTE_COMPLETE':
      return application === 'park' ? `${short} park` : `${short} ${application} ${response}`;
    case 'PLAYBACK_STOP':
      return `${short} ${headers['Playback-Status']}`;
    case 'CHANNEL_PARK':
      return `${short} ${headers['Channel-State']} ${headers['Answer-State']}`;
    case 'CHANNEL_HANGUP':
      return `${short} ${cause}`;
    case 'CHANNEL_HANGUP_COMPLETE':
      return `${short} ${cause} ${headers.variable_sip_hangup_disposition} ${headers.variable_hangup_cause_q850}`;
    case 'CHANNEL_BRIDGE':
    case 'CHANNEL_UNBRIDGE':
      return `${short} ${nameOf(headers['Bridge-A-Unique-ID']!)}${nameOf(headers['Bridge-B-Unique-ID']!)}`;
    case 'DTMF':
      return `${short} ${headers['DTMF-Digit']} ${headers['DTMF-Source']}`;
    default:
      return short;
  }
}
