import type { Audio, ControlStep } from '../../calls/model/call-command.ts';
import type { ApiCommand } from './allow-list.ts';
import { dialTarget, trunkDialString, validArgument } from './command-arguments.ts';
import { isBrowser } from './phone-contact.ts';

/** A command as the event socket takes it. */
export interface CommandLine {
  readonly line: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The addresses of our audio and of the switch's own recordings. */
export interface MediaUrls {
  /** Address of call-control as the switch reaches it, without a trailing slash. */
  readonly httpUrl: string;
  /** Directory of recordings on the switch. */
  readonly recordingsDir: string;
}

/** Conference profile of warm transfers. */
const CONFERENCE_PROFILE = 'parley';
/**
 * A browser that was killed in a call sends no BYE: without media for this long its leg ends. Browsers send media all
 * the time; other phones may be silent for long. Calls from phones get the same from the dialplan
 * (`deploy/freeswitch`).
 */
const BROWSER_MEDIA_TIMEOUT_MS = 5000;
const PHONE_MEDIA_TIMEOUT_MS = 120_000;
/** A process of the assistant that was killed: another one continues the session within seconds. */
const ASSISTANT_MEDIA_TIMEOUT_MS = 2000;

export const api = (command: ApiCommand): CommandLine => ({ line: `api ${command}` });

const execute = (legId: string, application: string, argument: string, id: string): CommandLine => ({
  line: `sendmsg ${validArgument('id', legId)}`,
  headers: {
    'call-command': 'execute',
    'execute-app-name': application,
    'execute-app-arg': argument,
    'Event-UUID': validArgument('id', id),
  },
});

/** Translates a step into commands of the event socket. */
export function controlLines(step: ControlStep, mediaUrls: MediaUrls, callId: string): readonly CommandLine[] {
  switch (step.do) {
    case 'take': {
      const variables = `app_call=${validArgument('id', callId)};park_after_bridge=true;RECORD_STEREO=true`;
      return [
        api(`sched_del ${validArgument('id', step.legId)}`),
        api(`uuid_setvar_multi ${validArgument('id', step.legId)} ${variables}`),
      ];
    }
    case 'answer':
      return [api(`uuid_answer ${validArgument('id', step.legId)}`)];
    case 'ring':
      return [execute(step.legId, 'ring_ready', '', step.playId)];
    case 'send_early_media':
      return [api(`uuid_pre_answer ${validArgument('id', step.legId)}`)];
    case 'stop_audio':
      return [api(`uuid_break ${validArgument('id', step.legId)} all`)];
    case 'play':
      return [execute(step.legId, 'playback', audioAddress(step.audio, mediaUrls), step.playId)];
    case 'bridge':
      return [api(`uuid_bridge ${validArgument('id', step.legId)} ${validArgument('id', step.peerId)}`)];
    case 'hang_up':
      return [api(`uuid_kill ${validArgument('id', step.legId)} ${validArgument('cause', step.cause)}`)];
    case 'refuse': {
      const reason = `sip_rh_X-Parley-Refusal=${validArgument('id', step.reason)}`;
      return [
        api(`uuid_setvar_multi ${validArgument('id', step.legId)} ${reason}`),
        api(`uuid_kill ${validArgument('id', step.legId)} ${validArgument('cause', step.cause)}`),
      ];
    }
    case 'start_recording':
      return [api(`uuid_record ${validArgument('id', step.legId)} start ${recordingPath(step.recording, mediaUrls)}`)];
    case 'stop_recording':
      return [api(`uuid_record ${validArgument('id', step.legId)} stop ${recordingPath(step.recording, mediaUrls)}`)];
    case 'mask_recording': {
      const action = step.isMasked ? 'mask' : 'unmask';
      return [
        api(`uuid_record ${validArgument('id', step.legId)} ${action} ${recordingPath(step.recording, mediaUrls)}`),
      ];
    }
    case 'record_voicemail': {
      const limits = `${validArgument('count', step.maxSecs)} 200 ${validArgument('count', step.silenceSecs)}`;
      return [execute(step.legId, 'record', `${recordingPath(step.recording, mediaUrls)} ${limits}`, step.playId)];
    }
    case 'park':
      return [api(`uuid_transfer ${validArgument('id', step.legId)} -both park inline`)];
    case 'join_conference':
      return [api(`uuid_transfer ${validArgument('id', step.legId)} -both conference:${conference(step.room)} inline`)];
    case 'supervise': {
      // `bleg` is the supervised phone, `aleg` the one it talks to.
      const heardBy = `eavesdrop_whisper_aleg=${step.mode === 'barge'};eavesdrop_whisper_bleg=${step.mode !== 'listen'}`;
      return [
        api(`uuid_setvar_multi ${validArgument('id', step.legId)} ${heardBy}`),
        execute(step.legId, 'eavesdrop', validArgument('id', step.watchedLegId), step.playId),
      ];
    }
    case 'hold':
      return [
        api(
          `conference ${validArgument('id', step.room)} hold ${validArgument('id', step.memberId)} local_stream://moh`,
        ),
      ];
    case 'release_hold':
      return [api(`conference ${validArgument('id', step.room)} unhold ${validArgument('id', step.memberId)}`)];
  }
}

function audioAddress(audio: Audio, { httpUrl }: MediaUrls): string {
  switch (audio.kind) {
    case 'prompt':
      return `http_cache://${validArgument('url', httpUrl)}/switch/prompts/${validArgument('id', audio.contentHash)}.wav`;
    case 'ringtone':
      return 'tone_stream://%(1000,4000,425);loops=-1';
    case 'music':
      return 'local_stream://moh';
    case 'beep':
      return 'tone_stream://%(500,0,1000)';
  }
}

export function recordingPath(recording: string, { recordingsDir }: MediaUrls): string {
  return `${validArgument('directory', recordingsDir)}/${validArgument('id', recording)}.wav`;
}

function conference(room: string): string {
  return `${validArgument('id', room)}@${CONFERENCE_PROFILE}`;
}

/** The way to another switch, and what is to be done there. */
export interface Trunk {
  /** `host:port`. */
  readonly address: string;
  readonly ticket: string;
}

/** A leg that we create. */
export interface NewLeg {
  readonly legId: string;
  readonly callId: string;
  readonly employeeId: string | null;
  readonly timeoutSecs: number;
  /** The number that the phone displays; null displays nothing. */
  readonly callerNumber: string | null;
  readonly dialString: string;
  /** The way to a phone that is registered at another switch. */
  readonly trunk?: Trunk;
  /** Null: the leg waits for a bridge. */
  readonly room: string | null;
  /** The leg of an assistant, whose process sends audio all the time. */
  readonly isAssistant?: true;
  /** Further headers of the INVITE, by name. */
  readonly headers?: Readonly<Record<string, string>>;
}

function mediaTimeout(dialString: string): string {
  return String(isBrowser(dialString) ? BROWSER_MEDIA_TIMEOUT_MS : PHONE_MEDIA_TIMEOUT_MS);
}

const trunkVariables = ({ ticket }: Trunk) => ({ 'sip_h_X-Parley-Trunk': validArgument('ticket', ticket) });

function partyVariables({ callId, employeeId, dialString, isAssistant }: NewLeg): Record<string, string> {
  if (isAssistant) return { media_timeout: String(ASSISTANT_MEDIA_TIMEOUT_MS) };
  if (employeeId === null) return { RECORD_STEREO: 'true' };
  return {
    app_employee: validArgument('id', employeeId),
    media_timeout: mediaTimeout(dialString),
    'sip_h_X-Parley-Call': validArgument('id', callId),
  };
}

/** The command that creates a leg; it answers before the phone does, so it runs in the background. */
export function originateCommand(leg: NewLeg): ApiCommand {
  const { legId, callId, timeoutSecs, callerNumber, dialString, trunk, room } = leg;
  const variables = {
    origination_uuid: validArgument('id', legId),
    originate_timeout: validArgument('count', timeoutSecs),
    ignore_early_media: 'true',
    // A 302 of the phone or the carrier names a destination that nobody has checked: the switch must not call it.
    outbound_redirect_fatal: 'true',
    park_after_bridge: 'true',
    app_call: validArgument('id', callId),
    ...partyVariables(leg),
    ...(trunk && trunkVariables(trunk)),
    ...(callerNumber !== null && {
      origination_caller_id_number: validArgument('caller', callerNumber),
      origination_caller_id_name: validArgument('caller', callerNumber),
    }),
    ...Object.fromEntries(
      Object.entries(leg.headers ?? {}).map(([name, value]) => [
        `sip_h_${validArgument('id', name)}`,
        validArgument('header', value),
      ]),
    ),
  };
  const target = trunk ? trunkDialString(trunk.address) : dialTarget(dialString);
  return `originate ${variableList(variables)}${target} &${room === null ? 'park()' : `conference(${conference(room)})`}`;
}

const variableList = (variables: Readonly<Record<string, string>>): string =>
  `{${Object.entries(variables)
    .map(([name, value]) => `${name}=${value}`)
    .join(',')}}`;

/** Where a leg is connected without call-control, at a switch that does not have the call. */
export type TrunkEnd =
  /** A phone that is registered here, for a call of another switch. */
  | {
      readonly kind: 'phone';
      readonly dialString: string;
      readonly callId: string;
      readonly timeoutSecs: number;
    }
  /** The switch of the call that a phone returns to. */
  | ({ readonly kind: 'switch' } & Trunk);

/** Those of the profile `internal`, as a list in a variable. */
const PHONE_CODECS = '^^:OPUS:PCMU:PCMA';
/** The other switch cancels its leg before. */
const TRUNK_RING_RESERVE_SECS = 5;

/** Connects a leg that waits: both ends end together, and the leg with the cause of an end that is not reached. */
export function connectTrunkLines(legId: string, end: TrunkEnd, executionId: string): readonly CommandLine[] {
  const variables =
    end.kind === 'switch'
      ? trunkVariables(end)
      : {
          originate_timeout: validArgument('count', end.timeoutSecs + TRUNK_RING_RESERVE_SECS),
          ignore_early_media: 'true',
          outbound_redirect_fatal: 'true',
          // Otherwise only the codec of the leg that waits would be offered, which a phone may not have.
          absolute_codec_string: PHONE_CODECS,
          // Silence is noticed by the switch of the call first, which knows what follows from it.
          media_timeout: String(2 * Number(mediaTimeout(end.dialString))),
          'sip_h_X-Parley-Call': validArgument('id', end.callId),
        };
  const target = end.kind === 'switch' ? trunkDialString(end.address) : dialTarget(end.dialString);
  return [
    api(`sched_del ${validArgument('id', legId)}`),
    api(`uuid_setvar_multi ${validArgument('id', legId)} app_trunk=true;hangup_after_bridge=true`),
    execute(legId, 'bridge', `${variableList(variables)}${target}`, executionId),
  ];
}
