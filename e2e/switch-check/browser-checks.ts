import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../identity/people.ts';
import { startBrowser } from '../identity/real-browser.ts';
import { operate, succeeded } from '../support/api.ts';
import { type Checks, CUSTOMER_HERTZ, type Given, talks, untilEnded } from './check-fixture.ts';
import { loudness } from './pitch.ts';

const LIMIT = { timeout: 45_000 };
/** A beep of the browser's microphone; silence is 0. */
const AUDIBLE = 200;

/** Keeps the connections of a page, whose statistics tell what it hears. */
const KEEP_CONNECTIONS = `
  globalThis.connections = [];
  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(...options) {
      super(...options);
      connections.push(this);
    }
  };`;
/** Audio goes through a TURN server or not at all, as in a network that lets nothing else out. */
const RELAYED_ONLY = `
  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(configuration, ...others) {
      super({ ...configuration, iceTransportPolicy: 'relay' }, ...others);
    }
  };`;
const RELAYS = `Promise.all(connections.map(async (connection) =>
  [...(await connection.getStats()).values()].filter(({ candidateType, type }) => type === 'local-candidate' && candidateType === 'relay').length,
)).then((counts) => counts.reduce((sum, count) => sum + count, 0))`;
const LOUDEST_HEARD = `Promise.all(connections.map(async (connection) =>
  [...(await connection.getStats()).values()].map(({ type, audioLevel = 0 }) => (type === 'inbound-rtp' ? audioLevel : 0)),
)).then((levels) => Math.max(0, ...levels.flat()))`;

/** Needs Chromium, and SIP_WEBSOCKET_URL. */
export const browserChecks: Checks = {
  async 'the dashboard in a browser takes a call with audio, holds it, passes it on, calls out and hangs up'(given) {
    const { env, ada, bobPhone } = given;
    const { company } = env;
    const cleo = await company.hire('Cleo', false);
    await succeeded(operate(company.stack, 'PUT', `/employees/${cleo.id}/password`, { password: PASSWORD }));
    const number = await company.number({ type: 'TransferConfig', employee_ids: [cleo.id] });
    const browser = await startBrowser();
    try {
      const page = await signIn(await browser.newPage({ baseURL: company.stack.base_url }), cleo.email);
      const phone = page.getByRole('region', { name: 'Phone' });
      const button = (name: string) => phone.getByRole('button', { name, exact: true });
      const available = phone.getByRole('switch', { name: 'Available for calls' });
      if ((await available.getAttribute('aria-checked', LIMIT)) === 'false') await available.click();
      await company.status(cleo, 'available');

      const customer = await env.dial(number);
      customer.audio.tone(CUSTOMER_HERTZ);
      await button('Answer').click(LIMIT);
      await page.getByRole('region', { name: 'Current call' }).getByRole('timer').waitFor(LIMIT);
      const callId = await env.callFrom(customer.from);
      await company.state(callId, 'bridged');
      await hearEachOther(given, page, () => customer.audio.received(2000));

      await button('Hold').click();
      await env.until('hold', async () => (await company.call(callId)).on_hold === true);
      await button('Hold').click();
      await env.until('the end of hold', async () => (await company.call(callId)).on_hold === false);
      await hearEachOther(given, page, () => customer.audio.received(2000));

      await button('Transfer').click(LIMIT);
      await phone.getByLabel('Transfer to').selectOption('Bob');
      await button('Start transfer').click(LIMIT);
      const target = await env.rings(bobPhone);
      target.answer();
      await talks(given, target);
      await button('Complete transfer').click(LIMIT);
      await page.getByRole('region', { name: 'Current call' }).waitFor({ state: 'detached', ...LIMIT });
      customer.hangUp();
      await untilEnded(given, target);
      await company.status(cleo, 'available');

      await phone.getByLabel('Number to call').fill('+4530123457');
      await button('Call').click();
      const remote = await env.rings(env.carrier);
      remote.answer();
      await talks(given, remote);
      remote.audio.tone(CUSTOMER_HERTZ);
      await hearEachOther(given, page, () => remote.audio.received(2000));
      await button('Hang up').click();
      await untilEnded(given, remote);
      await company.status(cleo, 'available');
    } finally {
      await browser.close();
    }
    await company.status(cleo, 'logged_out');
    await company.status(ada, 'available');
  },

  ...(/"turns?:/.test(process.env['ICE_SERVERS'] ?? '') && {
    'a browser whose audio can only go through the TURN server': relayedCall,
  }),
};

async function relayedCall({ env, ...given }: Given): Promise<void> {
  const { company } = env;
  const dora = await company.hire('Dora', false);
  await succeeded(operate(company.stack, 'PUT', `/employees/${dora.id}/password`, { password: PASSWORD }));
  const number = await company.number({ type: 'TransferConfig', employee_ids: [dora.id] });
  const browser = await startBrowser();
  try {
    const opened = await browser.newPage({ baseURL: company.stack.base_url });
    await opened.addInitScript(RELAYED_ONLY);
    const page = await signIn(opened, dora.email);
    const phone = page.getByRole('region', { name: 'Phone' });
    const available = phone.getByRole('switch', { name: 'Available for calls' });
    if ((await available.getAttribute('aria-checked', LIMIT)) === 'false') await available.click();
    await company.status(dora, 'available');
    const customer = await env.dial(number);
    customer.audio.tone(CUSTOMER_HERTZ);
    await phone.getByRole('button', { name: 'Answer', exact: true }).click(LIMIT);
    await hearEachOther({ env, ...given }, page, () => customer.audio.received(2000));
    assert.ok(((await page.evaluate(RELAYS)) as number) > 0);
    customer.hangUp();
    await company.status(dora, 'available');
  } finally {
    await browser.close();
  }
}

async function signIn(page: Page, email: string): Promise<Page> {
  await page.addInitScript(KEEP_CONNECTIONS);
  await page.goto('/dashboard');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Dashboard' }).waitFor(LIMIT);
  return page;
}

async function hearEachOther({ env }: Given, page: Page, received: () => readonly number[]): Promise<void> {
  await env.until('the browser to be heard', () => loudness(received()) > AUDIBLE);
  await env.until('audio in the browser', async () => ((await page.evaluate(LOUDEST_HEARD)) as number) > 0.001);
}
