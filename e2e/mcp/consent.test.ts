import { expect, it } from '@jest/globals';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { allow, authorizeQuery, newPkce, registerApp, tokenRequest, useToken } from '../identity/app.ts';
import { newPerson } from '../identity/people.ts';
import { inMemoryOAuthProvider } from '../identity/in-memory-oauth-provider.ts';
import { sharedStack } from '../support/api.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { assistantOf, mcpUrl } from './assistant.ts';

const base = sharedStack().base_url;

it('a stock client gets from 401 to a tool result, and loses access when the employee revokes it', async () => {
  const person = await newPerson();
  const { provider, kept } = inMemoryOAuthProvider();
  const transport = () => new StreamableHTTPClientTransport(mcpUrl(), { authProvider: provider });
  const first = transport();
  const refused = new Client({ name: 'Stock client', version: '1' }).connect(first);
  await expect(refused).rejects.toBeInstanceOf(UnauthorizedError);
  expect(new URL(kept.authorizationUrl).searchParams.get('resource')).toBe(`${base}/mcp`);
  const back = await allow(person, kept.authorizationUrl);
  await first.finishAuth(back.searchParams.get('code') ?? '');

  const client = new Client({ name: 'Stock client', version: '1' });
  await client.connect(transport());
  const assistant = assistantOf(client);
  const token = kept.tokens?.access_token ?? '';
  expect((await assistant.use('get_company')).structured).toHaveProperty('id');
  expect((await useToken(token)).status).toBe(200);

  const connected = await waitUntil(
    async () => {
      const { body: apps } = await person.account('GET', '/connected_apps');
      return apps[0]?.last_used_at && apps[0];
    },
    { what: 'the last use of the app' },
  );
  expect(connected.name).toContain('MCP client');
  await person.account('DELETE', `/connected_apps/${connected.client_id}`);
  expect((await useToken(token)).status).toBe(401);
  await expect(assistant.use('get_company')).rejects.toThrow();
});

it('the authorization server accepts only our own resource (RFC 8707)', async () => {
  const person = await newPerson();
  const app = await registerApp();
  const { verifier, challenge } = newPkce();
  const back = await allow(person, authorizeQuery(app, challenge, { resource: `${base}/mcp/` }));
  const form = {
    grant_type: 'authorization_code',
    client_id: app.clientId,
    code: back.searchParams.get('code') ?? '',
    redirect_uri: app.redirectUri,
    code_verifier: verifier,
  };
  const errorOf = async (resource: string | string[]) => (await tokenRequest({ ...form, resource })).body.error;
  expect(await errorOf('https://evil.example/mcp')).toBe('invalid_target');
  expect(await errorOf([base, base])).toBe('invalid_request');
  expect((await tokenRequest({ ...form, resource: base })).status).toBe(200);
});
