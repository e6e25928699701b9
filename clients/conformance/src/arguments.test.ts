import { describe, expect, it } from '@jest/globals';
import { readArguments, WrongUsage } from './arguments.ts';

const LOCAL = {
  base_url: 'http://127.0.0.1:8080',
  operator_url: 'http://127.0.0.1:8081',
  operator_token: 'token',
  sandbox_url: 'http://127.0.0.1:8082',
};
const FULL = {
  baseUrl: 'http://127.0.0.1:8080',
  operator: { url: 'http://127.0.0.1:8081', token: 'token' },
  sandboxUrl: 'http://127.0.0.1:8082',
};

const read = (line: string, content: unknown = LOCAL) =>
  readArguments(
    line.split(' ').filter((part) => part !== ''),
    () =>
      content === undefined ? Promise.reject(new Error('no such file')) : Promise.resolve(JSON.stringify(content)),
  );

describe('arguments', () => {
  it('arguments name the server by its addresses, by local.json, or by a key', async () => {
    const addresses =
      '--base-url http://127.0.0.1:8080/ --operator-url http://127.0.0.1:8081 --sandbox-url http://127.0.0.1:8082';
    expect((await read(`${addresses} --operator-token token`)).target).toEqual(FULL);
    expect((await read('--local local.json')).target).toEqual(FULL);
    expect((await read('--local local.json --base-url http://[::1]:9')).target.baseUrl).toBe('http://[::1]:9');
    expect((await read('--base-url https://phone.example/api --api-key pk_1')).target).toEqual({
      baseUrl: 'https://phone.example/api',
      apiKey: 'pk_1',
    });
  });

  it('arguments choose areas, checks, the format, and what is done', async () => {
    expect(
      await read('--local x --area contacts,snippets --area calls --check CALLS-001 --format junit --mutations'),
    ).toEqual({
      command: 'run',
      target: FULL,
      areas: ['contacts', 'snippets', 'calls'],
      checks: ['CALLS-001'],
      format: 'junit',
      withMutations: true,
    });
    expect((await read('--list')).command).toBe('list');
    expect((await read('--help')).command).toBe('help');
  });

  it.each([
    ['', 'Name a server'],
    ['--base-url http://127.0.0.1', 'Name a server'],
    ['--base-url http://a --operator-url http://b', '--operator-token and --sandbox-url must be given too'],
    ['--base-url ftp://a --api-key k', '--base-url is no address of HTTP: ftp://a'],
    ['--base-url phone --api-key k', '--base-url is no address of HTTP'],
    ['--local x --area parking', 'there is no area parking; the areas are authentication,'],
    ['--local x --format xml', '--format is one of text, json, junit, not xml'],
    ['--local x --colour', 'colour'],
    ['--local x more', 'more'],
    ['--local', 'local'],
  ])('arguments are wrong: %j', async (line, message) => {
    await expect(read(line)).rejects.toThrow(WrongUsage);
    await expect(read(line)).rejects.toThrow(message);
  });

  it.each([
    [undefined, 'cannot be read: no such file'],
    [null, 'has no base_url'],
    [{ ...LOCAL, sandbox_url: 1 }, 'has no sandbox_url'],
  ])('arguments name a local.json that is none: %j', async (content, message) => {
    const wrong = readArguments(['--local', 'x'], () =>
      content === undefined ? Promise.reject(new Error('no such file')) : Promise.resolve(JSON.stringify(content)),
    );
    await expect(wrong).rejects.toThrow(message);
  });
});
