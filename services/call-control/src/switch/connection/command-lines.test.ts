import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ControlStep } from '../../calls/model/call-command.ts';
import { API_COMMANDS } from './allow-list.ts';
import { assistantDialString, UnsafeArgument } from './command-arguments.ts';
import {
  type CommandLine,
  connectTrunkLines,
  controlLines,
  type NewLeg,
  originateCommand,
  type TrunkEnd,
} from './command-lines.ts';
import { HOSTILE_CONTACTS, readOriginate, readWords, SWITCH_SYNTAX } from '../../../test/read-command.ts';

const mediaUrls = { httpUrl: 'http://127.0.0.1:8083', recordingsDir: '/var/recordings' };
const path = ';fs_path=sip%3Aa%40127.0.0.1%3A5060';
const browser = `sofia/internal/sip:a@b.invalid;transport=ws;fs_nat=yes${path}%3Btransport%3Dws`;
const leg: NewLeg = {
  legId: 'leg-1',
  callId: 'cal_1',
  employeeId: 'emp_1',
  timeoutSecs: 35,
  callerNumber: '+4520304050',
  dialString: browser,
  room: null,
};
const carrier = { ...leg, employeeId: null, dialString: 'sofia/external/+4520304051@sip.acme.example:5060' };

describe('a command', () => {
  it('a command creates a leg', () => {
    expect(originateCommand(leg)).toBe(
      'originate {origination_uuid=leg-1,originate_timeout=35,ignore_early_media=true,outbound_redirect_fatal=true,' +
        'park_after_bridge=true,app_call=cal_1,app_employee=emp_1,media_timeout=5000,sip_h_X-Parley-Call=cal_1,' +
        `origination_caller_id_number=+4520304050,origination_caller_id_name=+4520304050}${browser} &park()`,
    );
    const phone = `sofia/internal/sip:a@192.0.2.1:5060;fs_nat=yes${path}`;
    expect(originateCommand({ ...leg, dialString: phone })).toContain('media_timeout=120000,');
    expect(originateCommand({ ...leg, room: 'parley-1' })).toMatch(/ &conference\(parley-1@parley\)$/);
    expect(originateCommand(carrier)).toMatch(/\}sofia\/external\/\+4520304051@sip\.acme\.example:5060 &park\(\)$/);
  });

  it('a command creates the leg of an assistant, which is missed as soon as its audio stops', () => {
    const dialString = assistantDialString('sip:res_0123456789@10.0.0.7:5090')!;
    const assistant: NewLeg = { ...leg, employeeId: null, callerNumber: null, dialString, isAssistant: true };
    expect(originateCommand(assistant)).toBe(
      'originate {origination_uuid=leg-1,originate_timeout=35,ignore_early_media=true,outbound_redirect_fatal=true,' +
        'park_after_bridge=true,app_call=cal_1,media_timeout=2000}' +
        'sofia/internal/sip:res_0123456789@10.0.0.7:5090;transport=tcp &park()',
    );
  });

  it('a command creates a leg at another switch, with a ticket for the phone', () => {
    const trunk = { address: '10.0.0.6:5082', ticket: 'payload.signature' };
    expect(originateCommand({ ...leg, trunk })).toBe(
      'originate {origination_uuid=leg-1,originate_timeout=35,ignore_early_media=true,outbound_redirect_fatal=true,' +
        'park_after_bridge=true,app_call=cal_1,app_employee=emp_1,media_timeout=5000,sip_h_X-Parley-Call=cal_1,' +
        'sip_h_X-Parley-Trunk=payload.signature,' +
        'origination_caller_id_number=+4520304050,origination_caller_id_name=+4520304050}' +
        'sofia/switches/sip:trunk@10.0.0.6:5082;transport=tcp &park()',
    );
  });

  it('commands connect a leg of another switch with a phone, and end both together', () => {
    const end = { kind: 'phone', dialString: browser, callId: 'cal_1', timeoutSecs: 30 } as const;
    expect(connectTrunkLines('leg-1', end, 'run-1')).toEqual([
      { line: 'api sched_del leg-1' },
      { line: 'api uuid_setvar_multi leg-1 app_trunk=true;hangup_after_bridge=true' },
      {
        line: 'sendmsg leg-1',
        headers: {
          'call-command': 'execute',
          'execute-app-name': 'bridge',
          'execute-app-arg':
            '{originate_timeout=35,ignore_early_media=true,outbound_redirect_fatal=true,absolute_codec_string=^^:OPUS:PCMU:PCMA,' +
            `media_timeout=10000,sip_h_X-Parley-Call=cal_1}${browser}`,
          'Event-UUID': 'run-1',
        },
      },
    ]);
  });

  it('commands connect a phone that returns with the switch of its call', () => {
    const end = { kind: 'switch', address: '[2001:db8::6]:5082', ticket: 'a.b' } as const;
    expect(connectTrunkLines('leg-1', end, 'run-1').at(-1)?.headers?.['execute-app-arg']).toBe(
      '{sip_h_X-Parley-Trunk=a.b}sofia/switches/sip:trunk@[2001:db8::6]:5082;transport=tcp',
    );
  });

  it.each<TrunkEnd>([
    { kind: 'switch', address: '10.0.0.6:5082,sofia/external/+1900@x', ticket: 'a' },
    { kind: 'switch', address: '10.0.0.6', ticket: 'a' },
    { kind: 'switch', address: '10.0.0.6:5082', ticket: 'a,b=c' },
    { kind: 'switch', address: '10.0.0.6:5082', ticket: '' },
    { kind: 'phone', dialString: 'sofia/external/+1900@x,a', callId: 'cal_1', timeoutSecs: 30 },
    { kind: 'phone', dialString: browser, callId: 'cal 1', timeoutSecs: 30 },
  ])('a leg is not connected with %j', (end) => {
    expect(() => connectTrunkLines('leg-1', end, 'run-1')).toThrow(UnsafeArgument);
  });

  it('a command creates a leg with headers', () => {
    const headers = { 'X-Emergency-Address': 'Main%20St%201' };
    expect(originateCommand({ ...leg, headers })).toContain(',sip_h_X-Emergency-Address=Main%20St%201}');
  });

  it('a command that refuses a call says why', () => {
    const refuse = { do: 'refuse', legId: 'a', cause: 'USER_BUSY', reason: 'too_many_calls' } as const;
    expect(controlLines(refuse, mediaUrls, 'cal_1').map(({ line }) => line)).toEqual([
      'api uuid_setvar_multi a sip_rh_X-Parley-Refusal=too_many_calls',
      'api uuid_kill a USER_BUSY',
    ]);
  });

  it.each<Partial<NewLeg>>([
    { headers: { 'X-Address': 'Main St 1' } },
    { headers: { 'X-Address': 'a,app_call=other' } },
    { headers: { 'X=Address': 'a' } },
    { callerNumber: '+45,app_call=other' },
    { callerNumber: '+45:_:x' },
    { callerNumber: '${system(id)}' },
    { callerNumber: "x'y" },
    { callerNumber: '+45\napi system id' },
    { dialString: `sofia/internal/sip:a@b${path} &system(id)` },
    { dialString: `sofia/internal/sip:a@b${path},sofia/external/+900@x` },
    { dialString: `sofia/internal/sip:a@b;x=:_:[a=1]sofia/gateway/x/+1900${path}` },
    { dialString: 'sofia/internal/sip:${system(id)}@b' },
    { dialString: 'sofia/internal/sip:a@b' },
    { dialString: 'sofia/external/a1900@carrier.example' },
    { dialString: 'sofia/external/19005550100@carrier.example' },
    { dialString: 'sofia/gateway/acme/+45,x' },
    { dialString: 'loopback/x' },
    { legId: 'leg 1' },
    { timeoutSecs: Number.NaN },
    ...HOSTILE_CONTACTS.map((contact) => ({ dialString: `sofia/internal/${contact}` })),
  ])('a command with %j is refused', (change) => {
    expect(() => originateCommand({ ...leg, ...change })).toThrow(UnsafeArgument);
  });

  it('a command plays prompts from our own address by their hash', () => {
    const audio = { kind: 'prompt', contentHash: 'ab12' } as const;
    expect(controlLines({ do: 'play', legId: 'a', playId: 'p', audio }, mediaUrls, 'cal_1')).toEqual([
      {
        line: 'sendmsg a',
        headers: {
          'call-command': 'execute',
          'execute-app-name': 'playback',
          'execute-app-arg': 'http_cache://http://127.0.0.1:8083/switch/prompts/ab12.wav',
          'Event-UUID': 'p',
        },
      },
    ]);
    expect(() =>
      controlLines(
        { do: 'play', legId: 'a', playId: 'p', audio: { kind: 'prompt', contentHash: '${x}' } },
        mediaUrls,
        'c',
      ),
    ).toThrow(UnsafeArgument);
  });

  it('a command holds a conversation and masks its recording', () => {
    const lines = [
      { do: 'park', legId: 'a' } as const,
      { do: 'mask_recording', legId: 'a', recording: 'cal_1-1', isMasked: true } as const,
      { do: 'mask_recording', legId: 'a', recording: 'cal_1-1', isMasked: false } as const,
    ].flatMap((step) => controlLines(step, mediaUrls, 'cal_1').map(({ line }) => line));
    expect(lines).toEqual([
      'api uuid_transfer a -both park inline',
      'api uuid_record a mask /var/recordings/cal_1-1.wav',
      'api uuid_record a unmask /var/recordings/cal_1-1.wav',
    ]);
  });

  it('a command takes a leg over from the switch', () => {
    expect(controlLines({ do: 'take', legId: 'a' }, mediaUrls, 'cal_1').map(({ line }) => line)).toEqual([
      'api sched_del a',
      'api uuid_setvar_multi a app_call=cal_1;park_after_bridge=true;RECORD_STEREO=true',
    ]);
  });
});

/** Arguments as they may come from outside: good ones, and ones with everything that means something to a switch. */
const piece = fc.constantFrom(
  ...`a 1 +45 cal_1 sofia/internal/sip:a@h sofia/external/+4520304050@c .. /`.split(' '),
  path,
  ...SWITCH_SYNTAX,
);
const hostile = fc.oneof(
  fc.array(piece, { minLength: 1 }).map((pieces) => pieces.join('')),
  fc.string(),
);
const id = fc.oneof({ weight: 4, arbitrary: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,30}$/) }, hostile);

/** The command, or undefined when it was refused. */
function made<Made>(make: () => Made): Made | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof UnsafeArgument) return undefined;
    throw error;
  }
}

describe('whatever the arguments', () => {
  it('an originate has one destination and the variables of this leg', () => {
    const legs = fc.record({
      legId: id,
      callId: id,
      employeeId: fc.option(id),
      timeoutSecs: fc.oneof(fc.integer({ min: 1, max: 600 }), fc.double()),
      callerNumber: fc.option(fc.oneof(fc.stringMatching(/^\+\d{5,15}$/), fc.constant('anonymous'), hostile)),
      dialString: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(browser, carrier.dialString, 'sofia/gateway/acme/+4520304051') },
        fc.tuple(fc.constantFrom(browser, carrier.dialString), hostile).map(([start, end]) => start + end),
        hostile,
      ),
      room: fc.option(id),
    });
    let commands = 0;
    fc.assert(
      fc.property(legs, (given) => {
        const line = made(() => originateCommand(given));
        if (line === undefined) return;
        commands += 1;
        const { variables, destinations, application } = readOriginate(line);
        const { legId, callId, employeeId, callerNumber, dialString, room } = given;
        expect(destinations).toEqual([dialString]);
        expect(application).toBe(room === null ? '&park()' : `&conference(${room}@parley)`);
        expect(new Map(variables).size).toBe(variables.length);
        expect(Object.fromEntries(variables)).toEqual({
          origination_uuid: legId,
          originate_timeout: String(given.timeoutSecs),
          ignore_early_media: 'true',
          outbound_redirect_fatal: 'true',
          park_after_bridge: 'true',
          app_call: callId,
          ...(employeeId === null
            ? { RECORD_STEREO: 'true' }
            : {
                app_employee: employeeId,
                media_timeout: dialString.startsWith(browser) ? '5000' : '120000',
                'sip_h_X-Parley-Call': callId,
              }),
          ...(callerNumber !== null && {
            origination_caller_id_number: callerNumber,
            origination_caller_id_name: callerNumber,
          }),
        });
      }),
      { numRuns: 2000 },
    );
    expect(commands).toBeGreaterThan(100);
  });

  it('a step is commands of the list with the arguments of the step, each one word', () => {
    const count = fc.oneof(fc.nat({ max: 1000 }), fc.double());
    const step: fc.Arbitrary<ControlStep> = fc.oneof(
      fc.record({ do: fc.constantFrom('take', 'answer', 'send_early_media', 'stop_audio'), legId: id }),
      fc.record({ do: fc.constant('ring'), legId: id, playId: id }),
      fc.record({
        do: fc.constant('play'),
        legId: id,
        playId: id,
        audio: fc.record({ kind: fc.constant('prompt'), contentHash: id }),
      }),
      fc.record({ do: fc.constant('bridge'), legId: id, peerId: id }),
      fc.record({ do: fc.constant('hang_up'), legId: id, cause: fc.oneof(fc.constant('LOSE_RACE'), hostile) }),
      fc.record({ do: fc.constantFrom('start_recording', 'stop_recording'), legId: id, recording: id }),
      fc.record({
        do: fc.constant('supervise'),
        legId: id,
        watchedLegId: id,
        mode: fc.constantFrom('listen', 'whisper', 'barge'),
        playId: id,
      }),
      fc.record({
        do: fc.constant('record_voicemail'),
        legId: id,
        playId: id,
        recording: id,
        maxSecs: count,
        silenceSecs: count,
      }),
      fc.record({ do: fc.constant('mask_recording'), legId: id, recording: id, isMasked: fc.boolean() }),
      fc.record({ do: fc.constant('park'), legId: id }),
      fc.record({ do: fc.constant('join_conference'), legId: id, room: id }),
      fc.record({ do: fc.constantFrom('hold', 'release_hold'), room: id, memberId: id }),
    ) as fc.Arbitrary<ControlStep>;
    let commands = 0;
    fc.assert(
      fc.property(step, id, (given, callId) => {
        const lines = made(() => controlLines(given, mediaUrls, callId));
        for (const line of lines ?? []) {
          commands += 1;
          expectOneCommand(line, [...valuesOf(given), callId]);
        }
      }),
      { numRuns: 2000 },
    );
    expect(commands).toBeGreaterThan(100);
  });
});

const FIXED_WORDS: readonly string[] = [
  'all',
  'start',
  'stop',
  'eavesdrop_whisper_aleg=false;eavesdrop_whisper_bleg=false',
  'eavesdrop_whisper_aleg=false;eavesdrop_whisper_bleg=true',
  'eavesdrop_whisper_aleg=true;eavesdrop_whisper_bleg=true',
  'mask',
  'unmask',
  '-both',
  'park',
  'inline',
  'hold',
  'unhold',
  'local_stream://moh',
  '200',
];

/** Everything in a step that came from outside. */
function valuesOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(valuesOf);
  return [String(value)];
}

/** Every word is one that a command has anyway, or an argument in its place: with a prefix and an end, nothing else. */
function expectOneCommand({ line, headers = {} }: CommandLine, given: readonly string[]): void {
  const [kind, command, ...rest] = readWords(line);
  if (kind === 'api') expect(API_COMMANDS).toContain(command);
  else expect(kind).toBe('sendmsg');
  const words = [...(kind === 'api' ? rest : [command ?? '']), ...readWords(headers['execute-app-arg'] ?? '')];
  for (const word of [...words, headers['Event-UUID'] ?? ''].filter((one) => one !== '')) {
    const inner = word
      .replace(
        /^(app_call=|conference:|\/var\/recordings\/|http_cache:\/\/http:\/\/127\.0\.0\.1:8083\/switch\/prompts\/)/,
        '',
      )
      .replace(/(;park_after_bridge=true;RECORD_STEREO=true|@parley|\.wav)$/, '');
    expect(FIXED_WORDS.includes(inner) || given.includes(inner)).toBe(true);
  }
}
