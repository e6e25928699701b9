import { empty, type Endpoint, endpoint, json, unauthorized } from '@parley/http';
import { z } from 'zod';
import { sessionCookies } from '../pages/sign-in.ts';
import { visitorToProto } from '../pages/visitor.ts';
import type { Clients } from '../peers/peers.ts';
import { boundedText } from '../routes/shared/bounded-text.ts';
import { accountError } from './account-error.ts';
import type { SignedInVisitor } from './signed-in-visitor.ts';

const code = boundedText(64);

const securitySchema = z
  .object({
    two_factor: z.object({ enabled: z.boolean(), required: z.boolean(), recovery_codes_left: z.number() }),
    has_new_address: z.boolean().describe('Whether an e-mail address waits to be confirmed'),
  })
  .meta({ id: 'Security' });

export const twoFactorEndpoints = ({ signIn }: Clients): Endpoint<SignedInVisitor>[] => [
  endpoint<SignedInVisitor>('none')({
    route: 'GET /security',
    summary: 'Show how one’s own account is protected',
    operationId: 'getSecurity',
    responses: { 200: securitySchema },
    async handle({ context: { session, unconfirmedEmail } }) {
      const { enabled, required, recoveryCodesLeft } = await signIn.getTwoFactor({ session });
      return json(200, {
        two_factor: { enabled, required, recovery_codes_left: recoveryCodesLeft },
        has_new_address: unconfirmedEmail !== '',
      });
    },
  }),
  endpoint<SignedInVisitor>('none')({
    route: 'POST /two_factor/enrolment',
    summary: 'Begin to set up a second factor',
    description: 'Makes a new secret, which counts once a code from it has been entered.',
    operationId: 'beginTwoFactor',
    responses: { 201: z.object({ secret: z.string(), otpauth_uri: z.string() }) },
    async handle({ context: { session } }) {
      const { signedIn, secret, otpauthUri } = await signIn.beginTwoFactor({ session, afterWrongCode: false });
      if (!signedIn) throw unauthorized('Sign in to the dashboard');
      return json(201, { secret, otpauth_uri: otpauthUri });
    },
  }),
  endpoint<SignedInVisitor>('none')({
    route: 'PUT /two_factor',
    summary: 'Switch the second factor on',
    body: z.object({ code }),
    responses: { 200: z.object({ recovery_codes: z.array(z.string()).describe('Shown once') }) },
    errors: { 422: 'wrong_code', 429: 'rate_limited' },
    async handle({ body, context: visitor }) {
      const request = { code: body.code, visitor: visitorToProto(visitor) };
      const { confirmed, recoveryCodes, opened, throttled, retryAfterSecs } = await signIn.confirmTwoFactor(request);
      if (throttled) throw accountError(429, 'rate_limited', retryAfterSecs);
      if (!confirmed) throw accountError(422, 'wrong_code');
      const headers = opened && { 'Set-Cookie': sessionCookies(visitor, opened) };
      return json(200, { recovery_codes: recoveryCodes }, headers);
    },
  }),
  endpoint<SignedInVisitor>('none')({
    route: 'POST /two_factor/removal',
    summary: 'Switch the second factor off',
    body: z.object({ code }),
    responses: { 204: null },
    errors: { 409: 'two_factor_required', 422: 'wrong_code', 429: 'rate_limited' },
    async handle({ body, context: { session } }) {
      const removal = await signIn.disableTwoFactor({ code: body.code, session });
      if (removal.required) throw accountError(409, 'two_factor_required');
      if (removal.throttled) throw accountError(429, 'rate_limited', removal.retryAfterSecs);
      if (!removal.disabled) throw accountError(422, 'wrong_code');
      return empty(204);
    },
  }),
];
