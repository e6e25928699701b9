import { type Check, checksOf } from '../check.ts';
import { appOfOwner, INVALID_GRANT, TOKENS, withToken } from './app.ts';

const { must } = checksOf('oauth');
const LIMITS = { source: 'service-api.md: Limits', profile: 'full', alone: true } as const;
const CREDENTIALS = { source: 'decisions.md: Credentials', profile: 'full', alone: true } as const;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const lifetimeChecks: readonly Check[] = [
  must(
    80,
    'A code lasts 10 minutes, an access token an hour, and a refresh token 30 days from its issue.',
    LIMITS,
    async (context) => {
      const { clock } = context;
      const app = await appOfOwner(context);
      const [used, unused] = [await app.code(), await app.code()];
      await clock.advance(9 * MINUTE);
      const first = await app.redeem(used).gives(200, TOKENS);
      const other = await app.tokens();
      await clock.advance(2 * MINUTE);
      await app.redeem(unused).gives(400, INVALID_GRANT);
      await clock.advance(57 * MINUTE);
      await withToken(context, first.access_token).get('/company').gives(200);
      await clock.advance(2 * MINUTE);
      await withToken(context, first.access_token)
        .get('/company')
        .givesHeaders(401, { 'www-authenticate': 'Bearer error="invalid_token"' });
      await clock.advance(29 * DAY);
      const second = await app.refresh(first.refresh_token).gives(200, TOKENS);
      await clock.advance(2 * DAY);
      await app.refresh(other.refresh_token).gives(400, INVALID_GRANT);
      // Its days count from the refresh.
      await app.refresh(second.refresh_token).gives(200, TOKENS);
    },
  ),

  must(
    81,
    'A refresh token that is used again after 30 seconds ends the whole grant.',
    CREDENTIALS,
    async (context) => {
      const app = await appOfOwner(context);
      const first = await app.tokens();
      const second = await app.refresh(first.refresh_token).gives(200);
      await context.clock.advance(MINUTE);
      await withToken(context, second.access_token).get('/company').gives(200);
      await app.refresh(first.refresh_token).gives(400, INVALID_GRANT);
      await app.refresh(second.refresh_token).gives(400, INVALID_GRANT);
      await withToken(context, second.access_token).get('/company').isRefused(401);
    },
  ),
];
