import { describe, expect, it } from '@jest/globals';
import { checkUrl } from './check-url.ts';

const nowhere = async () => [];
const somewhere = async () => ['93.184.216.34', '2606:2800:220:1::1'];
const policy = { allowedOrigins: ['http://127.0.0.1:8082'] };

describe('checkUrl', () => {
  it.each([
    'https://example.com',
    'https://example.com./hook',
    'https://example.com:8443/hook?a=b#part',
    'https://a_b.example.com/',
    'https://xn--bcher-kva.example/',
    'https://bücher.example/',
    'https://8.8.8.8/hook',
    'https://[2606:4700:4700::1111]/hook',
    'HTTPS://EXAMPLE.COM/HOOK',
    'http://127.0.0.1:8082/hooks/a',
  ])('checkUrl accepts %s', async (url) => {
    expect(await checkUrl(url, policy, somewhere)).toEqual({ ok: true });
  });

  it.each([
    [undefined, 'malformed'],
    [null, 'malformed'],
    [{ href: 'https://example.com' }, 'malformed'],
    [['https://example.com'], 'malformed'],
    ['', 'malformed'],
    ['example.com', 'malformed'],
    ['https://', 'malformed'],
    ['https:///', 'malformed'],
    ['https:example.com', 'malformed'],
    ['https:/example.com', 'malformed'],
    ['https:///example.com', 'malformed'],
    ['https:\\\\example.com', 'malformed'],
    ['https://example.com\\@127.0.0.1', 'malformed'],
    [' https://example.com', 'malformed'],
    ['https://exam\nple.com', 'malformed'],
    ['https://example.com/\u0000', 'malformed'],
    ['https://exa mple.com', 'malformed'],
    ['https://256.256.256.256', 'malformed'],
    ['https://[::1%25lo]', 'malformed'],
    ['https://[fe80::1', 'malformed'],
    ['https://example.com:65536', 'malformed'],
    ['https://example.com:-1', 'malformed'],
    ['https://example.com:0', 'bad_port'],
    [`https://example.com/${'a'.repeat(2048)}`, 'too_long'],
    ['http://example.com', 'not_https'],
    ['http://127.0.0.1:8083/hooks/a', 'not_https'],
    ['ftp://example.com', 'not_https'],
    ['file:///etc/passwd', 'not_https'],
    ['javascript:alert(1)', 'not_https'],
    ['https://user@example.com', 'has_credentials'],
    ['https://:secret@example.com', 'has_credentials'],
    ['http://user:secret@127.0.0.1:8082/', 'has_credentials'],
    ['https://example.com@127.0.0.1/', 'has_credentials'],
    ['https://127.0.0.1:8082', 'not_public'],
    ['https://0x7f.1', 'not_public'],
    ['https://2130706433', 'not_public'],
    ['https://[::ffff:127.0.0.1]', 'not_public'],
    ['https://localhost.', 'not_public'],
    ['https://intranet', 'not_public'],
    ['https://a..b.com', 'not_public'],
    ['https://.com', 'not_public'],
    ['https://example.com..', 'not_public'],
    ['https://.', 'not_public'],
    ['https://-a.com', 'not_public'],
    ['https://$x.com', 'not_public'],
    [`https://${'a'.repeat(64)}.com`, 'not_public'],
    [`https://${'a.'.repeat(127)}com`, 'not_public'],
  ])('checkUrl refuses %j as %s', async (url, problem) => {
    expect(await checkUrl(url, policy, somewhere)).toEqual({ ok: false, problem });
  });

  it('checkUrl lets a host be saved that does not resolve yet', async () => {
    expect(await checkUrl('https://not-yet.example.com', {}, nowhere)).toEqual({ ok: true });
    expect(await checkUrl('https://not-yet.example.com', {}, () => Promise.reject(new Error('SERVFAIL')))).toEqual({
      ok: true,
    });
  });

  it('checkUrl does not wait forever for an unresponsive name server', async () => {
    expect(await checkUrl('https://silent.example.com', {}, () => new Promise(() => {}))).toEqual({ ok: true });
  });

  it('checkUrl refuses a host when only one of its addresses is internal', async () => {
    const url = 'https://half.example.com';
    expect(await checkUrl(url, {}, async () => ['93.184.216.34', '10.0.0.1'])).toEqual({
      ok: false,
      problem: 'not_public',
    });
  });
});
