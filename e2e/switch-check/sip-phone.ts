import { createSocket, type RemoteInfo } from 'node:dgram';
import {
  acceptAnswer,
  answerChallenge,
  answerOffer,
  encodeRequest,
  encodeResponse,
  header,
  isRequest,
  offerAudio,
  parameterOf,
  parseSip,
  repeatedHeaders,
  type SipHeaders,
  type SipRequest,
  type SipResponse,
  uriOf,
} from '@parley/sip';
import { type Dialog, newDialog, newTag } from './dialog.ts';
import { openRtp, type RtpStream } from './rtp-stream.ts';

export interface PhoneOptions {
  readonly ip: string;
  /** 0 takes a free one. */
  readonly port?: number;
  /** `host:port` of the switch's profile. */
  readonly server: string;
  readonly user: string;
  readonly domain: string;
  readonly password?: string;
  /** Overrides the registration of an ordinary phone. */
  readonly registers?: Registers;
}

export interface Registers {
  /** The contact; `{address}` is where the phone listens. */
  readonly contact?: string;
  readonly callId?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One call at a phone. */
export interface PhoneCall {
  readonly audio: RtpStream;
  /** `ended` with the cause: `BYE`, `CANCEL`, or the status that refused it. */
  readonly state: 'calling' | 'ringing' | 'talking' | 'ended';
  readonly cause: string;
  /** The INVITE of a call that came in. */
  readonly invite: SipRequest | undefined;
  /** Provisional responses: the other side sent ring-back or audio before the answer. */
  readonly progress: readonly number[];
  answer(): void;
  decline(status: number, headers?: Readonly<Record<string, string>>): void;
  /** BYE, or CANCEL while it rings at the other side. */
  hangUp(): void;
}

/** A SIP phone over UDP with audio: enough of RFC 3261 to call, be called and register. */
export interface SipPhone {
  readonly port: number;
  readonly calls: readonly PhoneCall[];
  /** The last status; 200 when it is registered, which it then renews. */
  register(expires?: number): Promise<number>;
  dial(number: string, headers?: Readonly<Record<string, string>>): Promise<PhoneCall>;
  /** Disconnects without unregistering. */
  close(): void;
}

const REPEAT_MS = 500;
const REPEATS = 8;
/** The switch drops a phone after a minute. */
const RENEW_MS = 45_000;
const DESCRIBED = { 'Content-Type': 'application/sdp' };

export async function openPhone(options: PhoneOptions): Promise<SipPhone> {
  const { ip, user, domain, password = '' } = options;
  const [serverHost = '', serverPort = '5060'] = options.server.split(':');
  const socket = createSocket('udp4');
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(options.port ?? 0, ip, resolve);
  });
  const { port } = socket.address();
  const dialogs = new Map<string, Dialog>();
  /** Requests that wait for a final answer, by branch. */
  const waiting = new Map<string, (message: SipResponse) => void>();
  const calls: PhoneCall[] = [];
  let isClosed = false;
  let renewing: NodeJS.Timeout | undefined;
  const { registers = {} } = options;
  const registration = { callId: registers.callId ?? `${newTag()}@${ip}`, tag: newTag(), sequence: 0 };
  const contact = `<sip:${user.replaceAll(/[^\w.-]/g, '')}@${ip}:${port}>`;
  const registeredContact = registers.contact?.replaceAll('{address}', `${ip}:${port}`) ?? contact;

  const server = { address: serverHost, port: Number(serverPort) };

  function sendTo({ address, port: at }: Pick<RemoteInfo, 'address' | 'port'>, text: string): void {
    if (!isClosed) socket.send(text, at, address);
  }

  const routed = (routes: readonly string[]): SipHeaders => (routes.length > 0 ? { Route: routes } : {});
  const via = (branch: string) => `SIP/2.0/UDP ${ip}:${port};branch=${branch};rport`;
  const newBranch = () => `z9hG4bK${newTag()}`;

  function request(method: string, uri: string, branch: string, headers: SipHeaders, body = ''): string {
    const all = { Via: via(branch), 'Max-Forwards': '70', 'User-Agent': 'parley-switch-check', ...headers };
    return encodeRequest(method, uri, all, body);
  }

  /** Sends until there is an answer; the final one. */
  function sendUntilAnswered(
    text: string,
    branch: string,
    onProvisional?: (message: SipResponse) => void,
    to: Pick<RemoteInfo, 'address' | 'port'> = server,
  ): Promise<SipResponse> {
    return new Promise((resolve, reject) => {
      let sends = 0;
      const repeat = setInterval(() => {
        if (++sends > REPEATS) {
          clearInterval(repeat);
          waiting.delete(branch);
          reject(new Error('the switch does not answer over SIP'));
        } else sendTo(to, text);
      }, REPEAT_MS);
      waiting.set(branch, (message) => {
        clearInterval(repeat);
        if (message.status < 200) return onProvisional?.(message);
        waiting.delete(branch);
        resolve(message);
      });
      sendTo(to, text);
    });
  }

  function end(dialog: Dialog, cause: string): void {
    if (dialog.state === 'ended') return;
    dialog.state = 'ended';
    dialog.cause = cause;
    dialog.audio.close();
  }

  function respond(
    message: SipRequest,
    from: RemoteInfo,
    status: string,
    tag: string,
    extra: SipHeaders = {},
    body = '',
  ) {
    const [code, ...reason] = status.split(' ');
    const routes = message.headers.get('record-route');
    const headers = {
      ...repeatedHeaders(message, tag),
      ...(routes && { 'Record-Route': routes }),
      Contact: contact,
      ...extra,
    };
    socket.send(encodeResponse(Number(code), reason.join(' '), headers, body), from.port, from.address);
  }

  const local = (audio: RtpStream) => ({ address: ip, port: audio.port, version: 1 });

  /** Our description of the audio of an INVITE, to which the stream is connected. */
  function describe(audio: RtpStream, invite: SipRequest): string {
    const answered = answerOffer(invite.body, local(audio));
    if (answered) audio.connect(answered.agreed);
    return answered?.answer ?? offerAudio(local(audio));
  }

  function connect(audio: RtpStream, answer: string): void {
    const agreed = acceptAnswer(answer);
    if (agreed) audio.connect(agreed);
  }

  function addDialog(callId: string, audio: RtpStream, change: Partial<Dialog>): Dialog {
    const dialog = newDialog(callId, audio, change);
    dialogs.set(callId, dialog);
    calls.push(callOf(dialog));
    return dialog;
  }

  function callOf(dialog: Dialog): PhoneCall {
    return {
      audio: dialog.audio,
      get state() {
        return dialog.state;
      },
      get cause() {
        return dialog.cause;
      },
      invite: dialog.invite,
      progress: dialog.progress,
      answer() {
        const { invite, from } = dialog;
        if (!invite || !from || dialog.state !== 'ringing') return;
        dialog.state = 'talking';
        respond(invite, from, '200 OK', dialog.localTag, DESCRIBED, describe(dialog.audio, invite));
      },
      decline(status, headers = {}) {
        const { invite, from } = dialog;
        if (!invite || !from || dialog.state !== 'ringing') return;
        respond(invite, from, `${status} Declined`, dialog.localTag, headers);
        end(dialog, String(status));
      },
      hangUp() {
        if (dialog.state === 'ended') return;
        if (dialog.state === 'calling' && dialog.sent) {
          const { branch, sequence, uri, headers } = dialog.sent;
          dialog.isCancelled = true;
          sendTo(server, request('CANCEL', uri, branch, { ...headers, CSeq: `${sequence} CANCEL` }));
          return;
        }
        sendBye(dialog);
      },
    };
  }

  function sendBye(dialog: Dialog): void {
    const branch = newBranch();
    const headers = {
      From: dialog.local,
      To: dialog.remote,
      'Call-ID': dialog.callId,
      CSeq: `${(dialog.sequence += 1)} BYE`,
      ...routed(dialog.routes),
    };
    // The switch of a call that came in need not be the phone's own.
    void sendUntilAnswered(request('BYE', dialog.target, branch, headers), branch, undefined, dialog.from).catch(
      () => {},
    );
    end(dialog, 'hung up');
  }

  async function onInvite(message: SipRequest, from: RemoteInfo): Promise<void> {
    const callId = header(message, 'call-id');
    const known = dialogs.get(callId);
    if (known) {
      // Repeated, or an invitation within the call: hold, other addresses.
      if (known.state !== 'talking') return;
      return respond(message, from, '200 OK', known.localTag, DESCRIBED, describe(known.audio, message));
    }
    const placeholder = newTag();
    respond(message, from, '100 Trying', placeholder);
    const audio = await openRtp(ip);
    if (dialogs.has(callId)) return audio.close();
    const dialog = addDialog(callId, audio, {
      state: 'ringing',
      invite: message,
      from,
      remote: header(message, 'from'),
      target: uriOf(header(message, 'contact')),
      routes: message.headers.get('record-route') ?? [],
    });
    dialog.local = `${header(message, 'to')};tag=${dialog.localTag}`;
    respond(message, from, '180 Ringing', dialog.localTag);
  }

  function onRequest(message: SipRequest, from: RemoteInfo): void {
    const dialog = dialogs.get(header(message, 'call-id'));
    const tag = dialog?.localTag ?? newTag();
    switch (message.method) {
      case 'INVITE':
        return void onInvite(message, from);
      case 'ACK':
        return;
      case 'CANCEL':
        respond(message, from, '200 OK', tag);
        if (dialog?.invite && dialog.state === 'ringing') {
          respond(dialog.invite, from, '487 Request Terminated', tag);
          end(dialog, `CANCEL ${header(message, 'reason')}`.trim());
        }
        return;
      case 'BYE':
        respond(message, from, '200 OK', tag);
        if (dialog) end(dialog, `BYE ${header(message, 'reason')}`.trim());
        return;
      default:
        return respond(message, from, '200 OK', tag);
    }
  }

  socket.on('message', (bytes, from) => {
    const message = parseSip(bytes.toString('utf8'));
    if (!message) return;
    if (isRequest(message)) return onRequest(message, from);
    const branch = parameterOf(header(message, 'via'), 'branch') ?? '';
    if (!header(message, 'cseq').endsWith(' CANCEL')) waiting.get(branch)?.(message);
  });

  async function register(expires: number, credentials?: string): Promise<number> {
    const uri = `sip:${domain}`;
    const branch = newBranch();
    const headers = {
      From: `<sip:${user}@${domain}>;tag=${registration.tag}`,
      To: `<sip:${user}@${domain}>`,
      'Call-ID': registration.callId,
      CSeq: `${(registration.sequence += 1)} REGISTER`,
      Contact: registeredContact,
      Expires: String(expires),
      ...registers.headers,
      ...(credentials && { Authorization: credentials }),
    };
    const answer = await sendUntilAnswered(request('REGISTER', uri, branch, headers), branch);
    const { status } = answer;
    if (status !== 401 || credentials) return status;
    const challenge = header(answer, 'www-authenticate');
    return register(expires, answerChallenge(challenge, { method: 'REGISTER', uri, username: user, password }));
  }

  async function invite(dialog: Dialog, uri: string, extra: SipHeaders, credentials: SipHeaders = {}) {
    const branch = newBranch();
    const sequence = dialog.sequence;
    const headers = { From: dialog.local, To: `<${uri}>`, 'Call-ID': dialog.callId };
    dialog.sent = { branch, sequence, uri, headers };
    const all = { ...headers, CSeq: `${sequence} INVITE`, Contact: contact, ...DESCRIBED, ...extra, ...credentials };
    const answer = await sendUntilAnswered(
      request('INVITE', uri, branch, all, offerAudio(local(dialog.audio))),
      branch,
      (message) => {
        dialog.progress.push(message.status);
        if (message.body) connect(dialog.audio, message.body);
      },
    );
    const { status } = answer;
    const target = uriOf(header(answer, 'contact')) || uri;
    const ack = { ...headers, To: header(answer, 'to'), CSeq: `${sequence} ACK` };
    if (status < 300) dialog.routes = [...(answer.headers.get('record-route') ?? [])].reverse();
    const [to, ackBranch] = status < 300 ? [target, newBranch()] : [uri, branch];
    sendTo(server, request('ACK', to, ackBranch, { ...ack, ...routed(dialog.routes) }));
    if ((status === 401 || status === 407) && Object.keys(credentials).length === 0) {
      const [challenge, name] =
        status === 401
          ? ([header(answer, 'www-authenticate'), 'Authorization'] as const)
          : ([header(answer, 'proxy-authenticate'), 'Proxy-Authorization'] as const);
      dialog.sequence += 1;
      const value = answerChallenge(challenge, { method: 'INVITE', uri, username: user, password });
      return invite(dialog, uri, extra, { [name]: value });
    }
    if (status >= 300) return end(dialog, String(status));
    dialog.remote = header(answer, 'to');
    dialog.target = target;
    connect(dialog.audio, answer.body);
    dialog.state = 'talking';
    if (dialog.isCancelled) sendBye(dialog);
  }

  return {
    port,
    calls,
    async register(expires = 120) {
      clearInterval(renewing);
      const status = await register(expires);
      if (status === 200 && expires > 0) renewing = setInterval(() => void register(expires).catch(() => {}), RENEW_MS);
      return status;
    },
    async dial(number, headers = {}) {
      const audio = await openRtp(ip);
      const dialog = addDialog(`${newTag()}@${ip}`, audio, {});
      dialog.local = `<sip:${user}@${domain}>;tag=${dialog.localTag}`;
      invite(dialog, `sip:${number}@${options.server}`, headers).catch((error: Error) => end(dialog, error.message));
      return calls.at(-1)!;
    },
    close() {
      clearInterval(renewing);
      for (const dialog of dialogs.values()) end(dialog, 'closed');
      if (!isClosed) socket.close();
      isClosed = true;
    },
  };
}
