import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import {
  type Command,
  CommandReader,
  encodeApiResponse,
  encodeAuthRequest,
  encodeDisconnectNotice,
  encodeReply,
  type EventFormat,
} from '@parley/event-socket';
import { firstWord } from '../switch/commands/command.ts';
import { runApi } from '../switch/commands/api.ts';
import { execute } from '../switch/executions.ts';
import { hangup } from '../switch/hangup.ts';
import { knownCause } from '../switch/hangup-causes.ts';
import type { Switch } from '../switch/switch.ts';
import type { SwitchEvent } from '../switch/switch-core.ts';
import { type Account, type Credentials, signInAsUser, signInByPassword } from './accounts.ts';
import { type EventChoice, readChoice, Subscriptions } from './subscriptions.ts';

const GOODBYE = 'Disconnected, goodbye.\nSee you at ClueCon! http://www.cluecon.com/\n';
const DENIED = '-ERR permission denied';
const NOT_FOUND = '-ERR command not found';
const NO_KEYWORDS = '-ERR no keywords supplied';
/** A client that does not read is disconnected before memory runs out. */
const BACKLOG_MAX_BYTES = 64 * 1024 * 1024;
/** Whoever has not signed in by then is disconnected. */
const SIGN_IN_MS = 60_000;

/** One client of the event socket: commands are answered in order, and events wait while an `api` runs. */
export class Connection {
  readonly #socket: Socket;
  readonly #network: Switch;
  readonly #credentials: Credentials;
  readonly #reader = new CommandReader();
  readonly #subscriptions = new Subscriptions();
  readonly #commands: Command[] = [];
  readonly #held: SwitchEvent[] = [];
  readonly #unsubscribe: () => void;
  readonly #signInLimit: NodeJS.Timeout;
  #account: Account | undefined;
  #format: EventFormat = 'plain';
  #busy = false;
  #inApi = false;
  #closing = false;

  constructor(socket: Socket, network: Switch, credentials: Credentials) {
    this.#socket = socket;
    this.#network = network;
    this.#credentials = credentials;
    this.#unsubscribe = network.core.subscribe((event) => this.#onEvent(event));
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    socket.on('end', () => this.#goodbye());
    socket.on('error', () => undefined); // handled by the close event
    this.#signInLimit = setTimeout(() => socket.destroy(), SIGN_IN_MS);
    socket.on('close', () => {
      clearTimeout(this.#signInLimit);
      this.#unsubscribe();
    });
    socket.write(encodeAuthRequest());
  }

  #onData(chunk: Buffer): void {
    const { items, error } = this.#reader.push(chunk);
    for (const command of items) this.#commands.push(command);
    if (error) this.#socket.destroy();
    else this.#work().catch(() => this.#socket.destroy());
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let command = this.#commands.shift(); command && !this.#closing; command = this.#commands.shift()) {
      await this.#run(command);
    }
    this.#busy = false;
  }

  async #run(command: Command): Promise<void> {
    const [name, args] = firstWord(command.line.trim());
    if (!this.#account) return this.#signIn(name, args);
    switch (name) {
      case 'api':
        return this.#api(args);
      case 'bgapi':
        return this.#backgroundApi(args, command.headers.get('job-uuid') ?? randomUUID());
      case 'sendmsg':
        return this.#reply(this.#message(args, command));
      case 'event':
        return this.#reply(this.#subscribe(args.split(/\s+/)));
      case 'nixevent':
        return this.#reply(this.#nix(args.split(/\s+/)));
      case 'noevents':
        this.#subscriptions.clear();
        return this.#reply('+OK no longer listening for events');
      case 'filter':
        return this.#reply(this.#filter(args.split(/\s+/)));
      case 'sendevent':
        return this.#reply(this.#sendEvent(args, command));
      case 'exit':
        this.#reply('+OK bye');
        return this.#goodbye();
      case 'log':
      case 'nolog':
        return this.#reply(this.#account.apis ? DENIED : '+OK log level');
      case 'linger':
      case 'nolinger':
        return this.#reply('-ERR not controlling a session');
      case 'divert_events':
        return this.#reply('-ERR not controlling a session.');
      case 'auth':
      case 'userauth':
      default:
        return this.#reply(NOT_FOUND);
    }
  }

  #signIn(name: string, args: string): void {
    if (name === 'exit') {
      this.#reply('+OK bye');
      return this.#goodbye();
    }
    if (name !== 'auth' && name !== 'userauth') return this.#reply(NOT_FOUND);
    this.#account = (name === 'auth' ? signInByPassword : signInAsUser)(args, this.#credentials);
    if (!this.#account) {
      this.#reply('-ERR invalid');
      return this.#goodbye();
    }
    clearTimeout(this.#signInLimit);
    const { apis, events } = this.#account;
    if (!apis || !events) return this.#reply('+OK accepted');
    this.#reply('+OK accepted', {
      'Allowed-Events': [...events].join(' '),
      'Allowed-API': [...apis].join(' '),
      'Allowed-LOG': 'false',
    });
  }

  async #api(line: string): Promise<void> {
    if (!this.#mayRun(line)) return this.#reply(DENIED);
    this.#inApi = true;
    const answer = await runApi(this.#network, line);
    this.#inApi = false;
    this.#write(encodeApiResponse(answer));
    for (const event of this.#held.splice(0)) this.#onEvent(event);
  }

  #backgroundApi(line: string, jobUuid: string): void {
    if (!this.#mayRun(line)) return this.#reply(DENIED);
    this.#reply(`+OK Job-UUID: ${jobUuid}`, { 'Job-UUID': jobUuid });
    const [name, args] = firstWord(line.trim());
    const { core } = this.#network;
    const job = { 'Job-UUID': jobUuid, 'Job-Command': name, ...(args !== '' && { 'Job-Command-Arg': args }) };
    const finish = (answer: string) => core.publish('BACKGROUND_JOB', job, answer);
    runApi(this.#network, line).then(finish, () => finish('-ERR no reply\n'));
  }

  #mayRun(line: string): boolean {
    const apis = this.#account?.apis;
    return apis === undefined || apis.has(firstWord(line.trim())[0]);
  }

  #message(uuid: string, { headers }: Command): string {
    const channel = this.#network.channels.get(uuid);
    if (!channel) return `-ERR invalid session id [${uuid}]`;
    switch (headers.get('call-command')) {
      case 'execute': {
        const name = headers.get('execute-app-name');
        if (!name) return '-ERR invalid command';
        const call = {
          name,
          argument: headers.get('execute-app-arg') ?? '',
          uuid: headers.get('event-uuid') ?? randomUUID(),
        };
        execute(channel, call, this.#network.parts);
        return '+OK';
      }
      case 'hangup':
        hangup(channel, knownCause(headers.get('hangup-cause')), 'switch');
        return '+OK';
      default:
        return '+OK';
    }
  }

  #subscribe(words: readonly string[]): string {
    const [first] = words;
    const format = first === 'json' || first === 'plain' ? first : undefined;
    const choice = readChoice(format ? words.slice(1) : words);
    if (choice.names.length === 0) return NO_KEYWORDS;
    if (!this.#maySee(choice)) return DENIED;
    this.#format = format ?? this.#format;
    this.#subscriptions.add(choice);
    return `+OK event listener enabled ${this.#format}`;
  }

  #maySee({ names, subclasses }: EventChoice): boolean {
    const events = this.#account?.events;
    return events === undefined || [...names, ...subclasses].every((name) => events.has(name));
  }

  #nix(words: readonly string[]): string {
    const choice = readChoice(words);
    if (choice.names.length === 0) return NO_KEYWORDS;
    this.#subscriptions.remove(choice);
    return '+OK events nixed';
  }

  #filter([first = '', ...rest]: readonly string[]): string {
    if (first === '') return NOT_FOUND;
    if (first === 'delete') {
      const [header = 'all', ...value] = rest;
      this.#subscriptions.removeFilters(header, value.join(' ') || undefined);
      return `+OK filter deleted. [${header}][${value.join(' ')}]`;
    }
    this.#subscriptions.addFilter(first, rest.join(' '));
    return `+OK filter added. [${first}]=[${rest.join(' ')}]`;
  }

  #sendEvent(name: string, { headers, body }: Command): string {
    const more = Object.fromEntries([...headers].map(([key, value]) => [titled(key), value]));
    this.#network.core.publish(name, more, body.length > 0 ? body.toString('utf8') : undefined);
    return `+OK ${randomUUID()}`;
  }

  #onEvent(event: SwitchEvent): void {
    if (!this.#subscriptions.wants(event)) return;
    if (this.#inApi) this.#held.push(event);
    else this.#write(event.encoded(this.#format));
  }

  #reply(text: string, headers?: Record<string, string>): void {
    this.#write(encodeReply(text, headers));
  }

  #write(frame: Buffer): void {
    if (this.#closing || this.#socket.destroyed) return;
    this.#socket.write(frame);
    if (this.#socket.writableLength > BACKLOG_MAX_BYTES) this.#socket.destroy();
  }

  #goodbye(): void {
    if (this.#closing) return;
    this.#write(encodeDisconnectNotice(GOODBYE));
    this.#closing = true;
    this.#unsubscribe();
    this.#socket.end();
  }
}

/** Header names are kept in lower case by the reader; events write them with capitals. */
const titled = (name: string): string => name.replaceAll(/(^|-)([a-z])/g, (match) => match.toUpperCase());
