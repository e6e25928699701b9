import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { newPkce } from '../identity/app.ts';
import { linkTo, PASSWORD } from '../identity/people.ts';
import { visit } from '../identity/visitor.ts';
import { createTestCompany, operate, send } from '../support/api.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import type { OtlpReceiver } from './otlp-receiver.ts';

/** The stack must log at the level `trace`. */
export function testNoSecrets(stack: LocalStack, collector: OtlpReceiver): void {
  const output: Buffer[] = [];

  beforeAll(() => {
    stack.process.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
    stack.process.stderr?.on('data', (chunk: Buffer) => output.push(chunk));
  });

  async function logs(): Promise<string> {
    const directory = path.join(stack.dataDir, 'logs');
    const files = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
    const texts = files
      .filter((file) => file.isFile())
      .map((file) => readFile(path.join(file.parentPath, file.name), 'utf8'));
    return [...(await Promise.all(texts)), Buffer.concat(output).toString()].join('\n');
  }

  const tokenOf = (link: string) => new URL(link, stack.local.base_url).searchParams.get('token') ?? '';

  it('no secret is in a log line or a span, at the level that logs the most', async () => {
    const base = stack.local.base_url;
    const company = await createTestCompany(stack.local);
    const browser = visit(base);
    const form = (body: Record<string, string>, to = '/oauth/token') =>
      send('POST', `${base}${to}`, {
        body: new URLSearchParams(body).toString(),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      });

    const wrong = 'canary-wrong-password';
    const start = await browser.open('/dashboard/api-keys');
    await browser.press(start, 'Sign in', { Email: company.owner.email, Password: wrong });
    await browser.press(start, 'Sign in', { Email: company.owner.email, Password: PASSWORD });
    const key: string = (await browser.account('POST', '/api_keys', { name: 'canary' })).body.api_key;
    const client = await send('POST', `${base}/oauth/register`, {
      body: { client_name: 'Canary', redirect_uris: ['https://canary.example/cb'] },
    });
    const { challenge, verifier } = newPkce();
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: client.body.client_id,
      redirect_uri: 'https://canary.example/cb',
      scope: 'api',
      state: 'canary-state',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    const consent = await browser.open(`/oauth/authorize?${query}`);
    const code = new URL((await browser.press(consent, 'Allow')).url).searchParams.get('code') ?? '';
    const redeem = {
      grant_type: 'authorization_code',
      client_id: client.body.client_id,
      redirect_uri: 'https://canary.example/cb',
      code,
      code_verifier: verifier,
    };
    const { body: tokens } = await form(redeem);
    const refreshing = { grant_type: 'refresh_token', client_id: client.body.client_id };
    const { body: next } = await form({ ...refreshing, refresh_token: tokens.refresh_token });
    // Mistakes are what gets logged: secrets in the wrong place, and secrets that do not work any more.
    await send('GET', `${base}/api/v1/contacts?api_key=${key}&access_token=${next.access_token}`);
    await send('GET', `${base}/api/v1/contacts/${next.access_token}`, { headers: { 'X-Api-Key': key } });
    await send('GET', `${base}/${key}`, { headers: { Authorization: `Bearer ${next.access_token}` } });
    await form({ ...refreshing, refresh_token: tokens.refresh_token });
    await form({ token: next.refresh_token, client_id: client.body.client_id }, '/oauth/revoke');
    await browser.open('/invitation?token=it_canary-invitation-token');
    const ask = async () =>
      browser.press(await browser.open('/forgot-password'), 'Send link', { Email: company.owner.email });
    await ask();
    const endedReset = await linkTo(company.owner.email, 1, stack.local);
    await ask();
    const reset = await linkTo(company.owner.email, 2, stack.local);
    const resetPassword = 'canary-reset-password';
    const choose = { Password: resetPassword, 'Repeat password': resetPassword };
    expect((await browser.press(await browser.open(reset), 'Set password', choose)).status).toBe(200);
    for (const spent of [endedReset, reset]) expect((await browser.open(spent)).status).toBe(404);
    await operate(stack.local, 'PUT', `/employees/${company.owner.id}/password`, { password: 'canary-new-password' });

    const canaries = {
      password: PASSWORD,
      wrong,
      newPassword: 'canary-new-password',
      session: browser.cookies.get('parley_session') ?? '',
      device: browser.cookies.get('parley_device') ?? '',
      formSecret: browser.cookies.get('parley_form') ?? '',
      key,
      firstKey: company.apiKey,
      code,
      verifier,
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token,
      nextAccessToken: next.access_token,
      nextRefreshToken: next.refresh_token,
      invitation: 'it_canary-invitation-token',
      resetPassword,
      endedReset: tokenOf(endedReset),
      reset: tokenOf(reset),
      operatorToken: stack.local.operator_token,
    };
    // The search finds what is there: spans name the routes.
    await waitUntil(() => collector.received().includes('POST /oauth/revoke'), {
      what: 'the spans',
      timeoutMs: 60_000,
    });
    const haystack = `${await logs()}\n${collector.received().toString('latin1')}`;
    for (const [name, canary] of Object.entries(canaries)) {
      expect([name, canary.length > 10]).toEqual([name, true]);
      expect([name, haystack.includes(canary.replace(/^[a-z]{2,3}_/, ''))]).toEqual([name, false]);
    }
  });
}
