import type { SocketEvent } from '@parley/event-socket';
import type { Arrival, LegEvent } from '../../calls/model/leg-event.ts';
import { readPhoneContact } from './phone-contact.ts';

type Headers = SocketEvent['headers'];

/** The profile for calls of other switches (`deploy/freeswitch`). */
const TRUNK_PROFILE = 'switches';
const ORIGINATE_JOB = 'originate-';

/** The job of creating a leg, by the leg. */
export function originateJobId(legId: string): string {
  return `${ORIGINATE_JOB}${legId}`;
}

/** Translates an event of the protocol; undefined for those that we ignore. */
export function readSwitchEvent({ name, headers, body }: SocketEvent): SwitchEvent | undefined {
  const legId = headers['Unique-ID'] ?? '';
  switch (name) {
    case 'CHANNEL_ANSWER':
      return { type: 'leg_answered', legId, isOurs: headers.variable_app_call !== undefined, ...replaces(headers) };
    case 'CHANNEL_PARK':
      return { type: 'leg_parked', legId, arrival: readArrival(headers), ...replaces(headers) };
    case 'CHANNEL_BRIDGE':
      return {
        type: 'leg_bridged',
        legId: headers['Bridge-A-Unique-ID'] ?? '',
        peerId: headers['Bridge-B-Unique-ID'] ?? '',
        ...recorded(headers),
      };
    case 'CHANNEL_HANGUP_COMPLETE':
      return { type: 'leg_ended', legId, cause: headers['Hangup-Cause'] ?? 'UNKNOWN' };
    case 'DTMF':
      return { type: 'digit', legId, digit: headers['DTMF-Digit'] ?? '' };
    case 'CHANNEL_EXECUTE_COMPLETE':
      return readExecuteComplete(legId, headers);
    case 'RECORD_STOP':
      return { type: 'recording_stopped', legId, recording: recordingName(headers), durationMs: milliseconds(headers) };
    case 'BACKGROUND_JOB':
      return readJob(headers['Job-UUID'] ?? '', body);
    case 'SHUTDOWN':
      return { type: 'shutting_down' };
    case 'CUSTOM':
      return readCustom(headers);
    default:
      return undefined;
  }
}

/**
 * Detects an INVITE that replaces another leg (RFC 3891). The switch cannot be configured to ignore that; the leg that it replaced
 * is answered first.
 */
function replaces(headers: Headers): { replaces?: true } {
  return headers.variable_sip_replaces_call_id === undefined ? {} : { replaces: true };
}

/** Only sent by the sandbox's switch, which plays audio faster than real time. */
function recorded(headers: Headers): { recordedMs?: number } {
  const recordedMs = Number(headers['Sandbox-Recorded-Ms'] ?? NaN);
  return Number.isFinite(recordedMs) ? { recordedMs } : {};
}

/**
 * A leg that call-control did not create. The caller of a phone is determined by the switch's authentication only;
 * those variables come from our directory.
 */
export function readArrival(headers: Headers): Arrival | null {
  const isTaken = headers.variable_app_call !== undefined || headers.variable_app_trunk !== undefined;
  if (headers['Call-Direction'] !== 'inbound' || isTaken) return null;
  // The profile is where it arrived, which the other side does not choose.
  if (headers.variable_sofia_profile_name === TRUNK_PROFILE)
    return { kind: 'switch', ticket: headers['variable_sip_h_X-Parley-Trunk'] ?? '' };
  const dialled = headers['Caller-Destination-Number'] ?? '';
  const { variable_employee_id: employeeId, variable_company_id: companyId } = headers;
  if (headers.variable_sip_authorized === 'true' && employeeId !== undefined && companyId !== undefined) {
    const businessNumber = headers['variable_sip_h_X-Business-Number'] ?? null;
    return { kind: 'phone', employeeId, companyId, dialled, businessNumber };
  }
  // A carrier sends the number nevertheless (P-Asserted-Identity), with a privacy header.
  const isWithheld = headers['Caller-Privacy-Hide-Number'] === 'true';
  return { kind: 'carrier', from: isWithheld ? null : (headers['Caller-Caller-ID-Number'] ?? null), dialled };
}

function readExecuteComplete(legId: string, headers: Headers): SwitchEvent | undefined {
  if (headers.Application !== 'playback' && headers.Application !== 'record') return undefined;
  // The caller hung up in the middle of it; the end of the leg is reported next, and nothing comes after the prompt.
  if (headers['Answer-State'] === 'hangup') return undefined;
  const playId = headers['Application-UUID'] ?? '';
  return { type: 'playback_finished', legId, playId, played: headers['Application-Response'] !== 'FILE NOT FOUND' };
}

function recordingName(headers: Headers): string {
  const path = headers['Record-File-Path'] ?? '';
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.wav$/, '');
}

function milliseconds(headers: Headers): number | null {
  const ms = Number(headers.variable_record_ms ?? NaN);
  return Number.isFinite(ms) ? ms : null;
}

function readJob(jobId: string, body: string): SwitchEvent | undefined {
  if (!jobId.startsWith(ORIGINATE_JOB) || !body.startsWith('-')) return undefined;
  return {
    type: 'originate_failed',
    legId: jobId.slice(ORIGINATE_JOB.length),
    cause: body.replace(/^-ERR\s*/, '').trim(),
  };
}

function readCustom(headers: Headers): SwitchEvent | undefined {
  switch (headers['Event-Subclass']) {
    case 'conference::maintenance':
      return readConference(headers);
    case 'sofia::register':
      return readRegistration(headers, 'registered');
    case 'sofia::unregister':
      return readRegistration(headers, 'unregistered');
    case 'sofia::expire':
      return readRegistration(headers, 'unregistered');
    default:
      return undefined;
  }
}

function readConference(headers: Headers): SwitchEvent | undefined {
  const [legId, room, memberId] = [headers['Unique-ID'], headers['Conference-Name'], headers['Member-ID']];
  if (legId === undefined || room === undefined || memberId === undefined) return undefined;
  return headers.Action === 'add-member' ? { type: 'conference_joined', legId, room, memberId } : undefined;
}

/** An expiry names the user otherwise than a registration does. */
function readRegistration(headers: Headers, change: 'registered' | 'unregistered'): SwitchEvent | undefined {
  const user = headers['from-user'] ?? headers.user;
  const domain = headers['from-host'] ?? headers.host;
  const callId = headers['call-id'];
  if (user === undefined || domain === undefined || callId === undefined) return undefined;
  const contact = readPhoneContact({
    contact: headers.contact ?? '',
    status: headers.status ?? '',
    networkIp: headers['network-ip'] ?? '',
    networkPort: headers['network-port'] ?? '',
  });
  return {
    type: 'registration',
    change: change === 'registered' && !contact ? 'undialable' : change,
    user,
    domain,
    callId,
    address: contact?.address ?? null,
    softphoneSessionId: headers.softphone_session_id ?? null,
  };
}

export type SwitchEvent =
  | LegEvent
  | {
      readonly type: 'registration';
      /** `undialable`: registered, with a contact that is not dialled. */
      readonly change: 'registered' | 'unregistered' | 'undialable';
      readonly user: string;
      readonly domain: string;
      /** SIP Call-ID, by which the switch identifies the registration: a phone keeps it when it renews. */
      readonly callId: string;
      /** SIP address of the phone; null when the event does not carry one that can be dialled. */
      readonly address: string | null;
      readonly softphoneSessionId: string | null;
    }
  | { readonly type: 'shutting_down' };
