/** The address and the credentials of a switch's event socket. */
export interface SwitchAddress {
  readonly host: string;
  readonly port: number;
  /** The first command. */
  readonly login: string;
}

const DEFAULT_PORT = 8021;
/** The domain of event-socket users whose name has none. */
const DEFAULT_DOMAIN = 'event-socket.parley.invalid';

/** Reads `esl://user:password@host:port`; undefined for anything else. Without a user it is the switch's own password. */
export function readSwitchAddress(written: string): SwitchAddress | undefined {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (!url || url.protocol !== 'esl:' || url.hostname === '') return undefined;
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const name = user.includes('@') ? user : `${user}@${DEFAULT_DOMAIN}`;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    login: user === '' ? `auth ${password}` : `userauth ${name}:${password}`,
  };
}
