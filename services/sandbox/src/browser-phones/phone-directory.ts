import { type DigestCredentials, verifyDigest } from '@parley/sip';
import { Parser } from 'htmlparser2';

/** A user of call-control's directory: variables of its registration and of its calls. */
export type DirectoryUser = Readonly<Record<string, string>>;

/** Where a SIP request came from. */
export interface PhoneSource {
  readonly address: string;
  readonly port: number;
}

/** Asks call-control about the credentials of a browser, as mod_xml_curl of FreeSWITCH does. */
export interface PhoneDirectory {
  /** Undefined for wrong credentials and for everything that goes wrong. */
  find(method: string, credentials: DigestCredentials, source: PhoneSource): Promise<DirectoryUser | undefined>;
}

const TIMEOUT_MS = 3000;

export function phoneDirectory(options: { url: string; credentials: string; domain: string }): PhoneDirectory {
  const { url, credentials, domain } = options;
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  return {
    async find(method, given, source) {
      const form = new URLSearchParams({
        hostname: 'sandbox',
        section: 'directory',
        tag_name: 'domain',
        key_name: 'name',
        key_value: domain,
        key: 'id',
        user: given['username'] ?? '',
        domain,
        action: 'sip_auth',
        sip_auth_method: method,
        ...Object.fromEntries(Object.entries(given).map(([name, value]) => [`sip_auth_${name}`, value])),
        client_port: String(source.port),
        ip: source.address,
      });
      const headers = { authorization, 'user-agent': 'freeswitch-xml/1.0' };
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await fetch(new URL('/switch/directory', url), {
        method: 'POST',
        headers,
        body: form,
        signal,
      }).catch(() => undefined);
      if (response?.status !== 200) return undefined;
      const { param, variable } = readDirectory(await response.text());
      const a1Hash = param['a1-hash'];
      return a1Hash !== undefined && verifyDigest(a1Hash, method, given) ? variable : undefined;
    },
  };
}

function readDirectory(document: string): Record<'param' | 'variable', Record<string, string>> {
  const found = { param: {} as Record<string, string>, variable: {} as Record<string, string> };
  const parser = new Parser(
    {
      onopentag(element, { name = '', value = '' }) {
        if (element === 'param' || element === 'variable') found[element][name] = value;
      },
    },
    { xmlMode: true },
  );
  parser.end(document);
  return found;
}
