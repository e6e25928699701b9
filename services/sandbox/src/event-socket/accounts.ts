import { timingSafeEqual } from 'node:crypto';

/** The permissions of a user; undefined: everything. */
export interface Account {
  readonly apis: ReadonlySet<string> | undefined;
  readonly events: ReadonlySet<string> | undefined;
}

/** The minimum that call-control needs, as a real switch's static directory would list it. */
const allowedApis: ReadonlySet<string> = new Set(
  (
    'conference create_uuid echo eval file_exists fsctl global_getvar http_get http_prefetch http_put http_remove_cache http_tryget originate ' +
    'sched_del sched_hangup show sofia sofia_contact status uuid_answer uuid_break uuid_bridge uuid_broadcast uuid_dump uuid_exists ' +
    'uuid_getvar uuid_kill uuid_park uuid_pre_answer uuid_record uuid_recv_dtmf uuid_ring_ready uuid_send_dtmf uuid_setvar ' +
    'uuid_setvar_multi uuid_transfer version'
  ).split(' '),
);

const allowedEvents: ReadonlySet<string> = new Set(
  (
    'BACKGROUND_JOB CHANNEL_ANSWER CHANNEL_BRIDGE CHANNEL_CALLSTATE CHANNEL_CREATE CHANNEL_DESTROY CHANNEL_EXECUTE CHANNEL_EXECUTE_COMPLETE ' +
    'CHANNEL_HANGUP CHANNEL_HANGUP_COMPLETE CHANNEL_HOLD CHANNEL_ORIGINATE CHANNEL_OUTGOING CHANNEL_PARK CHANNEL_PROGRESS ' +
    'CHANNEL_PROGRESS_MEDIA CHANNEL_UNBRIDGE CHANNEL_UNHOLD CHANNEL_UNPARK CUSTOM DTMF HEARTBEAT PLAYBACK_START PLAYBACK_STOP ' +
    'RECORD_START RECORD_STOP SHUTDOWN conference::maintenance sofia::expire sofia::register sofia::unregister'
  ).split(' '),
);

export interface Credentials {
  /** Without its domain. */
  readonly user: string;
  readonly password: string;
}

/** `auth <password>`: the password of the socket itself, which allows everything. */
export function signInByPassword(password: string, credentials: Credentials): Account | undefined {
  return matches(password, credentials.password) ? { apis: undefined, events: undefined } : undefined;
}

/** `userauth <user>@<domain>:<password>`: an account with lists of what it may do. */
export function signInAsUser(words: string, credentials: Credentials): Account | undefined {
  const parts = /^([^@:]+)(?:@[^:]*)?:(.*)$/.exec(words);
  if (!parts || parts[1] !== credentials.user || !matches(parts[2] ?? '', credentials.password)) return undefined;
  return { apis: allowedApis, events: allowedEvents };
}

function matches(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
