import { describe, expect, it } from '@jest/globals';
import { freePort, testMongo, testNats } from '@parley/testkit';
import { checkMongo, checkNats, natsAccess } from './external-servers.ts';

function natsUrl(password: string | undefined): string {
  const { url, user } = testNats();
  return user ? url.replace('://', `://${user}:${password}@`) : url;
}

describe('servers that were named', () => {
  it('servers that were named are fine when they answer', async () => {
    await checkMongo(testMongo().url);
    await checkNats(natsUrl(testNats().password));
  });

  it('servers that were named are reported in one line without their password when they do not respond', async () => {
    const dead = `127.0.0.1:${await freePort()}`;
    const mongo = checkMongo(`mongodb://me:secret@${dead}/?serverSelectionTimeoutMS=1`);
    await expect(mongo).rejects.toThrow(
      new RegExp(`^MONGODB_URL \\(mongodb://${dead}/.*\\) does not answer: .*REFUSED`),
    );
    await expect(mongo).rejects.not.toThrow('secret');
    const nats = checkNats(`nats://me:secret@${dead}`);
    await expect(nats).rejects.toThrow(new RegExp(`^NATS_URL \\(nats://${dead}\\) does not answer: .+$`));
  });

  it('servers that were named are reported when the address is invalid', async () => {
    await expect(checkMongo('localhost')).rejects.toThrow(/^MONGODB_URL \(localhost\) does not answer: Invalid scheme/);
  });
});

describe('the address of a NATS', () => {
  it('the address of a NATS is separated from its credentials', () => {
    expect(natsAccess('nats://a:b%2Fc@one:4222,nats://two:4222')).toEqual({
      url: 'nats://one:4222,nats://two:4222',
      user: 'a',
      password: 'b/c',
    });
    expect(natsAccess('tls://broker:4222')).toEqual({ url: 'tls://broker:4222' });
    expect(natsAccess('broker:4222')).toEqual({ url: 'nats://broker:4222' });
  });
});
