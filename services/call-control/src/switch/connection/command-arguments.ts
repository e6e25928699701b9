import { isPhoneDialString } from './phone-contact.ts';

/** Something that came from outside would become part of a command that it must not become part of. */
export class UnsafeArgument extends Error {
  constructor() {
    super('an argument of a switch command has characters that are not allowed');
    this.name = 'UnsafeArgument';
  }
}

/**
 * The permitted characters of each argument of a command. None of them is a character by which FreeSWITCH separates arguments,
 * variables or destinations: blank, comma, `|`, `:_:`, brackets, quotes, backslash, `$`, `=`, `;`, `^`.
 */
const FORMS = {
  /** Ids of legs, calls, employees, conference members, conferences, recordings and audio. */
  id: /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/,
  /** The number that a phone displays, and that a carrier passes on. */
  caller: /^(?:\+?\d{1,20}|anonymous)$/,
  /** The value of a SIP header, percent-encoded. */
  header: /^(?:[A-Za-z0-9._~+-]|%[0-9A-Fa-f]{2}){1,600}$/,
  /** What another switch is asked to do: `switch/trunks`. */
  ticket: /^[A-Za-z0-9._-]{1,1600}$/,
  count: /^\d{1,9}$/,
  cause: /^[A-Z_]{1,40}$/,
  domain: /^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$/,
  directory: /^(?:\/(?!\.\.?(?:\/|$))[\w.-]{1,255}){0,20}\/?$/,
  url: /^https?:\/\/(?:[\w.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?(?:\/[\w-][\w.-]*)*$/,
} as const;

/** An argument in its form; anything else is refused. */
export function validArgument(form: keyof typeof FORMS, value: string | number): string {
  const text = String(value);
  if (!FORMS[form].test(text)) throw new UnsafeArgument();
  return text;
}

/** A number at a carrier, or a short one such as that of emergency calls: the profile or gateway and what follows the number are the operator's. */
const CARRIER_DIAL_STRING =
  /^sofia\/(?:(?!gateway\/)[\w.-]{1,64}\/(?:\+\d{5,15}|\d{2,6})@(?:[\w.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?(?:;[\w.-]+(?:=[\w.-]+)?)*|gateway\/[\w.-]{1,64}\/(?:\+\d{5,15}|\d{2,6}))$/;

/** Where a place is kept for the audio of a session: a reservation at a process of the service assistant. */
const ASSISTANT_ADDRESS =
  /^sip:[A-Za-z0-9_-]{8,128}@(?:[A-Za-z0-9][A-Za-z0-9.-]{0,252}|\[[0-9A-Fa-f:.]{2,45}\]):\d{1,5}$/;
const ASSISTANT_DIAL_PREFIX = 'sofia/internal/';
const ASSISTANT_DIAL_SUFFIX = ';transport=tcp';

/** How the switch calls an assistant; undefined for an address that is none. */
export function assistantDialString(address: string): string | undefined {
  return ASSISTANT_ADDRESS.test(address) ? `${ASSISTANT_DIAL_PREFIX}${address}${ASSISTANT_DIAL_SUFFIX}` : undefined;
}

function isAssistantDialString(text: string): boolean {
  if (!text.startsWith(ASSISTANT_DIAL_PREFIX) || !text.endsWith(ASSISTANT_DIAL_SUFFIX)) return false;
  return ASSISTANT_ADDRESS.test(text.slice(ASSISTANT_DIAL_PREFIX.length, -ASSISTANT_DIAL_SUFFIX.length));
}

/** The address of a switch for calls of other switches: `host:port`. */
const TRUNK_ADDRESS = /^(?:[A-Za-z0-9][A-Za-z0-9.-]{0,252}|\[[0-9A-Fa-f:.]{2,45}\]):\d{1,5}$/;
const TRUNK_DIAL_PREFIX = 'sofia/switches/sip:trunk@';
const TRUNK_DIAL_SUFFIX = ';transport=tcp';

export const isTrunkAddress = (text: string): boolean => TRUNK_ADDRESS.test(text);

/** How a switch calls another one. */
export function trunkDialString(address: string): string {
  if (!isTrunkAddress(address)) throw new UnsafeArgument();
  return `${TRUNK_DIAL_PREFIX}${address}${TRUNK_DIAL_SUFFIX}`;
}

function isTrunkDialString(text: string): boolean {
  if (!text.startsWith(TRUNK_DIAL_PREFIX) || !text.endsWith(TRUNK_DIAL_SUFFIX)) return false;
  return isTrunkAddress(text.slice(TRUNK_DIAL_PREFIX.length, -TRUNK_DIAL_SUFFIX.length));
}

/** One destination: a phone where it registered, a number at a carrier, an assistant, or another switch. */
export function isDialTarget(text: string): boolean {
  return (
    isPhoneDialString(text) || CARRIER_DIAL_STRING.test(text) || isAssistantDialString(text) || isTrunkDialString(text)
  );
}

export function dialTarget(text: string): string {
  if (!isDialTarget(text)) throw new UnsafeArgument();
  return text;
}

const CALL_ID = /^[A-Za-z0-9._~+-]{1,128}(?:@([A-Za-z0-9.:-]{1,128}))?$/;

/**
 * The argument of `flush_inbound_reg` that ends one registration. The switch interprets it in several ways: as a Call-ID, as
 * `user@domain`, as a domain, all of whose registrations it ends, and as the word `reboot`. A Call-ID, which the phone chose, with
 * another interpretation is replaced by the phone's user: the employee's other phones register again.
 */
export function flushArgument(registration: { callId: string; employeeId: string }, sipDomain: string): string {
  const { callId, employeeId } = registration;
  const parts = CALL_ID.exec(callId);
  const others = [sipDomain.toLowerCase(), 'reboot'];
  if (parts && !parts.some((part) => others.includes(part?.toLowerCase()))) return callId;
  return `${validArgument('id', employeeId)}@${validArgument('domain', sipDomain)}`;
}
