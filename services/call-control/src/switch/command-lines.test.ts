import { describe, expect, it } from '@jest/globals';
import { controlLines, type NewLeg, originateCommand, UnsafeArgument } from './command-lines.ts';

const mediaUrls = { httpUrl: 'http://127.0.0.1:8083', recordingsDir: '/var/recordings' };
const leg = {
  legId: 'leg-1',
  callId: 'cal_1',
  employeeId: 'emp_1',
  timeoutSecs: 35,
  callerNumber: '+4520304050',
  dialString: 'sofia/internal/sip:a@b.invalid;transport=ws;fs_path=sip%3Aa%40127.0.0.1',
  room: null,
};

describe('a command', () => {
  it('that creates a leg', () => {
    expect(originateCommand(leg)).toBe(
      'originate {origination_uuid=leg-1,originate_timeout=35,ignore_early_media=true,park_after_bridge=true,app_call=cal_1,' +
        'app_employee=emp_1,media_timeout=5000,sip_h_X-Parley-Call=cal_1,origination_caller_id_number=+4520304050,' +
        'origination_caller_id_name=+4520304050}sofia/internal/sip:a@b.invalid;transport=ws;fs_path=sip%3Aa%40127.0.0.1 &park()',
    );
    const phone = 'sofia/internal/sip:a@192.0.2.1:5060;fs_nat=yes';
    expect(originateCommand({ ...leg, dialString: phone })).toContain('media_timeout=120000,');
    expect(originateCommand({ ...leg, room: 'parley-1' })).toMatch(/ &conference\(parley-1@parley\)$/);
  });

  it('that creates a leg with headers', () => {
    const headers = { 'X-Emergency-Address': 'Main%20St%201' };
    expect(originateCommand({ ...leg, headers })).toContain(',sip_h_X-Emergency-Address=Main%20St%201}');
  });

  it('that refuses a call says why', () => {
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
    { callerNumber: '${system(id)}' },
    { callerNumber: "x'y" },
    { callerNumber: '+45\napi system id' },
    { dialString: 'sofia/internal/sip:a@b &system(id)' },
    { dialString: 'sofia/internal/sip:a@b,sofia/external/+900@x' },
    { dialString: 'sofia/internal/sip:${system(id)}@b' },
    { dialString: 'loopback/x' },
    { legId: 'leg 1' },
  ])('with %j is refused', (change) => {
    expect(() => originateCommand({ ...leg, ...change })).toThrow(UnsafeArgument);
  });

  it('plays prompts from our own address by their hash', () => {
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

  it('takes a leg over from the switch', () => {
    expect(controlLines({ do: 'take', legId: 'a' }, mediaUrls, 'cal_1').map(({ line }) => line)).toEqual([
      'api sched_del a',
      'api uuid_setvar_multi a app_call=cal_1;park_after_bridge=true;RECORD_STEREO=true',
    ]);
  });
});
