import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { send, sharedStack } from '../support/api.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { type App, authorizeQuery, newPkce, registerApp, tokenRequest, useToken } from './app.ts';
import { pollDevice, requestDevice } from './device.ts';
import { HOME, linkTo, newPerson, PASSWORD, type Person } from './people.ts';
import { browserPath, startBrowser } from './real-browser.ts';

const stack = sharedStack();
const inBrowser = browserPath === undefined ? describe.skip : describe;
if (browserPath === undefined) console.warn('no Chromium here: the pages are not tried in a real browser');

let browser: Browser;
let context: BrowserContext;
let page: Page;
let person: Person;
/** Errors of the browser, such as violations of our own content security policy. */
const problems: string[] = [];
let callback: { server: Server; uri: string; received: URL[] };

beforeAll(async () => {
  if (browserPath === undefined) return;
  browser = await startBrowser();
  callback = await listenForCallbacks();
});
afterAll(async () => {
  await browser?.close();
  callback?.server.close();
});

async function newVisitor(): Promise<void> {
  await context?.close();
  person = await newPerson();
  // A phone's screen: everything must be there without scrolling sideways.
  context = await browser.newContext({ viewport: { width: 360, height: 740 }, baseURL: stack.base_url });
  page = await context.newPage();
  page.on('console', (message) => {
    // A request of the page may be made while its session ends.
    const isResponse = /\/api\/v1\//.test(message.location().url) && message.text().includes('401');
    if (message.type() === 'error' && !isResponse) problems.push(message.text());
  });
}

async function signIn(password = PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Moves on with the tab key until the field has the focus. */
async function tabTo(name: string): Promise<void> {
  for (let steps = 0; steps < 10; steps++) {
    if ((await page.evaluate('document.activeElement.name')) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the field ${name} cannot be reached with the keyboard`);
}

inBrowser('in a real browser', () => {
  it('an employee signs in, makes a key, uses it and revokes it', async () => {
    await newVisitor();
    await page.goto('/dashboard/api-keys');
    await signIn();
    await page.getByLabel('Name').fill('Webshop');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByLabel('New API key').inputValue();
    const ask = () => send('GET', `${stack.base_url}/api/v1/contacts`, { headers: { 'X-Api-Key': key } });
    expect((await ask()).status).toBe(200);
    await page.goto('/dashboard/api-keys');
    expect(await page.getByLabel('New API key').count()).toBe(0);
    const listed = page.getByRole('listitem').filter({ hasText: 'Webshop' });
    await listed.getByRole('button', { name: 'Revoke' }).click();
    await listed.waitFor({ state: 'detached' });
    expect((await ask()).status).toBe(401);
    const overflow = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
    expect(overflow).toBe(false);
  });

  it('an employee signs in with the keyboard alone', async () => {
    await newVisitor();
    await page.goto('/signin');
    await tabTo('email');
    await page.keyboard.type(person.email);
    await tabTo('password');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: HOME.title }).waitFor();
  });

  it('an app is allowed, and the browser is redirected to it under the strict policy', async () => {
    await newVisitor();
    const app: App = await registerApp(callback.uri, 'Desktop app');
    const { challenge, verifier } = newPkce();
    await page.goto(authorizeQuery(app, challenge));
    await signIn();
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    for (const words of ['Desktop app', new URL(callback.uri).host, 'api'])
      expect(await page.getByRole('main').innerText()).toContain(words);
    await page.getByRole('button', { name: 'Allow' }).click();
    const back = await waitUntil(() => callback.received.at(-1), { what: 'the callback' });
    const reply = await tokenRequest({
      grant_type: 'authorization_code',
      client_id: app.clientId,
      redirect_uri: callback.uri,
      code: back.searchParams.get('code') ?? '',
      code_verifier: verifier,
    });
    expect((await useToken(reply.body.access_token)).status).toBe(200);

    await page.goto(authorizeQuery(app, challenge));
    await page.getByRole('button', { name: 'Deny' }).click();
    await waitUntil(() => callback.received.at(-1)?.searchParams.get('error') === 'access_denied', {
      what: 'the denial',
    });
  });

  it('a program without a browser is allowed with its code', async () => {
    await newVisitor();
    const { body: device } = await requestDevice();
    await page.goto(device.verification_uri_complete);
    await signIn();
    expect(await page.getByLabel('Code').inputValue()).toBe(device.user_code);
    await page.keyboard.press('Enter');
    await page.getByText('Only continue if you started this yourself just now.').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')).toBe(false);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Parley command line is allowed' }).waitFor();
    const { body } = await pollDevice(device.device_code);
    expect((await useToken(body.access_token)).status).toBe(200);
  });

  it('a second factor is set up from the page and required at the next sign-in', async () => {
    await newVisitor();
    await page.goto('/dashboard/security');
    await signIn();
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    const secret = await page.locator('code').innerText();
    const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    // After a lost connection everything is read again, except this page: it keeps its secret.
    await page.getByRole('region', { name: 'Phone' }).waitFor();
    const refreshed = page.waitForResponse(/\/api\/v1\//);
    await page.evaluate("dispatchEvent(new Event('online'))");
    await refreshed;
    await page.getByLabel('One-time code').fill(code());
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.locator('li code').first().waitFor();
    const recoveryCodes = await page.locator('li code').allInnerTexts();
    expect(recoveryCodes).toHaveLength(10);

    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Olivia Owner' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await signIn();
    await page.getByLabel('One-time code').fill(code());
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: HOME.title }).waitFor();
  });

  it('a forgotten password is replaced, from the sign-in page to the dashboard', async () => {
    await newVisitor();
    await page.goto('/signin');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('Email').fill(person.email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
    await page.goto(await linkTo(person.email));
    await page.getByLabel('Password', { exact: true }).fill('a remembered password');
    await page.getByLabel('Repeat password').fill('a remembered password');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('heading', { name: 'Your password is changed' }).waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn('a remembered password');
    await page.getByRole('heading', { level: 1, name: HOME.title }).waitFor();
  });

  it('no page made the browser complain', () => {
    expect(problems).toEqual([]);
  });

  it('other sites cannot frame our pages', async () => {
    await newVisitor();
    await page.goto(new URL('/frame', callback.uri).href);
    const frame = page.frames().at(-1);
    expect(await frame?.content()).not.toContain('Password');
  });
});

/** The app's side: records its requests, and has a page that tries to frame ours. */
async function listenForCallbacks(): Promise<typeof callback> {
  const received: URL[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://127.0.0.1');
    if (url.pathname === '/callback') received.push(url);
    const frame = `<iframe src="${stack.base_url}/signin"></iframe>`;
    response.setHeader('Content-Type', 'text/html').end(url.pathname === '/frame' ? frame : 'Done');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`, received };
}
