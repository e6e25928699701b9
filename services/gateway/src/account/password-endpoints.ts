import { type Endpoint, endpoint, json } from '@parley/http';
import { z } from 'zod';
import { formToken } from '../pages/forms.ts';
import { sessionCookies } from '../pages/sign-in.ts';
import { visitorToProto } from '../pages/visitor.ts';
import type { Clients } from '../peers/peers.ts';
import { boundedText } from '../routes/shared/bounded-text.ts';
import { accountError } from './account-error.ts';
import type { SignedInVisitor } from './signed-in-visitor.ts';

const password = boundedText(1_024);

export const passwordEndpoints = ({ signIn }: Clients): Endpoint<SignedInVisitor>[] => [
  endpoint<SignedInVisitor>('none')({
    route: 'PUT /password',
    summary: 'Change one’s own password',
    operationId: 'changePassword',
    description: 'Ends every other session; this one gets another cookie.',
    body: z.object({ current_password: password, password }),
    responses: { 200: z.object({ sign_out_token: z.string() }) },
    errors: { 422: 'validation_failed, wrong_password', 429: 'rate_limited' },
    async handle({ body, context: visitor }) {
      const { outcome } = await signIn.changePassword({
        currentPassword: body.current_password,
        password: body.password,
        visitor: visitorToProto(visitor),
      });
      if (outcome.case === 'opened') {
        const { session } = outcome.value;
        const token = formToken({ ...visitor, session }, 'sign out');
        return json(200, { sign_out_token: token }, { 'Set-Cookie': sessionCookies(visitor, outcome.value) });
      }
      if (!outcome.value?.throttled) throw accountError(422, 'wrong_password');
      throw accountError(429, 'rate_limited', outcome.value.retryAfterSecs);
    },
  }),
];
