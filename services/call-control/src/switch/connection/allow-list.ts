/**
 * All commands of call-control: its event-socket user may execute these and nothing else (`deploy/freeswitch`). The
 * switch repeats both lists when it takes the login, in a reply of at most 511 bytes, which a test checks.
 */
export const API_COMMANDS = [
  'conference',
  'file_exists',
  'global_getvar',
  'http_put',
  'originate',
  'sched_del',
  'show',
  'sofia',
  'uuid_answer',
  'uuid_break',
  'uuid_bridge',
  'uuid_dump',
  'uuid_exists',
  'uuid_kill',
  'uuid_pre_answer',
  'uuid_record',
  'uuid_setvar_multi',
  'uuid_transfer',
] as const;

/** The names after CUSTOM are subclasses. An event has about 6 kB, so that only those that we read are subscribed to. */
export const EVENTS = [
  'CHANNEL_ANSWER',
  'CHANNEL_PARK',
  'CHANNEL_BRIDGE',
  'CHANNEL_HANGUP_COMPLETE',
  'CHANNEL_EXECUTE_COMPLETE',
  'DTMF',
  'RECORD_STOP',
  'BACKGROUND_JOB',
  'SHUTDOWN',
  'CUSTOM',
  'conference::maintenance',
  'sofia::register',
  'sofia::unregister',
  'sofia::expire',
] as const;

/** A command of the switch's API that call-control may use, with its arguments. */
export type ApiCommand = `${(typeof API_COMMANDS)[number]} ${string}`;
