import { randomBytes } from 'node:crypto';
import type { Clock } from '@parley/clock';
import type { Encryptor } from '@parley/secrets';
import type { GuessLimit } from './guess-limit.ts';
import { matchesDigest, type DigestParameters } from './sip-digest.ts';
import { liveSessions, type SoftphoneSession } from './softphone-session.ts';
import { a1Context, type SoftphoneSessions } from './softphone-session-store.ts';
import { addressKey } from '@parley/http/address-key';

/**
 * Answers `POST /switch/directory`: the body is mod_xml_curl's form, the answer XML for a response 200 `text/xml`. One read by
 * id. Any mismatch is `not found`, for which the switch sends the phone 403: an unknown user, a wrong password and one that is not
 * looked at because of too many wrong ones cannot be told apart. A result always has the H(A1) of the session whose password the phone used.
 */
export function switchDirectory(options: {
  softphoneSessions: SoftphoneSessions;
  encryptor: Encryptor;
  domain: string;
  clock: Clock;
  guesses: GuessLimit;
  onRefused?: (reason: 'wrong_password' | 'throttled') => void;
}): (form: string) => Promise<string> {
  const { softphoneSessions, encryptor, domain, clock, guesses, onRefused } = options;
  const a1Of = ({ id, a1Encrypted }: Pick<SoftphoneSession, 'id' | 'a1Encrypted'>) =>
    encryptor.decrypt(a1Encrypted, a1Context(id));
  /** Compared where there is no session, so that the answer for an unknown user takes as long. */
  const decoy = { id: 'none', a1Encrypted: encryptor.encrypt(randomBytes(16).toString('hex'), a1Context('none')) };
  return async (form) => {
    const request = readSwitchDirectoryRequest(form, domain);
    if (!request) return NOT_FOUND_RESPONSE;
    if (!guesses.allows(request)) {
      onRefused?.('throttled');
      return NOT_FOUND_RESPONSE;
    }
    // The SIP user is the employee's id; a switch has no companies.
    const known = await softphoneSessions.acrossCompanies.get(request.username);
    const sessions = known ? liveSessions(known, clock.now()) : [];
    const fitting = (sessions.length > 0 ? sessions : [decoy]).find((session) =>
      matchesDigest(a1Of(session), request.digest),
    );
    // Once more: others may have failed at the same time.
    if (!known || !fitting || fitting === decoy || !guesses.allows(request)) {
      guesses.failed(request);
      onRefused?.('wrong_password');
      return NOT_FOUND_RESPONSE;
    }
    guesses.succeeded(request);
    const variables = { employee_id: known.id, company_id: known.companyId, softphone_session_id: fitting.id };
    return userResponse({ username: known.id, domain, a1: a1Of(fitting), variables });
  };
}

/** FreeSWITCH's mod_xml_curl request for a phone that registers or calls. */
interface SwitchDirectoryRequest {
  /** The claimed employee of the phone. */
  readonly username: string;
  /** The address, or the network, from which the switch got the SIP request. */
  readonly source: string;
  readonly digest: DigestParameters;
}

/** More than any real form; an unknown SIP header of a phone may be in it. */
const FORM_LENGTH_MAX = 64 * 1024;
/** Longer than any id of an employee and any address: limits keep them in memory. */
const KEY_LENGTH_MAX = 64;

/**
 * Reads the form; undefined for everything but the authentication of a SIP request in our domain. A user name that differs
 * from the authenticated one, another realm or `auth-int`, which would need the body, is refused by that.
 */
export function readSwitchDirectoryRequest(form: string, domain: string): SwitchDirectoryRequest | undefined {
  if (form.length > FORM_LENGTH_MAX) return undefined;
  const fields = new URLSearchParams(form);
  const field = (name: string) => fields.get(name) ?? '';
  const username = field('sip_auth_username');
  if (field('section') !== 'directory' || field('action') !== 'sip_auth') return undefined;
  if (field('domain') !== domain || field('sip_auth_realm') !== domain) return undefined;
  if (username === '' || username.length > KEY_LENGTH_MAX || field('user') !== username) return undefined;
  // The last one: a header of a phone that has this name precedes the switch's own.
  const source = addressKey((fields.getAll('ip').at(-1) ?? '').slice(0, KEY_LENGTH_MAX));
  const [method, uri] = [field('sip_auth_method'), field('sip_auth_uri')];
  const [nonce, response] = [field('sip_auth_nonce'), field('sip_auth_response')];
  if ([method, uri, nonce, response].includes('')) return undefined;
  const qop = field('sip_auth_qop');
  if (qop === '') return { username, source, digest: { method, uri, nonce, response } };
  const [cnonce, nonceCount] = [field('sip_auth_cnonce'), field('sip_auth_nc')];
  if (qop !== 'auth' || cnonce === '' || nonceCount === '') return undefined;
  return { username, source, digest: { method, uri, nonce, response, qop: { name: 'auth', cnonce, nonceCount } } };
}

/** A phone that may register: what FreeSWITCH checks the response against, and the variables it passes on. */
interface SwitchDirectoryUser {
  readonly username: string;
  readonly domain: string;
  /** H(A1) of the password that fits. */
  readonly a1: string;
  readonly variables: {
    readonly employee_id: string;
    readonly company_id: string;
    readonly softphone_session_id: string;
  };
}

/** The switch then denies the request. */
export const NOT_FOUND_RESPONSE = documentOf('<section name="result"><result status="not found"/></section>');

/** Always with `params`: a user without them would be let in with any password. */
export function userResponse({ username, domain, a1, variables }: SwitchDirectoryUser): string {
  const params = { 'a1-hash': a1, 'dial-string': '${sofia_contact(internal/${dialed_user}@${dialed_domain})}' };
  const elements = (name: string, values: Readonly<Record<string, string>>) =>
    Object.entries(values).map(([key, value]) => `<${name} name="${escape(key)}" value="${escape(value)}"/>`);
  return documentOf(
    `<section name="directory"><domain name="${escape(domain)}"><user id="${escape(username)}">` +
      `<params>${elements('param', params).join('')}</params>` +
      `<variables>${elements('variable', variables).join('')}</variables>` +
      '</user></domain></section>',
  );
}

function documentOf(section: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<document type="freeswitch/xml">${section}</document>\n`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '');
}
