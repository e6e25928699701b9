import { describe, expect, it } from '@jest/globals';
import { auth } from '@modelcontextprotocol/sdk/client/auth.js';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { send, sharedStack } from '../support/api.ts';
import { allow, useToken } from './app.ts';
import { newPerson } from './people.ts';
import { REDIRECT_URI, inMemoryOAuthProvider } from './in-memory-oauth-provider.ts';

const base = sharedStack().base_url;
const insecure = { [oauth.allowInsecureRequests]: true };

describe('a stock client with only the base address', () => {
  it('oauth4webapi discovers, registers, authorises, refreshes and revokes', async () => {
    const person = await newPerson();
    const issuer = new URL(base);
    const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    const as = await oauth.processDiscoveryResponse(issuer, discovered);
    const registration = await oauth.dynamicClientRegistrationRequest(
      as,
      { client_name: 'Stock client', redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: 'none' },
      insecure,
    );
    const client = (await oauth.processDynamicClientRegistrationResponse(registration)) as oauth.Client;
    expect(client['client_secret']).toBeUndefined();

    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const url = new URL(as.authorization_endpoint ?? '');
    url.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: 'api',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    }).toString();
    const back = await allow(person, url.href);
    // Checks state, and iss against the issuer it discovered (RFC 9207).
    const parameters = oauth.validateAuthResponse(as, client, back, state);
    const none = oauth.None();
    const tokens = await oauth.processAuthorizationCodeResponse(
      as,
      client,
      await oauth.authorizationCodeGrantRequest(as, client, none, parameters, REDIRECT_URI, verifier, insecure),
    );
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'api' });
    expect((await useToken(tokens.access_token)).status).toBe(200);

    const renewed = await oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(as, client, none, tokens.refresh_token ?? '', insecure),
    );
    expect((await useToken(renewed.access_token)).status).toBe(200);
    const revoked = await oauth.revocationRequest(as, client, none, renewed.refresh_token ?? '', insecure);
    await oauth.processRevocationResponse(revoked);
    expect((await useToken(renewed.access_token)).status).toBe(401);
  });

  it('openid-client discovers, registers, authorises, refreshes and revokes', async () => {
    const person = await newPerson();
    const execute = [openid.allowInsecureRequests];
    const config = await openid.dynamicClientRegistration(
      new URL(base),
      { client_name: 'Another client', redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: 'none' },
      openid.None(),
      { algorithm: 'oauth2', execute },
    );
    const verifier = openid.randomPKCECodeVerifier();
    const state = openid.randomState();
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT_URI,
      scope: 'api',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    });
    const checks = { pkceCodeVerifier: verifier, expectedState: state };
    const tokens = await openid.authorizationCodeGrant(config, await allow(person, url.href), checks);
    const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect((await useToken(renewed.access_token)).status).toBe(200);
    await openid.tokenRevocation(config, renewed.refresh_token ?? '');
    expect((await useToken(renewed.access_token)).status).toBe(401);
  });

  it('the MCP SDK finds its way from a refused request to a token', async () => {
    const person = await newPerson();
    const refused = await send('POST', `${base}/mcp`, { body: {} });
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`,
    );
    const { provider, kept } = inMemoryOAuthProvider();
    expect(await auth(provider, { serverUrl: `${base}/mcp` })).toBe('REDIRECT');
    const back = await allow(person, kept.authorizationUrl);
    const authorizationCode = back.searchParams.get('code') ?? '';
    expect(await auth(provider, { serverUrl: `${base}/mcp`, authorizationCode })).toBe('AUTHORIZED');
    expect((await useToken(kept.tokens?.access_token ?? '')).status).toBe(200);
    // With tokens it refreshes.
    expect(await auth(provider, { serverUrl: `${base}/mcp` })).toBe('AUTHORIZED');
    expect((await useToken(kept.tokens?.access_token ?? '')).status).toBe(200);
  });

  it('a stock client with only the base address gets the issuer of the requested host, if that host is configured', async () => {
    const { port } = new URL(base);
    const other = await send('GET', `http://localhost:${port}/.well-known/oauth-authorization-server`);
    expect(other.body).toMatchObject({
      issuer: `http://localhost:${port}`,
      token_endpoint: `http://localhost:${port}/oauth/token`,
    });
  });
});
