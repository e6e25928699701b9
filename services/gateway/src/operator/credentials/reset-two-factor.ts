import { empty, endpoint } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import type { EvictCredential } from '../../credentials/evict-credential.ts';
import type { Clients } from '../../peers/peers.ts';

export const resetTwoFactor = ({ twoFactorAdmin }: Clients, evict: EvictCredential) =>
  endpoint<OperatorPrincipal>()({
    role: 'none',
    method: 'delete',
    path: '/employees/:id/two_factor',
    tag: 'Employees',
    summary: 'Reset a second factor',
    description:
      'For a lost second factor: it is removed with its recovery codes, and all sessions of the employee end. Without a second factor nothing changes.',
    responses: { 204: null },
    errors: [404],
    async handle({ params, context }) {
      await twoFactorAdmin.resetTwoFactor({ employeeId: params.id }, { as: context });
      evict({ credentialId: '', employeeId: params.id });
      return empty(204);
    },
  });
