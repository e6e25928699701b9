import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser } from '../dashboard/dashboard-browser.ts';
import { newTokens, registerApp } from '../identity/app.ts';
import { newPerson } from '../identity/people.ts';
import { browserPath, startBrowser } from '../identity/real-browser.ts';
import { type Company, createTestCompany, sharedStack } from '../support/api.ts';

const stack = sharedStack();
let browser: Browser | undefined;
let page: Page;
let company: Company;

beforeAll(async () => {
  if (browserPath === undefined) return;
  company = await createTestCompany();
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(import.meta.resolve('@parley/sdk'))],
    bundle: true,
    format: 'iife',
    globalName: 'sdk',
    platform: 'browser',
    write: false,
  });
  browser = await startBrowser();
  // The pages of the service allow no scripts but their own.
  page = await (await browser.newContext({ bypassCSP: true })).newPage();
  await page.goto(`${stack.base_url}/signin`);
  await page.addScriptTag({ content: outputFiles[0]!.text });
});
afterAll(() => browser?.close());

/** The value of an expression in the page, with a client `parley`. */
const inPage = (expression: string) =>
  page.evaluate(
    `(async () => {
      const parley = new sdk.Parley(${JSON.stringify({ apiKey: company.apiKey, baseUrl: stack.base_url })});
      return ${expression};
    })()`,
  );

describeInBrowser('the TypeScript client in a browser', () => {
  it('the TypeScript client in a browser sends requests and reads lists', async () => {
    expect(await inPage('(await parley.company.get()).id')).toBe(company.id);
    expect(await inPage('(await Array.fromAsync(parley.employees.list())).map(({ id }) => id)')).toEqual([
      company.owner.id,
    ]);
  });

  it('the TypeScript client in a browser gives errors', async () => {
    const error = 'parley.contacts.get("con_unknown").catch(({ name, status }) => ({ name, status }))';
    expect(await inPage(`await ${error}`)).toEqual({ name: 'NotFoundError', status: 404 });
  });

  it('the TypeScript client in a browser does not follow redirects', async () => {
    const redirected = `new sdk.Parley({ apiKey: 'pk_1', baseUrl: '${stack.base_url}', fetch: (url, init) => fetch('/', init) })`;
    expect(await inPage(`await ${redirected}.company.get().catch(({ message }) => message)`)).toContain('redirected');
  });

  it('the TypeScript client in a browser makes the challenges of authorizations', async () => {
    const oauth = `new sdk.ParleyOAuth({ baseUrl: '${stack.base_url}', clientId: 'app', redirectUri: location.href })`;
    expect(await inPage(`(await ${oauth}.authorizationUrl()).url`)).toContain('code_challenge=');
  });

  it('the TypeScript client in a browser follows events by the live channel with an access token', async () => {
    const [person, app] = [await newPerson(), await registerApp()];
    const oauth = { clientId: app.clientId, tokens: await newTokens(person, app) };
    const options = JSON.stringify({ baseUrl: stack.base_url, oauth });
    const addresses: string[] = [];
    page.on('websocket', (socket) => addresses.push(new URL(socket.url()).pathname));
    const name = await page.evaluate(`(async () => {
      const app = new sdk.Parley(${options});
      const { nextCursor } = await app.events.list();
      await app.contacts.create({ phone: '+4520304050', name: 'Ane' });
      for await (const { event } of app.events.follow({ after: nextCursor, types: ['contact.created'] }))
        return event.data.contact.name;
    })()`);
    expect([name, addresses]).toEqual(['Ane', ['/cable']]);
  });
});
