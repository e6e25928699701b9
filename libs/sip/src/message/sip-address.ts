const TARGET = /^sips?:([\w.~+%-]{1,128})@((?:[\w.-]{1,255}|\[[\dA-F:.]{2,45}\])(?::\d{1,5})?)((?:;[^;]*)*)$/i;
const TARGET_PARAMETER = /^(?:transport=\w{2,4}|ob|(?:line|rinstance)=[\w.~-]{1,64}|gr=[\w:-]{1,64})$/i;

/**
 * The Request-URI for an address that was dialled, made of parts that were read: a phone is sent nothing else of what it wrote, and
 * nothing of the switch's own parameters. Undefined when it is no plain SIP address.
 */
export function requestTarget(dialled: string): string | undefined {
  const [, user, host, list = ''] = TARGET.exec(dialled) ?? [];
  if (user === undefined) return undefined;
  const parameters = list.split(';').filter((one) => TARGET_PARAMETER.test(one));
  return [`sip:${user}@${host}`, ...parameters].join(';');
}

/** The address of a From, To or Contact header. */
export function uriOf(value: string): string {
  const address = withoutDisplayName(value);
  return /<([^>]*)>/.exec(address)?.[1] ?? address.split(';')[0]!.trim();
}

const withoutDisplayName = (value: string): string => value.replace(/^\s*"(?:[^"\\]|\\.)*"/, '');

/** The user of `sip:user@host`. */
export function userOf(uri: string): string {
  const user = /^sips?:([^@;]+)@/.exec(uri)?.[1] ?? '';
  return /%(?![\dA-F]{2})/i.test(user) ? user : decodeURIComponent(user);
}

/** A parameter of a header, such as the tag of a From. */
export function parameterOf(value: string, name: string): string | undefined {
  return new RegExp(`;\\s*${name}=("?)([^;"]*)\\1`, 'i').exec(withoutDisplayName(value).replace(/<[^>]*>/, ''))?.[2];
}

/** Host and port of `sip:user@host:port`, 5060 without one; undefined when it is no plain SIP address. */
export function hostOf(uri: string): { host: string; port: number } | undefined {
  const match = /^sip:(?:[^@\s]{0,255}@)?([\w.-]{1,255}|\[[\dA-F:.]{2,45}\])(?::(\d{1,5}))?(?:;|$)/i.exec(uri);
  if (!match) return undefined;
  const port = Number(match[2] ?? 5060);
  return port > 0 && port < 65_536 ? { host: match[1]!.replace(/^\[(.*)\]$/, '$1'), port } : undefined;
}
