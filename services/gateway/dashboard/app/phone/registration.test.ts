import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../api/api-error.ts';
import { Registration, type RegistrationPorts, type RegistrationState } from './registration.ts';

function start(changes: Partial<RegistrationPorts> = {}) {
  const states: RegistrationState[] = [];
  const notices: (string | null)[] = [];
  const done: string[] = [];
  const waiting: (() => void)[] = [];
  let allow: (isAllowed: boolean) => void = () => undefined;
  const registration = new Registration({
    mayUseMicrophone: () =>
      new Promise((resolve) => {
        allow = resolve;
      }),
    register: () => {
      done.push('register');
      return Promise.resolve();
    },
    unregister: () => done.push('unregister'),
    later: (action) => waiting.push(action),
    onChange: (state, notice) => {
      states.push(state);
      if (notice !== undefined) notices.push(notice);
    },
    ...changes,
  });
  return { registration, states, notices, done, waiting, allow: (isAllowed: boolean) => allow(isAllowed) };
}

describe('the registration of this browser', () => {
  it('the registration of this browser asks for the microphone, connects, and is told of its success', async () => {
    const { registration, states, done, allow } = start();
    const wanted = registration.setEnabled(true);
    expect(states.at(-1)?.registration).toBe('asking');
    allow(true);
    await wanted;
    expect(done).toEqual(['register']);
    registration.registered();
    registration.lost();
    expect(states.slice(-2).map((state) => state.registration)).toEqual(['registered', 'connecting']);
  });

  it('this browser does not register when the phone is switched off while the browser asks for the microphone', async () => {
    const { registration, states, done, allow } = start();
    const wanted = registration.setEnabled(true);
    await registration.setEnabled(false);
    allow(true);
    await wanted;
    expect(done).toEqual(['unregister']);
    expect(states.at(-1)).toEqual({ isEnabled: false, registration: 'off' });
    registration.registered();
    expect(states.at(-1)?.registration).toBe('off');
  });

  it('the registration of this browser ends a registration that completes after it was switched off', async () => {
    let connected: () => void = () => undefined;
    const { registration, done, allow } = start({
      register: () =>
        new Promise((resolve) => {
          connected = resolve;
        }),
    });
    const wanted = registration.setEnabled(true);
    allow(true);
    await new Promise((resolve) => setTimeout(resolve));
    await registration.setEnabled(false);
    connected();
    await wanted;
    expect(done).toEqual(['unregister', 'unregister']);
  });

  it('the registration of this browser says what to do without a microphone, and why it could not connect', async () => {
    const denied = start();
    const wanted = denied.registration.setEnabled(true);
    denied.allow(false);
    await wanted;
    expect(denied.notices.at(-1)).toContain('Allow it');
    expect(denied.registration.isEnabled).toBe(false);

    const refused = start({ register: () => Promise.reject(new ApiError(403)) });
    const tried = refused.registration.setEnabled(true);
    refused.allow(true);
    await tried;
    expect(refused.notices.at(-1)).toContain('not allowed');
    expect(refused.registration.isEnabled).toBe(false);
    expect(refused.waiting).toEqual([]);
  });

  it('the registration of this browser stays enabled while the server cannot be reached, and tries again until it is switched off', async () => {
    let failures = 1;
    const register = () => (failures-- > 0 ? Promise.reject(new ApiError(503)) : Promise.resolve());
    const { registration, states, notices, waiting, allow } = start({ register });
    const enabled = registration.setEnabled(true);
    allow(true);
    await enabled;
    expect(states.at(-1)).toEqual({ isEnabled: true, registration: 'connecting' });
    expect(notices.at(-1)).toContain('temporarily unavailable');
    waiting.shift()?.();
    await Promise.resolve();
    registration.registered();
    expect(states.at(-1)?.registration).toBe('registered');
    expect(notices.at(-1)).toBeNull();

    failures = 1;
    const again = registration.setEnabled(true);
    allow(true);
    await again;
    await registration.setEnabled(false);
    waiting.shift()?.();
    expect(states.at(-1)).toEqual({ isEnabled: false, registration: 'off' });
  });
});
