import { describe, expect, it } from '@jest/globals';
import { type CallPorts, CallSession } from './call-session.ts';
import type { Leg, LegEvents } from './leg.ts';
import type { PhoneCall } from './phone-state.ts';

/** A leg whose other side the test is. */
class FakeLeg implements Leg {
  terminated: { cause?: string | undefined; status_code?: number | undefined }[] = [];
  answered = 0;
  muted = false;
  connection = { iceConnectionState: 'connected', connectionState: 'connected' };
  readonly #listeners = new Map<string, ((event: never) => void)[]>();

  on<Name extends keyof LegEvents>(name: Name, listener: (event: LegEvents[Name]) => void): void {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener as (event: never) => void]);
  }
  emit<Name extends keyof LegEvents>(name: Name, event: LegEvents[Name]): void {
    for (const listener of this.#listeners.get(name) ?? []) listener(event as never);
  }
  terminate = (options: { cause?: string; status_code?: number } = {}): void => {
    this.terminated.push(options);
  };
  answer(): void {
    this.answered += 1;
  }
  mute(): void {
    this.muted = true;
  }
  unmute(): void {
    this.muted = false;
  }
  isEnded(): boolean {
    return this.terminated.length > 0;
  }
  sendDTMF(): void {}
}

function start() {
  const legs: FakeLeg[] = [];
  const invited: string[] = [];
  const states: (PhoneCall | null)[] = [];
  const notices: (string | null)[] = [];
  let connect: () => void = () => undefined;
  let isConnected = true;
  let activeId: string | undefined = 'cal_1';
  const ports: CallPorts = {
    invite: async (user) => {
      await new Promise<void>((resolve) => {
        connect = resolve;
      });
      return () => {
        invited.push(user);
        const leg = new FakeLeg();
        legs.push(leg);
        return leg;
      };
    },
    isConnected: () => isConnected,
    activeCallId: () => Promise.resolve(activeId),
    play: () => undefined,
    answerOptions: () => ({}),
    onChange: (call, notice) => {
      states.push(call);
      if (notice !== undefined) notices.push(notice);
    },
    now: () => 1000,
  };
  return {
    ports,
    legs,
    invited,
    states,
    notices,
    connected: async () => {
      connect();
      await settled();
    },
    setConnected: (value: boolean) => {
      isConnected = value;
    },
    setActive: (id: string | undefined) => {
      activeId = id;
    },
    last: () => states.at(-1),
  };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

const RINGING = { number: '+4520304050', callId: 'cal_1' };

async function activeCall(phone: ReturnType<typeof start>) {
  const leg = new FakeLeg();
  const call = CallSession.incoming(phone.ports, leg, RINGING);
  call.answer();
  leg.emit('accepted', {});
  return { call, leg };
}

describe('a call that one makes', () => {
  it('a call that one makes rings, is answered, and ends', async () => {
    const phone = start();
    const call = CallSession.dial(phone.ports, '+4520304050', []);
    expect(phone.last()).toMatchObject({ state: 'ringing', direction: 'outgoing' });
    await phone.connected();
    expect(phone.invited).toEqual(['+4520304050']);
    phone.legs[0]!.emit('accepted', {});
    expect(phone.last()).toMatchObject({ state: 'active', activeSince: 1000 });
    phone.legs[0]!.emit('ended', { originator: 'remote', cause: 'BYE' });
    expect(phone.last()).toBeNull();
    expect(call.hasEnded).toBe(true);
  });

  it('a call that one makes is never sent when one hangs up while it is being prepared', async () => {
    const phone = start();
    const call = CallSession.dial(phone.ports, '+4520304050', []);
    call.hangUp();
    expect(phone.last()).toBeNull();
    await phone.connected();
    expect(phone.invited).toEqual([]);
  });

  it('a call that one makes is cancelled when one hangs up while it rings', async () => {
    const phone = start();
    const call = CallSession.dial(phone.ports, '+4520304050', []);
    await phone.connected();
    call.hangUp();
    expect(phone.legs[0]!.terminated).toHaveLength(1);
  });

  it('a call that one makes says why nobody answered', async () => {
    const phone = start();
    CallSession.dial(phone.ports, '+4520304050', []);
    await phone.connected();
    phone.legs[0]!.emit('failed', { originator: 'remote', cause: 'Busy' });
    expect(phone.notices.at(-1)).toBe('The line is busy.');
  });
});

describe('a call that rings here', () => {
  it('a call that rings here can be declined, which is no news', () => {
    const phone = start();
    const leg = new FakeLeg();
    const call = CallSession.incoming(phone.ports, leg, RINGING);
    call.decline();
    expect(leg.terminated).toEqual([{ status_code: 603, reason_phrase: 'Decline' }]);
    leg.emit('failed', { originator: 'local', cause: 'Rejected' });
    expect(phone.last()).toBeNull();
    expect(phone.notices.at(-1)).toBeNull();
  });

  it('a call that rings here says that somebody else has answered', () => {
    const phone = start();
    const leg = new FakeLeg();
    CallSession.incoming(phone.ports, leg, RINGING);
    const message = { getHeader: () => 'SIP;cause=200;text="Call completed elsewhere"' };
    leg.emit('failed', { originator: 'remote', cause: 'Canceled', message });
    expect(phone.notices.at(-1)).toBe('The call was answered elsewhere.');
  });
});

describe('a call whose audio is lost', () => {
  it('a call whose audio is lost continues on a new leg, and ends the one before when the new one is there', async () => {
    const phone = start();
    const { leg } = await activeCall(phone);
    leg.connection.iceConnectionState = 'failed';
    leg.terminate({ cause: 'RTP Timeout' });
    expect(leg.terminated).toEqual([]);
    await settled();
    await phone.connected();
    expect(phone.invited).toEqual(['cal_1']);
    phone.legs[0]!.emit('accepted', {});
    expect(leg.terminated).toHaveLength(1);
    expect(phone.last()).toMatchObject({ state: 'active', activeSince: 1000 });
  });

  it('a call whose audio is lost does not end because the audio of the replaced leg times out again meanwhile', async () => {
    const phone = start();
    const { call, leg } = await activeCall(phone);
    leg.connection.iceConnectionState = 'failed';
    leg.terminate({ cause: 'RTP Timeout' });
    await settled();
    leg.terminate({ cause: 'RTP Timeout' });
    expect(leg.terminated).toEqual([]);
    await phone.connected();
    leg.terminate({ cause: 'RTP Timeout' });
    expect(leg.terminated).toEqual([]);
    expect(phone.legs[0]!.terminated).toEqual([]);
    expect(call.hasEnded).toBe(false);
  });

  it('a call whose audio is lost waits for the connection, then continues', async () => {
    const phone = start();
    const { call, leg } = await activeCall(phone);
    phone.setConnected(false);
    leg.connection.iceConnectionState = 'disconnected';
    leg.terminate({ cause: 'RTP Timeout' });
    expect(phone.notices.at(-1)).toContain('connection is lost');
    phone.setConnected(true);
    call.connectionIsBack();
    await settled();
    await phone.connected();
    expect(phone.invited).toEqual(['cal_1']);
  });

  it('a call whose audio is lost ends when the call is over meanwhile, or one hangs up', async () => {
    const phone = start();
    const { leg } = await activeCall(phone);
    phone.setActive(undefined);
    leg.connection.iceConnectionState = 'failed';
    leg.terminate({ cause: 'RTP Timeout' });
    await settled();
    expect(phone.last()).toBeNull();
    expect(leg.terminated).toHaveLength(1);

    const other = start();
    const { call, leg: lost } = await activeCall(other);
    lost.connection.iceConnectionState = 'failed';
    lost.terminate({ cause: 'RTP Timeout' });
    call.hangUp();
    expect(other.last()).toBeNull();
    expect(lost.terminated).toHaveLength(1);
    await settled();
    expect(other.invited).toEqual([]);
  });
});

it('a page that was reloaded returns to its call, muted as it was', async () => {
  const phone = start();
  const remembered: PhoneCall = {
    direction: 'incoming',
    state: 'active',
    number: '+4520304050',
    callId: 'cal_1',
    activeSince: 500,
    isMuted: true,
  };
  CallSession.returnTo(phone.ports, remembered);
  await settled();
  await phone.connected();
  phone.legs[0]!.emit('accepted', {});
  expect(phone.last()).toMatchObject({ state: 'active', activeSince: 500, isMuted: true });
  expect(phone.legs[0]!.muted).toBe(true);
});
