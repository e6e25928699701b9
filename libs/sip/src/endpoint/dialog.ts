import { randomBytes, randomUUID } from 'node:crypto';
import { parameterOf, uriOf } from '../message/sip-address.ts';
import {
  encodeRequest,
  encodeResponse,
  header,
  isRequest,
  repeatedHeaders,
  sequenceOf,
  type SipHeaders,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from '../message/sip-message.ts';

/** Both ends of a call (RFC 3261, section 12). */
export interface Dialog {
  readonly callId: string;
  readonly localTag: string;
  /** The From and To of our requests; without the other side's tag until it has one. */
  readonly local: string;
  remote: string;
  /** The Contact of the other side. */
  target: string;
  routes: readonly string[];
  localSequence: number;
  remoteSequence: number;
}

const newTag = (): string => randomUUID();
export const newBranch = (): string => `z9hG4bK${randomBytes(12).toString('hex')}`;

const CONTACT = /^sip:[^\s<>"]{1,500}$/i;

/** The dialog that an INVITE begins; undefined when it lacks what a dialog needs. */
export function dialogOfInvite(invite: SipRequest): Dialog | undefined {
  const localTag = newTag();
  const dialog: Dialog = {
    callId: header(invite, 'call-id'),
    localTag,
    local: `${header(invite, 'to')};tag=${localTag}`,
    remote: header(invite, 'from'),
    target: uriOf(header(invite, 'contact')),
    routes: invite.headers.get('record-route') ?? [],
    localSequence: 0,
    remoteSequence: sequenceOf(invite).number,
  };
  const isComplete =
    dialog.callId !== '' &&
    header(invite, 'to') !== '' &&
    parameterOf(dialog.remote, 'tag') !== undefined &&
    (invite.headers.get('via') ?? []).length > 0 &&
    sequenceOf(invite).method === 'INVITE' &&
    CONTACT.test(dialog.target);
  return isComplete ? dialog : undefined;
}

/** The dialog of a call that we place. */
export function dialogOfCall(uri: string, from: { name: string; uri: string }): Dialog {
  const localTag = newTag();
  return {
    callId: randomUUID(),
    localTag,
    local: `"${from.name.replaceAll(/["\\]/g, '')}" <${from.uri}>;tag=${localTag}`,
    remote: `<${uri}>`,
    target: uri,
    routes: [],
    localSequence: 1,
    remoteSequence: 0,
  };
}

/** What the answer to our INVITE adds. */
export function establish(dialog: Dialog, response: SipResponse): void {
  dialog.remote = header(response, 'to');
  const target = uriOf(header(response, 'contact'));
  if (CONTACT.test(target)) dialog.target = target;
  dialog.routes = [...(response.headers.get('record-route') ?? [])].reverse();
}

/** Whether a message comes from the other side of this dialog. */
export function belongsTo(dialog: Dialog, message: SipMessage): boolean {
  if (header(message, 'call-id') !== dialog.callId) return false;
  const theirs = parameterOf(header(message, isRequest(message) ? 'from' : 'to'), 'tag');
  const known = parameterOf(dialog.remote, 'tag');
  return known === undefined || known === theirs;
}

export interface RequestParts {
  /** Our address, for the Via. */
  readonly sentBy: string;
  readonly branch?: string;
  readonly headers?: SipHeaders;
  readonly body?: string;
}

/** A request within the dialog, with its current sequence number. */
export function dialogRequest(dialog: Dialog, method: string, { sentBy, branch, headers, body }: RequestParts): string {
  return encodeRequest(
    method,
    dialog.target,
    {
      Via: `SIP/2.0/TCP ${sentBy};branch=${branch ?? newBranch()};rport`,
      'Max-Forwards': '70',
      ...(dialog.routes.length > 0 && { Route: dialog.routes }),
      From: dialog.local,
      To: dialog.remote,
      'Call-ID': dialog.callId,
      CSeq: `${dialog.localSequence} ${method}`,
      ...headers,
    },
    body,
  );
}

const REASONS: Readonly<Record<number, string>> = {
  100: 'Trying',
  200: 'OK',
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  420: 'Bad Extension',
  480: 'Temporarily Unavailable',
  481: 'Call/Transaction Does Not Exist',
  486: 'Busy Here',
  487: 'Request Terminated',
  488: 'Not Acceptable Here',
  500: 'Server Internal Error',
  503: 'Service Unavailable',
  603: 'Decline',
};

const ALLOWED = 'INVITE, ACK, BYE, CANCEL, OPTIONS, UPDATE, INFO';

export function responseTo(
  request: SipRequest,
  status: number,
  { tag, headers = {}, body = '' }: { tag?: string | undefined; headers?: SipHeaders; body?: string } = {},
): string {
  const more: SipHeaders = {
    ...(status === 200 || status === 405 ? { Allow: ALLOWED } : {}),
    ...(body === '' ? {} : { 'Content-Type': 'application/sdp' }),
    ...headers,
  };
  const ours = status === 100 ? undefined : (tag ?? newTag());
  return encodeResponse(status, REASONS[status] ?? 'Refused', { ...repeatedHeaders(request, ours), ...more }, body);
}
