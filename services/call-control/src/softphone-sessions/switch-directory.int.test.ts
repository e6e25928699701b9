import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type MovableClock, movableClock } from '@parley/clock';
import { decided } from '@parley/errors';
import { newId, encryptor as createEncryptor } from '@parley/secrets';
import { type TestMongo, testMongo } from '@parley/testkit';
import { guessLimit } from './guess-limit.ts';
import { a1Hash, digestResponse } from './sip-digest.ts';
import { addSession } from './softphone-session.ts';
import { a1Context, openSoftphoneSessions, type SoftphoneSessions } from './softphone-session-store.ts';
import { switchDirectory, NOT_FOUND_RESPONSE } from './switch-directory.ts';

const DOMAIN = 'parley.test';
const RIGHT = 'the right password';
const encryptor = createEncryptor(randomBytes(32).toString('base64'));

let mongo: TestMongo;
let sessions: SoftphoneSessions;
let clock: MovableClock;
let ask: (form: string) => Promise<string>;
let refused: string[];
let username: string;
beforeAll(() => void (mongo = testMongo()));
afterAll(() => mongo.close());
beforeEach(async () => {
  sessions = await openSoftphoneSessions(mongo.database('directory'));
  clock = movableClock();
  refused = [];
  const onRefused = (reason: string) => void refused.push(reason);
  ask = switchDirectory({
    softphoneSessions: sessions,
    encryptor,
    domain: DOMAIN,
    clock,
    guesses: guessLimit(clock),
    onRefused,
  });
  username = newId('emp');
  const a1Encrypted = encryptor.encrypt(a1Hash(username, DOMAIN, RIGHT), a1Context('sps_1'));
  await sessions
    .of('com_1')
    .upsert(username, (known) =>
      addSession(
        known ?? { id: username, companyId: 'com_1', sessions: [] },
        { id: 'sps_1', a1Encrypted, madeWith: { credentialType: 'session', credentialId: 'ses_1' } },
        clock.now(),
      ),
    );
});

/** What a switch asks when a phone registers. */
function register(password: string, { source = '192.0.2.1', user = username } = {}): Promise<string> {
  const digest = { method: 'REGISTER', uri: `sip:${DOMAIN}`, nonce: randomBytes(8).toString('hex') };
  const form = {
    section: 'directory',
    action: 'sip_auth',
    sip_auth_username: user,
    sip_auth_realm: DOMAIN,
    sip_auth_nonce: digest.nonce,
    sip_auth_uri: digest.uri,
    sip_auth_response: digestResponse(a1Hash(user, DOMAIN, password), digest),
    sip_auth_method: digest.method,
    user,
    domain: DOMAIN,
    ip: source,
  };
  return ask(new URLSearchParams(form).toString());
}
const isAccepted = async (...attempt: Parameters<typeof register>) =>
  (await register(...attempt)).includes(`<user id="${username}">`);

describe('the directory of phones', () => {
  it('the directory of phones accepts the right password', async () => {
    expect(await isAccepted(RIGHT)).toBe(true);
    expect(refused).toEqual([]);
  });

  it.each(['one after the other', 'at once'])(
    'the directory of phones looks at no more passwords of a source after ten wrong ones sent %s, and the user can register elsewhere',
    async (how) => {
      const guesses = Array.from({ length: 303 }, (_, n) => `guess ${n}`);
      if (how === 'at once') await Promise.all(guesses.map((guess) => register(guess)));
      else for (const guess of guesses) await register(guess);
      expect(await isAccepted(RIGHT)).toBe(false);
      expect(refused).toContain('throttled');
      expect(await isAccepted(RIGHT, { source: '192.0.2.2' })).toBe(true);
      clock.setOffsetMs(60_000);
      expect(await isAccepted(RIGHT)).toBe(true);
    },
  );

  it('the directory of phones answers an unknown user, a wrong password and one that it does not look at alike', async () => {
    const user = newId('emp');
    const answers = [await register('x', { user }), await register('x')];
    for (let n = 0; n < 10; n++) answers.push(await register('x', { user }), await register('x'));
    expect(refused.filter((reason) => reason === 'throttled')).toHaveLength(2);
    expect(new Set(answers)).toEqual(new Set([NOT_FOUND_RESPONSE]));
  });

  it('the directory of phones counts the attempts for a user who has no session', async () => {
    await sessions.of('com_1').change(username, (known) => decided({ ...known, sessions: [] }));
    for (let n = 0; n < 12; n++) expect(await isAccepted(RIGHT)).toBe(false);
    expect(refused.filter((reason) => reason === 'throttled')).toHaveLength(2);
  });
});
