import { addressKey } from '@parley/http/address-key';
import type { DigestParameters } from './sip-digest.ts';

/** FreeSWITCH's mod_xml_curl request for a phone that registers or calls. */
export interface SwitchDirectoryRequest {
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
