import { describe, expect, it } from '@jest/globals';
import { unknownAddressPage } from './unknown-address.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const answer = unknownAddressPage({ secure: true });

describe('an unknown address', () => {
  it('an unknown address is a page in the language of the browser, under the policy of the pages', () => {
    const headers = { accept: BROWSER, 'accept-language': 'da' };
    const response = answer({ method: 'GET', url: '/nowhere?<script>', headers });
    expect(response).toMatchObject({ status: 404, content: expect.stringContaining('Siden findes ikke') });
    expect(response?.content).toContain('href="/dashboard"');
    expect(response?.content).not.toContain('<script');
    expect(response?.headers?.['Content-Security-Policy']).toContain("default-src 'none'");
    expect(response?.headers?.['Strict-Transport-Security']).toBeDefined();
  });

  it.each([
    ['GET', '/api/v2/calls', BROWSER],
    ['GET', '/api', BROWSER],
    ['GET', '/media/x', BROWSER],
    ['POST', '/nowhere', BROWSER],
    ['GET', '/nowhere', '*/*'],
    ['GET', '/nowhere', undefined],
  ])('an unknown address is the error for %s %s of who accepts %s', (method, url, accept) => {
    expect(answer({ method, url, headers: { accept } })).toBeUndefined();
  });

  it('an unknown address is a page where the name only begins like that of the API', () => {
    expect(answer({ method: 'HEAD', url: '/apian', headers: { accept: BROWSER } })?.status).toBe(404);
  });
});
