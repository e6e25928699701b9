import { describe, expect, it } from '@jest/globals';
import { Registration, type RegistrationPorts, type RegistrationState } from './registration.ts';

function start(changes: Partial<RegistrationPorts> = {}) {
  const states: RegistrationState[] = [];
  const notices: (string | null)[] = [];
  const done: string[] = [];
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
    onChange: (state, notice) => {
      states.push(state);
      if (notice !== undefined) notices.push(notice);
    },
    ...changes,
  });
  return { registration, states, notices, done, allow: (isAllowed: boolean) => allow(isAllowed) };
}

describe('the registration of this browser', () => {
  it('asks for the microphone, connects, and is told of its success', async () => {
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

  it('does not register when it is switched off while the browser asks for the microphone', async () => {
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

  it('ends a registration that completes after it was switched off', async () => {
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

  it('says what to do without a microphone, and why it could not connect', async () => {
    const denied = start();
    const wanted = denied.registration.setEnabled(true);
    denied.allow(false);
    await wanted;
    expect(denied.notices.at(-1)).toContain('Allow it');
    expect(denied.registration.isEnabled).toBe(false);

    const failing = start({ register: () => Promise.reject(new Error('No connection.')) });
    const tried = failing.registration.setEnabled(true);
    failing.allow(true);
    await tried;
    expect(failing.notices.at(-1)).toBe('No connection.');
  });
});
