import { describe, expect, it } from '@jest/globals';
import type { Clients } from '../peers/peers.ts';
import type { SignedInVisitor } from './signed-in-visitor.ts';
import { twoFactorEndpoints } from './two-factor-endpoints.ts';

/** The response that an endpoint throws when identity answers so. */
async function refusedWith(path: string, answer: object): Promise<unknown> {
  const signIn = { confirmTwoFactor: async () => answer, disableTwoFactor: async () => answer };
  const found = twoFactorEndpoints({ signIn } as unknown as Clients).find((one) => one.path === path);
  const context = { session: 'session' } as SignedInVisitor;
  const request = { body: { code: '123456' }, context } as unknown as Parameters<
    NonNullable<typeof found>['handle']
  >[0];
  return Promise.resolve(found?.handle(request)).then(
    () => 'accepted',
    ({ response }: { response: unknown }) => response,
  );
}

describe.each([
  ['/two_factor', { confirmed: false }],
  ['/two_factor/removal', { disabled: false }],
])('a code for %s', (path, refused) => {
  it('a code that is wrong is refused as such', async () => {
    expect(await refusedWith(path, refused)).toMatchObject({ status: 422, body: { code: 'wrong_code' } });
  });

  it('a code after too many attempts is not called wrong', async () => {
    expect(await refusedWith(path, { ...refused, throttled: true, retryAfterSecs: 90 })).toMatchObject({
      status: 429,
      body: { code: 'rate_limited' },
      headers: { 'Retry-After': '90' },
    });
  });
});

it('a second factor that the company requires is not removed', async () => {
  expect(await refusedWith('/two_factor/removal', { disabled: false, required: true })).toMatchObject({
    status: 409,
    body: { code: 'two_factor_required' },
  });
});
